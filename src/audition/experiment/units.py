"""Cases times repeats: what is run, one by one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from pydantic_evals import Case

from audition.datasets.formats import KnownFailure
from audition.datasets.loading import CasePlan, LoadedDataset
from audition.experiment.journal import UnitKey
from audition.experiment.plan import name_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One repeat of one case.

    Attributes:
        case: The name of the case.
        repeat: Which repeat this is, from 1.
        repeats: How many there are.
        position: Its place among all units of the run, from 0.
        must_pass: The file says that a gate must not let the case fail.
        known_failure: It is known to fail, and until when that is an excuse; None where it is not,
            or where that was not kept.
        case_id: What tells the case from all others; see `plan.name_id`.
        attempt: Which attempt of this repeat it is, from 1.
        fingerprint: Of the inputs and evaluators of the case.

    """

    case: str
    repeat: int = 1
    repeats: int = 1
    position: int
    must_pass: bool = False
    known_failure: KnownFailure | None = None
    case_id: str = ""
    attempt: int = 1
    fingerprint: str = ""

    @property
    def key(self) -> UnitKey:
        """What tells it from all others of the run, as its line of the journal has it."""
        return self.case_id or self.case, self.repeat

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

    """

    unit: Unit
    case: Case[Any, Any, Any]


def units_of(
    loaded: LoadedDataset,
    *,
    repeat: int | None = None,
    fingerprints: Mapping[str, str] | None = None,
) -> Iterator[PlannedUnit]:
    """Yield every repeat of every case: the first of each in the order of the file, then the next.

    So a run that is ended early has measured as many cases as it could.

    Args:
        loaded: The dataset.
        repeat: How often each case is run, None for what the file says, or once.
        fingerprints: Those of the cases by id; a case that has none is left out. None for all.

    """
    repeats = [_repeats(loaded, case, repeat) for case in loaded.dataset.cases]
    places = [0, *accumulate(repeats)]
    for number in range(1, max(repeats, default=0) + 1):
        for case, of_case, place in zip(loaded.dataset.cases, repeats, places, strict=False):
            name = case.name or "case"
            told = name_id(name)
            if number > of_case or (fingerprints is not None and told not in fingerprints):
                continue
            plan = loaded.plans.get(name, CasePlan())
            unit = Unit(
                case=name,
                case_id=told,
                repeat=number,
                repeats=of_case,
                position=place + number - 1,
                must_pass=plan.must_pass,
                known_failure=plan.known_failure,
                fingerprint="" if fingerprints is None else fingerprints[told],
            )
            yield PlannedUnit(unit=unit, case=case)


def _repeats(loaded: LoadedDataset, case: Case[Any, Any, Any], repeat: int | None) -> int:
    return repeat or loaded.plans.get(case.name or "", CasePlan()).repeat or 1
