from pathlib import Path

import pytest

from audition.datasets.authoring import Authoring
from audition.evaluators.case_evaluator import Severity
from audition.experiment.kept_rows import PlanNotes, row_of, told_result, unit_of, worst_first
from audition.experiment.plan import name_id, plan_head, planned_cases, write_plan
from audition.experiment.status import WORST_FIRST, Status
from tests.experiments import SAYS_YES, dataset
from tests.journals import line
from tests.told_runs import evidence, failed

SECRET = "sk-ant-api03-" + "a1B2" * 24  # gitleaks:allow


@pytest.fixture
def notes(tmp_path: Path) -> PlanNotes:
    """Return what the plan says of two cases, one of which is run twice."""
    loaded = dataset(
        tmp_path,
        {
            "one": {"tags": ["short", f"of {SECRET}"], "repeat": 2},
            "two": {"evaluators": [{**SAYS_YES, "severity": "should"}]},
        },
    )
    write_plan(tmp_path, plan_head(loaded), planned_cases(loaded))
    return PlanNotes(tmp_path)


def test_every_status_has_its_place() -> None:
    assert sorted(WORST_FIRST) == sorted(Status)
    ranked = [worst_first(line("a", status=one, position=3)) for one in WORST_FIRST]
    assert ranked == [(place, 3) for place in range(len(Status))]


def test_a_row_has_the_tags_of_its_case_without_secrets(notes: PlanNotes) -> None:
    tags = notes.row(line("one", case_id=name_id("one"))).tags
    assert (tags[0], len(tags), SECRET in tags[1]) == ("short", 2, False)


def test_a_row_says_what_fails_and_need_not_hold(notes: PlanNotes) -> None:
    two = failed("two", case_id=name_id("two"))
    assert notes.row(two).severities == {"says yes": Severity.SHOULD}
    assert notes.row(failed("one", case_id=name_id("one"))).severities == {}
    shown = two.model_copy(
        update={"failed": ("says [redacted]",), "renamed": {"says [redacted]": name_id("says yes")}}
    )
    assert notes.row(shown).severities == {"says [redacted]": Severity.SHOULD}


def test_what_was_planned_and_is_not_finished_is_missing(notes: PlanNotes) -> None:
    one, two = name_id("one"), name_id("two")
    assert [unit.name for unit in notes.missing({(one, 1)})] == ["one [2/2]", "two"]
    assert list(notes.missing({(one, 1), (one, 2), (two, 1)})) == []


def test_a_run_without_a_plan_has_lines_alone(tmp_path: Path) -> None:
    notes = PlanNotes(tmp_path)
    assert notes.row(failed("one")).tags == ()
    assert list(notes.missing(set())) == []


@pytest.mark.parametrize("redact", [True, False])
def test_a_result_is_told_anew_with_or_without_its_secrets(*, redact: bool) -> None:
    own = failed("one", f"the answer says {SECRET}")
    result = evidence(own)
    told = told_result(unit_of(own), result, Authoring(), status=own.status, redact=redact)
    row = row_of(told, result, tags=[f"of {SECRET}"], redact=redact)
    assert (row.line.failed, row.line.status, row.line.seconds) == (
        ("says yes",), Status.FAILED, 0.5
    )  # fmt: skip
    assert (SECRET in row.line.reasons["says yes"], SECRET in row.tags[0]) == (
        not redact, not redact
    )  # fmt: skip
