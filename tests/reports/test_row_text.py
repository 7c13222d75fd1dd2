from datetime import date

import pytest

from audition.datasets.formats import KnownFailure
from audition.evaluators.case_evaluator import Severity
from audition.experiment.kept_rows import Row
from audition.experiment.status import Status
from audition.reports.row_text import has_reasons, held_of, layer_of, reasons_of, seconds_of
from tests.journals import line
from tests.told_runs import failed


def test_layer_time_and_assertions_are_told_as_far_as_they_are_known() -> None:
    assert (layer_of(failed("a")), layer_of(failed("a", cause=None))) == (
        "answer: omitted",
        "answer",
    )
    assert (layer_of(line("a")), seconds_of(line("a", seconds=None))) == ("", "")
    assert (held_of(line("a", assertions={"b": True, "c": False})), seconds_of(line("a"))) == (
        "1/2", "0.50 s"
    )  # fmt: skip


KNOWN = KnownFailure(reason="slow", until=date(2026, 3, 1))


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (Status.FAILED, "KNOWN until 2026-03-01, which is over: slow"),
        (Status.PASSED, "KNOWN until 2026-03-01, and it passed: remove `known_failure` (slow)"),
        (Status.KNOWN_FAILURE, "KNOWN until 2026-03-01: slow"),
    ],
)
def test_a_known_failure_is_told_with_its_reason_and_its_day(status: Status, told: str) -> None:
    row = Row(line=line("a", status=status, known_failure=KNOWN))
    assert (has_reasons(row), reasons_of(row)) == (True, [told])


def test_reasons_are_those_of_the_line() -> None:
    own = failed("a", error="timeout", lost_facts=("Gull: stored, not fetched",))
    row = Row(line=own, severities={"says yes": Severity.SHOULD})
    assert reasons_of(row) == [
        "timeout", 'FAIL (should) says yes: the final answer lacks "yes"',
        "LOST Gull: stored, not fetched",
    ]  # fmt: skip


def test_what_was_not_evaluated_says_why() -> None:
    def why(**fields: object) -> list[str]:
        return reasons_of(Row(line=line("a", status=Status.NOT_EVALUATED, **fields)))

    assert why(assertions={}) == ["NOT EVALUATED: it has no assertion"]
    assert why(cut="the time of the run was over") == ["CUT the time of the run was over"]
    assert why(reasons={"close": "measured nan"}) == ["NOT EVALUATED close: measured nan"]


def test_an_older_line_names_what_failed_by_its_assertions_alone() -> None:
    older = line("a", status=Status.FAILED, assertions={"b": True, "c": False})
    assert reasons_of(Row(line=older)) == ["FAIL c: no reason"]


def test_the_first_reasons_are_told_and_how_many_more_there_are() -> None:
    many = {f"{number}": False for number in range(60)}
    told = reasons_of(Row(line=line("a", status=Status.FAILED, assertions=many)))
    assert (len(told), told[-1]) == (51, "and 10 more: `audition show RUN CASE` tells all")


def test_a_case_that_passed_has_nothing_to_say() -> None:
    assert not has_reasons(Row(line=line("a")))
    assert has_reasons(Row(line=line("a", assertions={"short": False})))
