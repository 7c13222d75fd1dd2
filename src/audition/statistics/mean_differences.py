"""The difference of two runs of the same cases in a number of any size, such as a judge's score."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from audition.statistics.distributions import beta_quantile
from audition.statistics.intervals import Interval, check_confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanDifference:
    """How much a number changed, mean over cases.

    Attributes:
        base: The mean before.
        candidate: The mean after.
        value: The mean difference, candidate minus base.
        interval: Between what it lies; None where that cannot be told: with fewer than two cases,
            or where all cases changed by the same.

    """

    base: float
    candidate: float
    value: float
    interval: Interval | None


def mean_difference(
    base: Sequence[Sequence[float]],
    candidate: Sequence[Sequence[float]],
    *,
    confidence: float = 0.95,
) -> MeanDifference:
    """Return the mean over cases of the difference of their means, with Student's interval.

    mean(d) +- t s / sqrt(cases), d one a case and s their standard deviation (Student, Biometrika
    6, 1908). It is for numbers that vary in most cases; of what passes or fails, `paired` knows.

    Args:
        base: The runs of each case before, at least one.
        candidate: Those of the same cases, in the same order, after.
        confidence: Between 0 and 1.

    Raises:
        ValueError: They differ in length or are empty, a case has no runs, or what is no
            confidence.

    """
    check_confidence(confidence)
    if not base or len(base) != len(candidate) or not all(base) or not all(candidate):
        msg = f"{len(base)} cases beside {len(candidate)}; wanted the same, with runs on both sides"
        raise ValueError(msg)
    before, after = list(map(fmean, base)), list(map(fmean, candidate))
    differences = [new - old for old, new in zip(before, after, strict=True)]
    return MeanDifference(
        base=fmean(before),
        candidate=fmean(after),
        value=fmean(differences),
        interval=_interval(differences, confidence),
    )


def _interval(differences: Sequence[float], confidence: float) -> Interval | None:
    count = len(differences)
    if count < 2 or not (deviation := stdev(differences)):
        return None
    middle = fmean(differences)
    half = _student_quantile(confidence, count - 1) * deviation / sqrt(count)
    return Interval(low=middle - half, high=middle + half, confidence=confidence)


def _student_quantile(confidence: float, freedom: int) -> float:
    """Return t: a number of Student's distribution is between -t and t with this probability.

    t^2 / (t^2 + freedom) is Beta(1/2, freedom/2).
    """
    share = beta_quantile(confidence, 0.5, freedom / 2)
    return sqrt(freedom * share / (1 - share))
