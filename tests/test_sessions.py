import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from audition.errors import NewerFormat, RecordError
from audition.events import CompletionReason
from audition.matching.terms import find
from audition.output import CaseOutput, RuntimeCapabilities
from audition.recording import Recording, write_recording
from audition.sessions import SessionInput, judge_session, read_output
from audition.sources.addresses import SourceAddress
from audition.testing import answer, tool_use, turn
from audition.tool_rules import ToolRule

HERE = Path(__file__).parent
CASES = HERE / "cases"
MULTI_TURN = HERE / "recordings" / "adk" / "2.13.0" / "multi_turn.session.json"


def event(text: str, author: str = "user", invocation: str = "e-1", **fields: Any) -> str:
    content = {"parts": [{"text": text}], "role": "user" if author == "user" else "model"}
    return json.dumps({"content": content, "author": author, "invocation_id": invocation, **fields})


def read(tmp_path: Path, content: str | bytes, **fields: Any) -> CaseOutput:
    path = tmp_path / "talk.jsonl"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_output(SessionInput(session=str(path), **fields))


def refused(tmp_path: Path, content: str | bytes, **fields: Any) -> str:
    with pytest.raises(RecordError) as error:
        read(tmp_path, content, **fields)
    return str(error.value).removeprefix(f"{tmp_path / 'talk.jsonl'}: ")


TALK = [event("Where is the Alba?"), event("At berth 4.", "desk")]


def test_a_session_becomes_the_output_of_a_case(tmp_path: Path) -> None:
    out = read(tmp_path, "\n".join(TALK))
    assert (out.final_response, out.completion_reason) == ("At berth 4.", "response")
    assert (out.provenance.source, out.human) == ("session talk.jsonl", "user")


def test_the_task_of_a_session_dataset_reads_off_the_loop(tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join(TALK), "utf-8")
    out = asyncio.run(judge_session(SessionInput(session=str(path))))
    assert out.final_response == "At berth 4."


def test_a_torn_last_line_is_accounted_for() -> None:
    out = read_output(SessionInput(session=str(CASES / "51-session-torn.jsonl")))
    assert (len(out.messages), len(out.tool_calls), len(out.tool_returns)) == (1, 1, 1)
    assert (out.final_response, out.completed) == (None, False)
    (dropped,) = out.dropped
    assert (dropped.index, dropped.reason) == (3, "line 4, incomplete JSON")


def test_a_last_line_that_is_torn_inside_a_character_is_accounted_for(tmp_path: Path) -> None:
    torn = "\n".join([*TALK, '{"content": "é']).encode()[:-1]
    out = read(tmp_path, torn)
    assert [frame.reason for frame in out.dropped] == ["line 3, incomplete JSON"]


def test_a_broken_line_in_the_middle_is_told_with_its_number(tmp_path: Path) -> None:
    lines = [TALK[0], "", "{broken", '{"author": "desk", "partial": true}', TALK[1], ""]
    out = read(tmp_path, "\n".join(lines))
    assert [(frame.index, frame.reason.partition(":")[0]) for frame in out.dropped] == [
        (2, "line 3, no JSON"),
        (3, "partial"),
    ]
    assert out.final_response == "At berth 4."


def test_line_ends_of_windows_change_nothing() -> None:
    out = read_output(SessionInput(session=str(CASES / "55-session-crlf.jsonl")))
    assert (len(out.messages), out.dropped) == (2, ())
    assert out.final_response == "Gate 1\r\nGate 2\r\n\r\nGate 3"
    assert find("Gate 1\nGate 2", out.normal_text(out.final_response)) is not None


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    line = event("one\u2028two", "desk").replace("\\u2028", "\u2028")
    assert read(tmp_path, f"{TALK[0]}\n{line}").final_response == "one\u2028two"


@pytest.mark.parametrize("wrap", ["[{}]", '{{"id": "s", "events": [{}]}}', "\ufeff[{}]"])
def test_a_whole_session_in_one_value_is_the_same(tmp_path: Path, wrap: str) -> None:
    assert read(tmp_path, wrap.format(",".join(TALK))).final_response == "At berth 4."


def test_one_invocation_is_chosen(tmp_path: Path) -> None:
    lines = [*TALK, event("And the Bora?", invocation="e-2"), event("Gone.", "desk", "e-2")]
    first = read(tmp_path, "\n".join(lines), invocation="e-1")
    assert [one.message for one in first.turns] == ["Where is the Alba?"]
    whole = read(tmp_path, "\n".join(lines))
    assert len(whole.turns) == 2


def test_an_invocation_is_chosen_inside_a_whole_session(tmp_path: Path) -> None:
    data = json.loads(MULTI_TURN.read_text("utf-8"))
    names = list(dict.fromkeys(one["invocationId"] for one in data["events"]))
    out = read(tmp_path, json.dumps(data), invocation=names[-1])
    assert (len(names) > 1, len(out.turns)) == (True, 1)


def test_an_unknown_invocation_is_told_with_those_that_are_there(tmp_path: Path) -> None:
    told = refused(tmp_path, "\n".join(TALK), invocation="e-9")
    assert told == "no invocation 'e-9'; there are: e-1"
    nameless = json.dumps({"author": "user", "content": {"parts": [{"text": "Where?"}]}})
    assert refused(tmp_path, nameless, invocation="e-9").endswith("there are: none")


