import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.statistics.means import CaseMean, case_mean
from audition.statistics.proportions import wilson

VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=15)


def mean_of(values: list[float], runs: float = 10) -> CaseMean:
    return case_mean(values, [runs] * len(values))


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(1, 9)), min_size=1, max_size=25))
def test_numbers_0_and_1_have_the_interval_of_wilson(pairs: list[tuple[int, int]]) -> None:
    values = [value for value, _ in pairs]
    mean = case_mean(values, [runs for _, runs in pairs])
    assert mean.effective_cases == len(values)
    assert mean.interval(0.9) == wilson(sum(values), len(values), confidence=0.9)


@given(VALUES)
def test_the_mean_lies_in_its_interval_and_both_from_0_to_1(values: list[float]) -> None:
    mean = mean_of(values)
    interval = mean.interval(0.95)
    assert 0 <= interval.low <= mean.value <= interval.high <= 1
    assert interval.width > 0


@given(VALUES)
def test_numbers_say_no_less_than_as_many_of_0_and_1(values: list[float]) -> None:
    mean = mean_of(values)
    assert mean.effective_cases >= len(values) * (1 - 1e-12)
    assert mean.deviation > 0


@given(VALUES, st.integers(1, 10))
def test_cases_say_no_more_than_all_their_runs(values: list[float], runs: int) -> None:
    assert mean_of(values, runs).effective_cases <= len(values) * runs * (1 + 1e-12)


@given(VALUES)
def test_twice_the_cases_have_a_narrower_interval(values: list[float]) -> None:
    assert mean_of([*values, *values]).interval(0.95).width < mean_of(values).interval(0.95).width


@given(VALUES)
def test_the_interval_of_the_rest_is_the_mirror(values: list[float]) -> None:
    found = mean_of(values).interval(0.95)
    mirror = mean_of([1 - value for value in values]).interval(0.95)
    assert (1 - mirror.high, 1 - mirror.low) == pytest.approx((found.low, found.high), abs=1e-9)


@given(VALUES)
def test_the_order_of_the_cases_makes_no_difference(values: list[float]) -> None:
    assert mean_of(sorted(values)) == mean_of(values)


def test_equal_numbers_are_worth_their_runs() -> None:
    assert mean_of([0.8] * 20, 5).effective_cases == pytest.approx(100)


def test_unequal_numbers_of_runs_are_less_certain() -> None:
    values = [0.0, 0.5, 1.0] * 5
    uneven = case_mean(values, [5, 10, 1] * 5)
    assert uneven.effective_cases < 0.99 * mean_of(values).effective_cases


@pytest.mark.parametrize("values", [[], [0.5, 1.1], [-0.1], [float("nan")]], ids=str)
def test_what_is_not_from_0_to_1_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="wanted one or more, from 0 to 1, with its runs"):
        mean_of(values)


@pytest.mark.parametrize("runs", [[1], [1, 0]], ids=str)
def test_numbers_without_runs_are_refused(runs: list[int]) -> None:
    with pytest.raises(ValueError, match=r"2 numbers of \d runs; wanted"):
        case_mean([0.5, 1], runs)
