"""Intervals of a share of runs that are independent of each other. Never Wald's.

Runs of the same case are not independent: for cases with repeats there is `rates`.
"""

from math import sqrt

from audition.statistics.cases import CaseRuns
from audition.statistics.distributions import beta_quantile
from audition.statistics.intervals import Interval, check_confidence, two_sided_quantile


def wilson(passed: int, runs: int, *, confidence: float = 0.95) -> Interval:
    """Return the interval of the share by the score test.

    The rates p with |share - p| <= z sqrt(p (1 - p) / runs) (Wilson, JASA 22, 1927). It holds the
    rate with about the confidence on average, and with less for some.

    Raises:
        ValueError: Not 0 <= passed <= runs, there are no runs, or what is no confidence.

    """
    return score_interval(_share(passed, runs), runs, confidence=confidence)


def score_interval(share: float, size: float, *, confidence: float) -> Interval:
    """Return Wilson's interval of a share of so many runs, which need not be a whole number.

    Args:
        share: From 0 to 1; it lies in the interval.
        size: Above 0.
        confidence: Between 0 and 1.

    """
    z = two_sided_quantile(confidence)
    grown = 1 + z * z / size
    centre = (share + z * z / (2 * size)) / grown
    half = z * sqrt(share * (1 - share) / size + z * z / (4 * size * size)) / grown
    return Interval(
        low=max(0.0, min(share, centre - half)),
        high=min(1.0, max(share, centre + half)),
        confidence=confidence,
    )


def clopper_pearson(passed: int, runs: int, *, confidence: float = 0.95) -> Interval:
    """Return the interval of the share that holds the rate at least with the confidence.

    From the a/2 quantile of Beta(passed, failed + 1) to the 1 - a/2 quantile of
    Beta(passed + 1, failed), a = 1 - confidence (Clopper and Pearson, Biometrika 26, 1934).
    With no failure its lower end is (a/2)^(1/runs).

    Raises:
        ValueError: Not 0 <= passed <= runs, there are no runs, or what is no confidence.

    """
    _share(passed, runs)
    check_confidence(confidence)
    tail, failed = (1 - confidence) / 2, runs - passed
    return Interval(
        low=beta_quantile(tail, passed, failed + 1) if passed else 0.0,
        high=beta_quantile(1 - tail, passed + 1, failed) if failed else 1.0,
        confidence=confidence,
    )


def _share(passed: int, runs: int) -> float:
    if not CaseRuns(passed, runs).runs:
        msg = "there are no runs; wanted at least one"
        raise ValueError(msg)
    return passed / runs
