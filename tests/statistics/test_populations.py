from statistics import fmean

import pytest

from audition.statistics.populations import BetaPopulation, population_like
from tests.statistics.made_up_runs import beta, runs, runs_of, seeded


def test_rates_are_drawn_around_the_mean() -> None:
    random, population = seeded(1), BetaPopulation(6, 2)
    drawn = [population.draw(random) for _ in range(5000)]
    assert fmean(drawn) == pytest.approx(population.mean, abs=0.01)


def test_cases_like_those_of_an_earlier_run_have_its_mean_and_spread() -> None:
    random, draw = seeded(2), beta(6, 1)
    earlier = runs_of([draw(random) for _ in range(2000)], (5,), random)
    population = population_like(earlier)
    drawn = [population.draw(random) for _ in range(20_000)]
    mean = fmean(drawn)
    assert mean == pytest.approx(population.mean, abs=0.005)
    assert mean == pytest.approx(6 / 7, abs=0.015)
    assert fmean((rate - mean) ** 2 for rate in drawn) == pytest.approx(6 / 49 / 8, rel=0.2)


def test_where_all_passed_some_may_still_fail() -> None:
    assert 0.9 < population_like(runs(*[(5, 5)] * 20)).mean < 1


def test_single_runs_leave_half_of_the_variance_between_cases() -> None:
    population = population_like(runs(*[(1, 1)] * 9, *[(0, 1)] * 9))
    assert (population.prior.a, population.prior.b) == (0.5, 0.5)


def test_cases_that_are_alike_are_drawn_alike() -> None:
    population = population_like(runs(*[(4, 5), (5, 5)] * 30))
    assert population.prior.a + population.prior.b == pytest.approx(49)


def test_a_case_without_runs_is_refused() -> None:
    with pytest.raises(ValueError, match="case 0 has no runs"):
        population_like(runs((0, 0)))


@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, 0), (float("nan"), 1)])
def test_what_is_no_beta_distribution_is_refused(a: float, b: float) -> None:
    with pytest.raises(ValueError, match="wanted both above 0"):
        BetaPopulation(a, b)
