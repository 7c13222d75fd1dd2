"""Cases that pass at times."""

from audition.statistics.cases import CaseRuns
from audition.statistics.distributions import beta_cdf


def is_flaky(case: CaseRuns) -> bool:
    """Return whether some of the runs passed and some failed."""
    return 0 < case.passed < case.runs


def flaky_probability(case: CaseRuns, *, low: float = 0.1, high: float = 0.9) -> float:
    """Return the probability that the rate of the case lies between low and high.

    The posterior under Jeffreys' prior, Beta(passed + 1/2, failed + 1/2). Without runs it is that
    of the prior: 0.59 from 0.1 to 0.9. So few runs never make a case certainly flaky or certainly
    not: 5 of 5 passed leave 0.29, and 4 of 5 give 0.80.

    Raises:
        ValueError: Not 0 <= low < high <= 1.

    """
    if not 0 <= low < high <= 1:
        msg = f"rates from {low} to {high}; wanted 0 <= low < high <= 1"
        raise ValueError(msg)
    a, b = case.passed + 0.5, case.runs - case.passed + 0.5
    return beta_cdf(high, a, b) - beta_cdf(low, a, b)
