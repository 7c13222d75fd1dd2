"""Cancelling a case, by whatever means, shuts its team down."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager

import anyio
import pytest

from audition.events import EventHandler
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.run_case import run_case, run_case_with_factory
from audition.runtime import TeamRuntime
from tests.teams import CoroutineTeam, PlainTeam, ask, sleep, sleep_plainly, swallow

type Team = CoroutineTeam | PlainTeam


async def cancel(case: Awaitable[CaseOutput]) -> None:
    running = asyncio.ensure_future(case)
    await asyncio.sleep(0.05)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def time_out(case: Awaitable[CaseOutput]) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(case, 0.05)


async def leave_scope(case: Awaitable[CaseOutput]) -> None:
    async def wait() -> None:
        await case

    with anyio.move_on_after(0.05) as scope:
        async with anyio.create_task_group() as group:
            group.start_soon(wait)
    assert scope.cancelled_caught


async def cancel_twice(case: Awaitable[CaseOutput]) -> None:
    running = asyncio.ensure_future(case)
    for _ in range(2):
        await asyncio.sleep(0.05)
        running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


ENDS = pytest.mark.parametrize("end", [cancel, time_out, leave_scope, cancel_twice])

type End = Callable[[Awaitable[CaseOutput]], Awaitable[None]]


class SlowToEnd(CoroutineTeam):
    """Needs a while to shut down, and says so when it has."""

    def __init__(self) -> None:
        super().__init__("send", sleep)

    async def shutdown(self) -> None:
        await super().shutdown()
        await asyncio.sleep(0.1)
        self.calls.append("down")


CALLS = ("start", "send", "shutdown")


@ENDS
def test_every_team_is_shut_down(end: End) -> None:
    teams: list[Team] = [PlainTeam(at, sleep_plainly) for at in CALLS]
    teams += [CoroutineTeam(at, block) for at in CALLS for block in (sleep, swallow)]

    async def cases() -> None:
        await asyncio.gather(*(end(run_case(ask("q", seconds=0.2), team)) for team in teams))

    asyncio.run(cases())
    assert [team.calls.count("shutdown") for team in teams] == [1] * 9


@ENDS
def test_the_shutdown_is_waited_for(end: End) -> None:
    team = SlowToEnd()

    async def case() -> None:
        await end(run_case(ask("q"), team))

    asyncio.run(case())
    assert team.calls == ["start", "send", "shutdown", "down"]


@ENDS
@pytest.mark.parametrize("plainly", [True, False], ids=["plain", "async"])
def test_the_factory_is_left(end: End, plainly: bool) -> None:  # noqa: FBT001  # a parameter of the test
    team, left = SlowToEnd(), list[str]()

    class Plain:
        @contextmanager
        def runtime(self, inputs: CaseInput) -> Generator[TeamRuntime]:
            yield team
            left.append("left")

    class Async:
        @asynccontextmanager
        async def runtime(self, inputs: CaseInput) -> AsyncGenerator[TeamRuntime]:
            yield team
            await asyncio.sleep(0.05)
            left.append("left")

    async def case() -> None:
        factory = Plain() if plainly else Async()
        await end(run_case_with_factory(ask("q"), runtime_factory=factory))

    asyncio.run(case())
    assert (team.calls[-1], left) == ("down", ["left"])


@ENDS
def test_a_plain_manager_that_is_being_entered_is_left_when_it_is(end: End) -> None:
    left: list[str] = []

    class Slow:
        @contextmanager
        def runtime(self, inputs: CaseInput) -> Generator[TeamRuntime]:
            import time

            time.sleep(0.12)
            yield SlowToEnd()
            left.append("left")

    async def case() -> None:
        await end(run_case_with_factory(ask("q"), runtime_factory=Slow()))
        await asyncio.sleep(0.1)

    asyncio.run(case())
    assert left == ["left"]


def test_a_dataset_under_a_time_limit_shuts_down_every_team_it_began() -> None:
    from pydantic_evals import Case, Dataset

    teams: list[SlowToEnd] = []

    async def task(inputs: CaseInput) -> CaseOutput:
        teams.append(SlowToEnd())
        return await run_case(inputs, teams[-1])

    cases = [Case[CaseInput, CaseOutput](name=f"{n}", inputs=ask("q")) for n in range(50)]
    dataset = Dataset[CaseInput, CaseOutput](name="fifty", cases=cases)

    async def evaluate() -> None:
        await time_out(dataset.evaluate(task, max_concurrency=20, progress=False))  # pyright: ignore[reportArgumentType]  # what it returns is of no matter here

    asyncio.run(evaluate())
    assert [team.calls[-1] for team in teams] == ["down"] * 20


def test_the_outer_time_limit_is_told_from_a_cancellation() -> None:
    """The count of cancellations of the caller's task is left as it was."""

    async def case() -> int:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await run_case(ask("q"), SlowToEnd())
        task = asyncio.current_task()
        return -1 if task is None else task.cancelling()

    assert asyncio.run(case()) == 0


def test_a_cancellation_that_comes_while_all_ends_is_not_lost() -> None:
    team = SlowToEnd()

    class Quick(SlowToEnd):
        async def send(self, turn: object) -> None:
            raise ValueError

    team = Quick()

    async def case() -> None:
        await cancel(run_case(ask("q"), team))

    asyncio.run(case())
    assert team.calls == ["start", "shutdown", "down"]


def test_a_team_that_makes_an_answer_of_its_cancellation_sends_no_more() -> None:
    class Stubborn(CoroutineTeam):
        def __init__(self) -> None:
            super().__init__("", sleep)

        async def send(self, turn: object) -> None:
            self.calls.append("send")
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                self._handler_was(self._handler)

        def _handler_was(self, handler: EventHandler) -> None:
            self.calls.append("went on")

    team = Stubborn()

    async def case() -> None:
        await cancel(run_case(ask("q", "r"), team))

    asyncio.run(case())
    assert team.calls == ["start", "send", "went on", "shutdown"]
