"""Work that blocks, done beside the event loop in a thread that cannot keep the process alive."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread

THREAD_NAME = "knowledge-team-work"
"""The name of the threads, for whoever counts threads."""


async def done_beside[T](work: Callable[[], T]) -> T:
    """Return what the work returns, or raise what it raises.

    When the caller is cancelled it is released at once, and the thread ends when it ends: the
    workers of asyncio's own executor would be waited for at the exit of the process.
    """
    outcome: Future[T] = Future()
    Thread(target=_do, args=(work, outcome), name=THREAD_NAME, daemon=True).start()
    return await asyncio.wrap_future(outcome)


def _do[T](work: Callable[[], T], outcome: Future[T]) -> None:
    if not outcome.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001  # it is raised again, where it is waited for
        outcome.set_exception(error)
    else:
        outcome.set_result(result)
