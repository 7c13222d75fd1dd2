import asyncio
from pathlib import Path

import pytest

from audition.comparison.sides import Known, find_run, read_side
from audition.errors import CallError, RecordError
from audition.experiment.native_report import REPORT
from audition.experiment.plan import PLAN
from tests.comparison.made_up_sides import manifest
from tests.experiments import experiment


def run_of(folder: Path, name: str) -> Path:
    run = folder / name
    run.mkdir(parents=True)
    manifest().write(run)
    return run


def test_the_folder_of_a_run_knows_what_was_planned(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"one": "yes"})
    asyncio.run(run.run())
    assert read_side(run.folder).known is Known.PLAN
    by_report = read_side(run.folder / REPORT)
    assert (by_report.known, by_report.history.path) == (Known.PLAN, run.folder)
    (run.folder / PLAN).unlink()
    assert read_side(run.folder).known is Known.NOTHING


def test_a_report_elsewhere_is_read_itself(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"one": "yes"})
    asyncio.run(run.run())
    moved = (run.folder / REPORT).rename(tmp_path / REPORT)
    assert read_side(moved).known is Known.REPORT


def test_runs_are_named_by_experiment_too_and_the_newest_is_meant(tmp_path: Path) -> None:
    old, new, other = (
        run_of(tmp_path, name) for name in ("a/20310101", "a/20310201", "b/20310301")
    )
    found = [find_run(named, tmp_path) for named in ("a", "latest", str(tmp_path / "a"), str(old))]
    assert found == [new, other, new, old]


def test_what_is_no_run_is_refused_with_what_there_is(tmp_path: Path) -> None:
    run_of(tmp_path, "desk/20310101")
    with pytest.raises(CallError, match=r"run: found 'dsk'; wanted a run, .*: desk$"):
        find_run("dsk", tmp_path)
    with pytest.raises(CallError, match="none is"):
        find_run("latest", tmp_path / "gone")


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text("{}", "utf-8")
    with pytest.raises(RecordError):
        read_side(tmp_path / "text.json")
