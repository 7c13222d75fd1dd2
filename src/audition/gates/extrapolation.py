"""What a plan would take, by what the runs of an earlier one took."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from audition.experiment.histories import CaseHistory
from audition.gates.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """An amount of each run, and of all.

    Attributes:
        median: Of a run of the earlier ones.
        total: Of all runs of the plan, by the mean of the earlier ones: a sum is made of means.
        known: How many of the earlier runs say theirs.

    """

    median: float
    total: float
    known: int


def amounts(like: Subject, runs: int) -> Mapping[str, Amount]:
    """Return what so many runs would take: seconds, US dollars, tokens, tool calls, where known.

    Each case weighs the same, however often it was run.

    Args:
        like: The earlier run.
        runs: How many runs the plan has.

    """
    found: dict[str, Amount] = {}
    for what, of in _OF.items():
        each = [of(case) for case in like.cases.values()]
        known = [amount for case in each for amount in case]
        if known:
            mean = fmean(fmean(case) for case in each if case)
            found[what] = Amount(median=median(known), total=mean * runs, known=len(known))
    return found


_OF: Mapping[str, Callable[[CaseHistory], Sequence[float]]] = {
    "seconds": lambda case: case.seconds,
    "cost_usd": lambda case: case.costs_usd,
    "tokens": lambda case: case.tokens,
    "tool_calls": lambda case: case.tool_calls,
}