def test_the_place_of_a_dropped_frame_is_that_in_the_file(tmp_path: Path) -> None:
    lines = [*TALK, event("x", "desk", "e-2", partial=True), event("And?", invocation="e-2")]
    (dropped,) = read(tmp_path, "\n".join(lines), invocation="e-2").dropped
    assert (dropped.index, dropped.reason) == (2, "partial")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            '{"ship": "Alba", "berth": 4}',
            "no session that is known here: 1 frame(s): an object with 'ship', 'berth'",
        ),
        ("# notes\n# more", "no session that is known here: line 1, no JSON"),
        ("", "no session that is known here: "),
        (b"\xff\xfe\x00", "no session that is known here: line 1, incomplete JSON"),
    ],
)
def test_an_unknown_shape_is_refused(tmp_path: Path, content: str | bytes, told: str) -> None:
    assert refused(tmp_path, content).startswith(told)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file or directory"):
        read_output(SessionInput(session=str(tmp_path / "gone.jsonl")))


def recorded(tmp_path: Path, capabilities: RuntimeCapabilities) -> Path:
    path = tmp_path / "own.jsonl"
    events = turn("Where?", [*tool_use("desk", "find", "berth 4"), answer("Berth 4.", "desk")])
    write_recording(path, Recording(events=tuple(events), capabilities=capabilities))
    return path


def test_our_own_recording_is_a_session_with_what_its_runtime_declared(tmp_path: Path) -> None:
    declared = RuntimeCapabilities(actor_quiescence=True)
    path = recorded(tmp_path, declared)
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"kind": "message_se')
    rule = ToolRule(tool_name="find", contains="berth")
    out = read_output(SessionInput(session=str(path), tool_rules=(rule,)))
    assert (out.final_response, out.completion_reason) == ("Berth 4.", CompletionReason.RESPONSE)
    assert (out.capabilities, len(out.dropped)) == (declared, 1)
    assert out.tool_invocations()[0].outcome == "domain_failure"


def test_our_own_recording_has_no_invocations_to_choose(tmp_path: Path) -> None:
    path = recorded(tmp_path, RuntimeCapabilities())
    with pytest.raises(RecordError, match="no invocation 'e-1'; there are: none"):
        read_output(SessionInput(session=str(path), invocation="e-1"))


def test_a_newer_recording_is_refused_as_newer(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_text('{"format": "audition-recording", "version": 99}\n', "utf-8")
    with pytest.raises(NewerFormat):
        read_output(SessionInput(session=str(path)))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "no session that is known here: nothing is in it"),
        (b"[]", "no session that is known here: nothing is in it"),
        (b"7", "no session that is known here: 1 frame(s): 7"),
    ],
)
def test_a_file_without_a_session_says_what_it_holds(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=re.escape(problem)):
        read_output(SessionInput(session=str(path)))


def test_what_a_runner_yields_has_no_turn_to_judge() -> None:
    path = HERE / "recordings/adk/2.13.0/streaming.yielded.jsonl"
    with pytest.raises(RecordError, match="no message of the user is in it"):
        read_output(SessionInput(session=str(path)))


@pytest.mark.parametrize("name", ["/dev/zero", ".", "a\0b", "x" * 300])
def test_what_is_no_file_is_refused(name: str) -> None:
    with pytest.raises(RecordError):
        read_output(SessionInput(session=name))


def test_a_line_that_cannot_be_read_makes_absence_unprovable(tmp_path: Path) -> None:
    broken = read(tmp_path, "\n".join([TALK[0], '{"content": {"par', TALK[1]]))
    assert broken.dropped_events == 1
    assert read(tmp_path, "\n".join(TALK)).dropped_events == 0


def test_events_that_are_wrapped_twice_are_read_or_refused(tmp_path: Path) -> None:
    events = [json.loads(line) for line in TALK]
    made = read(tmp_path, json.dumps({"events": [{"events": [*events, {"x": 1}]}]}))
    assert made.final_response == "At berth 4."


@pytest.mark.parametrize("lists", [1, 12, 60])
def test_a_chat_may_stand_in_any_number_of_lists(tmp_path: Path, lists: int) -> None:
    said = json.dumps(
        [{"role": "user", "content": "Where?"}, {"role": "assistant", "content": "4"}]
    )
    assert read(tmp_path, "[" * lists + said + "]" * lists).final_response == "4"


def test_a_late_answer_of_another_invocation_stays_with_its_question(tmp_path: Path) -> None:
    frames = [
        event("one", id="1", invocation="i0"),
        event("two", id="2", invocation="i1"),
        event("to two", "desk", id="3", invocation="i1"),
        event("to one", "desk", id="4", invocation="i0"),
    ]
    made = read(tmp_path, "\n".join(frames))
    assert [turn.responses for turn in made.turns] == [("to one",), ("to two",)]
    assert made.final_response == "to two"


def test_a_session_stands_in_a_file_or_in_a_source() -> None:
    source = SourceAddress(address="kubectl:desk")
    wrongs: tuple[dict[str, Any], ...] = ({}, {"session": "a.jsonl", "source": source})
    for wrong in wrongs:
        with pytest.raises(ValidationError, match="exactly one of session and source"):
            SessionInput(**wrong)
    assert SessionInput(source=source).place == "kubectl:desk"


def test_a_session_of_a_source_is_read_by_its_id(tmp_path: Path) -> None:
    path = tmp_path / "talks.jsonl"
    lines = [event("Where?", session_id="a"), event("At 4.", "desk", session_id="a")]
    lines += [event("When?", session_id="b"), event("At noon.", "desk", session_id="b")]
    path.write_text("\n".join(lines), "utf-8")
    source = SourceAddress(address=str(path))
    assert read_output(SessionInput(source=source, session_id="b")).final_response == "At noon."
    assert read_output(SessionInput(session=str(path), session_id="a")).final_response == "At 4."
    with pytest.raises(RecordError, match="2 sessions are there, and one is wanted: a, b"):
        read_output(SessionInput(session=str(path)))
