"""What of a run, or of a native report, can be judged anew."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from audition.datasets.loading import LoadedDataset
from audition.errors import RecordError
from audition.events import CompletionReason
from audition.experiment.driver import Settings
from audition.experiment.journal import JOURNAL
from audition.experiment.limits import Limits
from audition.experiment.native_report import REPORT
from audition.experiment.plan import PLAN, planned_cases
from audition.experiment.rescoring import as_often
from audition.experiment.stored import (
    CHANGED,
    FOREIGN,
    GONE,
    NEVER_RUN,
    NEW,
    StoredRun,
    has_broken,
    read_stored,
    sort_out,
)
from audition.experiment.units import units_of
from audition.output import CaseOutput
from audition.testing import answer, output
from tests.experiments import dataset, failure
from tests.stored_runs import OLDER, SEED, ran, result

type Cases = Mapping[str, Mapping[str, Any]]


def left_out(stored: StoredRun, loaded: LoadedDataset, *gone: str) -> dict[str, list[str]]:
    loaded = as_often(loaded, stored)
    now = {case.case_id: case for case in planned_cases(loaded)}
    found = sort_out(stored, units_of(loaded), now, gone).left_out
    return {why: list(names) for why, names in found.items()}


def test_what_cannot_be_judged_anew_has_its_reason(tmp_path: Path) -> None:
    limits = Settings(max_concurrency=1, limits=Limits(fail_fast=True))
    answers = {"same": "yes", "other": "yes", "fails": "no", "left": "yes"}
    stored = read_stored(ran(tmp_path, answers, settings=limits))
    now: Cases = {"same": {}, "other": {"message": "else?"}, "fails": {}, "left": {}, "new": {}}
    assert left_out(stored, dataset(tmp_path, now), "old") == {
        GONE: ["old"],
        CHANGED: ["other"],
        NEVER_RUN: ["left"],
        NEW: ["new"],
    }


@pytest.mark.parametrize(
    "more",
    [
        {"tags": ["slow"]},
        {"metadata": {"owner": "x"}},
        {"must_pass": True},
        {"known_failure": {"reason": "x", "until": "2099-01-01"}},
        {"evaluators": [{"type": "completed"}]},
    ],
)
def test_what_judges_a_case_is_no_part_of_what_the_team_was_asked(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    stored = read_stored(ran(tmp_path, {"one": "yes"}))
    assert left_out(stored, dataset(tmp_path, {"one": more})) == {}


def test_tool_rules_are_no_part_of_it_either(tmp_path: Path) -> None:
    stored = read_stored(ran(tmp_path, {"one": "yes"}))
    rules = [{"tool_name": "search", "contains": "denied"}]
    assert left_out(stored, dataset(tmp_path, {"one": {}}, tool_rules=rules)) == {}


def test_what_broke_stays_whatever_it_was_asked(tmp_path: Path) -> None:
    broken = output(reason=CompletionReason.TIMEOUT)
    stored = read_stored(ran(tmp_path, {"raised": ValueError("down"), "late": broken}))
    other: Cases = {"raised": {"message": "else?"}, "late": {"message": "else?"}}
    assert left_out(stored, dataset(tmp_path, other)) == {}


def test_each_case_is_judged_as_often_as_it_was_run(tmp_path: Path) -> None:
    stored = read_stored(ran(tmp_path, {"one": "yes"}, settings=Settings(repeat=3)))
    loaded = as_often(dataset(tmp_path, {"one": {"repeat": 2}, "new": {"repeat": 4}}), stored)
    assert [plan.repeat for plan in loaded.plans.values()] == [3, 4]


def test_a_folder_without_a_plan_is_judged_by_the_inputs_that_it_kept(tmp_path: Path) -> None:
    run = ran(tmp_path, {"same": "yes", "other": "yes"})
    (run / PLAN).unlink()
    now: Cases = {"same": {"limits": {"timeout_seconds": 5}}, "other": {"message": "else?"}}
    assert left_out(read_stored(run), dataset(tmp_path, now)) == {CHANGED: ["other"]}


def test_a_report_that_another_tool_wrote_is_sorted_out_too(tmp_path: Path) -> None:
    path = tmp_path / "rag4j.json"
    path.write_text(json.dumps(SEED), "utf-8")
    stored = read_stored(path)
    now: Cases = {"ours": {}, "theirs": {}, "asked else": {"message": "else?"}, "raised": {}}
    assert left_out(stored, dataset(tmp_path, now)) == {
        FOREIGN: ["theirs"],
        CHANGED: ["asked else"],
    }
    assert (stored.team, stored.application, stored.redacted) == ("running", None, True)


def test_a_report_in_the_shape_of_the_article_can_be_judged_anew(tmp_path: Path) -> None:
    path = tmp_path / "older.json"
    path.write_text(json.dumps(OLDER), "utf-8")
    stored = read_stored(path)
    assert left_out(stored, dataset(tmp_path, {"one": {"message": "Who?"}})) == {}
    (kept,) = stored.results.values()
    assert has_broken(kept) is False


def test_the_repeats_of_a_report_are_those_of_its_names(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "yes"}, settings=Settings(repeat=2))
    stored = read_stored(run / REPORT)
    assert [case.repeats for case in stored.cases.values()] == [2]
    assert sorted(repeat for _, repeat in stored.results) == [1, 2]


def test_a_name_that_comes_twice_in_a_report_is_two_repeats(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    path.write_text(json.dumps({**SEED, "cases": [SEED["cases"][0]] * 2}), "utf-8")  # type: ignore[index]
    stored = read_stored(path)
    assert [case.repeats for case in stored.cases.values()] == [2, 1]


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no run is in it"):
        read_stored(tmp_path)
    with pytest.raises(RecordError, match="No such file"):
        read_stored(tmp_path / "none.json")
    with pytest.raises(RecordError, match="name its folder"):
        read_stored(tmp_path / JOURNAL)


@pytest.mark.parametrize(
    ("told", "broke"),
    [(output(answer("yes")), False), (output(reason=CompletionReason.TIMEOUT), True)],
)
def test_what_did_not_come_to_its_end_has_broken(told: CaseOutput, broke: object) -> None:
    assert has_broken(result(output=told)) is broke
    assert has_broken(failure("one"))
