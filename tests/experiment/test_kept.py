import asyncio
from datetime import date
from pathlib import Path

import pytest

from audition.datasets.authoring import Authoring
from audition.errors import RecordError
from audition.experiment.driver import Experiment
from audition.experiment.exit_codes import ExitCode
from audition.experiment.journal import JOURNAL, OUTPUTS
from audition.experiment.kept import KeptRun, read_run
from audition.experiment.manifest import MANIFEST
from audition.experiment.native_report import REPORT
from audition.experiment.results import UnitResult
from audition.experiment.status import Status
from tests.experiments import experiment


def unit_results(kept: KeptRun) -> list[UnitResult]:
    return [told.unit for told in kept.unit_results(Authoring())]


@pytest.fixture
def run(tmp_path: Path) -> Experiment:
    """Return a run with a good, a bad and a broken case."""
    made = experiment(tmp_path, {"good": "yes", "bad": "no", "raised": ValueError("down")})
    asyncio.run(made.run())
    return made


def test_the_folder_of_a_run_tells_what_the_run_told(run: Experiment) -> None:
    kept = read_run(run.folder)
    assert (kept.name, kept.application, kept.code) == ("small/set", "small", run.code)
    assert unit_results(kept) == list(run.results())
    assert (kept.dataset, kept.team, kept.planned) == (run.loaded.path, None, 3)


def test_a_native_report_tells_the_same_but_the_order(run: Experiment) -> None:
    kept = read_run(run.folder / REPORT)
    assert (kept.name, kept.application, kept.code) == ("small/set", "small", run.code)
    statuses = {result.unit.name: result.status for result in unit_results(kept)}
    assert statuses == {"good": Status.PASSED, "bad": Status.FAILED, "raised": Status.ERROR}


def test_a_native_report_knows_which_failures_were_excused(tmp_path: Path) -> None:
    excuse = {"known_failure": {"reason": "slow", "until": "2026-03-01"}}
    answers = {"good": "yes", "bad": "no", "worse": "no"}
    made = experiment(tmp_path, answers, cases={"bad": excuse}, today=date(2026, 3, 1))
    asyncio.run(made.run())
    assert unit_results(read_run(made.folder)) == list(made.results())
    for kept in (read_run(made.folder), read_run(made.folder / REPORT)):
        statuses = {one.unit.name: one.status for one in unit_results(kept)}
        assert statuses == {
            "good": Status.PASSED, "bad": Status.KNOWN_FAILURE, "worse": Status.FAILED
        }  # fmt: skip


def test_a_run_that_was_killed_is_told_without_an_exit_code(run: Experiment) -> None:
    (run.folder / REPORT).unlink()
    manifest = (run.folder / MANIFEST).read_text("utf-8")
    (run.folder / MANIFEST).write_text(
        manifest.replace(f'"exit_code": {int(ExitCode.INFRASTRUCTURE)}', '"exit_code": null'),
        "utf-8",
    )
    kept = read_run(run.folder)
    assert (kept.code, len(unit_results(kept))) == (None, 3)


def test_a_folder_above_runs_is_told_with_the_runs_in_it(run: Experiment) -> None:
    with pytest.raises(RecordError) as error:
        read_run(run.folder.parent)
    problem = f"no run but a folder with runs; name one: {run.folder}"
    assert str(error.value) == f"{run.folder.parent}: {problem}"


def test_a_folder_without_any_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no run is in it"):
        read_run(tmp_path)


@pytest.mark.parametrize("name", [JOURNAL, OUTPUTS, MANIFEST])
def test_a_file_of_a_run_is_told_with_the_folder_of_the_run(run: Experiment, name: str) -> None:
    with pytest.raises(RecordError) as error:
        read_run(run.folder / name)
    assert str(error.value).endswith(f"{name}: a file of a run; name its folder: {run.folder}")


@pytest.mark.parametrize("gone", [MANIFEST, OUTPUTS])
def test_a_folder_that_is_no_run_is_refused(run: Experiment, gone: str) -> None:
    (run.folder / gone).unlink()
    with pytest.raises(RecordError, match=f"{gone}: No such file"):
        read_run(run.folder)
