"""McNemar's test, exact: how many cases broke and how many were fixed, with one run of each."""

from collections.abc import Sequence
from dataclasses import dataclass

from audition.statistics.cases import CaseRuns, check_paired
from audition.statistics.distributions import binomial_cdf


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """How surprising so many changes are if as many cases break as are fixed.

    Attributes:
        broken: Cases that passed before and fail now.
        fixed: Cases that failed before and pass now.
        harm: p value of the claim that it got worse, one-sided.
        two_sided: p value of the claim that something changed.

    """

    broken: int
    fixed: int
    harm: float
    two_sided: float


def mcnemar(base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]) -> McNemar:
    """Return the test for cases with one run each, before and after, in the same order.

    harm = P(X >= broken) and two_sided = 2 P(X >= the larger of the two), at most 1, with X
    binomial of broken + fixed and 1/2 (McNemar, Psychometrika 12, 1947, in its exact form). Both
    are 1 where nothing changed. 5 broken and none fixed is the least with harm below 0.05.

    Raises:
        ValueError: They differ in length, or a case has not exactly one run.

    """
    check_paired(base, candidate)
    pairs = list(zip(base, candidate, strict=True))
    for place, (before, after) in enumerate(pairs):
        if not before.runs == after.runs == 1:
            msg = f"case {place} has {before.runs} and {after.runs} runs; wanted one and one"
            raise ValueError(msg)
    broken = sum(before.passed > after.passed for before, after in pairs)
    fixed = sum(before.passed < after.passed for before, after in pairs)
    changed = broken + fixed
    return McNemar(
        broken=broken,
        fixed=fixed,
        harm=binomial_cdf(fixed, changed, 0.5),
        two_sided=min(1.0, 2 * binomial_cdf(min(broken, fixed), changed, 0.5)),
    )
