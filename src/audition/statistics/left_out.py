"""Between what the pass rate lies where runs ended in an error and were not judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from audition.statistics.cases import CaseRuns


@dataclass(frozen=True, slots=True, kw_only=True)
class RateBounds:
    """A pass rate with and without the runs that were not judged. No statistics, only counting.

    Attributes:
        low: The rate if all of them had failed.
        judged: The rate of the judged runs, over the cases that have some; None where none has.
        high: The rate if all of them had passed.
        error_share: The share of all runs that was not judged, from 0 to 1.

    """

    low: float
    judged: float | None
    high: float
    error_share: float


def rates_with_errors(cases: Sequence[CaseRuns], errors: Sequence[int]) -> RateBounds:
    """Return the mean of the case rates, bounded both ways.

    Args:
        cases: The judged runs of each; a case may have none.
        errors: How many runs of the case at the same place ended in an error.

    Raises:
        ValueError: The two differ in length or are empty, a number of errors is below 0, or a
            case has neither runs nor errors.

    """
    if not cases or len(cases) != len(errors) or min(errors) < 0:
        msg = f"{len(cases)} cases beside {len(errors)} numbers of errors; wanted one >= 0 a case"
        raise ValueError(msg)
    totals = [case.runs + lost for case, lost in zip(cases, errors, strict=True)]
    if not all(totals):
        msg = f"case {totals.index(0)} has neither runs nor errors"
        raise ValueError(msg)
    low = [case.passed / total for case, total in zip(cases, totals, strict=True)]
    gained = [lost / total for lost, total in zip(errors, totals, strict=True)]
    judged = [case.passed / case.runs for case in cases if case.runs]
    return RateBounds(
        low=fmean(low),
        judged=fmean(judged) if judged else None,
        high=fmean(map(sum, zip(low, gained, strict=True))),
        error_share=sum(errors) / sum(totals),
    )
