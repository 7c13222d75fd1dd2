import asyncio
import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from audition.experiment.evaluation import FinishedUnit
from audition.experiment.limits import Limits, Spent
from audition.experiment.status import Status
from audition.experiment.units import PlannedUnit, units_of
from audition.experiment.workers import INTERRUPTED, RATE_LIMIT_TRIES, Workers
from tests.experiments import dataset
from tests.journals import line

type Finish = Callable[[PlannedUnit], FinishedUnit]


def done(planned: PlannedUnit, *, limited: bool = False, **fields: Any) -> FinishedUnit:
    return FinishedUnit(
        line=line(planned.unit.case, attempt=planned.unit.attempt, **fields),
        text=b"{}",
        is_failure=False,
        capabilities=None,
        met_rate_limit=limited,
    )


class Engine:
    """Finishes each unit as it is told, after a moment."""

    def __init__(self, finish: Finish) -> None:
        self._finish = finish
        self.running = 0
        self.most = 0
        self.begun = asyncio.Semaphore(0)

    async def finish(
        self, planned: PlannedUnit, *, seconds_left: float | None = None
    ) -> FinishedUnit:
        self.running += 1
        self.begun.release()
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(0.01)
            return self._finish(planned)
        finally:
            self.running -= 1

    async def close(self) -> None: ...


class Work:
    """Workers over the units of cases a, b, c …, and what they kept."""

    def __init__(self, folder: Path, finish: Finish = done, *, cases: str = "abcd") -> None:
        self.kept: list[FinishedUnit] = []
        self.engine = Engine(finish)
        self.units: Iterator[PlannedUnit] = units_of(dataset(folder, {one: {} for one in cases}))
        self.keep: Callable[[FinishedUnit], None] = self.kept.append

    def workers(self, **fields: Any) -> Workers:
        limits = fields.pop("limits", Limits())
        given: dict[str, Any] = {"count": 1, "grace_seconds": 0.2, "pause_seconds": 0.01} | fields
        return Workers(
            units=self.units,
            engine=self.engine,
            keep=self.keep,
            spent=Spent(limits=limits),
            **given,
        )

    def run(self, **fields: Any) -> Workers:
        async def run() -> Workers:
            workers = self.workers(**fields)
            await workers.run()
            return workers

        return asyncio.run(run())

    @property
    def cases(self) -> list[str]:
        return [finished.line.case for finished in self.kept]


def test_every_unit_is_finished_a_few_at_a_time(tmp_path: Path) -> None:
    work = Work(tmp_path)
    workers = work.run(count=3)
    assert (sorted(work.cases), work.engine.most) == (list("abcd"), 3)
    assert workers.stopped_by is None


def test_a_limit_ends_the_run_before_the_next_unit(tmp_path: Path) -> None:
    work = Work(tmp_path)
    workers = work.run(limits=Limits(seconds=0))
    assert (work.cases, workers.stopped_by) == ([], "the run had 0 s")


def refuse(times: int) -> Finish:
    """Return what meets a rate limit so often for each case."""
    met: dict[str, int] = {}

    def finish(planned: PlannedUnit) -> FinishedUnit:
        case = planned.unit.case
        met[case] = met.get(case, 0) + 1
        limited = met[case] <= times
        return done(planned, limited=limited, status=Status.ERROR if limited else Status.PASSED)

    return finish


def test_a_unit_that_meets_a_rate_limit_is_run_again_and_each_attempt_is_kept(
    tmp_path: Path,
) -> None:
    work = Work(tmp_path, refuse(2), cases="a")
    work.run()
    told = [(one.line.attempt, one.line.status) for one in work.kept]
    assert told == [(1, Status.ERROR), (2, Status.ERROR), (3, Status.PASSED)]


def test_a_unit_that_meets_a_rate_limit_each_time_is_given_up(tmp_path: Path) -> None:
    work = Work(tmp_path, refuse(99), cases="a")
    work.run()
    assert [one.line.attempt for one in work.kept] == [*range(1, RATE_LIMIT_TRIES + 1)]


def test_fewer_run_at_a_time_where_more_meet_a_limit(tmp_path: Path) -> None:
    """More than two at a time are refused; the run finds that out and still finishes them all."""
    work = Work(tmp_path, cases="abcdefghijklmnop")

    def finish(planned: PlannedUnit) -> FinishedUnit:
        limited = work.engine.running > 2
        return done(planned, limited=limited, status=Status.ERROR if limited else Status.PASSED)

    work.engine = Engine(finish)
    work.run(count=8)
    passed = [one for one in work.kept if one.line.status is Status.PASSED]
    refused = [one for one in work.kept if one.line.status is Status.ERROR]
    assert (len(passed), work.engine.most) == (16, 8)
    assert len(refused) < 24


async def interrupted(work: Work, workers: Workers) -> None:
    """Run the workers, and interrupt them while as many units run as may."""
    task = asyncio.create_task(workers.run())
    for _ in range(workers.count):
        await work.engine.begun.acquire()
    workers.interrupt()
    await asyncio.wait_for(task, 20)


def test_an_interruption_keeps_what_ends_well_in_its_grace(tmp_path: Path) -> None:
    work = Work(tmp_path)

    async def run() -> Workers:
        workers = work.workers(count=2, grace_seconds=5)
        await interrupted(work, workers)
        return workers

    workers = asyncio.run(run())
    assert (work.cases, workers.stopped_by) == (["a", "b"], INTERRUPTED)


@pytest.mark.parametrize("how", ["slow", "broken"])
def test_what_a_signal_broke_and_what_takes_longer_than_its_grace_is_not_kept(
    tmp_path: Path, how: str
) -> None:
    work = Work(tmp_path, lambda planned: done(planned, status=Status.ERROR))

    async def run() -> None:
        workers = work.workers(grace_seconds=0 if how == "slow" else 5)
        await interrupted(work, workers)

    asyncio.run(run())
    assert work.cases == []


def test_what_finds_no_room_is_written_as_soon_as_there_is_some(tmp_path: Path) -> None:
    work = Work(tmp_path)
    full = iter([True, True])

    def keep(finished: FinishedUnit) -> None:
        if next(full, False):
            raise OSError(errno.ENOSPC, "No space left on device", "outputs.jsonl")
        work.kept.append(finished)

    work.keep = keep
    with pytest.raises(OSError, match="No space left"):
        work.run(count=2, grace_seconds=5)
    assert sorted(work.cases) == ["a", "b"]


def test_what_is_our_own_fault_ends_the_run_and_loses_nothing_that_is_in_flight(
    tmp_path: Path,
) -> None:
    def finish(planned: PlannedUnit) -> FinishedUnit:
        if planned.unit.case == "a":
            raise ZeroDivisionError
        return done(planned)

    work = Work(tmp_path, finish)
    with pytest.raises(ZeroDivisionError):
        work.run(count=2)
    assert work.cases == ["b"]


def test_a_cancelled_run_is_over_at_once(tmp_path: Path) -> None:
    work = Work(tmp_path)

    async def run() -> None:
        task = asyncio.create_task(work.workers().run())
        await work.engine.begun.acquire()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert work.cases == []
