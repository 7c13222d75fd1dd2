import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audition.comparison.comparing import compare
from audition.comparison.report_history import history_of_report
from audition.comparison.sides import read_side
from audition.comparison.verdicts import Verdict
from audition.events import CompletionReason
from audition.experiment.driver import Settings
from audition.experiment.histories import Count, RunHistory, read_history
from audition.experiment.native_report import REPORT
from audition.experiment.plan import name_id
from audition.testing import output
from tests.experiments import SAYS_YES, Answer, experiment

type Cases = Mapping[str, Mapping[str, Any]]

ANSWERS: dict[str, Answer] = {
    "good": "yes",
    "bad": "no",
    "broken": output(reason=CompletionReason.TIMEOUT),
    "raises": RuntimeError("down"),
}


def kept(folder: Path, answers: dict[str, Answer], cases: Cases | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    run = experiment(folder, answers, settings=Settings(repeat=2), cases=cases)
    asyncio.run(run.run())
    return (run.folder / REPORT).rename(folder / "kept.json")


def summary(history: RunHistory) -> dict[str, object]:
    return {
        case.case: (case.count, case.errors, case.blames, case.reasons, case.seconds, case.tokens)
        for case in history.cases.values()
    }


def test_a_report_tells_what_the_folder_of_its_run_tells(tmp_path: Path) -> None:
    report = kept(tmp_path, ANSWERS)
    told, folder = history_of_report(report), read_history(tmp_path / "run")
    assert summary(told) == summary(folder)
    assert told.cases[name_id("good")].count == Count(2, 2)
    assert {*told.cases} == {*folder.cases}


def test_two_reports_are_paired_by_what_they_asked(tmp_path: Path) -> None:
    asked = [
        {"two": {"evaluators": [SAYS_YES | {"id": "says it", "required_terms": [term]}]}}
        for term in ("yes", "no")
    ]
    base = kept(tmp_path / "a", {"one": "yes", "two": "yes"}, cases=asked[0])
    candidate = kept(tmp_path / "b", {"one": "no", "two": "yes"}, cases=asked[1])
    found = compare(read_side(base), read_side(candidate))
    assert [(one.case, one.verdict, one.why) for one in found.cases] == [
        ("one", Verdict.BROKEN, ()),
        ("two", Verdict.CHANGED, ("evaluators: says it changed",)),
    ]


def test_what_all_cases_are_judged_by_is_of_none_of_its_own(tmp_path: Path) -> None:
    base = history_of_report(kept(tmp_path, {"one": "yes", "two": "yes"}))
    assert [*base.shared] == [name_id("says yes")]
    assert all(not case.checks for case in base.cases.values())
