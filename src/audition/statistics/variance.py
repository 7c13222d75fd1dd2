"""What of the variance comes from cases that differ, and what from repeats of the same case.

It decides between more cases and more repeats: repeats help only against their own part.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from audition.statistics.cases import CaseRuns, case_rates


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceSplit:
    """The variance of a single run, in two parts.

    Attributes:
        between: Variance of the rates of the cases, 0 or more.
        within: Variance of a run around the rate of its case, mean over cases, 0 or more.

    """

    between: float
    within: float

    @property
    def icc(self) -> float | None:
        """Return the share of the variance between cases, None where nothing varies.

        At 0 repeats are as good as cases; at 1 repeats say nothing new.
        """
        total = self.between + self.within
        return self.between / total if total else None

    def of_mean(self, *, cases: int, repeats: int) -> float:
        """Return the variance of the pass rate of a plan: between / cases + within / all runs.

        Raises:
            ValueError: There is no case or no repeat.

        """
        if cases < 1 or repeats < 1:
            msg = f"{cases} cases with {repeats} repeats; wanted at least one of each"
            raise ValueError(msg)
        return (self.between + self.within / repeats) / cases


def split_variance(cases: Sequence[CaseRuns]) -> VarianceSplit | None:
    """Return the variance between and within cases; None where it cannot be told apart.

    One-way analysis of variance: between = (MSB - MSW) / m, not below 0, and within = MSW, with
    m = (R - sum(n^2) / R) / (cases - 1), n the runs of a case and R those of all (Donner and
    Koval, Biometrics 36, 1980). It takes two cases, and one that ran twice.

    Raises:
        ValueError: There is no case, or one has no runs.

    """
    rates = case_rates(cases)
    runs = sum(case.runs for case in cases)
    if len(cases) < 2 or runs == len(cases):
        return None
    mean = sum(case.passed for case in cases) / runs
    pairs = list(zip(cases, rates, strict=True))
    inside = sum(case.passed * (1 - rate) for case, rate in pairs) / (runs - len(cases))
    across = sum(case.runs * (rate - mean) ** 2 for case, rate in pairs) / (len(cases) - 1)
    size = (runs - sum(case.runs**2 for case in cases) / runs) / (len(cases) - 1)
    return VarianceSplit(between=max(0.0, (across - inside) / size), within=inside)
