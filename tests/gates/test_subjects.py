import asyncio
from pathlib import Path

import pytest

from audition.datasets.authoring import Authoring
from audition.errors import CallError, RecordError
from audition.events import CompletionReason
from audition.experiment.driver import Settings
from audition.experiment.journal import JOURNAL
from audition.experiment.manifest import Selection, read_manifest
from audition.experiment.plan import PLAN
from audition.gates.subjects import find_run, read_subject
from audition.testing import output
from tests.experiments import experiment

TIMEOUT = output(reason=CompletionReason.TIMEOUT)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Return the folder of a run with a good, a bad and a broken case, twice each."""
    answers = {"good": "yes", "bad": "no", "broken": TIMEOUT}
    run = experiment(tmp_path, answers, settings=Settings(repeat=2))
    asyncio.run(run.run())
    return run.folder


def test_a_run_and_its_native_report_say_the_same(kept: Path) -> None:
    folder, report = (read_subject(one, Authoring()) for one in (kept, kept / "report.json"))
    told = [
        {case.case: (case.count, case.errors) for case in subject.cases.values()}
        for subject in (folder, report)
    ]
    assert told[0] == told[1]
    assert (folder.unfinished, folder.selection, report.unfinished) == (None, None, None)


def test_why_a_run_is_not_the_whole_is_said(kept: Path) -> None:
    manifest = read_manifest(kept)
    manifest.finished_at = None
    manifest.selection = Selection(names=("good",), tags=("old",), shard="1/2")
    manifest.write(kept)
    subject = read_subject(kept, Authoring())
    assert subject.unfinished == "it was killed, or is running still"
    assert subject.selection == "--case 'good' --tag 'old' --shard 1/2"
    manifest.finished_at, manifest.exit_code = "now", 130
    manifest.write(kept)
    assert read_subject(kept, Authoring()).unfinished == "it was interrupted"
    manifest.exit_code, manifest.stopped_by = 4, "the run has used its tokens"
    manifest.write(kept)
    assert read_subject(kept, Authoring()).unfinished == "the run has used its tokens"


@pytest.mark.parametrize("whole", [0, 2])
def test_cases_of_which_no_plan_and_no_line_tells_any_more_do_not_pass_by_absence(
    kept: Path, whole: int
) -> None:
    """A plan that is gone, or cut behind its first case, and a journal that is cut too."""
    plan, journal = kept / PLAN, kept / JOURNAL
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:2]))
    lines = plan.read_bytes().splitlines(keepends=True)[:whole]
    plan.unlink()
    if lines:
        plan.write_bytes(b"".join(lines))
    assert read_subject(kept, Authoring()).unfinished == "4 of 6 runs are not in it"


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no run is in it"):
        read_subject(tmp_path, Authoring())


def test_a_run_is_named_by_its_folder_as_the_latest_or_as_a_baseline(tmp_path: Path) -> None:
    reports, baselines = tmp_path / "reports", tmp_path / "baselines"
    for folder in (
        reports / "set/20260101T000000Z",
        reports / "set/20260102T000000Z",
        baselines / "set",
    ):
        folder.mkdir(parents=True)
        (folder / "manifest.json").touch()
    found = [
        find_run(named, reports=reports, baselines=baselines)
        for named in (str(reports), "latest", "set")
    ]
    assert found == [reports, reports / "set/20260102T000000Z", baselines / "set"]
    with pytest.raises(CallError, match=r"did you mean 'latest'\? wanted one of latest, set"):
        find_run("lates", reports=reports, baselines=baselines)
    with pytest.raises(CallError, match="there is none"):
        find_run("latest", reports=tmp_path / "none", baselines=tmp_path)
