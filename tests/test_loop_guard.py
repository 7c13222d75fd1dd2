"""Who holds the event loop past the bound is interrupted; nobody else is."""

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import NoReturn

import pytest

from audition.errors import LoopBlocked
from audition.loop_guard import Hold, arm, raise_if_blocked

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGUSR2"), reason="the guard needs POSIX")


@pytest.fixture
def default_handler() -> Iterator[None]:
    before = signal.signal(signal.SIGUSR2, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGUSR2, before)


@contextmanager
def guard(what: str, seconds: float) -> Generator[None]:
    """Bound how long the current task may hold the loop, as a case does: where that is possible."""
    hold = Hold(is_guarded=arm())
    hold.begin()
    hold.bound(seconds)
    try:
        yield
    except BaseException as error:
        raise_if_blocked(error, what, seconds)
        raise
    finally:
        hold.end()


def wait_for_an_event() -> object:
    return threading.Event().wait()


def work_without_end() -> NoReturn:
    while True:
        pass


HOLDS: list[Callable[[], object]] = [lambda: time.sleep(30), wait_for_an_event, work_without_end]


@pytest.mark.parametrize("what", HOLDS, ids=["sleep", "wait", "work"])
def test_holding_the_loop_is_interrupted(what: Callable[[], object]) -> None:
    async def hold() -> None:
        with guard("send", 0.1):
            what()

    began = time.monotonic()
    with pytest.raises(LoopBlocked, match=r"send blocked the event loop for more than 0\.1 s"):
        asyncio.run(hold())
    assert time.monotonic() - began < 1.5


def test_an_error_inside_is_raised_as_it_is() -> None:
    async def fail() -> None:
        with guard("send", 5):
            raise KeyError

    with pytest.raises(KeyError):
        asyncio.run(fail())


def test_waiting_without_holding_the_loop_is_not_interrupted() -> None:
    async def wait() -> str:
        with guard("send", 0.05):
            await asyncio.sleep(0.4)
        return "went on"

    assert asyncio.run(wait()) == "went on"


def test_a_task_that_is_not_guarded_is_not_interrupted() -> None:
    async def both() -> str:
        async def guarded() -> None:
            with guard("send", 0.05):
                await asyncio.sleep(0.3)

        waiting = asyncio.create_task(guarded())
        await asyncio.sleep(0)
        time.sleep(0.3)  # noqa: ASYNC251  # another task of the process may do this
        await waiting
        return "went on"

    assert asyncio.run(both()) == "went on"


def test_a_guard_that_nobody_left_ends_with_its_loop() -> None:
    """An abandoned task never comes to leave its guard; no signal may come for it afterwards."""

    async def never_left() -> None:
        with guard("send", 0.01):
            await asyncio.sleep(3600)

    async def leave_behind() -> None:
        left = asyncio.create_task(never_left())
        await asyncio.sleep(0.15)
        left.cancel()

    asyncio.run(leave_behind())
    received = signal.getsignal(signal.SIGUSR2)
    time.sleep(0.3)
    assert received is signal.getsignal(signal.SIGUSR2)


def test_an_application_that_handles_the_signal_keeps_it(default_handler: None) -> None:
    def ours(number: int, frame: object) -> None: ...

    signal.signal(signal.SIGUSR2, ours)

    async def hold() -> str:
        with guard("send", 0.01):
            time.sleep(0.2)  # noqa: ASYNC251  # cannot be guarded here
        return "went on"

    assert asyncio.run(hold()) == "went on"
    assert signal.getsignal(signal.SIGUSR2) is ours


def test_in_another_thread_there_is_no_guard() -> None:
    async def hold() -> None:
        with guard("send", 0.01):
            time.sleep(0.2)  # noqa: ASYNC251  # cannot be guarded here
        results.append("went on")

    results: list[str] = []
    thread = threading.Thread(target=lambda: asyncio.run(hold()))
    thread.start()
    thread.join()
    assert results == ["went on"]


def test_a_signal_without_a_loop_is_left_alone() -> None:
    async def arm() -> None:
        with guard("send", 5):
            pass

    asyncio.run(arm())
    signal.raise_signal(signal.SIGUSR2)


def test_a_signal_that_is_not_due_is_left_alone() -> None:
    async def hear() -> str:
        with guard("send", 5):
            signal.raise_signal(signal.SIGUSR2)
        return "went on"

    assert asyncio.run(hear()) == "went on"


def test_a_handler_that_was_taken_away_is_installed_again(default_handler: None) -> None:
    def hold_briefly() -> None:
        with guard("send", 0.1):
            time.sleep(30)

    async def hold() -> None:
        hold_briefly()

    for _ in range(2):
        with pytest.raises(LoopBlocked):
            asyncio.run(hold())
        signal.signal(signal.SIGUSR2, signal.SIG_DFL)
