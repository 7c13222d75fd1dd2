"""Sessions in files of every form."""

import io
import json
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import JsonValue

from audition.adaptation import Adapted
from audition.errors import NewerFormat, RecordError
from audition.sniff import shape_named
from audition.sources.files import FileSource


def event(text: str, author: str = "user", **fields: JsonValue) -> JsonValue:
    return {"author": author, "content": {"parts": [{"text": text}]}, **fields}


ASKED, TOLD = event("Where?"), event("Berth 4.", "desk")


def write(tmp_path: Path, name: str, content: str) -> FileSource:
    path = tmp_path / name
    path.write_bytes(content.encode())
    return FileSource(path)


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        ("a.jsonl", f"{json.dumps(ASKED)}\n\n{json.dumps(TOLD)}\n", (0, 2)),
        ("a.jsonl", f"{json.dumps(ASKED)}\r\n{json.dumps(TOLD)}\r\n", (0, 1)),
        ("a.json", json.dumps([ASKED, TOLD]), None),
        ("a.yaml", json.dumps([ASKED, TOLD]), None),
        ("a.yml", f"---\n{json.dumps(ASKED)}\n---\n{json.dumps(TOLD)}\n", None),
    ],
)
def test_the_frames_of_a_file(
    tmp_path: Path, name: str, content: str, lines: tuple[int, ...] | None
) -> None:
    record = write(tmp_path, name, content).record()
    assert (record.frames, record.lines, record.broken) == ((ASKED, TOLD), lines, ())
    assert record.name == str(tmp_path / name)


def test_a_line_that_is_torn_is_told(tmp_path: Path) -> None:
    record = write(tmp_path, "a.jsonl", f'x\n{json.dumps(ASKED)}\n{{"au').record()
    assert [(one.index, one.reason.partition(":")[0]) for one in record.broken] == [
        (0, "line 1, no JSON"),
        (2, "line 3, incomplete JSON"),
    ]


def test_a_file_of_several_sessions(tmp_path: Path) -> None:
    rows = [
        event("Where?", session_id="s-1"),
        event("When?", session_id="s-2"),
        event("Berth 4.", "desk", session_id="s-1"),
        event("At noon.", "clerk", session_id="s-2"),
        event("Sharp.", "clerk"),
    ]
    source = write(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows)))
    assert [(one.id, one.agent, one.frames) for one in source.sessions()] == [
        ("s-1", "desk", 2),
        ("s-2", "clerk", 3),
    ]
    assert [one.id for one in source.sessions(agent="CLERK")] == ["s-2"]
    assert [one.id for one in source.sessions(limit=1)] == ["s-1"]
    assert source.record("s-2").lines == (1, 3, 4)
    with pytest.raises(RecordError, match="2 sessions are there, and one is wanted: s-1, s-2"):
        source.record()


