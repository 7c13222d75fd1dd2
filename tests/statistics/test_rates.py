import pytest
from hypothesis import given

from audition.statistics.cases import CaseRuns
from audition.statistics.proportions import wilson
from audition.statistics.rates import pass_rate, pass_rate_at_least
from tests.statistics.made_up_runs import (
    CASES,
    Population,
    always,
    beta,
    exchanged,
    mixed,
    runs,
    runs_of,
    seeded,
)

SETTINGS: dict[str, tuple[Population, float, int, tuple[int, ...]]] = {
    "beta 6 1, 20 cases": (beta(6, 1), 6 / 7, 20, (3,)),
    "beta 6 1, 50 cases": (beta(6, 1), 6 / 7, 50, (5,)),
    "beta 6 1, 100 cases": (beta(6, 1), 6 / 7, 100, (10,)),
    "beta 2 2, 20 cases": (beta(2, 2), 0.5, 20, (5,)),
    "beta 2 2, 50 cases": (beta(2, 2), 0.5, 50, (1,)),
    "beta 19 1, 100 cases": (beta(19, 1), 0.95, 100, (5,)),
    "all alike": (always(0.9), 0.9, 50, (3,)),
    "some worse": (mixed(0.8, 1, 0.3), 0.86, 50, (5,)),
    "few much worse": (mixed(0.9, 0.98, 0.5), 0.932, 50, (10,)),
    "few much worse, few cases": (mixed(0.9, 0.98, 0.5), 0.932, 20, (10,)),
    "unequal runs": (beta(6, 1), 6 / 7, 50, (1, 3, 5, 10)),
    "unequal runs, all alike": (always(0.9), 0.9, 100, (1, 3, 5, 10)),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_an_interval_of_95_percent_holds_the_rate_in_93_to_97(setting: str) -> None:
    """Allowed is what 1000 simulations of 93 to 97.5 % give, 3 in 1000 times, on top."""
    draw, truth, cases, repeats = SETTINGS[setting]
    random = seeded(setting)
    held = wrong = 0
    for _ in range(1000):
        sample = runs_of([draw(random) for _ in range(cases)], repeats, random)
        held += truth in pass_rate(sample).interval
        wrong += pass_rate_at_least(sample) > truth
    assert 905 < held < 990
    assert wrong < 80


@given(CASES)
def test_the_rate_lies_in_its_interval_and_both_from_0_to_1(cases: list[CaseRuns]) -> None:
    found = pass_rate(cases)
    assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1


@given(CASES)
def test_failures_have_the_mirrored_interval(cases: list[CaseRuns]) -> None:
    found, mirror = pass_rate(cases), pass_rate(exchanged(cases))
    assert mirror.value == pytest.approx(1 - found.value)
    assert (1 - mirror.interval.high, 1 - mirror.interval.low) == pytest.approx(
        (found.interval.low, found.interval.high), abs=1e-9
    )


@given(CASES)
def test_the_same_cases_twice_are_more_certain(cases: list[CaseRuns]) -> None:
    assert pass_rate(cases * 2).interval.width < pass_rate(cases).interval.width


def test_one_run_a_case_has_the_interval_of_wilson() -> None:
    cases = runs(*[(1, 1)] * 17, *[(0, 1)] * 3)
    assert pass_rate(cases).interval == wilson(17, 20)


def test_repeats_of_the_same_outcome_say_no_more_than_one_run() -> None:
    once, often = runs(*[(1, 1)] * 9, (0, 1)), runs(*[(5, 5)] * 9, (0, 5))
    assert pass_rate(often) == pass_rate(once)


def test_where_all_passed_the_interval_is_that_of_one_run_a_case() -> None:
    assert pass_rate(runs(*[(5, 5)] * 20)).interval == wilson(20, 20)


def test_a_case_of_many_runs_weighs_no_more_than_one_of_few() -> None:
    assert pass_rate(runs((1, 1), (0, 99))).value == 0.5


def test_the_lower_bound_is_the_end_of_the_interval_of_90_percent() -> None:
    cases = runs((3, 5), (5, 5), (4, 5))
    assert pass_rate_at_least(cases) == pytest.approx(pass_rate(cases, confidence=0.9).interval.low)


def test_no_cases_have_no_rate() -> None:
    with pytest.raises(ValueError, match="there are no cases"):
        pass_rate([])
