"""Where the units of a run are worked off: in this process, or on other machines."""

from typing import Protocol

from audition.experiment.evaluation import Evaluation, FinishedUnit
from audition.experiment.units import PlannedUnit


class Engine(Protocol):
    """Finishes one unit at a time for each of several that ask; the run decides which and when."""

    async def finish(
        self, planned: PlannedUnit, *, seconds_left: float | None = None
    ) -> FinishedUnit:
        """Run a unit, judge it, and return what is kept of it.

        Args:
            planned: The unit.
            seconds_left: What is left of the time of the run, None where that has no bound.

        """
        ...

    async def close(self) -> None:
        """Free what the engine holds."""
        ...


class LocalEngine:
    """Runs units in this process.

    Args:
        evaluation: How each is run and judged.

    """

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    async def finish(
        self, planned: PlannedUnit, *, seconds_left: float | None = None
    ) -> FinishedUnit:
        """Run a unit and judge it here."""
        return await self._evaluation.finish(planned, seconds_left=seconds_left)

    async def close(self) -> None:
        """Free nothing: it holds nothing."""
