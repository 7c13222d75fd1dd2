import asyncio
from pathlib import Path

import pytest

from audition.application import load_dataset
from audition.errors import CallError, RecordError
from audition.events import CompletionReason
from audition.experiment.golden import file_stem, keep_recording, keep_suite, record_case
from audition.inputs import CaseInput
from audition.recording import Recording
from audition.testing import ScriptedFactory, answer, tool_use, turn

FIND = tool_use("@K", "find", "berth 4", arguments={"password": "ORCHARD-77"})
TALK = Recording(events=tuple(turn("Where?", [*FIND, answer("Berth 4.")])))


def test_the_recording_has_no_secret_and_the_suite_finds_it(tmp_path: Path) -> None:
    kept = keep_suite(TALK, tmp_path / "new", name="where is it?")
    assert (kept.recording.name, kept.suite.name) == ("where-is-it.jsonl", "where-is-it.yaml")
    assert "ORCHARD" not in kept.recording.read_text("utf-8") + kept.suite.read_text("utf-8")
    loaded = load_dataset(kept.suite)
    assert (loaded.dataset.name, list(loaded.plans), loaded.warnings) == (
        "golden/where-is-it",
        ["where is it?"],
        (),
    )


def test_secrets_are_kept_where_that_is_asked_for(tmp_path: Path) -> None:
    kept = keep_suite(TALK, tmp_path, name="one", redact=False)
    assert "ORCHARD" in kept.recording.read_text("utf-8")


@pytest.mark.parametrize("name", ["one.yaml", "one.jsonl"])
def test_nothing_is_written_over(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", "utf-8")
    with pytest.raises(CallError, match="wanted a file that is not there yet"):
        keep_suite(TALK, tmp_path, name="one")
    assert [path.read_text("utf-8") for path in tmp_path.iterdir()] == ["mine"]


def test_a_session_that_broke_is_no_golden_one(tmp_path: Path) -> None:
    events = turn("Where?", list(FIND), reason=CompletionReason.TIMEOUT)
    with pytest.raises(CallError, match="not completed: turn 0 ended with timeout"):
        keep_suite(Recording(events=tuple(events)), tmp_path, name="one")
    assert list(tmp_path.iterdir()) == []


def test_a_recording_without_a_turn_is_not_left_behind(tmp_path: Path) -> None:
    with pytest.raises(RecordError):
        keep_recording(Recording(events=tuple(FIND)), tmp_path / "one.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_case_is_run_and_recorded(tmp_path: Path) -> None:
    factory = ScriptedFactory(lambda inputs: [[answer(f"You said {inputs.message}")]])
    recording = asyncio.run(record_case(CaseInput(message="Hello"), factory))
    output = keep_recording(recording, tmp_path / "one.jsonl")
    assert (output.final_response, output.completion_reason) == ("You said Hello", "response")


@pytest.mark.parametrize(
    ("name", "stem"), [("a b/c", "a-b-c"), ("..", "session"), ("x" * 300, "x" * 100)]
)
def test_a_name_is_made_one_of_a_file(name: str, stem: str) -> None:
    assert file_stem(name) == stem
