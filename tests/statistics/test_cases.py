import pytest

from audition.statistics.cases import CaseRuns, case_rates, check_paired
from tests.statistics.made_up_runs import runs


@pytest.mark.parametrize(("passed", "of"), [(-1, 2), (3, 2), (0, -1)])
def test_more_cannot_pass_than_ran(passed: int, of: int) -> None:
    with pytest.raises(ValueError, match=f"{passed} of {of} runs passed; wanted 0 <= passed"):
        CaseRuns(passed, of)


def test_each_case_has_the_share_that_passed() -> None:
    assert case_rates(runs((1, 2), (0, 3), (5, 5))) == [0.5, 0, 1]


def test_a_case_without_runs_has_no_rate() -> None:
    with pytest.raises(ValueError, match="case 1 has no runs"):
        case_rates(runs((1, 2), (0, 0)))


def test_no_cases_have_no_rates() -> None:
    with pytest.raises(ValueError, match="there are no cases"):
        case_rates([])


def test_a_case_too_few_is_no_pairing() -> None:
    with pytest.raises(ValueError, match="1 cases beside 2; wanted the same cases"):
        check_paired(runs((1, 1)), runs((1, 1), (0, 1)))
