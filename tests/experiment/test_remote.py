"""What a run does with its workers, whatever starts them: these do as each test says."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from audition.errors import SetupError, WorkerLost
from audition.experiment.driver import Experiment, Settings
from audition.experiment.evaluation import Evaluation, FinishedUnit
from audition.experiment.exit_codes import ExitCode
from audition.experiment.kept_lines import read_journal
from audition.experiment.limits import Limits
from audition.experiment.remote import RETRIES, RemoteEngine
from audition.experiment.remote_worker import Named, Recipe
from audition.experiment.status import Status
from audition.experiment.units import PlannedUnit, Unit, units_of
from tests.experiments import experiment

NAMED = Named(folder=".", dataset="small.json")

OUT_OF_MEMORY = WorkerLost("out of memory")
KILLED = WorkerLost("killed")

type Answer = Callable[[Unit, float | None], Awaitable[FinishedUnit | str]]


class FakeWorker:
    def __init__(self, cluster: "FakeCluster") -> None:
        self._cluster = cluster
        self.is_ended = False

    async def placed(self) -> None:
        if self._cluster.has_no_room:
            await asyncio.sleep(3600)
        if self._cluster.dies_at_start:
            raise OUT_OF_MEMORY

    async def prepare(self) -> str | None:
        return self._cluster.refusal

    async def finish(self, unit: Unit, seconds_left: float | None) -> FinishedUnit | str:
        return await self._cluster.answer(unit, seconds_left)

    def end(self) -> None:
        self.is_ended = True


class FakeCluster:
    """Its workers answer as the evaluation of the run would, unless a test says otherwise."""

    def __init__(self) -> None:
        self.workers: list[FakeWorker] = []
        self.has_no_room = False
        self.dies_at_start = False
        self.refusal: str | None = None
        self.is_closed = False
        self.answer: Answer = self._answer
        self.evaluation: Evaluation | None = None
        self.planned: dict[str, PlannedUnit] = {}

    def worker(self, recipe: Recipe) -> FakeWorker:
        self.workers.append(FakeWorker(self))
        return self.workers[-1]

    async def close(self) -> None:
        self.is_closed = True

    async def _answer(self, unit: Unit, seconds_left: float | None) -> FinishedUnit | str:
        assert self.evaluation is not None
        case = self.planned[unit.case].case
        planned = PlannedUnit(unit=unit, case=case)
        return await self.evaluation.finish(planned, seconds_left=seconds_left)


def remote(folder: Path, cluster: FakeCluster, *cases: str, **fields: Any) -> Experiment:
    """Return a run of cases that all pass, in the workers of a cluster."""
    settings = fields.pop("settings", Settings(max_concurrency=2))
    run = experiment(folder, dict.fromkeys(cases, "yes"), settings=settings)

    def engine(evaluation: Evaluation) -> RemoteEngine:
        cluster.evaluation = evaluation
        return RemoteEngine(evaluation, cluster=cluster, named=NAMED, count=2, **fields)

    run.engine = engine
    cluster.planned = {planned.unit.case: planned for planned in units_of(run.loaded)}
    return run


def statuses(run: Experiment) -> dict[str, Status]:
    lines = [*read_journal(run.folder)]
    assert all(count == 1 for count in Counter(line.case for line in lines).values())
    return {line.case: line.status for line in lines}


def test_units_are_finished_by_as_many_workers_as_may_run_at_a_time(tmp_path: Path) -> None:
    cluster = FakeCluster()
    run = remote(tmp_path, cluster, "a", "b", "c", "d")
    assert asyncio.run(run.run()) is ExitCode.OK
    assert statuses(run) == dict.fromkeys("abcd", Status.PASSED)
    assert len(cluster.workers) == 2
    assert (cluster.is_closed, [worker.is_ended for worker in cluster.workers]) == (
        True,
        [True] * 2,
    )


def dying(cluster: FakeCluster, times: int) -> list[str]:
    """Let the worker die that runs `b`, so often; return what was run, as it is run."""
    told: list[str] = []
    answer = cluster.answer

    async def die(unit: Unit, seconds_left: float | None) -> FinishedUnit | str:
        told.append(unit.case)
        if unit.case == "b" and told.count("b") <= times:
            raise KILLED
        return await answer(unit, seconds_left)

    cluster.answer = die
    return told


def test_a_unit_whose_worker_died_is_run_again_in_another(tmp_path: Path) -> None:
    cluster = FakeCluster()
    told = dying(cluster, RETRIES)
    run = remote(tmp_path, cluster, "a", "b", "c")
    assert asyncio.run(run.run()) is ExitCode.OK
    assert statuses(run) == dict.fromkeys("abc", Status.PASSED)
    assert Counter(told) == {"a": 1, "b": RETRIES + 1, "c": 1}


def test_a_unit_whose_workers_always_die_is_an_error_and_is_kept_once(tmp_path: Path) -> None:
    cluster = FakeCluster()
    told = dying(cluster, 99)
    run = remote(tmp_path, cluster, "a", "b", "c")
    assert asyncio.run(run.run()) is ExitCode.INFRASTRUCTURE
    assert statuses(run) == {"a": Status.PASSED, "b": Status.ERROR, "c": Status.PASSED}
    (line,) = [line for line in read_journal(run.folder) if line.case == "b"]
    assert "4 workers died that ran it, the last: killed" in str(line.error)
    assert told.count("b") == RETRIES + 1


def test_a_unit_that_passes_all_its_bounds_is_an_error_and_its_worker_is_ended(
    tmp_path: Path,
) -> None:
    cluster = FakeCluster()
    answer = cluster.answer

    async def hang(unit: Unit, seconds_left: float | None) -> FinishedUnit | str:
        if unit.case == "a":
            await asyncio.sleep(3600)
        return await answer(unit, seconds_left)

    cluster.answer = hang
    settings = Settings(max_concurrency=2, deadline_seconds=0.1)
    run = remote(tmp_path, cluster, "a", "b", settings=settings, overrun_seconds=-9.9)
    assert asyncio.run(run.run()) is ExitCode.INFRASTRUCTURE
    assert statuses(run) == {"a": Status.ERROR, "b": Status.PASSED}
    (line,) = [line for line in read_journal(run.folder) if line.case == "a"]
    assert "the worker of a did not end within 0.2 s" in str(line.error)


@pytest.mark.parametrize("at_unit", [False, True], ids=["at its start", "at a unit"])
def test_a_worker_that_refuses_ends_the_run_by_name(tmp_path: Path, *, at_unit: bool) -> None:
    cluster = FakeCluster()
    problem = "the worker on b-12: package pydantic: found 1; wanted 2"

    async def refuse(unit: Unit, seconds_left: float | None) -> str:
        return problem

    if at_unit:
        cluster.answer = refuse
    else:
        cluster.refusal = problem
    run = remote(tmp_path, cluster, "a", "b", "c")
    with pytest.raises(SetupError, match="package pydantic: found 1; wanted 2"):
        asyncio.run(run.run())
    assert (statuses(run), cluster.is_closed) == ({}, True)
    assert all(worker.is_ended for worker in cluster.workers)


def test_workers_that_never_start_end_the_run(tmp_path: Path) -> None:
    cluster = FakeCluster()
    cluster.dies_at_start = True
    with pytest.raises(SetupError, match=r"4 workers did not start, the last: out of memory"):
        asyncio.run(remote(tmp_path, cluster, "a", "b").run())
    assert len(cluster.workers) <= RETRIES + 2


def test_machines_without_room_end_the_run(tmp_path: Path) -> None:
    cluster = FakeCluster()
    cluster.has_no_room = True
    with pytest.raises(SetupError, match=r"no machine had room for a worker in 0.1 s"):
        asyncio.run(remote(tmp_path, cluster, "a", place_seconds=0.1).run())
    assert all(worker.is_ended for worker in cluster.workers)


def test_a_unit_that_finds_no_room_in_the_time_of_the_run_is_not_evaluated(tmp_path: Path) -> None:
    cluster = FakeCluster()
    cluster.has_no_room = True
    settings = Settings(max_concurrency=1, limits=Limits(seconds=0.1))
    run = remote(tmp_path, cluster, "a", "b", settings=settings)
    assert asyncio.run(run.run()) is ExitCode.NOT_ENOUGH_EVIDENCE
    (line,) = read_journal(run.folder)
    assert (line.status, line.cut) == (Status.NOT_EVALUATED, "the time of the run was over")


def test_a_unit_that_is_given_up_is_cancelled_in_its_worker(tmp_path: Path) -> None:
    cluster = FakeCluster()
    cancelled: list[str] = []

    async def hang(unit: Unit, seconds_left: float | None) -> FinishedUnit | str:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.append(unit.case)
            raise
        return "late"

    cluster.answer = hang
    run = remote(tmp_path, cluster, "a", "b")

    async def give_up() -> None:
        running = asyncio.create_task(run.run())
        await asyncio.sleep(0.2)
        running.cancel()
        await asyncio.wait({running})

    asyncio.run(give_up())
    assert (sorted(cancelled), statuses(run), cluster.is_closed) == (["a", "b"], {}, True)
    assert all(worker.is_ended for worker in cluster.workers)