def test_the_agents_of_a_file_are_who_answered_and_who_called_a_tool(tmp_path: Path) -> None:
    call: JsonValue = {
        "id": "1",
        "type": "function",
        "function": {"name": "berths", "arguments": "{}"},
    }
    chat: list[JsonValue] = [
        {"role": "system", "content": "You are a desk."},
        {"role": "user", "content": "Where?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "4"},
        {"role": "assistant", "content": "Berth 4."},
    ]
    (info,) = write(tmp_path, "a.json", json.dumps(chat)).sessions()
    assert info.agent == "assistant"


def test_a_session_that_is_wrapped_has_its_id(tmp_path: Path) -> None:
    source = write(tmp_path, "a.json", json.dumps({"id": "s-1", "events": [ASKED, TOLD]}))
    assert [(one.id, one.frames) for one in source.sessions()] == [("s-1", 2)]
    assert len(source.record("s-1").frames) == 1
    with pytest.raises(RecordError, match="no session 's-9' is there; there are: s-1"):
        source.record("s-9")


def test_without_an_id_a_session_has_the_name_of_its_file(tmp_path: Path) -> None:
    source = write(tmp_path, "talk.jsonl", json.dumps(ASKED))
    assert [one.id for one in source.sessions()] == ["talk"]


def test_a_shape_that_was_named_is_not_looked_for(tmp_path: Path) -> None:
    write(tmp_path, "a.jsonl", '{"x": 1}')
    with pytest.raises(RecordError, match="no session that is known here"):
        FileSource(tmp_path / "a.jsonl").record()
    record = FileSource(tmp_path / "a.jsonl", shape=shape_named("adk")).record()
    assert record.frames == ({"x": 1},)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.yaml", "a: [", "no YAML"),
        ("a.yaml", "a: !!python/object/apply:os.getpid []", "no YAML"),
        ("a.json", '{"ship": 1}', "an object with 'ship'"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, name: str, content: str, told: str) -> None:
    with pytest.raises(RecordError, match=told):
        write(tmp_path, name, content).record()


def test_yaml_aliases_do_not_explode(tmp_path: Path) -> None:
    levels = ["- &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(RecordError, match="no session that is known here"):
        write(tmp_path, "a.yaml", "\n".join(levels)).record()


def test_a_newer_recording_is_refused_as_newer(tmp_path: Path) -> None:
    with pytest.raises(NewerFormat):
        write(tmp_path, "a.jsonl", '{"format": "audition-recording", "version": 99}\n').record()


def test_standard_input_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(json.dumps(ASKED).encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    record = FileSource(Path("-")).record()
    assert (record.name, record.frames) == ("standard input", (ASKED,))


def test_a_header_that_is_wrong_is_refused(tmp_path: Path) -> None:
    header = {"format": "audition-recording", "version": 1, "capabilities": {"causes": "maybe"}}
    stopped = {"kind": "agent_stopped", "agent": "@K"}
    content = "\n".join(map(json.dumps, [header, stopped]))
    with pytest.raises(RecordError, match=r":1: the header is wrong at capabilities\.causes"):
        write(tmp_path, "own.jsonl", content).record()


def test_a_record_says_the_shape_that_was_seen(tmp_path: Path) -> None:
    record = write(tmp_path, "a.jsonl", json.dumps(ASKED)).record()
    assert record.shape is shape_named("adk")


def test_a_file_of_two_shapes_is_refused_wherever_the_second_comes(tmp_path: Path) -> None:
    chat: JsonValue = {"role": "user", "content": "Where?"}
    source = write(tmp_path, "a.jsonl", "\n".join(map(json.dumps, [ASKED, TOLD, chat])))
    for read in (source.record, source.sessions):
        with pytest.raises(RecordError, match="adk in frame 0, openai_chat in frame 2"):
            read()


def test_a_frame_before_the_first_that_names_a_session_is_of_it(tmp_path: Path) -> None:
    rows = [7, event("Where?"), *(event("x", session_id=name) for name in ("s-1", "s-2"))]
    source = write(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows)))
    assert [(one.id, one.frames) for one in source.sessions()] == [("s-1", 3), ("s-2", 1)]
    assert source.record("s-1").lines == (0, 1, 2)


def test_of_many_sessions_only_so_many_are_understood_as_are_asked_for(tmp_path: Path) -> None:
    understood: list[int] = []

    def adapt(frames: Iterable[JsonValue]) -> Adapted:
        understood.append(len(list(frames)))
        return Adapted(events=(), human="user")

    shape = replace(shape_named("adk"), adapt=adapt)
    write(tmp_path, "a.jsonl", "\n".join(json.dumps(event("x", session_id=one)) for one in "abc"))
    assert len(FileSource(tmp_path / "a.jsonl", shape=shape).sessions(limit=2)) == 2
    assert understood == [1, 1]


def many(path: Path, sessions: int, frames: int = 20) -> FileSource:
    """Write sessions of 60 KB, each with its first half in the middle of the one before."""
    half = range(frames // 2)
    with path.open("w", encoding="utf-8") as file:
        for number in range(sessions + 1):
            for name in (f"s-{number}", f"s-{number - 1}"):
                texts = (f"{name} {index} {'berth ' * 500}" for index in half)
                file.writelines(
                    f"{json.dumps(event(text, session_id=name))}\n"
                    for text in texts
                    if name not in {f"s-{sessions}", "s--1"}
                )
    return FileSource(path)


def peak(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_no_more_than_one_session_of_json_lines_is_in_memory(tmp_path: Path) -> None:
    few, lots = many(tmp_path / "a.jsonl", 10), many(tmp_path / "b.jsonl", 100)
    lots.record("s-5")  # what is made once
    assert peak(lambda: lots.record("s-99")) < 1.2 * peak(lambda: few.record("s-9"))
    more = peak(lambda: lots.sessions(limit=1000)) - peak(lambda: few.sessions(limit=1000))
    assert more < 90 * 1_000  # what is known of a session, and where its frames stand
