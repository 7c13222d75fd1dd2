"""How the pass rates of cases are spread: what a plan is tried on before it is run."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from audition.statistics.cases import CaseRuns, case_rates
from audition.statistics.variance import split_variance


class Population(Protocol):
    """A population of cases."""

    @property
    def mean(self) -> float:
        """Return the mean of their pass rates, from 0 to 1."""
        ...

    def draw(self, random: Random) -> float:
        """Return the pass rate of a case drawn from it."""
        ...


@dataclass(frozen=True, slots=True)
class BetaPopulation:
    """Cases whose pass rates are Beta(a, b).

    Attributes:
        a: Above 0; a / (a + b) is the mean rate.
        b: Above 0; the larger a + b, the more cases are alike.

    Raises:
        ValueError: One is not above 0.

    """

    a: float
    b: float

    def __post_init__(self) -> None:
        if not (self.a > 0 and self.b > 0):
            msg = f"Beta({self.a}, {self.b}); wanted both above 0"
            raise ValueError(msg)

    @property
    def mean(self) -> float:
        """Return a / (a + b)."""
        return self.a / (self.a + self.b)

    def draw(self, random: Random) -> float:
        """Return a number that is Beta(a, b)."""
        return random.betavariate(self.a, self.b)


@dataclass(frozen=True, slots=True)
class ObservedPopulation:
    """Cases like those of an earlier run.

    A case is drawn from the earlier ones, and its rate from what its runs say of it: Beta(a +
    passed, b + failed). 5 of 5 passed does not mean a rate of 1, and how near to 1 it is the other
    cases tell.

    Attributes:
        cases: The earlier runs.
        prior: How the rates are spread before the runs of a case are looked at.

    """

    cases: tuple[CaseRuns, ...]
    prior: BetaPopulation

    @property
    def mean(self) -> float:
        """Return the mean over cases of (a + passed) / (a + b + runs)."""
        a, b = self.prior.a, self.prior.b
        return sum((a + case.passed) / (a + b + case.runs) for case in self.cases) / len(self.cases)

    def draw(self, random: Random) -> float:
        """Return a rate of one of the cases, drawn at random."""
        case = random.choice(self.cases)
        failed = case.runs - case.passed
        return random.betavariate(self.prior.a + case.passed, self.prior.b + failed)


def population_like(cases: Sequence[CaseRuns]) -> ObservedPopulation:
    """Return cases like those of an earlier run, with a prior fitted to them.

    The prior has the mean rate of the cases, with half a passed and half a failed case added, and
    the intraclass correlation 1 / (a + b + 1) of `variance`, kept within 0.02 and 0.9; it is 0.5
    where the runs do not tell.

    Raises:
        ValueError: There is no case, or one has no runs.

    """
    rates = case_rates(cases)
    mean = (sum(rates) + 0.5) / (len(rates) + 1)
    split = split_variance(cases)
    icc = split.icc if split is not None else None
    together = 1 / min(0.9, max(0.02, 0.5 if icc is None else icc)) - 1
    return ObservedPopulation(tuple(cases), BetaPopulation(mean * together, (1 - mean) * together))
