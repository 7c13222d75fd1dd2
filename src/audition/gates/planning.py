"""What a gate would say of a plan before it is run: the decisions of the gate, on made-up runs.

Every rule that is about pass rates is tried: cases that must pass, bars, margins. Scores, budgets,
broken and flaky cases are not: nothing says how they would be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

from audition.gates.findings import Verdict
from audition.gates.planned_rules import planned_rules
from audition.gates.policy import Policy
from audition.gates.subjects import Subject
from audition.statistics.cases import CaseRuns
from audition.statistics.intervals import Estimate
from audition.statistics.populations import BetaPopulation, Population
from audition.statistics.power import Plan, minimum_detectable_drop, verdict_shares

DROPS = (0.0, 0.05, 0.1)
"""What is told of a gate: nothing changed, and two drops of the pass rate."""
POWER = 0.8
_MOST_RUNS = 500_000
"""Runs that are made up for one number, so that a plan takes seconds; 100 gates at least."""

type Shares = Mapping[Verdict, Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Intended:
    """A run that somebody may make.

    Attributes:
        cases: How many cases.
        repeats: How often each.
        base_repeats: How often each was run in the baseline.
        population: How the pass rates of the cases are spread.
        like: The earlier run whose tags and marks the cases have, None where there is none.
        seed: For drawing.
        simulations: How many runs to make up for each number, at most.

    """

    cases: int
    repeats: int
    base_repeats: int
    population: Population
    like: Subject | None = None
    seed: int = 0
    simulations: int = 1000

    @property
    def drawn(self) -> int:
        """How many runs are made up for each number."""
        runs = self.cases * (self.repeats + self.base_repeats)
        return min(self.simulations, max(100, _MOST_RUNS // runs))


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What a gate would say of a plan.

    Attributes:
        by_drop: How often each verdict of the whole gate comes out, by how much the rate dropped.
        by_rule: The same of each rule alone where nothing changed, by what it looks at.
        least_drop: The least drop at which the gate fails in `POWER` of all runs, None where there
            is none.
        untold: Rules of the policy that were not tried, and why.

    """

    by_drop: Mapping[float, Shares]
    by_rule: Mapping[str, Shares]
    least_drop: float | None
    untold: Sequence[str]


def spread_like(rate: float, spread: float | None) -> BetaPopulation:
    """Return cases whose pass rates have this mean and this standard deviation.

    Args:
        rate: The mean, above 0 and below 1.
        spread: Above 0 and less than sqrt(rate (1 - rate)), which only cases that pass always or
            never have; None for sqrt(rate (1 - rate) / 8), as Beta(6, 1) has it.

    Raises:
        ValueError: They are not.

    """
    most = sqrt(rate * (1 - rate)) if 0 < rate < 1 else 0.0
    wide = most / sqrt(8) if spread is None else spread
    if not 0 < wide < most:
        msg = f"a rate of {rate} with a spread of {wide:.3g}; wanted a spread below {most:.3g}"
        raise ValueError(msg)
    together = (most / wide) ** 2 - 1
    return BetaPopulation(rate * together, (1 - rate) * together)


def forecast(intended: Intended, policy: Policy) -> Forecast:
    """Return what a gate would say of a plan, by trying its own decisions."""
    plan = Plan(
        cases=intended.cases,
        repeats=intended.repeats,
        base_repeats=intended.base_repeats,
        population=intended.population,
    )
    planned = planned_rules(plan, policy, intended.like)
    of = partial(verdict_shares, seed=intended.seed, simulations=intended.drawn)
    every = planned.joint_verdict

    def fails(base: Sequence[CaseRuns], now: Sequence[CaseRuns]) -> bool:
        return every(base, now) is Verdict.FAILED

    return Forecast(
        by_drop={
            drop: of(planned.plan, every, drop=drop)
            for drop in DROPS
            if planned.rules and drop <= plan.population.mean
        },
        by_rule={rule.told: of(rule.alone, rule.decide, drop=0.0) for rule in planned.rules},
        least_drop=minimum_detectable_drop(
            planned.plan,
            fails,
            seed=intended.seed,
            power=POWER,
            simulations=min(400, intended.drawn),
        )
        if planned.rules
        else None,
        untold=planned.untold,
    )
