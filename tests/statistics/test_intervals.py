from statistics import NormalDist

import pytest

from audition.statistics.intervals import (
    Interval,
    both_sides,
    check_confidence,
    two_sided_quantile,
)


def test_an_interval_holds_its_ends_and_what_is_between() -> None:
    interval = Interval(low=0.25, high=0.75, confidence=0.9)
    assert [value in interval for value in (0.2, 0.25, 0.5, 0.75, 0.8)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert interval.width == 0.5


@pytest.mark.parametrize("high", [0.1, float("nan")])
def test_ends_out_of_order_are_refused(high: float) -> None:
    with pytest.raises(ValueError, match="wanted its ends in order"):
        Interval(low=0.2, high=high, confidence=0.9)


@pytest.mark.parametrize("confidence", [0, 1, 95, float("nan")])
def test_what_is_no_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="wanted more than 0 and less than 1"):
        check_confidence(confidence)


def test_the_quantile_leaves_the_rest_on_both_sides() -> None:
    assert 8 < two_sided_quantile(1 - 2**-53) < 9
    z = two_sided_quantile(0.95)
    assert NormalDist().cdf(z) - NormalDist().cdf(-z) == pytest.approx(0.95)


def test_a_lower_bound_is_the_end_of_an_interval_with_the_error_on_both_sides() -> None:
    assert both_sides(0.95) == pytest.approx(0.9)


def test_a_lower_bound_that_rather_fails_is_refused() -> None:
    with pytest.raises(ValueError, match=r"wanted more than 0\.5, less than 1"):
        both_sides(0.5)
