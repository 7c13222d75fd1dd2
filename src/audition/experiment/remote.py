"""Units on other machines: one at a time for each worker, and again where a worker died.

What starts the workers is a `Cluster`; nothing here knows how it does it.
"""

import asyncio
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Protocol

from audition.errors import BoundOverrun, SetupError, WorkerLost
from audition.experiment.evaluation import Evaluation, FinishedUnit
from audition.experiment.remote_worker import Named, Recipe, recipe_of
from audition.experiment.units import PlannedUnit, Unit
from audition.inputs import CaseInput

RETRIES = 3
"""How often a unit is run again whose worker died."""

PLACE_SECONDS = 300.0
"""How long a run waits for a first worker that a machine has room for."""

LOAD_SECONDS = 120.0
"""How long a worker may take to load the application and the dataset."""

OVERRUN_SECONDS = 60.0
"""How long a unit may take beyond all of its bounds; that is for its evaluators."""

UNBOUND_SECONDS = 3600.0
"""How long a unit may take that has no bound."""


class RemoteWorker(Protocol):
    """A process on some machine, that loads the dataset once and then runs one unit at a time.

    Each method but `end` raises `WorkerLost` where the process dies in it.
    """

    async def placed(self) -> None:
        """Wait until a machine has started it."""
        ...

    async def prepare(self) -> str | None:
        """Let it load what its recipe names; return why it cannot, None where it could."""
        ...

    async def finish(self, unit: Unit, seconds_left: float | None) -> FinishedUnit | str:
        """Return a finished unit, or why it is refused; cancelled, end the team within bounds."""
        ...

    def end(self) -> None:
        """End it at once, with whatever it does."""
        ...


class Cluster(Protocol):
    """Machines that run workers."""

    def worker(self, recipe: Recipe) -> RemoteWorker:
        """Ask for a worker, and return it before it is there."""
        ...

    async def close(self) -> None:
        """Let the machines go."""
        ...


class RemoteEngine:
    """Runs units in the workers of a cluster.

    Args:
        evaluation: How each is run and judged.
        cluster: What starts the workers.
        named: What they load.
        count: How many workers there are at most.
        overrun_seconds: How long a unit may take beyond all of its bounds.
        place_seconds: How long to wait for a worker where there is none.

    """

    def __init__(
        self,
        evaluation: Evaluation,
        *,
        cluster: Cluster,
        named: Named,
        count: int,
        overrun_seconds: float = OVERRUN_SECONDS,
        place_seconds: float = PLACE_SECONDS,
    ) -> None:
        self._evaluation = evaluation
        self._cluster = cluster
        self._recipe = recipe_of(named, evaluation)
        self._count = count
        self._overrun_seconds = overrun_seconds
        self._place_seconds = place_seconds
        self._idle: deque[RemoteWorker] = deque()
        self._alive = set[RemoteWorker]()
        self._starting = set[asyncio.Task[None]]()
        self._changed = asyncio.Event()
        self._failed: Exception | None = None
        self._lost_at_start = 0

    async def finish(
        self, planned: PlannedUnit, *, seconds_left: float | None = None
    ) -> FinishedUnit:
        """Run a unit and judge it in a worker.

        Raises:
            SetupError: A worker has another version of the code or the dataset, or there is none.

        """
        loop = asyncio.get_running_loop()
        ends_at = None if seconds_left is None else loop.time() + seconds_left
        lost = WorkerLost("")
        for _ in range(1 + RETRIES):
            try:
                async with asyncio.timeout_at(ends_at):
                    worker = await self._worker()
            except TimeoutError:
                return await self._evaluation.cut_short(planned)
            left = None if ends_at is None else ends_at - loop.time()
            try:
                return await self._finished(worker, planned, left)
            except WorkerLost as error:
                lost = error
            except BoundOverrun as error:
                return await self._evaluation.broken(planned, error)
        told = WorkerLost(f"{1 + RETRIES} workers died that ran it, the last: {lost}")
        return await self._evaluation.broken(planned, told)

    async def close(self) -> None:
        """End all workers, and let the machines go."""
        for starting in self._starting:
            starting.cancel()
        if self._starting:
            await asyncio.wait(self._starting)
        for worker in self._alive:
            worker.end()
        self._alive.clear()
        await self._cluster.close()

    async def _finished(
        self, worker: RemoteWorker, planned: PlannedUnit, seconds_left: float | None
    ) -> FinishedUnit:
        seconds = self._overrun_seconds + _longest(planned.case.inputs, self._evaluation)
        with self._ended_unless_it_answers(worker):
            try:
                async with asyncio.timeout(seconds):
                    told = await worker.finish(planned.unit, seconds_left)
            except TimeoutError:
                what = f"the worker of {planned.unit.name}"
                raise BoundOverrun(what, seconds) from None
            if isinstance(told, str):
                raise SetupError(told)
        self._idle.append(worker)
        self._changed.set()
        return told

    @contextmanager
    def _ended_unless_it_answers(self, worker: RemoteWorker) -> Generator[None]:
        try:
            yield
        except BaseException:
            self._end(worker)
            raise

    def _end(self, worker: RemoteWorker) -> None:
        worker.end()
        self._alive.discard(worker)

    async def _worker(self) -> RemoteWorker:
        """Return an idle worker; wait for one, or for a new one, where there is none."""
        while not self._idle:
            if self._failed is not None:
                raise self._failed
            if len(self._alive) + len(self._starting) < self._count:
                starting = asyncio.create_task(self._start())
                self._starting.add(starting)
                starting.add_done_callback(self._started)
            self._changed.clear()
            try:
                async with asyncio.timeout(self._place_seconds):
                    await self._changed.wait()
            except TimeoutError:
                if not self._alive:  # else they are at work, and that has its bounds
                    self._fail(f"no machine had room for a worker in {self._place_seconds:g} s")
        return self._idle.popleft()

    async def _start(self) -> None:
        """Start a worker; one that dies before it is ready is started again a few times."""
        worker = self._cluster.worker(self._recipe)
        try:
            await worker.placed()
            self._alive.add(worker)
            async with asyncio.timeout(LOAD_SECONDS):
                refused = await worker.prepare()
        except (WorkerLost, TimeoutError) as error:
            self._end(worker)
            self._lost_at_start += 1
            if self._lost_at_start > RETRIES:
                told = str(error) or f"it did not load the dataset in {LOAD_SECONDS:g} s"
                self._fail(f"{self._lost_at_start} workers did not start, the last: {told}")
        except BaseException:
            self._end(worker)
            raise
        else:
            self._lost_at_start = 0
            self._idle.append(worker)
            if refused is not None:
                self._fail(refused)

    def _started(self, starting: asyncio.Task[None]) -> None:
        self._starting.discard(starting)
        if not starting.cancelled() and (error := starting.exception()) is not None:
            self._failed = self._failed or _as_exception(error)
        self._changed.set()

    def _fail(self, problem: str) -> None:
        self._failed = self._failed or SetupError(problem)
        self._idle.clear()
        self._changed.set()


def _as_exception(error: BaseException) -> Exception:
    return error if isinstance(error, Exception) else RuntimeError(repr(error))


def _longest(inputs: Any, evaluation: Evaluation) -> float:
    """Return how long a unit may take by its own bounds and those of the call."""
    if not isinstance(inputs, CaseInput):
        return UNBOUND_SECONDS
    turn = evaluation.timeout_seconds or inputs.timeout_seconds
    turns = inputs.start_seconds + turn * len(inputs.ordered_turns())
    return (
        evaluation.deadline_seconds or inputs.deadline_seconds or turns
    ) + inputs.shutdown_seconds
