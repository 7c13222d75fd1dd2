"""Medians and percentiles of seconds and cost, and how both changed.

No means: one stuck case would be all of them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from math import lcm
from statistics import fmean

from audition.statistics.distributions import binomial_cdf
from audition.statistics.intervals import check_confidence
from audition.statistics.means import case_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile:
    """What a share of the runs stays at or below.

    Attributes:
        share: Which: 0.5 is the median, 0.95 the 95th percentile.
        value: The estimate, in the unit of the samples.
        low: The lower end of its interval; None where there are too few cases for one.
        high: The upper end; None where there are too few: a 95th percentile takes 72 cases.
        confidence: How often such an interval holds the quantile.

    """

    share: float
    value: float
    low: float | None
    high: float | None
    confidence: float


def quantile(
    samples: Sequence[Sequence[float]], share: float, *, confidence: float = 0.95
) -> Quantile:
    """Return a quantile of the runs, each case weighing the same.

    The interval is between order statistics: with one run a case, the j-th and k-th smallest with
    P(X < j) and P(X >= k) at most (1 - confidence) / 2 each, X binomial of the cases and the
    share. It holds the quantile of any distribution at least with the confidence. With repeats, X
    is binomial of the effective cases (`means`), from the share of each case's runs that is not
    above the estimate (Woodruff, JASA 47, 1952).

    Args:
        samples: The runs of each case, at least one.
        share: Between 0 and 1.
        confidence: Between 0 and 1.

    Raises:
        ValueError: There is no case, one has no runs, or what is no share or confidence.

    """
    check_confidence(confidence)
    if not samples or not all(samples) or not 0 < share < 1:
        msg = f"share {share} of {len(samples)} cases; wanted 0 < share < 1, and a run in each case"
        raise ValueError(msg)
    ranked = _Ranked(samples)
    value = ranked.middle(share)
    below = [sum(map(value.__ge__, runs)) / len(runs) for runs in samples]
    mean = case_mean(below, [len(runs) for runs in samples])
    size, tail = int(mean.effective_cases), (1 - confidence) / 2
    low = _most(size, share, tail)
    high = size + 1 - _most(size, 1 - share, tail)
    return Quantile(
        share=share,
        value=value,
        low=ranked.at(low, size) if low else None,
        high=ranked.at(high, size) if high <= size else None,
        confidence=confidence,
    )


def median_ratio(
    base: Sequence[Sequence[float]],
    candidate: Sequence[Sequence[float]],
    *,
    confidence: float = 0.95,
) -> Quantile:
    """Return the median over cases of candidate / base, each the mean of the case's runs.

    Below 1 the candidate takes less. The interval is that of `quantile`, the sign test's.

    Raises:
        ValueError: They differ in length or are empty, a case has no runs, or its mean before is
            not above 0. Names it by its place.

    """
    if len(base) != len(candidate):
        msg = f"{len(base)} cases beside {len(candidate)}; wanted the same cases in the same order"
        raise ValueError(msg)
    ratios: list[list[float]] = []
    for place, (before, after) in enumerate(zip(base, candidate, strict=True)):
        old = fmean(before) if before else 0
        if old <= 0 or not after:
            msg = f"case {place} has no ratio; wanted runs on both sides, and a mean before above 0"
            raise ValueError(msg)
        ratios.append([fmean(after) / old])
    return quantile(ratios, 0.5, confidence=confidence)


class _Ranked:
    """All runs in order, with whole weights that give each case the same."""

    def __init__(self, samples: Sequence[Sequence[float]]) -> None:
        sizes = {len(runs) for runs in samples}
        one = lcm(*sizes)
        self._all = one * len(samples)
        self._up_to: Sequence[int]
        if len(sizes) == 1:  # each run weighs 1, and there may be many
            self._values = sorted(chain.from_iterable(samples))
            self._up_to = range(1, self._all + 1)
            return
        pairs = sorted((run, one // len(runs)) for runs in samples for run in runs)
        self._values = [value for value, _ in pairs]
        self._up_to = list(accumulate(weight for _, weight in pairs))

    def middle(self, share: float) -> float:
        """Return the value at the share; between two where it falls between them."""
        wanted = share * self._all
        above = bisect_right(self._up_to, wanted * (1 + 1e-12))
        below = bisect_left(self._up_to, wanted * (1 - 1e-12))
        return (self._values[below] + self._values[above]) / 2

    def at(self, rank: int, size: int) -> float:
        """Return the smallest value that rank of size runs are not above."""
        return self._values[bisect_left(self._up_to, -(-rank * self._all // size))]


def _most(size: int, share: float, tail: float) -> int:
    """Return the largest j so that fewer than j of size runs are below with this probability."""
    return bisect_right(range(size), tail, key=lambda most: binomial_cdf(most, size, share))
