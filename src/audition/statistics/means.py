"""The interval of a mean of numbers from 0 to 1, one a case. Knows nothing of what they are.

Wilson's interval with the number of cases divided by the design effect: how much of p (1 - p),
the most that a mean p leaves room for, the numbers really vary. With numbers 0 and 1 the effect
is 1, and the interval Wilson's. For surveys: Korn and Graubard, Survey Methodology 24 (1998).

Few numbers that happen to be alike say little of those not seen: with 20 cases of which one in
ten is bad, each eighth sample has no bad one. So the effect is computed with a quarter of a case
at 0 and a quarter at 1 added, more where the numbers of runs are unequal. That keeps an interval
of equal numbers from having no width, and costs nothing where there are many cases. The quarter
was found by simulation, see docs/reference/statistics.md; differences (`paired`) take a half.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from audition.statistics.intervals import Interval
from audition.statistics.proportions import score_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseMean:
    """A mean over cases.

    Attributes:
        value: The mean of the numbers, from 0 to 1.
        effective_cases: How many single runs would say as much: never fewer than there are cases,
            and never more than there are runs.
        deviation: The standard deviation of one number, with the added ones; above 0.

    """

    value: float
    effective_cases: float
    deviation: float

    def interval(self, confidence: float) -> Interval:
        """Return where the mean of all such cases lies, within 0 and 1."""
        return score_interval(self.value, self.effective_cases, confidence=confidence)


def case_mean(values: Sequence[float], runs: Sequence[float], *, added: float = 0.25) -> CaseMean:
    """Return the mean of numbers from 0 to 1, and of how many cases it is worth.

    With v the numbers, n the runs of each, w = added mean(n) mean(1 / n), P and F the sums of v and
    of 1 - v, each plus w, and M = cases + 2w: the design effect is 1 - M sum(v (1 - v)) / (P F),
    and not below mean(1 / n). The effective cases are the cases divided by it. mean(n) mean(1 / n)
    is Kish's factor of unequal weights (Survey Sampling, 1965, 11.7): a run weighs 1 / n.

    Args:
        values: One a case.
        runs: Of how many runs each is made, 1 or more.
        added: How much of a case to add at 0, and at 1; above 0.

    Raises:
        ValueError: There is none, one is not from 0 to 1, or the runs are not of them.

    """
    count = len(values)
    if not count or len(runs) != count or min(runs) < 1 or not all(0 <= v <= 1 for v in values):
        msg = f"{count} numbers of {len(runs)} runs; wanted one or more, from 0 to 1, with its runs"
        raise ValueError(msg)
    least = fsum(1 / each for each in runs) / count
    extra = added * least * fsum(runs) / count
    passed = fsum(values)
    ones, zeros, total = passed + extra, count - passed + extra, count + 2 * extra
    inside = fsum(value * (1 - value) for value in values)
    effect = max(least, 1 - total * inside / (ones * zeros))
    return CaseMean(
        value=min(1.0, passed / count),
        effective_cases=count / effect,
        deviation=sqrt(effect * ones * zeros) / total,
    )
