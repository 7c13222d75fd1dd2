"""How often a case passed, of how many runs: what nearly everything here is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CaseRuns:
    """The runs of one case.

    Attributes:
        passed: How many passed.
        runs: How many were judged. Runs that ended in an error are not among them.

    Raises:
        ValueError: Not 0 <= passed <= runs.

    """

    passed: int
    runs: int

    def __post_init__(self) -> None:
        if not 0 <= self.passed <= self.runs:
            msg = f"{self.passed} of {self.runs} runs passed; wanted 0 <= passed <= runs"
            raise ValueError(msg)


def case_rates(cases: Sequence[CaseRuns]) -> list[float]:
    """Return the share of its runs that each case passed.

    Raises:
        ValueError: There is no case, or one has no runs. Names it by its place.

    """
    if not cases:
        msg = "there are no cases; wanted at least one"
        raise ValueError(msg)
    for place, case in enumerate(cases):
        if not case.runs:
            msg = f"case {place} has no runs; wanted at least one run a case"
            raise ValueError(msg)
    return [case.passed / case.runs for case in cases]


def check_paired(base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]) -> None:
    """Refuse two runs that are not of the same cases in the same order.

    Raises:
        ValueError: They differ in length.

    """
    if len(base) != len(candidate):
        msg = f"{len(base)} cases beside {len(candidate)}; wanted the same cases in the same order"
        raise ValueError(msg)
