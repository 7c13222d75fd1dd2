"""The pass rate over cases: the mean of the case rates, whatever the repeats of each."""

from collections.abc import Sequence

from audition.statistics.cases import CaseRuns, case_rates
from audition.statistics.intervals import Estimate, both_sides
from audition.statistics.means import CaseMean, case_mean


def pass_rate(cases: Sequence[CaseRuns], *, confidence: float = 0.95) -> Estimate:
    """Return the mean of the case rates, with the interval of `means`.

    With one run a case it is Wilson's. Repeats are never pooled: five of them on twenty cases
    are twenty observations, which are a little less noisy.

    Raises:
        ValueError: There is no case, one has no runs, or what is no confidence.

    """
    mean = _mean(cases)
    return Estimate(mean.value, mean.interval(confidence))


def pass_rate_at_least(cases: Sequence[CaseRuns], *, confidence: float = 0.95) -> float:
    """Return the lower bound of the pass rate: above it with this confidence, one-sided.

    The lower end of the interval of confidence 2 confidence - 1.

    Raises:
        ValueError: There is no case, one has no runs, or the confidence is not above one half.

    """
    return _mean(cases).interval(both_sides(confidence)).low


def _mean(cases: Sequence[CaseRuns]) -> CaseMean:
    return case_mean(case_rates(cases), [case.runs for case in cases])
