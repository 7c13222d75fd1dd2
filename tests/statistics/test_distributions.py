import math
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.statistics.distributions import beta_cdf, beta_quantile, binomial_cdf

_special: Any = import_module("scipy.special")
_binom: Any = import_module("scipy.stats").binom

SHAPES = st.floats(0.02, 1e5)


@given(st.floats(0, 0.999), SHAPES, SHAPES)
def test_the_beta_distribution_is_that_of_scipy(x: float, a: float, b: float) -> None:
    """Not at the end, where scipy itself loses digits: see the arcsine distribution below."""
    assert beta_cdf(x, a, b) == pytest.approx(float(_special.betainc(a, b, x)), abs=1e-9)


@pytest.mark.parametrize("left", [1e-3, 1e-9, 2.0**-53])
def test_near_its_end_the_beta_distribution_is_that_of_the_arcsine(left: float) -> None:
    wanted = 1 - 2 / math.pi * math.asin(math.sqrt(left))
    assert beta_cdf(1 - left, 0.5, 0.5) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("a", [0.5, 1, 3, 250])
@pytest.mark.parametrize("b", [0.5, 2, 40, 9000])
@pytest.mark.parametrize("probability", [0.001, 0.025, 0.5, 0.975])
def test_the_beta_quantile_is_that_of_scipy(probability: float, a: float, b: float) -> None:
    wanted = float(_special.betaincinv(a, b, probability))
    assert beta_quantile(probability, a, b) == pytest.approx(wanted, rel=1e-7)


def test_the_ends_of_the_beta_distribution_are_0_and_1() -> None:
    assert (beta_cdf(-1, 2, 3), beta_cdf(0, 2, 3), beta_cdf(1, 2, 3)) == (0, 0, 1)
    assert (beta_quantile(0, 2, 3), beta_quantile(1, 2, 3)) == (0, 1)


@given(st.integers(0, 3000), st.floats(0, 1), st.integers(-1, 3001))
def test_the_binomial_distribution_is_that_of_scipy(runs: int, rate: float, most: int) -> None:
    wanted = float(_binom.cdf(most, runs, rate))
    assert binomial_cdf(most, runs, rate) == pytest.approx(wanted, abs=1e-9)


def test_the_middle_of_a_hundred_million_runs_is_out_of_reach() -> None:
    with pytest.raises(ArithmeticError, match="does not converge"):
        beta_cdf(0.5, 1e10, 1e10)


@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, -1), (float("nan"), 1)])
def test_a_shape_that_is_not_above_0_is_refused(a: float, b: float) -> None:
    with pytest.raises(ValueError, match="wanted both above 0"):
        beta_cdf(0.5, a, b)


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
def test_what_is_no_probability_is_refused(probability: float) -> None:
    with pytest.raises(ValueError, match="wanted one from 0 to 1"):
        beta_quantile(probability, 1, 1)


@pytest.mark.parametrize(("runs", "rate"), [(-1, 0.5), (3, 1.5), (3, float("nan"))])
def test_what_is_no_binomial_distribution_is_refused(runs: int, rate: float) -> None:
    with pytest.raises(ValueError, match="wanted runs >= 0, 0 <= rate <= 1"):
        binomial_cdf(1, runs, rate)
