from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given

from audition.statistics.cases import CaseRuns
from audition.statistics.paired import difference_at_least, non_inferior, rate_difference
from audition.statistics.proportions import wilson
from tests.statistics.made_up_runs import (
    PAIRS,
    Population,
    always,
    beta,
    exchanged,
    mixed,
    runs,
    runs_of,
    seeded,
)

type Change = Callable[[float, Random], float]
type CasePairs = list[tuple[CaseRuns, CaseRuns]]


def same(rate: float, _: Random) -> float:
    return rate


def worse(rate: float, _: Random) -> float:
    return 0.9 * rate


def broken(rate: float, random: Random) -> float:
    return 0.0 if random.random() < 0.1 else rate


def seldom_broken(rate: float, random: Random) -> float:
    return 0.0 if random.random() < 0.03 else rate


SETTINGS: dict[str, tuple[Population, Change, float, int, Sequence[int]]] = {
    "same, one run": (beta(6, 1), same, 0, 50, (1,)),
    "same, five runs": (beta(6, 1), same, 0, 50, (5,)),
    "same, unequal runs": (beta(2, 2), same, 0, 50, (1, 3, 5, 10)),
    "worse, few cases": (beta(6, 1), worse, -0.6 / 7, 20, (5,)),
    "worse, one run": (beta(2, 2), worse, -0.05, 60, (1,)),
    "some broken, one run": (always(0.9), broken, -0.09, 50, (1,)),
    "some broken, ten runs": (mixed(0.8, 1, 0.3), broken, -0.086, 50, (10,)),
    "few broken, ten runs": (always(0.98), seldom_broken, -0.0294, 50, (10,)),
    "some broken, unequal": (beta(19, 1), broken, -0.095, 60, (1, 3, 5, 10)),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_an_interval_of_95_percent_holds_the_difference(setting: str) -> None:
    draw, change, truth, cases, repeats = SETTINGS[setting]
    random = seeded(setting)
    held = wrong = 0
    for _ in range(600):
        before = [draw(random) for _ in range(cases)]
        base = runs_of(before, repeats, random)
        candidate = runs_of([change(rate, random) for rate in before], repeats, random)
        held += truth in rate_difference(base, candidate).interval
        wrong += difference_at_least(base, candidate) > truth
    assert held > 540
    assert wrong < 50


def _sides(pairs: CasePairs) -> tuple[list[CaseRuns], list[CaseRuns]]:
    return [before for before, _ in pairs], [after for _, after in pairs]


@given(PAIRS)
def test_the_difference_lies_in_its_interval_and_both_from_minus_1_to_1(pairs: CasePairs) -> None:
    found = rate_difference(*_sides(pairs))
    assert -1 <= found.interval.low <= found.value <= found.interval.high <= 1
    assert found.interval.width > 0


@given(PAIRS)
def test_the_other_way_round_is_the_mirror(pairs: CasePairs) -> None:
    base, candidate = _sides(pairs)
    found, mirror = rate_difference(base, candidate), rate_difference(candidate, base)
    assert mirror.value == -found.value
    assert (-mirror.interval.high, -mirror.interval.low) == pytest.approx(
        (found.interval.low, found.interval.high)
    )


@given(PAIRS)
def test_failures_differ_the_other_way(pairs: CasePairs) -> None:
    base, candidate = _sides(pairs)
    found, mirror = rate_difference(base, candidate), rate_difference(candidate, base)
    failed = rate_difference(exchanged(base), exchanged(candidate))
    assert failed.value == pytest.approx(-found.value, abs=1e-9)
    assert failed.interval.low == pytest.approx(mirror.interval.low, abs=1e-9)


@given(PAIRS)
def test_the_same_cases_twice_are_more_certain(pairs: CasePairs) -> None:
    once, twice = rate_difference(*_sides(pairs)), rate_difference(*_sides(pairs * 2))
    assert twice.interval.width < once.interval.width


def test_where_nothing_changed_the_interval_is_as_wide_as_cases_leave_room_for() -> None:
    cases = runs(*[(5, 5)] * 20)
    found = rate_difference(cases, cases)
    room = wilson(0, 20).high
    assert (found.interval.low, found.interval.high) == pytest.approx((-room, room))


def test_of_many_cases_the_interval_is_that_of_a_normal_distribution() -> None:
    """Of a mean of 1, -1 and 0, the gains and losses tied to each other."""
    base = runs(*[(0, 1)] * 3000, *[(1, 1)] * 7000)
    candidate = runs(*[(1, 1)] * 3000, *[(0, 1)] * 2000, *[(1, 1)] * 5000)
    found = rate_difference(base, candidate)
    deviation = ((0.5 - found.value**2) / 10_000) ** 0.5
    assert found.value == pytest.approx(0.1)
    assert found.interval.width == pytest.approx(2 * 1.96 * deviation, rel=0.01)


def test_the_lower_bound_is_the_end_of_the_interval_of_90_percent() -> None:
    base, candidate = runs((5, 5), (4, 5)), runs((3, 5), (5, 5))
    wanted = rate_difference(base, candidate, confidence=0.9).interval.low
    assert difference_at_least(base, candidate) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("cases", "shown"), [(20, False), (200, True)], ids=["too few cases", "enough cases"]
)
def test_it_takes_cases_to_show_that_nothing_got_worse(cases: int, shown: object) -> None:
    base = runs(*[(1, 1)] * cases)
    assert non_inferior(base, base, margin=0.03) is shown


def test_what_got_worse_by_the_margin_is_not_shown() -> None:
    base, candidate = runs(*[(10, 10)] * 500), runs(*[(9, 10)] * 500)
    assert not non_inferior(base, candidate, margin=0.1)


@pytest.mark.parametrize("margin", [0, -0.1, 3, float("nan")])
def test_what_is_no_margin_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="wanted more than 0 and at most 1"):
        non_inferior(runs((1, 1)), runs((1, 1)), margin=margin)


def test_runs_of_other_cases_are_refused() -> None:
    with pytest.raises(ValueError, match="wanted the same cases in the same order"):
        rate_difference(runs((1, 1), (1, 1)), runs((1, 1)))
