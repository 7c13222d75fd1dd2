"""Plain calls off the loop, in threads that die with the process."""

import asyncio
import inspect
import threading
from contextvars import ContextVar

import pytest

from audition.daemon_threads import IDLE_SECONDS, Worker, run_plain

PLACE = ContextVar("place", default="outside")


async def give_up[Result](future: asyncio.Future[Result]) -> None:
    await asyncio.sleep(0.02)
    future.cancel()


def test_the_result_of_a_call_is_that_of_its_future() -> None:
    async def call() -> int:
        return await run_plain(lambda: 6 * 7)

    assert asyncio.run(call()) == 42


@pytest.mark.parametrize(
    "error", [ValueError("x"), asyncio.CancelledError()], ids=["error", "cancel"]
)
def test_what_a_call_raises_is_raised(error: BaseException) -> None:
    def fail() -> None:
        raise error

    async def call() -> None:
        await run_plain(fail)

    with pytest.raises(type(error)):
        asyncio.run(call())


@pytest.mark.parametrize("error", [StopIteration(1), SystemExit(2), KeyboardInterrupt()], ids=repr)
def test_what_would_end_more_than_the_call_is_an_error(error: BaseException) -> None:
    def fail() -> None:
        raise error

    async def call() -> None:
        await run_plain(fail)

    with pytest.raises(RuntimeError, match="the call raised "):
        asyncio.run(call())


def test_a_call_sees_the_context_of_its_caller() -> None:
    async def call() -> str:
        PLACE.set("inside")
        return await run_plain(PLACE.get)

    assert asyncio.run(call()) == "inside"


def test_an_idle_thread_is_used_again() -> None:
    async def calls() -> set[int]:
        return {await run_plain(threading.get_ident) for _ in range(20)}

    assert len(asyncio.run(calls())) == 1


def test_the_calls_of_one_worker_run_in_its_thread_in_order() -> None:
    order: list[int] = []

    async def calls() -> set[int]:
        worker = Worker()
        first = run_plain(lambda: order.append(1), worker=worker)
        second = run_plain(threading.get_ident, worker=worker)
        third = run_plain(threading.get_ident, worker=worker)
        worker.end()
        await first
        return {await second, await third}

    assert len(asyncio.run(calls())) == 1
    assert order == [1]


def test_every_thread_is_a_daemon() -> None:
    async def call() -> bool:
        return await run_plain(lambda: threading.current_thread().daemon)

    assert asyncio.run(call())


def test_an_idle_thread_ends_and_a_worker_of_ones_own_waits() -> None:
    async def calls() -> tuple[bool, int]:
        own = Worker()
        idle = await run_plain(threading.current_thread)
        await asyncio.sleep(IDLE_SECONDS + 0.1)
        waited = await run_plain(lambda: 1, worker=own)
        own.end()
        return idle.is_alive(), waited

    assert asyncio.run(calls()) == (False, 1)


@pytest.mark.parametrize("own", [True, False], ids=["own worker", "any thread"])
def test_a_call_that_ends_late_is_followed_by_what_was_asked_for(own: bool) -> None:  # noqa: FBT001  # a parameter of the test
    begin, late = threading.Event(), threading.Event()

    async def call() -> None:
        worker = Worker() if own else None
        future = run_plain(begin.wait, worker=worker, on_late=late.set)
        await give_up(future)
        assert not late.is_set()
        begin.set()
        await asyncio.sleep(0.05)
        assert late.is_set()
        if worker is not None:
            worker.end()

    asyncio.run(call())


def test_what_is_run_late_may_fail() -> None:
    begin = threading.Event()

    def fail() -> None:
        raise ValueError

    async def calls() -> int:
        await give_up(run_plain(begin.wait, on_late=fail))
        begin.set()
        await asyncio.sleep(0.05)
        return await run_plain(lambda: 1)

    assert asyncio.run(calls()) == 1


def test_a_call_that_ends_after_its_loop_is_followed_too() -> None:
    begin, late = threading.Event(), threading.Event()

    async def call() -> None:
        await give_up(run_plain(begin.wait, on_late=late.set))

    asyncio.run(call())
    begin.set()
    assert late.wait(1)


def test_a_coroutine_that_comes_late_is_closed() -> None:
    begin = threading.Event()

    async def never() -> None: ...

    made = never()

    def plainly() -> object:
        begin.wait()
        return made

    async def call() -> None:
        await give_up(run_plain(plainly))
        begin.set()
        await asyncio.sleep(0.05)

    asyncio.run(call())
    assert inspect.getcoroutinestate(made) == inspect.CORO_CLOSED
