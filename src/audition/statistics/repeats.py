"""That all of k runs pass (pass^k), or any of them (pass@k).

Each case brings the unbiased estimate of its own probability. Never the pass rate to the power
of k: with cases of rates 1 and 0, half each, pass^2 is one half, and 0.5^2 is not.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import comb

from audition.statistics.cases import CaseRuns, case_rates
from audition.statistics.intervals import Estimate
from audition.statistics.means import case_mean

_SHOWN = 3


def all_pass(cases: Sequence[CaseRuns], k: int, *, confidence: float = 0.95) -> Estimate:
    """Return pass^k: the probability that k new runs of a case all pass, mean over cases.

    The mean of C(passed, k) / C(runs, k), from 0 to 1 (Yao et al., tau-bench, arXiv 2406.12045),
    with the interval of `means`.

    Raises:
        ValueError: There is no case, k is below 1, or a case has fewer than k runs.

    """
    return _mean_over_cases(cases, k, _all_of, confidence)


def any_passes(cases: Sequence[CaseRuns], k: int, *, confidence: float = 0.95) -> Estimate:
    """Return pass@k: the probability that of k new runs of a case one passes, mean over cases.

    The mean of 1 - C(runs - passed, k) / C(runs, k), from 0 to 1 (Chen et al., arXiv 2107.03374),
    with the interval of `means`.

    Raises:
        ValueError: There is no case, k is below 1, or a case has fewer than k runs.

    """
    return _mean_over_cases(cases, k, _any_of, confidence)


def too_few_runs(cases: Sequence[CaseRuns], k: int) -> tuple[int, ...]:
    """Return the places of the cases that have fewer than k runs, and so say nothing of k."""
    return tuple(place for place, case in enumerate(cases) if case.runs < k)


def _all_of(passed: int, runs: int, k: int) -> float:
    return comb(passed, k) / comb(runs, k)


def _any_of(passed: int, runs: int, k: int) -> float:
    return 1 - comb(runs - passed, k) / comb(runs, k)


def _mean_over_cases(
    cases: Sequence[CaseRuns],
    k: int,
    probability: Callable[[int, int, int], float],
    confidence: float,
) -> Estimate:
    case_rates(cases)
    if k < 1:
        msg = f"{k} runs; wanted at least one"
        raise ValueError(msg)
    if short := too_few_runs(cases, k):
        named = ", ".join(map(str, short[:_SHOWN])) + (", …" if len(short) > _SHOWN else "")
        msg = f"{len(short)} of {len(cases)} cases have fewer than {k} runs: {named}"
        raise ValueError(msg)
    of = cache(probability)
    mean = case_mean(
        [of(case.passed, case.runs, k) for case in cases], [case.runs for case in cases]
    )
    return Estimate(mean.value, mean.interval(confidence))
