"""The difference of two runs of the same cases: candidate minus base, below 0 where it got worse.

Each case brings the difference of its two rates. What the cases gained and what they lost are two
means of numbers from 0 to 1, and their intervals (`means`) are put together by squaring and adding
(Newcombe, Statistics in Medicine 17, 1998; Zou and Donner, 27, 2008). So a few cases that broke
altogether count by how uncertain their share is, which a t interval of the differences does not
see: with 20 cases of which 3 % break it covers as little as 42 %, at 95 %.
"""

from collections.abc import Sequence
from math import sqrt

from audition.statistics.cases import CaseRuns, case_rates, check_paired
from audition.statistics.intervals import Estimate, Interval, both_sides
from audition.statistics.means import CaseMean, case_mean

_ADDED = 0.5
"""Losses are few and large, so that a sample without them says less than one of rates."""


def rate_difference(
    base: Sequence[CaseRuns], candidate: Sequence[CaseRuns], *, confidence: float = 0.95
) -> Estimate:
    """Return the mean difference of the case rates, from -1 to 1, with its interval.

    g and l are the mean gain and the mean loss, g1..g2 and l1..l2 their intervals, and
    r = -g l / (s t), not below -1, their correlation, s and t being the deviations of a case.
    The runs of a pair are the harmonic mean of both numbers.
    low = g - l - sqrt((g - g1)^2 - 2 r (g - g1)(l2 - l) + (l2 - l)^2), and high likewise.

    Args:
        base: The runs of each case before.
        candidate: Those of the same cases, in the same order, after; as many or not.
        confidence: Between 0 and 1.

    Raises:
        ValueError: They differ in length or are empty, a case has no runs, or what is no
            confidence.

    """
    gain, loss = _gain_and_loss(base, candidate)
    value = gain.value - loss.value
    gained, lost = gain.interval(confidence), loss.interval(confidence)
    tied = max(-1.0, -gain.value * loss.value / (gain.deviation * loss.deviation))
    below = _joined(gain.value - gained.low, lost.high - loss.value, tied)
    above = _joined(gained.high - gain.value, loss.value - lost.low, tied)
    return Estimate(
        value,
        Interval(low=max(-1.0, value - below), high=min(1.0, value + above), confidence=confidence),
    )


def difference_at_least(
    base: Sequence[CaseRuns], candidate: Sequence[CaseRuns], *, confidence: float = 0.95
) -> float:
    """Return the lower bound of the difference: above it with this confidence, one-sided.

    Raises:
        ValueError: As `rate_difference`, or the confidence is not above one half.

    """
    return rate_difference(base, candidate, confidence=both_sides(confidence)).interval.low


def non_inferior(
    base: Sequence[CaseRuns],
    candidate: Sequence[CaseRuns],
    *,
    margin: float,
    confidence: float = 0.95,
) -> bool:
    """Return whether the candidate is shown to be worse by less than the margin.

    The lower bound of the difference is above -margin. False where it is worse, and where there
    is too little evidence.

    Raises:
        ValueError: The margin is not above 0 and at most 1, or as `difference_at_least`.

    """
    if not 0 < margin <= 1:
        msg = f"a margin of {margin}; wanted more than 0 and at most 1"
        raise ValueError(msg)
    return difference_at_least(base, candidate, confidence=confidence) > -margin


def _gain_and_loss(
    base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]
) -> tuple[CaseMean, CaseMean]:
    check_paired(base, candidate)
    differences = [
        after - before
        for before, after in zip(case_rates(base), case_rates(candidate), strict=True)
    ]
    runs = [
        2 / (1 / before.runs + 1 / after.runs)
        for before, after in zip(base, candidate, strict=True)
    ]
    gains = [difference if difference > 0 else 0.0 for difference in differences]
    losses = [-difference if difference < 0 else 0.0 for difference in differences]
    return case_mean(gains, runs, added=_ADDED), case_mean(losses, runs, added=_ADDED)


def _joined(one: float, other: float, correlation: float) -> float:
    return sqrt(one * one - 2 * correlation * one * other + other * other)
