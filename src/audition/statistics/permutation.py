"""The permutation test of a paired comparison: what else might the same runs have shown by chance?

Had nothing changed, the two sides of a case could as well be exchanged, which turns the sign of
its difference. With one run a case that is McNemar's exact test. Sides with unequal numbers of
runs cannot be exchanged: the mean of one run is more often 1 than that of ten. There the runs are
dealt anew to the two sides. To turn signs all the same would take nothing for harm in up to a
third of all comparisons of ten runs with one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, gcd, lcm, prod, sqrt
from statistics import NormalDist

from audition.statistics.cases import CaseRuns, case_rates, check_paired

_MOST_BITS = 10**9
"""Up to here counting takes a tenth of a second or two."""

type Chances = Mapping[int, int]
"""What the difference of a case may be, in whole units, and in how many ways each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Permutation:
    """How surprising the mean difference is if nothing changed.

    Attributes:
        harm: p value of the claim that it got worse, one-sided.
        two_sided: p value of the claim that something changed.
        exact: Whether all ways were counted. Else p is that of a normal distribution of the same
            variance: off by less than 0.01, and from a thousand cases on by less than 0.001.

    """

    harm: float
    two_sided: float
    exact: bool


def permutation_test(base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]) -> Permutation:
    """Return the test of the mean difference of case rates, candidate minus base.

    harm = P(S <= s) and two_sided = P(|S| >= |s|), s the sum of the differences and S that of
    differences which are d or -d with probability 1/2 each, and where the runs of a case are
    unequal, hypergeometric. All are multiples of a common unit, so that the ways to each sum can
    be counted. That is done while it takes a tenth of a second or two: for up to about 1200
    cases of 5 runs, or 30 whose numbers of runs are anything up to 10.

    Args:
        base: The runs of each case before.
        candidate: Those of the same cases, in the same order, after.

    Raises:
        ValueError: They differ in length or are empty, or a case has no runs.

    """
    check_paired(base, candidate)
    case_rates(base)
    case_rates(candidate)
    one = lcm(*{case.runs for case in base}, *{case.runs for case in candidate})
    pairs = Counter(zip(base, candidate, strict=True))
    total = sum(times * _difference(*pair, one) for pair, times in pairs.items())
    cases = [(_chances(*pair, one), times) for pair, times in pairs.items()]
    cases = [(chances, times) for chances, times in cases if len(chances) > 1]
    unit = gcd(*(value - min(chances) for chances, _ in cases for value in chances))
    if not unit:
        return Permutation(harm=1.0, two_sided=1.0, exact=True)
    steps = sum(times * len(chances) for chances, times in cases)
    spread = sum(times * (max(each) - min(each)) for each, times in cases) // unit
    width = prod(sum(each.values()) ** times for each, times in cases).bit_length() + 1
    if steps * spread * width <= _MOST_BITS:
        return _counted(total, cases, unit, width)
    return _normal(total, cases, unit)


def _difference(before: CaseRuns, after: CaseRuns, one: int) -> int:
    return after.passed * (one // after.runs) - before.passed * (one // before.runs)


def _chances(before: CaseRuns, after: CaseRuns, one: int) -> Chances:
    """Return what the difference of a case may be if nothing changed."""
    if before.runs == after.runs:
        difference = _difference(before, after, one)
        return {difference: 1, -difference: 1}
    passed = before.passed + after.passed
    fewest, most = max(0, passed - before.runs), min(passed, after.runs)
    return {
        some * (one // after.runs) - (passed - some) * (one // before.runs): (
            comb(after.runs, some) * comb(before.runs, passed - some)
        )
        for some in range(fewest, most + 1)
    }


def _counted(
    total: int, cases: Sequence[tuple[Chances, int]], unit: int, width: int
) -> Permutation:
    """Return the exact test: the ways to each sum are the digits of one long number.

    A digit has room for the number of all ways. A difference moves all digits up by what it is
    more than the least of its case, in units, so that the least of all sums stands at digit 0.
    """
    ways, least = 1, 0
    for chances, times in cases:
        lowest = min(chances)
        least += times * lowest
        for _ in range(times):
            ways = sum(
                many * (ways << (value - lowest) // unit * width) for value, many in chances.items()
            )
    below_all = (1 << width) - 1

    def up_to(most: int) -> int:
        """Return the ways to sums not above it: modulo 2^width - 1 a number is its digits' sum."""
        digits = (most - least) // unit + 1
        return (ways & ((1 << max(0, digits) * width) - 1)) % below_all

    everything = ways % below_all
    outside = up_to(-abs(total)) + everything - up_to(abs(total) - 1)
    return Permutation(
        harm=up_to(total) / everything,
        two_sided=min(1.0, outside / everything),
        exact=True,
    )


def _normal(total: int, cases: Sequence[tuple[Chances, int]], unit: int) -> Permutation:
    """Return the test by a normal distribution, corrected for the sums being whole units."""
    variance = sum(
        times * sum(many * value**2 for value, many in chances.items()) / sum(chances.values())
        for chances, times in cases
    )
    sums = NormalDist(sigma=sqrt(variance))
    return Permutation(
        harm=sums.cdf(total + unit / 2),
        two_sided=min(1.0, 2 * sums.cdf(unit / 2 - abs(total))),
        exact=False,
    )
