"""Cases times repeats: what is run, one by one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic_evals import Case

from audition.datasets.loading import CasePlan, LoadedDataset


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One repeat of one case.

    Attributes:
        case: The case.
        plan: What the file says of it besides.
        repeat: Which repeat this is, from 1.
        repeats: How many there are.
        position: Its place among all units of the run, from 0.

    """

    case: Case[Any, Any, Any]
    plan: CasePlan
    repeat: int
    repeats: int
    position: int

    @property
    def name(self) -> str:
        """The name in the native report, as Pydantic Evals names repeats."""
        name = self.case.name or "case"
        return name if self.repeats == 1 else f"{name} [{self.repeat}/{self.repeats}]"


def units_of(loaded: LoadedDataset, *, repeat: int | None = None) -> Iterator[Unit]:
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
            yield Unit(case=case, plan=plan, repeat=number, repeats=repeats, position=position)
            position += 1
