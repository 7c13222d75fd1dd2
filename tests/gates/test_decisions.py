import pytest

from audition.gates.decisions import (
    Compared,
    cases_wanted,
    compared,
    decide_bar,
    decide_must_pass,
    margin_verdicts,
)
from audition.gates.findings import Verdict
from audition.statistics.cases import CaseRuns
from audition.statistics.intervals import Estimate, Interval
from audition.statistics.paired import difference_at_least, non_inferior
from audition.statistics.rates import pass_rate_at_least

PASSED, FAILED, NOT_ENOUGH = Verdict.PASSED, Verdict.FAILED, Verdict.NOT_ENOUGH
ONE, NONE = CaseRuns(1, 1), CaseRuns(0, 1)


@pytest.mark.parametrize(
    ("passed", "failed", "bar", "verdict"),
    [
        (28, 3, 0.85, NOT_ENOUGH),
        (28, 3, 0.75, PASSED),
        (28, 3, 0.97, FAILED),
        (35, 0, 0.9, PASSED),
        (34, 0, 0.9, NOT_ENOUGH),
        (0, 0, 0.5, NOT_ENOUGH),
    ],
)
def test_a_bar_is_passed_by_the_lower_end_and_failed_by_the_upper(
    passed: int, failed: int, bar: float, verdict: Verdict
) -> None:
    assert decide_bar([ONE] * passed + [NONE] * failed, bar, confidence=0.95) is verdict


def test_a_bar_is_on_the_bound_of_statistics() -> None:
    cases = [CaseRuns(4, 5)] * 10 + [CaseRuns(5, 5)] * 10
    bound = pass_rate_at_least(cases, confidence=0.975)
    assert decide_bar(cases, bound - 1e-9, confidence=0.95) is PASSED
    assert decide_bar(cases, bound + 1e-9, confidence=0.95) is NOT_ENOUGH


def test_so_many_more_cases_like_these_show_a_bar_and_one_fewer_does_not() -> None:
    assert cases_wanted([ONE] * 28 + [NONE] * 3, 0.95, confidence=0.95) is None
    assert cases_wanted([ONE] * 34, 0.9, confidence=0.95) == 35
    mixed = [CaseRuns(5, 5)] * 18 + [CaseRuns(3, 5)] * 2
    wanted = cases_wanted(mixed, 0.93, confidence=0.95)
    assert wanted is not None
    assert decide_bar(mixed * (wanted // 20 + 1), 0.93, confidence=0.95) is PASSED
    assert decide_bar(mixed * (wanted // 30), 0.93, confidence=0.95) is NOT_ENOUGH


@pytest.mark.parametrize(
    ("case", "repeats", "verdict"),
    [
        (CaseRuns(3, 3), 3, PASSED),
        (CaseRuns(2, 3), 1, FAILED),
        (CaseRuns(2, 2), 3, NOT_ENOUGH),
        (CaseRuns(0, 0), 1, NOT_ENOUGH),
    ],
)
def test_a_case_must_pass_in_every_repeat_and_have_enough_of_them(
    case: CaseRuns, repeats: int, verdict: Verdict
) -> None:
    assert decide_must_pass(case, repeats) is verdict


def test_a_margin_is_that_of_statistics() -> None:
    base = [CaseRuns(5, 5)] * 30 + [CaseRuns(3, 5)] * 10
    candidate = [CaseRuns(5, 5)] * 29 + [CaseRuns(3, 5)] * 11
    bound = difference_at_least(base, candidate, confidence=0.975)
    for margin in (-bound + 1e-9, -bound - 1e-9):
        one = compared((base, candidate), margin, confidence=0.95)
        kept = one.harm is None
        assert kept is non_inferior(base, candidate, margin=margin, confidence=0.975)


def difference() -> Estimate:
    return Estimate(-0.1, Interval(low=-0.2, high=0.0, confidence=0.95))


@pytest.mark.parametrize(
    ("correction", "verdicts"),
    [
        ("none", [FAILED, FAILED]),
        ("holm", [FAILED, FAILED]),
        ("bonferroni", [FAILED, NOT_ENOUGH]),
    ],
)
def test_several_tests_of_harm_are_corrected(correction: str, verdicts: list[Verdict]) -> None:
    each = [Compared(difference=difference(), harm=p) for p in (0.005, 0.015)]
    found = margin_verdicts(each, confidence=0.95, correction=correction)
    assert [verdict for verdict, _ in found] == verdicts


def test_without_a_case_to_compare_nothing_is_shown() -> None:
    assert margin_verdicts([None], confidence=0.95, correction="holm") == [(NOT_ENOUGH, None)]
