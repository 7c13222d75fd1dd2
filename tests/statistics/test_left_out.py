import pytest

from audition.statistics.cases import CaseRuns
from audition.statistics.left_out import RateBounds, rates_with_errors
from tests.statistics.made_up_runs import runs


def test_errors_bound_the_rate_as_failures_and_as_passes() -> None:
    found = rates_with_errors(runs((2, 3), (4, 5)), [1, 0])
    assert found == RateBounds(
        low=(2 / 4 + 4 / 5) / 2,
        judged=(2 / 3 + 4 / 5) / 2,
        high=(3 / 4 + 4 / 5) / 2,
        error_share=1 / 9,
    )


def test_a_case_of_nothing_but_errors_is_in_the_bounds_alone() -> None:
    found = rates_with_errors(runs((0, 0), (1, 1)), [3, 0])
    assert (found.low, found.judged, found.high) == (0.5, 1, 1)


def test_where_nothing_was_judged_nothing_is_known() -> None:
    found = rates_with_errors(runs((0, 0)), [2])
    assert (found.low, found.judged, found.high, found.error_share) == (0, None, 1, 1)


def test_without_errors_all_are_the_rate() -> None:
    found = rates_with_errors(runs((1, 2), (3, 3)), [0, 0])
    assert found.low == found.judged == found.high == 0.75


def test_a_case_of_nothing_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="case 1 has neither runs nor errors"):
        rates_with_errors(runs((1, 1), (0, 0)), [0, 0])


@pytest.mark.parametrize(
    ("cases", "errors"), [([], []), ([CaseRuns(1, 1)], []), ([CaseRuns(1, 1)], [-1])]
)
def test_errors_that_are_not_of_the_cases_are_refused(
    cases: list[CaseRuns], errors: list[int]
) -> None:
    with pytest.raises(ValueError, match="wanted one >= 0 a case"):
        rates_with_errors(cases, errors)
