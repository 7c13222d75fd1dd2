"""What a plan would notice, before it is run: by trying its decision on runs that are made up.

The decision is the caller's own, so that what is told is true of the gate that will decide.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from audition.statistics.cases import CaseRuns
from audition.statistics.intervals import Estimate
from audition.statistics.populations import Population
from audition.statistics.proportions import clopper_pearson

type Decide[V] = Callable[[Sequence[CaseRuns], Sequence[CaseRuns]], V]
"""The verdict on the runs of the base and of the candidate: same cases, same order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A comparison that somebody may make.

    Attributes:
        cases: How many cases.
        repeats: How many runs of each, on either side.
        population: How the pass rates of the cases are spread.
        base_repeats: How many runs of each the base has, None for as many.
        special: Of the first cases, where their rates are spread otherwise.
        harm: How a drop comes about. "even": each case passes less often, by the same factor.
            "broken": some cases never pass any more, and the others are as before.

    Raises:
        ValueError: There is no case or no repeat.

    """

    cases: int
    repeats: int
    population: Population
    base_repeats: int | None = None
    special: Sequence[Population] = ()
    harm: Literal["even", "broken"] = "even"

    def __post_init__(self) -> None:
        if min(self.cases, self.repeats, self.runs_before) < 1:
            msg = f"{self.cases} cases with {self.repeats} repeats; wanted at least one of each"
            raise ValueError(msg)

    @property
    def runs_before(self) -> int:
        """How many runs of each case the base has."""
        return self.repeats if self.base_repeats is None else self.base_repeats


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """How good a decision is on a plan. The intervals are of the simulation, at 95 %.

    Attributes:
        power: How often it says that it got worse where it did.
        false_alarm: How often it says so where nothing changed.

    """

    power: Estimate
    false_alarm: Estimate


def verdict_shares[V: Hashable](
    plan: Plan, decide: Decide[V], *, drop: float, seed: int, simulations: int = 1000
) -> Mapping[V, Estimate]:
    """Return how often each verdict comes out, the most frequent first.

    The intervals are Clopper and Pearson's at 95 %: at most 0.032 to either side with 1000
    simulations. Equal arguments give equal results, and other drops meet the same random numbers.

    Args:
        plan: What would be run.
        decide: What would decide on it; called once a simulation.
        drop: By how much the mean rate of the candidate is lower, from 0 to the mean of the plan.
        seed: For drawing.
        simulations: How many comparisons to make up; at least 1.

    Raises:
        ValueError: The drop is below 0 or more than the mean rate, or there are no simulations.

    """
    if not 0 <= drop <= plan.population.mean or simulations < 1:
        most = plan.population.mean
        msg = f"a drop of {drop}, {simulations} simulations; wanted 0 to {most:.3g}, at least one"
        raise ValueError(msg)
    counts = Counter(
        decide(*_made_up(plan, drop, Random(f"{seed}/{number}")))  # noqa: S311  # no secret is made of it
        for number in range(simulations)
    )
    return {
        verdict: Estimate(times / simulations, clopper_pearson(times, simulations))
        for verdict, times in counts.most_common()
    }


def detection(
    plan: Plan, decide: Decide[bool], *, drop: float, seed: int, simulations: int = 1000
) -> Detection:
    """Return how often the decision notices the drop, and how often it is a false alarm.

    Args:
        plan: What would be run.
        decide: Whether it got worse.
        drop: By how much the mean rate of the candidate is lower.
        seed: For drawing.
        simulations: How many comparisons to make up, for either.

    Raises:
        ValueError: As `verdict_shares`.

    """
    return Detection(
        power=_alarms(plan, decide, drop, seed, simulations),
        false_alarm=_alarms(plan, decide, 0.0, seed, simulations),
    )


def minimum_detectable_drop(
    plan: Plan,
    decide: Decide[bool],
    *,
    seed: int,
    power: float = 0.8,
    simulations: int = 400,
) -> float | None:
    """Return the least drop that the decision notices with this power, to half a point.

    By bisection, all drops with the same random numbers; None where not even a drop to 0 is
    noticed. The power there is off by about sqrt(power (1 - power) / simulations): 0.02 with 400.

    Raises:
        ValueError: The power is not between 0 and 1, or as `verdict_shares`.

    """
    if not 0 < power < 1:
        msg = f"a power of {power}; wanted more than 0 and less than 1"
        raise ValueError(msg)
    low, high = 0.0, plan.population.mean
    if _alarms(plan, decide, high, seed, simulations).value < power:
        return None
    while high - low > 0.005:
        middle = (low + high) / 2
        if _alarms(plan, decide, middle, seed, simulations).value < power:
            low = middle
        else:
            high = middle
    return high


def _alarms(plan: Plan, decide: Decide[bool], drop: float, seed: int, simulations: int) -> Estimate:
    shares = verdict_shares(plan, decide, drop=drop, seed=seed, simulations=simulations)
    return shares.get(True) or Estimate(0.0, clopper_pearson(0, simulations))


def _made_up(plan: Plan, drop: float, random: Random) -> tuple[list[CaseRuns], list[CaseRuns]]:
    """Return the runs of a base and of a candidate that is worse by the drop on average."""
    after = [CaseRuns(passed, plan.repeats) for passed in range(plan.repeats + 1)]
    before = [CaseRuns(passed, plan.runs_before) for passed in range(plan.runs_before + 1)]
    lost = drop / plan.population.mean
    harm = _HARMS[plan.harm]
    base, candidate = list[CaseRuns](), list[CaseRuns]()
    for place in range(plan.cases):
        population = plan.special[place] if place < len(plan.special) else plan.population
        rate = population.draw(random)
        base.append(before[_passes(rate, plan.runs_before, random)])
        candidate.append(after[_passes(harm(rate, lost, random), plan.repeats, random)])
    return base, candidate


def _even(rate: float, lost: float, _: Random) -> float:
    return rate * (1 - lost)


def _broken(rate: float, lost: float, random: Random) -> float:
    return 0.0 if random.random() < lost else rate


_HARMS: Mapping[str, Callable[[float, float, Random], float]] = {"even": _even, "broken": _broken}


def _passes(rate: float, runs: int, random: Random) -> int:
    draw = random.random
    return sum([draw() < rate for _ in range(runs)])
