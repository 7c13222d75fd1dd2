from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.statistics.cases import CaseRuns
from audition.statistics.rates import pass_rate
from audition.statistics.repeats import all_pass, any_passes, too_few_runs
from tests.statistics.made_up_runs import CASE, CASES, beta, exchanged, mixed, runs, runs_of, seeded


@given(
    st.integers(1, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(1, n)))
)
def test_a_case_counts_the_choices_of_k_of_its_runs(case: tuple[int, int, int]) -> None:
    passed, of, k = case
    outcomes = [True] * passed + [False] * (of - passed)
    chosen = list(combinations(outcomes, k))
    cases = [CaseRuns(passed, of)]
    assert all_pass(cases, k).value == pytest.approx(fmean(map(all, chosen)))
    assert any_passes(cases, k).value == pytest.approx(fmean(map(any, chosen)))


@given(CASES)
def test_of_one_run_both_are_the_pass_rate(cases: list[CaseRuns]) -> None:
    wanted = pass_rate(cases)
    for found in (all_pass(cases, 1), any_passes(cases, 1)):
        assert found.value == pytest.approx(wanted.value)
        assert found.interval.low == pytest.approx(wanted.interval.low, abs=1e-9)
        assert found.interval.high == pytest.approx(wanted.interval.high, abs=1e-9)


@given(st.lists(CASE.filter(lambda case: case.runs > 2), min_size=1, max_size=20))
def test_all_pass_where_not_any_fails(cases: list[CaseRuns]) -> None:
    assert all_pass(cases, 3).value == pytest.approx(1 - any_passes(exchanged(cases), 3).value)


def test_pass_k_is_not_the_rate_to_the_power_of_k() -> None:
    assert all_pass(runs((4, 4), (0, 4)), 2).value == 0.5


def test_over_many_draws_the_mean_is_the_rate_to_the_power_of_k() -> None:
    random = seeded(1)
    assert all_pass(runs_of([0.8] * 50_000, (5,), random), 3).value == pytest.approx(
        0.512, abs=0.01
    )


@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("cases", [20, 60])
def test_an_interval_of_95_percent_holds_pass_k(k: int, cases: int) -> None:
    random, draw = seeded(k), mixed(0.8, 1, 0.3)
    truth = 0.8 + 0.2 * 0.3**k
    held = sum(
        truth in all_pass(runs_of([draw(random) for _ in range(cases)], (5,), random), k).interval
        for _ in range(800)
    )
    assert 0.91 < held / 800 < 0.985


def test_an_interval_of_95_percent_holds_pass_at_k() -> None:
    random, draw = seeded(3), beta(2, 2)
    truth = 1 - 4 * 3 * 2 / (6 * 5 * 4) * 0.5 * 2 * 0.5 * 2  # 1 - E(1 - p)^3, p Beta(2, 2)
    held = sum(
        truth in any_passes(runs_of([draw(random) for _ in range(60)], (5,), random), 3).interval
        for _ in range(800)
    )
    assert 0.91 < held / 800 < 0.985


def test_where_all_passed_the_interval_has_a_width() -> None:
    assert all_pass(runs(*[(5, 5)] * 20), 5).interval.low < 0.85


def test_cases_with_too_few_runs_are_named() -> None:
    cases = runs((1, 1), (3, 3), (0, 2), (1, 1), (1, 2), (1, 2))
    assert too_few_runs(cases, 3) == (0, 2, 3, 4, 5)
    with pytest.raises(ValueError, match="5 of 6 cases have fewer than 3 runs: 0, 2, 3, …"):
        all_pass(cases, 3)


def test_k_below_1_is_refused() -> None:
    with pytest.raises(ValueError, match="0 runs; wanted at least one"):
        any_passes(runs((1, 1)), 0)
