"""The knowledge team with a model that is recorded once and replayed, and no change to the team."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from audition.experiment.kept_lines import standing_results
from audition.experiment.native_report import load_result
from audition.experiment.results import output_of
from audition.output import CaseOutput

ROOT = Path(__file__).parents[3]
AUDITION = Path(sys.executable).with_name("audition")
LIVE = "knowledge_team.scripted.model:scripted_model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What `audition run` left."""

    code: int
    told: str
    outputs: tuple[CaseOutput, ...]


def run(calls: Path, reports: Path, *options: str, live: str = "") -> Run:
    done = subprocess.run(  # noqa: S603  # our own command
        [AUDITION, "run", "datasets/retrieval.json", "--reports", reports, *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "KNOWLEDGE_MODEL": "audition.models.recorded:from_environment",
            "AUDITION_MODEL_CALLS": str(calls),
            "AUDITION_MODEL": live,
        },
    )
    outputs = [one for folder in reports.glob("*/*") for _, one in sorted(_kept(folder))]
    return Run(code=done.returncode, told=done.stdout + done.stderr, outputs=tuple(outputs))


def _kept(folder: Path) -> list[tuple[int, Any]]:
    return [(one.line.position, output_of(load_result(one))) for one in standing_results(folder)]


def said(output: CaseOutput) -> dict[str, object]:
    """Return what a case shows that does not belong to one run of it."""
    told = output.model_dump(mode="json")
    names = ("final_response", "completion_reason", "messages", "tool_calls", "tool_evidence")
    shown = json.dumps({name: told[name] for name in (*names, "llm_usage", "provenance")})
    # Times, ids of messages and runs; the ids of calls are those that were recorded.
    shown = re.sub(r'"(at|started_at|ended_at|seconds)": [0-9.e+-]+', r'"\1": 0', shown)
    ids = dict.fromkeys(re.findall(r"\b[0-9a-f]{32}\b|[0-9a-f-]{36}", shown))
    for number, one in enumerate(ids):
        shown = shown.replace(one, f"id {number}")
    return json.loads(shown)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    folder = tmp_path_factory.mktemp("recorded")
    calls = folder / "recordings" / "calls.jsonl"
    return calls, run(calls, folder / "reports", live=LIVE)


@pytest.mark.parametrize("concurrency", ["1", "8"])
def test_a_replay_gives_the_same_answers_and_evidence_in_any_order(
    recorded: tuple[Path, Run], tmp_path: Path, concurrency: str
) -> None:
    calls, live = recorded
    assert "17 passed of 17" in live.told
    replayed = run(calls, tmp_path, "--max-concurrency", concurrency)
    assert "17 passed of 17" in replayed.told
    assert len(live.outputs) == 17
    assert [*map(said, replayed.outputs)] == [*map(said, live.outputs)]


def test_a_repeat_that_was_not_recorded_is_a_broken_run(
    recorded: tuple[Path, Run], tmp_path: Path
) -> None:
    calls, _ = recorded
    replayed = run(calls, tmp_path, "--case", "purpose", "--repeat", "2")
    assert replayed.code == 3
    assert "1 error, 1 passed of 2" in replayed.told
    assert "the same request is recorded of agent 'Manager' in case 'purpose', repeat 1" in (
        replayed.told
    )


def test_a_case_that_was_not_recorded_is_a_broken_run(
    recorded: tuple[Path, Run], tmp_path: Path
) -> None:
    calls, _ = recorded
    other = tmp_path / "calls.jsonl"
    lines = calls.read_text().splitlines(keepends=True)
    other.write_text("".join(line for line in lines if '"case":"founders"' not in line))
    replayed = run(other, tmp_path / "reports", "--case", "founders")
    assert replayed.code == 3
    assert "error   founders" in replayed.told
    assert "asked 'Which companies formed Tidewater Collective?'" in replayed.told


def test_a_recording_that_is_not_there_is_a_wrong_configuration(tmp_path: Path) -> None:
    replayed = run(tmp_path / "none.jsonl", tmp_path)
    assert replayed.code == 2
    assert "none.jsonl; set AUDITION_MODEL to record it" in replayed.told
