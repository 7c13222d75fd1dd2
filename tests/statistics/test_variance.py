from statistics import fmean

import pytest
from hypothesis import given

from audition.statistics.cases import CaseRuns
from audition.statistics.variance import VarianceSplit, split_variance
from tests.statistics.made_up_runs import CASES, always, beta, exchanged, runs, runs_of, seeded


def test_the_split_is_that_of_the_analysis_of_variance() -> None:
    """By hand: rates 1, 0.5 and 0 of 2 runs; MSB = 0.5, MSW = 1/6, m = 2."""
    found = split_variance(runs((2, 2), (1, 2), (0, 2)))
    assert found is not None
    assert found.within == pytest.approx(1 / 6)
    assert found.between == pytest.approx((0.5 - 1 / 6) / 2)
    assert found.icc == pytest.approx(0.5)


@pytest.mark.parametrize("repeats", [(2,), (5,), (1, 3, 10)], ids=str)
def test_many_cases_give_the_split_of_their_population(repeats: tuple[int, ...]) -> None:
    """Rates of Beta(2, 2) have variance 1/20, and their runs 1/5 on average."""
    random = seeded(1)
    draw = beta(2, 2)
    found = split_variance(runs_of([draw(random) for _ in range(20_000)], repeats, random))
    assert found is not None
    assert (found.between, found.within) == pytest.approx((0.05, 0.2), rel=0.06)


def test_the_variance_of_a_plan_is_that_of_its_pass_rates() -> None:
    random, draw = seeded(2), beta(6, 1)
    means = [
        fmean(case.passed / 3 for case in runs_of([draw(random) for _ in range(30)], (3,), random))
        for _ in range(3000)
    ]
    seen = fmean((mean - 6 / 7) ** 2 for mean in means)
    between = 6 / (49 * 8)
    split = VarianceSplit(between=between, within=6 / 49 - between)
    assert split.of_mean(cases=30, repeats=3) == pytest.approx(seen, rel=0.1)


def test_cases_that_are_alike_have_nothing_between_them() -> None:
    random, draw = seeded(3), always(0.5)
    found = split_variance(runs_of([draw(random) for _ in range(2000)], (5,), random))
    assert found is not None
    assert found.icc == pytest.approx(0, abs=0.02)


def test_repeats_that_always_agree_say_nothing_new() -> None:
    found = split_variance(runs((5, 5), (0, 5), (5, 5)))
    assert found is not None
    assert found.icc == 1


def test_where_nothing_varies_there_is_no_share() -> None:
    assert split_variance(runs((5, 5), (5, 5))) == VarianceSplit(between=0, within=0)
    assert VarianceSplit(between=0, within=0).icc is None


@given(CASES)
def test_neither_part_is_below_0_and_failures_have_the_same(cases: list[CaseRuns]) -> None:
    found, mirror = split_variance(cases), split_variance(exchanged(cases))
    if found is None:
        assert mirror is None
        return
    assert mirror is not None
    assert found.between >= 0 <= found.within
    assert (mirror.between, mirror.within) == pytest.approx((found.between, found.within), abs=1e-9)


@pytest.mark.parametrize("cases", [runs((1, 5)), runs((1, 1), (0, 1))], ids=["one case", "one run"])
def test_one_case_or_single_runs_do_not_tell(cases: list[CaseRuns]) -> None:
    assert split_variance(cases) is None


def test_a_plan_of_no_runs_is_refused() -> None:
    with pytest.raises(ValueError, match="wanted at least one of each"):
        VarianceSplit(between=0.1, within=0.1).of_mean(cases=10, repeats=0)
