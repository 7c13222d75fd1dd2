"""A run killed by SIGKILL at fifty places of what it writes, and gone on with."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from audition.experiment.journal import JOURNAL, OUTPUTS
from audition.experiment.kept_lines import read_journal
from audition.experiment.native_report import REPORT
from tests.experiment.killed_run import CASES, REPEATS, run

pytestmark = pytest.mark.slow

KILLS = 50


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that nobody interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    run(folder)
    return folder / "run"


@pytest.fixture(scope="module")
def killer() -> Iterator[subprocess.Popen[str]]:
    """Return a process that has imported everything, and forks a run for each line it is told."""
    command = [sys.executable, "-m", "tests.experiment.killed_run"]
    with subprocess.Popen(  # noqa: S603  # our own module
        command,
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def told(folder: Path) -> list[Any]:
    """Return what the report says, but for times and ids, in the order of the cases."""
    report = json.loads((folder / REPORT).read_bytes())
    cases = [*report["cases"], *report["failures"]]
    return sorted((_without_times(case) for case in cases), key=lambda case: case["name"])


_DIFFERS = {"task_duration", "total_duration", "trace_id", "span_id", "at", "seconds", "event_id"}


def _without_times(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _without_times(held) for name, held in value.items() if name not in _DIFFERS}
    return [_without_times(held) for held in value] if isinstance(value, list) else value


@pytest.mark.parametrize("number", range(KILLS))
def test_a_killed_run_is_finished_with_every_case_once(
    tmp_path: Path, whole: Path, killer: "subprocess.Popen[str]", number: int
) -> None:
    size = sum((whole / name).stat().st_size for name in (JOURNAL, OUTPUTS))
    place = random.Random(number).randrange(1, size)  # noqa: S311  # no secret
    assert killer.stdin is not None
    assert killer.stdout is not None
    killer.stdin.write(f"{tmp_path} {place}\n")
    killer.stdin.flush()
    assert killer.stdout.readline().strip() in {"9", "0"}  # killed, or faster than the killer
    before = _units(tmp_path / "run")
    assert run(tmp_path) == 1
    after = _units(tmp_path / "run")
    assert after[: len(before)] == before
    assert sorted(after) == sorted({*after})
    assert len(after) == CASES * REPEATS
    assert told(tmp_path / "run") == told(whole)


def _units(folder: Path) -> list[tuple[str, int]]:
    return [(line.case, line.repeat) for line in read_journal(folder)] if folder.exists() else []
