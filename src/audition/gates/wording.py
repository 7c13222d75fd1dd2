"""Numbers of findings as text: shares in percent, differences in points, names of cases."""

from collections.abc import Sequence

from audition.statistics.cases import CaseRuns, case_rates
from audition.statistics.intervals import Interval


def percent(share: float, *, unlike: float | None = None) -> str:
    """Return a share as "90.3 %"; with more digits where it would look like another number.

    Args:
        share: From 0 to 1.
        unlike: What it must not be taken for, where it is not that; besides none and all.

    """
    others = {0.0, 1.0, share if unlike is None else unlike} - {share}
    for digits in (1, 2, 3, 4):
        told = _plain(100 * share, digits)
        if told not in {_plain(100 * other, digits) for other in others}:
            return f"{told} %"
    return f"{100 * share:.10g} %"


def points(difference: float, *, signed: bool = True) -> str:
    """Return a difference of two shares as "-1.5", in points."""
    rounded = round(100 * difference, 1) or 0.0
    return f"{rounded:+.1f}" if signed else f"{rounded:.1f}".removesuffix(".0")


def interval(between: Interval, *, unlike: float | None = None) -> str:
    """Return an interval of shares as "95 % interval 75.1 % to 96.7 %"."""
    low, high = (percent(end, unlike=unlike) for end in (between.low, between.high))
    return f"{_plain(100 * between.confidence, 2)} % interval {low} to {high}"


def passed_of(cases: Sequence[CaseRuns]) -> str:
    """Return how many passed as "28 of 31 cases (90.3 %)", or with their runs where repeated."""
    rates = case_rates(cases)
    share = percent(sum(rates) / len(rates))
    passed, runs = sum(case.passed for case in cases), sum(case.runs for case in cases)
    if runs == len(cases):
        return f"{passed} of {counted(runs, 'case')} passed ({share})"
    return f"{share} over {counted(len(cases), 'case')}, {passed} of {runs} runs passed"


def counted(number: int, thing: str) -> str:
    """Return "1 case" or "2 cases"."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _plain(number: float, digits: int) -> str:
    """Return a number with so many digits, without zeros that say nothing beyond the first."""
    told = f"{number:.{digits}f}"
    return told.rstrip("0").rstrip(".") if float(told) == int(float(told)) else told
