"""Events as lines, and back: nothing lost, whatever became of the last line."""

import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from audition.errors import NewerFormat, RecordError
from audition.events import (
    AgentFailed,
    AgentStopped,
    CompletionReason,
    Event,
    MessageSent,
    MessageType,
    ModelResponded,
    RuntimeStopped,
    StateChanged,
    ToolCalled,
    ToolOutcome,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.output import RuntimeCapabilities
from audition.recording import Recorder, Recording, read_recording, write_recording
from audition.testing import answer

TEXT = st.text(max_size=9)
AT = st.none() | st.floats(0, 1e10)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
EVENTS = st.one_of(
    st.builds(
        MessageSent, at=AT, agent=TEXT, content=TEXT, message_type=st.sampled_from(MessageType)
    ),
    st.builds(ToolCalled, tool_name=TEXT, tool_call_id=TEXT, arguments_raw=TEXT, arguments=JSON),
    st.builds(
        ToolReturned, tool_name=TEXT, tool_call_id=TEXT, outcome=st.sampled_from(ToolOutcome)
    ),
    st.builds(ModelResponded, model_name=TEXT, cost_usd=AT, input_tokens=st.integers(0, 1 << 40)),
    st.builds(AgentFailed, error=TEXT, cause_id=TEXT),
    st.builds(RuntimeStopped, transport_closed=st.booleans()),
    st.builds(StateChanged, agent=TEXT, changes=st.dictionaries(TEXT, JSON, max_size=3)),
    st.builds(TurnStarted, turn=st.integers(0, 99), message=TEXT),
    st.builds(TurnFinished, turn=st.integers(0, 99), reason=st.sampled_from(CompletionReason)),
)
HEADER = '{"format":"audition-recording","version":1}'


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(EVENTS, max_size=6), TEXT)
def test_a_recording_reads_back_equal(tmp_path: Path, events: list[Event], human: str) -> None:
    path = tmp_path / "a.jsonl"
    recording = Recording(
        events=tuple(events), human=human, capabilities=RuntimeCapabilities(tool_evidence=True)
    )
    write_recording(path, recording)
    assert read_recording(path) == recording


def test_the_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_recording(path, Recording(events=(AgentStopped(agent="@K"),)))
    assert path.read_text() == snapshot("""\
{"format":"audition-recording","version":1,"human":"@Human","capabilities":{"request_correlation":false,"isolated_execution":false,"trace_context":false,"actor_quiescence":false,"tool_evidence":false,"causes":false}}
{"at":null,"agent":"@K","event_id":null,"cause_id":null,"kind":"agent_stopped"}
""")


def test_each_event_is_written_as_it_comes() -> None:
    stream = io.StringIO()
    recorder = Recorder(stream)
    recorder(AgentStopped())
    recorder(AgentStopped())
    assert stream.getvalue().count("\n") == 3


def read(path: Path, *lines: str, end: str = "\n") -> Recording:
    path.write_bytes(end.join([HEADER, *lines]).encode())
    return read_recording(path)


STOPPED = '{"kind":"agent_stopped"}'


def test_a_torn_last_line_is_dropped_and_named(tmp_path: Path) -> None:
    recording = read(tmp_path / "a.jsonl", STOPPED, '{"kind":"agent_sto')
    assert recording.events == (AgentStopped(),)
    (dropped,) = recording.dropped
    assert (dropped.index, dropped.reason[:9]) == (1, "no JSON: ")


def test_a_line_torn_inside_a_character_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(f'{HEADER}\n{STOPPED}\n{{"error":"caf\u00e9'.encode()[:-1])
    recording = read_recording(path)
    assert (recording.events, len(recording.dropped)) == ((AgentStopped(),), 1)


def test_a_line_that_is_no_event_is_dropped_and_named(tmp_path: Path) -> None:
    recording = read(tmp_path / "a.jsonl", '{"kind":"applause"}', "[1]", STOPPED, "")
    assert recording.events == (AgentStopped(),)
    assert [(frame.index, frame.reason[:9]) for frame in recording.dropped] == [
        (0, "no event:"),
        (1, "no event:"),
    ]


def test_windows_line_ends_are_read(tmp_path: Path) -> None:
    recording = read(tmp_path / "a.jsonl", STOPPED, STOPPED, end="\r\n")
    assert recording == Recording(events=(AgentStopped(), AgentStopped()))


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"﻿{HEADER}\n{STOPPED}")
    assert read_recording(path).events == (AgentStopped(),)


@pytest.mark.parametrize("text", ["a\u2028b", "a\x85b", "a\r\nb", "a\x00b", "x" * 150_000])
def test_odd_line_ends_inside_a_text_end_no_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.jsonl"
    write_recording(path, Recording(events=(answer(text),)))
    assert read_recording(path).events == (answer(text),)


def test_a_lone_surrogate_does_not_lose_the_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_recording(path, Recording(events=(answer("a\ud800b"),)))
    assert read_recording(path).events == (answer("a�b"),)


@pytest.mark.parametrize("version", ["2", '"next"', "null"])
def test_a_newer_version_is_refused_by_name(tmp_path: Path, version: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"format":"audition-recording","version":{version}}}\n{STOPPED}')
    with pytest.raises(NewerFormat, match="this version reads up to 1"):
        read_recording(path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the first line must be a header"),
        ("{torn", "the first line must be a header"),
        (STOPPED, "the first line must be a header"),
        ("[]", "the first line must be a header"),
        (
            HEADER[:-1] + ',"human":7}',
            "the header is wrong at human: Input should be a valid string",
        ),
        (HEADER[:-1] + ',"capabilities":{"x":1}}', "the header is wrong at capabilities.x"),
    ],
    ids=["empty", "torn", "event", "list", "human", "capability"],
)
def test_what_is_no_recording_says_why(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(RecordError, match=problem) as caught:
        read_recording(path)
    assert caught.value.line == 1


def test_a_file_that_is_not_there_is_a_record_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"a\.jsonl: No such file or directory$"):
        read_recording(tmp_path / "a.jsonl")
