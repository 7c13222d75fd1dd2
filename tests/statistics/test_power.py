from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audition.statistics.cases import CaseRuns
from audition.statistics.mcnemar import mcnemar
from audition.statistics.paired import rate_difference
from audition.statistics.permutation import permutation_test
from audition.statistics.populations import BetaPopulation, ObservedPopulation
from audition.statistics.power import Plan, detection, minimum_detectable_drop, verdict_shares

USUAL = BetaPopulation(6, 1)


def harmed(base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]) -> bool:
    return permutation_test(base, candidate).harm < 0.05


def never(base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]) -> bool:
    return False


def difference(base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]) -> float:
    return rate_difference(base, candidate).value


@pytest.mark.parametrize(
    ("cases", "repeats", "low", "high"),
    [(50, 1, 0.2, 0.5), (50, 3, 0.6, 0.9), (50, 5, 0.75, 1), (100, 5, 0.95, 1)],
)
def test_a_drop_of_ten_points_is_noticed_as_often_as_known(
    cases: int, repeats: int, low: float, high: float
) -> None:
    plan = Plan(cases=cases, repeats=repeats, population=USUAL)
    found = detection(plan, harmed, drop=0.1, seed=1, simulations=200)
    assert low < found.power.value < high
    assert found.false_alarm.value < 0.1


@pytest.mark.parametrize("harm", ["even", "broken"])
def test_the_mean_drop_is_the_one_asked_for(harm: Literal["even", "broken"]) -> None:
    plan = Plan(cases=4000, repeats=5, population=USUAL, harm=harm)
    (found,) = verdict_shares(plan, difference, drop=0.2, seed=2, simulations=1)
    assert found == pytest.approx(-0.2, abs=0.02)


def test_broken_cases_never_pass() -> None:
    plan = Plan(cases=200, repeats=5, population=USUAL, harm="broken")

    def gone(base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]) -> int:
        return sum(not case.passed for case in candidate)

    (found,) = verdict_shares(plan, gone, drop=plan.population.mean / 2, seed=3, simulations=1)
    assert 75 < found < 125


def test_every_verdict_has_its_share_the_most_frequent_first() -> None:
    plan = Plan(cases=20, repeats=1, population=USUAL)

    def verdict(base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]) -> str:
        found = mcnemar(base, candidate)
        return "worse" if found.broken > found.fixed else "not worse"

    shares = verdict_shares(plan, verdict, drop=0.3, seed=4, simulations=200)
    assert list(shares) == ["worse", "not worse"]
    assert sum(one.value for one in shares.values()) == pytest.approx(1)
    assert shares["worse"].value in shares["worse"].interval


def test_the_least_drop_is_noticed_with_the_power() -> None:
    plan = Plan(cases=40, repeats=3, population=USUAL)
    found = minimum_detectable_drop(plan, harmed, seed=5, simulations=150)
    assert found is not None
    again = detection(plan, harmed, drop=found, seed=6, simulations=300)
    assert again.power.value == pytest.approx(0.8, abs=0.1)


def test_more_repeats_notice_smaller_drops() -> None:
    once, often = (
        minimum_detectable_drop(
            Plan(cases=40, repeats=repeats, population=USUAL), harmed, seed=7, simulations=100
        )
        for repeats in (1, 5)
    )
    assert once is not None
    assert often is not None
    assert once > often


def test_what_never_alarms_notices_nothing() -> None:
    plan = Plan(cases=5, repeats=1, population=USUAL)
    assert minimum_detectable_drop(plan, never, seed=8, simulations=10) is None
    found = detection(plan, never, drop=0.5, seed=8, simulations=100)
    assert found.power.value == 0
    assert found.power.interval.high == pytest.approx(0.036, abs=0.001)


@settings(max_examples=10)
@given(st.integers())
def test_a_seed_gives_the_same_again(seed: int) -> None:
    plan = Plan(cases=10, repeats=2, population=USUAL)
    first = detection(plan, harmed, drop=0.4, seed=seed, simulations=20)
    assert detection(plan, harmed, drop=0.4, seed=seed, simulations=20) == first


@pytest.mark.parametrize(
    ("drop", "simulations"), [(-0.1, 5), (0.9, 5), (0.1, 0), (float("nan"), 5)]
)
def test_what_cannot_be_simulated_is_refused(drop: float, simulations: int) -> None:
    plan = Plan(cases=5, repeats=1, population=USUAL)
    with pytest.raises(ValueError, match=r"wanted 0 to 0\.857, at least one"):
        verdict_shares(plan, never, drop=drop, seed=1, simulations=simulations)


@pytest.mark.parametrize(("cases", "repeats"), [(0, 1), (1, 0)])
def test_a_plan_of_no_runs_is_refused(cases: int, repeats: int) -> None:
    with pytest.raises(ValueError, match="wanted at least one of each"):
        Plan(cases=cases, repeats=repeats, population=USUAL)


@pytest.mark.parametrize("power", [0, 1, 80])
def test_what_is_no_power_is_refused(power: float) -> None:
    plan = Plan(cases=5, repeats=1, population=USUAL)
    with pytest.raises(ValueError, match="wanted more than 0 and less than 1"):
        minimum_detectable_drop(plan, never, seed=1, power=power)


def test_a_base_may_have_other_repeats_and_some_cases_other_rates() -> None:
    seen = list[tuple[Sequence[CaseRuns], Sequence[CaseRuns]]]()

    def note(base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]) -> bool:
        seen.append((base, candidate))
        return True

    certain = ObservedPopulation((CaseRuns(0, 10**6),), BetaPopulation(1, 1))
    plan = Plan(cases=3, repeats=2, base_repeats=5, population=USUAL, special=(certain,))
    verdict_shares(plan, note, drop=0.0, seed=1, simulations=1)
    ((base, candidate),) = seen
    assert ([one.runs for one in base], [one.runs for one in candidate]) == ([5] * 3, [2] * 3)
    assert (base[0].passed, candidate[0].passed) == (0, 0)
    with pytest.raises(ValueError, match="wanted at least one of each"):
        Plan(cases=3, repeats=2, base_repeats=0, population=USUAL)
