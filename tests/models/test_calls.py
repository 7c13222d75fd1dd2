import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from audition.errors import NewerFormat, RecordError
from audition.models import calls
from audition.models.calls import RecordedCall, RecordedModel, append_call, begin_calls, read_calls

MODEL = RecordedModel(name="calm", system="sea", settings={"temperature": 0.5})


def call(number: int = 1, response: str = "7") -> RecordedCall:
    return RecordedCall(
        case="berths",
        repeat=1,
        agent="desk",
        occurrence=number,
        request={"messages": []},
        response=response,
    )


def begun(path: Path, *numbers: int) -> Path:
    begin_calls(path, MODEL)
    for number in numbers:
        append_call(path, call(number))
    return path


def read(path: Path) -> list[RecordedCall]:
    return [one for _, one in read_calls(path).calls.values()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "recordings" / "calls.jsonl"


def test_what_was_written_is_read(path: Path) -> None:
    begun(path, 1, 2)
    assert (read_calls(path).model, read(path)) == (MODEL, [call(1), call(2)])
    assert [line for line, _ in read_calls(path).calls.values()] == [2, 3]


def test_a_second_recording_goes_on_and_its_answers_count(path: Path) -> None:
    begun(path, 1, 2)
    begun(path)
    append_call(path, call(1, response="8"))
    assert [one.response for one in read(path)] == ["8", "7"]


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (MODEL.model_copy(update={"name": "storm"}), "holds calls of sea:calm, not of sea:storm"),
        (MODEL.model_copy(update={"settings": {}}), "holds calls of other settings of calm"),
        (MODEL.model_copy(update={"profile": {"x": 1}}), "holds calls of other profile of calm"),
    ],
)
def test_a_file_is_for_one_model(path: Path, model: RecordedModel, told: str) -> None:
    begun(path)
    with pytest.raises(RecordError, match=told):
        begin_calls(path, model)


def test_a_file_that_is_none_of_ours_is_left_as_it_is(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("my notes")
    with pytest.raises(RecordError, match="the first line must be a header"):
        begin_calls(path, MODEL)
    assert path.read_text() == "my notes"


def test_a_newer_format_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"format": "audition-model-calls", "version": 2}\n')
    with pytest.raises(NewerFormat):
        read_calls(path)
    with pytest.raises(NewerFormat):
        begin_calls(path, MODEL)


def test_a_header_without_a_model_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"format": "audition-model-calls", "version": 1}\n')
    with pytest.raises(RecordError, match=r"calls\.jsonl:1: the header is wrong at model"):
        read_calls(path)


def test_a_line_that_a_crash_cut_is_left_out(path: Path) -> None:
    begun(path, 1, 2)
    path.write_bytes(path.read_bytes()[:-20])
    assert read(path) == [call(1)]


def test_a_recording_goes_on_behind_a_line_that_a_crash_cut(path: Path) -> None:
    begun(path, 1, 2)
    path.write_bytes(path.read_bytes()[:-20])
    append_call(path, call(3))
    assert read(path) == [call(1), call(3)]


def test_a_last_line_without_its_end_is_kept(path: Path) -> None:
    begun(path, 1)
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    assert read(path) == [call(1)]
    append_call(path, call(2))
    assert read(path) == [call(1), call(2)]


@pytest.mark.parametrize("line", ["{", "[]", '{"case": "berths"}', '{"format": 1}'])
def test_a_line_in_the_middle_that_is_no_call_is_told(path: Path, line: str) -> None:
    begun(path, 1)
    with path.open("a") as stream:
        stream.write(f"{line}\n")
    append_call(path, call(2))
    with pytest.raises(RecordError, match=r"calls\.jsonl:3: no recorded call: "):
        read_calls(path)


def test_a_file_that_is_not_there_is_told(path: Path) -> None:
    with pytest.raises(RecordError, match=r"calls\.jsonl: No such file"):
        read_calls(path)


def test_a_file_that_was_taken_away_while_it_is_written_is_told(path: Path) -> None:
    begun(path)
    os.truncate(path, 0)
    with pytest.raises(RecordError, match="was emptied while calls were recorded"):
        append_call(path, call())
    path.unlink()
    with pytest.raises(RecordError, match="No such file"):
        append_call(path, call())
    assert not path.exists()


@pytest.mark.parametrize("made", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_what_is_no_regular_file_is_refused(path: Path, made: object) -> None:
    path.parent.mkdir()
    assert callable(made)
    made(path)
    for attempt in (lambda: begin_calls(path, MODEL), lambda: read_calls(path)):
        with pytest.raises(RecordError):
            attempt()


def test_a_file_does_not_grow_without_bound(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(path, 1)
    size = path.stat().st_size
    monkeypatch.setattr(calls, "MAX_BYTES", size + 10)
    with pytest.raises(RecordError, match=f"at most {size + 10} are kept"):
        append_call(path, call(2))
    assert path.stat().st_size == size


def test_threads_write_whole_lines(path: Path) -> None:
    begun(path)

    def write(first: int) -> None:
        for number in range(first, first + 25):
            append_call(path, call(number, response="x" * 10_000))

    threads = [threading.Thread(target=write, args=(1 + 25 * one,)) for one in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.occurrence for one in read(path)) == [*range(1, 201)]


def test_processes_begin_a_file_once_and_write_whole_lines(path: Path) -> None:
    script = (
        "import sys; sys.path[:0] = sys.argv[1:2]; from pathlib import Path;"
        "from tests.models.test_calls import *;"
        "path = Path(sys.argv[2]); begin_calls(path, MODEL); first = int(sys.argv[3]);"
        "[append_call(path, call(n, response='x' * 100_000)) for n in range(first, first + 20)]"
    )
    root = str(Path(__file__).parents[2])
    started = [
        subprocess.Popen([sys.executable, "-c", script, root, str(path), str(first)])  # noqa: S603  # our own script
        for first in (1, 21, 41)
    ]
    assert [process.wait() for process in started] == [0, 0, 0]
    assert sorted(one.occurrence for one in read(path)) == [*range(1, 61)]
    assert sum("format" in json.loads(line) for line in path.read_text().splitlines()) == 1
