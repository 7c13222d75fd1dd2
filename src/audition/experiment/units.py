"""Cases times repeats: what is run, one by one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic_evals import Case

from audition.datasets.formats import KnownFailure
from audition.datasets.loading import CasePlan, LoadedDataset


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One repeat of one case.

    Attributes:
        case: The name of the case.
        repeat: Which repeat this is, from 1.
        repeats: How many there are.
        position: Its place among all units of the run, from 0.
        must_pass: The file says that a gate must not let the case fail.

    """

    case: str
    repeat: int = 1
    repeats: int = 1
    position: int
    must_pass: bool = False

    @property
    def name(self) -> str:
        """The name in the native report, as Pydantic Evals names repeats."""
        return self.case if self.repeats == 1 else f"{self.case} [{self.repeat}/{self.repeats}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedUnit:
    """A unit before it is run.

    Attributes:
        unit: What is run.
        case: Its case in the native dataset.
        known_failure: It is known to fail, and until when that is an excuse; None where it is not.

    """

    unit: Unit
    case: Case[Any, Any, Any]
    known_failure: KnownFailure | None


def units_of(loaded: LoadedDataset, *, repeat: int | None = None) -> Iterator[PlannedUnit]:
    """Yield every repeat of every case, in the order of the file.

    Args:
        loaded: The dataset.
        repeat: How often each case is run, None for what the file says, or once.

    """
    position = 0
    for case in loaded.dataset.cases:
        plan = loaded.plans.get(case.name or "", CasePlan())
        repeats = repeat or plan.repeat or 1
        for number in range(1, repeats + 1):
            unit = Unit(
                case=case.name or "case",
                repeat=number,
                repeats=repeats,
                position=position,
                must_pass=plan.must_pass,
            )
            yield PlannedUnit(unit=unit, case=case, known_failure=plan.known_failure)
            position += 1
