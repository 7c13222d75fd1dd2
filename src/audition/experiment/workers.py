"""Works off the units of a run, a few at a time, until there are none or a limit says stop."""

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from audition.experiment.engine import Engine
from audition.experiment.evaluation import FinishedUnit
from audition.experiment.limits import Spent
from audition.experiment.pace import Pace
from audition.experiment.status import Status
from audition.experiment.units import PlannedUnit

INTERRUPTED = "it was interrupted"
RATE_LIMIT_TRIES = 5
"""How often a unit is run that meets a rate limit each time."""

_LONGEST_PAUSE_SECONDS = 60.0
_RETRY_SECONDS = 0.5


@dataclass(kw_only=True)
class Workers:
    """The workers of a run.

    Attributes:
        units: What is to be run, one by one.
        engine: Runs them.
        keep: Keeps a result; raises OSError where it cannot be written.
        spent: What the run used, and may use.
        count: How many units at a time.
        grace_seconds: How long what is in flight may take after an interruption.
        pause_seconds: How long to wait before a unit that met a rate limit is run again.
        stopped_by: Why no more units are started, None while they are.
        interrupted: Whether somebody asked to stop.
        unkept: What could not be written.

    """

    units: Iterator[PlannedUnit]
    engine: Engine
    keep: Callable[[FinishedUnit], None]
    spent: Spent
    count: int
    grace_seconds: float
    pause_seconds: float = 1.0
    stopped_by: str | None = None
    interrupted: bool = False
    unkept: list[FinishedUnit] = field(default_factory=list[FinishedUnit])
    _errors: list[Exception] = field(default_factory=list[Exception])
    _tasks: list[asyncio.Task[None]] = field(default_factory=list[asyncio.Task[None]])
    _random: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311  # spreads pauses

    def __post_init__(self) -> None:
        """Make what the workers share."""
        self._pace = Pace(self.count)
        self._stop = asyncio.Event()

    def interrupt(self) -> None:
        """Start nothing more; what is in flight gets its grace, and is then given up."""
        self.interrupted = True
        self.stop(INTERRUPTED)
        asyncio.get_running_loop().call_later(self.grace_seconds, self._give_up)

    def stop(self, reason: str) -> None:
        """Start nothing more."""
        self.stopped_by = self.stopped_by or reason
        self._stop.set()

    def _give_up(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def run(self) -> None:
        """Work until nothing is left, or the workers are stopped and nothing is in flight.

        Raises:
            OSError: Results could not be written, also not when it was tried again.
            Exception: Something of our own broke; what was in flight is kept all the same.

        """
        self._tasks += [asyncio.create_task(self._work()) for _ in range(self.count)]
        try:
            await asyncio.wait(self._tasks)
        except asyncio.CancelledError:
            self._give_up()
            await asyncio.wait(self._tasks)
            raise
        await self._keep_late()
        if self._errors:
            raise self._errors[0]

    async def _work(self) -> None:
        with suppress(asyncio.CancelledError):  # given up after its grace
            try:
                while (planned := self._next()) is not None:
                    await self._finish(planned)
            except Exception as error:  # noqa: BLE001  # told when what is in flight is kept
                self._errors.append(error)
                self.stop("something broke")

    def _next(self) -> PlannedUnit | None:
        """Return the next unit, None where there is none, or no more may be started."""
        planned = None if self._stop.is_set() else next(self.units, None)
        reason = None if planned is None else self.spent.reason_to_stop()
        if reason is not None:
            self.stop(reason)
            return None
        return planned

    async def _finish(self, planned: PlannedUnit) -> None:
        for number in range(RATE_LIMIT_TRIES):
            limited = await self._attempt(planned)
            if not limited or number + 1 == RATE_LIMIT_TRIES or not await self._pause(number):
                return
            unit = replace(planned.unit, attempt=planned.unit.attempt + 1)
            planned = replace(planned, unit=unit)

    async def _attempt(self, planned: PlannedUnit) -> bool:
        """Run a unit once, and return whether it met a rate limit."""
        case_id = planned.unit.case_id
        slot = await self._pace.begin(case_id)
        if self._stop.is_set():  # while it waited
            self._pace.end(slot, case_id)
            return False
        models: tuple[str, ...] = ()
        limited = False
        try:
            finished = await self.engine.finish(planned, seconds_left=self.spent.seconds_left)
            models, limited = finished.line.model_ids, finished.met_rate_limit
        finally:
            self._pace.end(slot, case_id, models=models, limited=limited)
        if self.interrupted and finished.line.status is Status.ERROR:
            return False  # the signal may have reached the team too: it says nothing
        self._keep(finished)
        return limited

    async def _pause(self, number: int) -> bool:
        """Wait before a unit is run again; return whether it still may be."""
        longest = min(self.pause_seconds * 2**number, _LONGEST_PAUSE_SECONDS)
        pause = longest * self._random.uniform(0.5, 1)
        left = self.spent.seconds_left
        if left is not None and left <= pause:
            return False
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), pause)
        return not self._stop.is_set()

    def _keep(self, finished: FinishedUnit) -> None:
        try:
            self.keep(finished)
        except OSError as error:  # the disk is full: what is in flight may find it less so
            self.unkept.append(finished)
            self._errors.append(error)
            self.stop(f"results cannot be written: {error.strerror or error}")

    async def _keep_late(self) -> None:
        """Try again to write what could not be written, as long as a run is waited for."""
        loop = asyncio.get_running_loop()
        until = loop.time() + (self.grace_seconds if self.unkept else 0)
        while self.unkept and loop.time() < until:
            await asyncio.sleep(_RETRY_SECONDS)
            with suppress(OSError):
                while self.unkept:
                    self.keep(self.unkept[0])
                    del self.unkept[0]
