"""A factory is entered before its team starts and left after it ends, whatever breaks."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from contextvars import ContextVar
from typing import NoReturn, cast

import anyio
import pytest

from audition.events import (
    CompletionReason,
)
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.run_case import run_case_with_factory
from audition.runtime import TeamRuntime
from audition.runtimes.scripted import ScriptedRuntime, Step
from audition.testing import ScriptedFactory, answer
from tests.teams import CoroutineTeam, PlainTeam, ask, sleep_plainly, swallow

BOUND = 0.12
ANSWERS: Sequence[Sequence[Step]] = [[answer("a")]]

type Manager = AbstractAsyncContextManager[TeamRuntime] | AbstractContextManager[TeamRuntime]


class Factory:
    """Makes teams by a function."""

    def __init__(self, make: Callable[[CaseInput], Manager]) -> None:
        self._make = make

    def runtime(self, inputs: CaseInput) -> Manager:
        return self._make(inputs)


def hold_with(make: Callable[[CaseInput], Manager], *, seconds: float = 5) -> CaseOutput:
    case = run_case_with_factory(ask("q", seconds=seconds), runtime_factory=Factory(make))
    return asyncio.run(case)


def test_a_factory_gets_a_copy_of_the_inputs() -> None:
    inputs = ask("q")

    @contextmanager
    def make(given: CaseInput) -> Generator[TeamRuntime]:
        given.turns.clear()
        yield ScriptedRuntime(ANSWERS)

    output = asyncio.run(run_case_with_factory(inputs, runtime_factory=Factory(make)))
    assert (len(output.turns), len(inputs.turns)) == (1, 1)


def test_a_scripted_factory_makes_its_team_from_the_inputs() -> None:
    factory = ScriptedFactory(lambda inputs: [[answer(inputs.ordered_turns()[0].message.upper())]])
    output = asyncio.run(run_case_with_factory(ask("q"), runtime_factory=factory))
    assert output.final_response == "Q"


def test_a_plain_manager_is_entered_and_left_in_one_thread() -> None:
    threads: list[int] = []

    @contextmanager
    def make(_: CaseInput) -> Generator[TeamRuntime]:
        threads.append(threading.get_ident())
        yield ScriptedRuntime(ANSWERS)
        threads.append(threading.get_ident())

    hold_with(make)
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()


def test_a_context_variable_of_a_plain_manager_holds_for_its_case() -> None:
    place = ContextVar("place", default="outside")
    seen: list[str] = []

    @contextmanager
    def make(_: CaseInput) -> Generator[TeamRuntime]:
        token = place.set("inside")
        yield PlainTeam("send", lambda: seen.append(place.get()))
        place.reset(token)
        seen.append(place.get())

    output = hold_with(make)
    assert (seen, output.completion_detail) == (["inside", "outside"], None)
    assert place.get() == "outside"


def test_an_async_manager_may_hold_a_task_group() -> None:
    running: list[int] = []

    @asynccontextmanager
    async def make(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.sleep_forever)
            running.append(1)
            yield ScriptedRuntime(ANSWERS)
            group.cancel_scope.cancel()
        running.append(2)

    output = hold_with(make)
    assert (running, output.completion_detail) == ([1, 2], None)


def test_a_team_is_shut_down_before_its_factory_is_left() -> None:
    order: list[str] = []

    @asynccontextmanager
    async def make(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
        team = PlainTeam("shutdown", lambda: order.append("shutdown"))
        yield team
        order.append("left")

    hold_with(make)
    assert order == ["shutdown", "left"]


def test_a_factory_that_raises_is_an_error_of_its_case() -> None:
    def make(_: CaseInput) -> NoReturn:
        msg = "no fixture"
        raise FileNotFoundError(msg)

    output = hold_with(make)
    assert output.completion_reason == CompletionReason.START_FAILED
    assert output.errors[0].startswith(
        "the runtime factory raised FileNotFoundError: no fixture (test_runtime_factories.py:"
    )
    assert output.turns[0].not_run


@contextmanager
def fails_plainly(_: CaseInput) -> Generator[TeamRuntime]:
    raise OSError
    yield ScriptedRuntime(ANSWERS)  # pyright: ignore[reportUnreachable]  # makes it a generator


@contextmanager
def enters_for_ever(_: CaseInput) -> Generator[TeamRuntime]:
    sleep_plainly()
    yield ScriptedRuntime(ANSWERS)


@asynccontextmanager
async def enters_async_for_ever(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
    await swallow()
    yield ScriptedRuntime(ANSWERS)  # pyright: ignore[reportUnreachable]  # makes it a generator


@pytest.mark.parametrize("make", [fails_plainly, enters_for_ever, enters_async_for_ever])
def test_a_factory_that_is_not_entered_fails_the_start(
    make: Callable[[CaseInput], Manager],
) -> None:
    output = hold_with(make, seconds=BOUND)
    assert output.completion_reason == CompletionReason.START_FAILED
    assert "the runtime factory" in output.errors[0]
    assert output.turns[0].not_run


@contextmanager
def leaves_for_ever(_: CaseInput) -> Generator[TeamRuntime]:
    yield ScriptedRuntime(ANSWERS)
    sleep_plainly()


@asynccontextmanager
async def leaves_async_for_ever(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
    yield ScriptedRuntime(ANSWERS)
    await swallow()


@pytest.mark.parametrize("make", [leaves_for_ever, leaves_async_for_ever])
def test_a_factory_that_is_not_left_loses_no_answer(make: Callable[[CaseInput], Manager]) -> None:
    output = hold_with(make, seconds=BOUND)
    assert (output.completion_reason, output.final_response) == ("response", "a")
    assert "the runtime factory did not end" in (output.completion_detail or "")


def test_a_plain_manager_entered_too_late_is_left_at_once() -> None:
    begin, left = threading.Event(), threading.Event()

    @contextmanager
    def make(_: CaseInput) -> Generator[TeamRuntime]:
        begin.wait()
        yield ScriptedRuntime(ANSWERS)
        left.set()

    hold_with(make, seconds=BOUND)
    begin.set()
    assert left.wait(1)


def test_an_async_manager_entered_too_late_is_left_at_once() -> None:
    left: list[bool] = []

    @asynccontextmanager
    async def make(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            yield ScriptedRuntime(ANSWERS)
            left.append(True)

    output = hold_with(make, seconds=BOUND)
    assert (output.completion_reason, left) == (CompletionReason.START_FAILED, [True])


def test_a_factory_is_left_though_its_team_was_abandoned() -> None:
    left: list[str] = []

    @asynccontextmanager
    async def make(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
        yield CoroutineTeam("send", swallow)
        left.append("async")

    @contextmanager
    def make_plainly(_: CaseInput) -> Generator[TeamRuntime]:
        yield CoroutineTeam("send", swallow)
        left.append("plain")

    outputs = [hold_with(make, seconds=BOUND), hold_with(make_plainly, seconds=BOUND)]
    assert [output.completion_reason for output in outputs] == ["timeout", "timeout"]
    assert left == ["async", "plain"]


def test_the_deadline_holds_for_the_factory_too() -> None:
    inputs = ask("q", deadline=BOUND)
    factory = Factory(enters_for_ever)
    output = asyncio.run(run_case_with_factory(inputs, runtime_factory=factory))
    assert output.completion_reason == CompletionReason.DEADLINE


def test_a_factory_that_gives_none_fails_to_start() -> None:
    @asynccontextmanager
    async def make(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
        yield cast("TeamRuntime", None)

    output = hold_with(make)
    assert output.completion_reason == CompletionReason.START_FAILED
    assert "gave None; wanted a runtime" in output.errors[0]


def test_a_factory_that_holds_the_loop_costs_its_bound() -> None:
    def make(_: CaseInput) -> NoReturn:
        time.sleep(30)
        raise AssertionError

    begin = time.monotonic()
    output = hold_with(make, seconds=0.2)
    assert output.completion_reason == CompletionReason.START_FAILED
    assert "blocked the event loop" in output.errors[0]
    assert time.monotonic() - begin < 10


def test_a_factory_that_wants_to_end_the_process_is_an_error_of_its_case() -> None:
    def make(_: CaseInput) -> NoReturn:
        raise SystemExit(2)

    assert hold_with(make).completion_reason == CompletionReason.START_FAILED


def test_what_a_factory_starts_for_all_cases_outlives_the_first() -> None:
    class Serving:
        server: asyncio.Task[None] | None = None

        def runtime(self, inputs: CaseInput) -> Manager:
            del inputs
            if self.server is None:
                self.server = asyncio.create_task(asyncio.sleep(60))
            return self.team(self.server)

        @asynccontextmanager
        async def team(self, server: asyncio.Task[None]) -> AsyncGenerator[TeamRuntime]:
            assert not server.done()
            yield ScriptedRuntime(ANSWERS)

    async def cases() -> list[str]:
        factory = Serving()
        return [
            (await run_case_with_factory(ask("q"), runtime_factory=factory)).completion_reason
            for _ in range(2)
        ]

    assert asyncio.run(cases()) == ["response", "response"]
