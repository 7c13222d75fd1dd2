"""How far a run has come: what stands for each unit, and what was used."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from audition.experiment.journal import JournalLine, UnitKey
from audition.experiment.limits import Spent
from audition.experiment.status import Status
from audition.experiment.units import Unit


class _Standing(NamedTuple):
    """What stands for a unit.

    Attributes:
        status: What became of it.
        measured: Whether that says anything about the team.
        attempts: How often it was run.
        cut: Whether the run ended it.

    """

    status: Status
    measured: bool
    attempts: int
    cut: bool


class Progress:
    """What is known of the units of a run, earlier processes included.

    Args:
        spent: Adds up what they use.

    """

    def __init__(self, spent: Spent) -> None:
        self.spent = spent
        self.earlier_models: frozenset[str] = frozenset()
        self._units: dict[UnitKey, _Standing] = {}
        self._models: dict[str, None] = {}

    def add_earlier(self, lines: Iterable[JournalLine]) -> None:
        """Take what earlier processes kept; what they used counts, their failures stop nothing."""
        for line in lines:
            self._add(line, is_earlier=True)
        self.earlier_models = frozenset(self._models)

    def add(self, line: JournalLine) -> None:
        """Take a result of this process."""
        self._add(line, is_earlier=False)

    def _add(self, line: JournalLine, *, is_earlier: bool) -> None:
        self.spent.add(line, is_earlier=is_earlier)
        self._models.update(dict.fromkeys(line.model_ids))
        before = self._units.get(line.key)
        attempts = line.attempt if before is None else max(before.attempts, line.attempt)
        if before is not None and before.measured:  # the first that was measured counts
            self._units[line.key] = before._replace(attempts=attempts)
        else:
            cut = line.cut is not None
            self._units[line.key] = _Standing(line.status, line.measured, attempts, cut)

    def next_attempt(self, unit: Unit, retry: frozenset[Status]) -> int | None:
        """Return the number of the attempt that a unit needs, None where it needs none.

        Args:
            unit: The unit.
            retry: What is run again though it is finished.

        """
        standing = self._units.get(unit.key)
        if standing is None:
            return 1
        again = standing.cut or standing.status in retry
        return standing.attempts + 1 if again else None

    @property
    def model_ids(self) -> list[str]:
        """The models that answered, in order of appearance."""
        return list(self._models)

    @property
    def finished(self) -> int:
        """How many units are finished; what the run cut short is not."""
        return sum(not one.cut for one in self._units.values())

    def statuses(self) -> Iterator[Status]:
        """Yield what became of each unit that is finished."""
        return (one.status for one in self._units.values() if not one.cut)
