from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.statistics.mean_differences import mean_difference

_scipy: Any = import_module("scipy.stats")
_numpy: Any = import_module("numpy")


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=40, unique=True))
def test_the_interval_is_students(values: list[int]) -> None:
    found = mean_difference([[0.0]] * len(values), [[float(value)] for value in values])
    oracle = _scipy.ttest_1samp(values, 0).confidence_interval(0.95)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((oracle.low, oracle.high))


def test_repeats_are_averaged_in_their_case_first() -> None:
    found = mean_difference([[1, 3], [4]], [[5], [4, 4, 7]])
    assert (found.base, found.candidate, found.value) == (3, 5, 2)


def test_what_does_not_vary_has_no_interval() -> None:
    assert mean_difference([[1], [2]], [[2], [3]]).interval is None
    assert mean_difference([[1]], [[3]]).interval is None


NO_PAIRS: list[tuple[list[list[float]], list[list[float]]]] = [
    ([], []),
    ([[1]], []),
    ([[]], [[1]]),
]


@pytest.mark.parametrize(("base", "candidate"), NO_PAIRS)
def test_what_cannot_be_paired_is_refused(
    base: list[list[float]], candidate: list[list[float]]
) -> None:
    with pytest.raises(ValueError, match="wanted the same, with runs on both sides"):
        mean_difference(base, candidate)


@pytest.mark.parametrize("spread", ["normal", "skewed"])
def test_the_interval_holds_as_often_as_it_says(spread: str) -> None:
    generator = _numpy.random.default_rng(7)
    draw = generator.normal if spread == "normal" else generator.exponential
    held = 0
    for _ in range(800):
        before, after = draw(size=(50, 3)).tolist(), draw(size=(50, 3)).tolist()
        interval = mean_difference(before, after).interval
        held += interval is not None and 0 in interval
    assert 0.93 < held / 800 < 0.97
