"""Plain calls off the event loop, in daemon threads of our own.

The workers of anyio and asyncio are not daemons: one call that never returns keeps the process
alive for ever. Here a call that is given up keeps its thread, and dies with the process.
"""

import asyncio
import inspect
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

IDLE_SECONDS = 1.0
"""How long a worker waits for another call before it ends; starting one costs about 90 µs."""

type _Job = Callable[[], None]


class Worker:
    """A daemon thread that runs the calls given to it, one after the other."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        threading.Thread(target=self._work, name="audition-worker", daemon=True).start()

    def run(self, job: _Job) -> None:
        """Queue a call that must not raise."""
        self._jobs.put(job)

    def end(self) -> None:
        """Let the thread end after the calls it was given."""
        self._jobs.put(None)

    def _work(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=IDLE_SECONDS)
            except Empty:
                if _retire(self):
                    return
                continue
            if job is None:
                return
            job()
            del job  # what the call held must not live as long as the idle worker


_lock = threading.Lock()
_idle: list[Worker] = []


def _retire(worker: Worker) -> bool:
    """Return whether the worker was idle, and now is no longer to be found."""
    with _lock:
        if worker in _idle:
            _idle.remove(worker)
            return True
        return False


def _take() -> Worker:
    with _lock:
        return _idle.pop() if _idle else Worker()


def _give_back(worker: Worker) -> None:
    with _lock:
        _idle.append(worker)


def run_plain[Result](
    call: Callable[[], Result],
    *,
    worker: Worker | None = None,
    context: Context | None = None,
    on_late: Callable[[], None] | None = None,
) -> asyncio.Future[Result]:
    """Run a plain call in a daemon thread and return its future.

    Cancelling the future gives the call up: it runs on to its end, if it has one.

    Args:
        call: What to run.
        worker: The thread to run it in, None for any idle one.
        context: The context to run it in, None for a copy of the current one.
        on_late: Run in the worker, or in any idle thread without one, when the call ends after
            it was given up; what it raises is dropped.

    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()
    within = context or copy_context()
    thread = worker or _take()

    def late() -> None:
        if on_late is not None:
            ending = worker or _take()
            ending.run(partial(_run_late, on_late, None if worker else ending))

    def job() -> None:
        try:
            settle = partial(_settle, future, late, result=within.run(call))
        except BaseException as error:  # noqa: BLE001  # what a call raises belongs to its caller
            settle = partial(_settle, future, late, error=error)
        if worker is None:
            _give_back(thread)
        try:
            loop.call_soon_threadsafe(settle)
        except RuntimeError:  # the loop is closed: nobody waits any more
            late()

    thread.run(job)
    return future


def _run_late(call: Callable[[], None], borrowed: Worker | None) -> None:
    with suppress(Exception):
        call()
    if borrowed is not None:
        _give_back(borrowed)


def _settle(
    future: asyncio.Future[Any],
    late: Callable[[], None],
    *,
    result: Any = None,
    error: BaseException | None = None,
) -> None:
    """Give the future what its call came to; here alone it is decided whether that is late."""
    if future.cancelled():
        if inspect.iscoroutine(result):
            result.close()
        late()
    elif error is None:
        future.set_result(result)
    else:
        future.set_exception(_raisable(error))


def _raisable(error: BaseException) -> BaseException:
    """Return the error, or one that a future can hold and that does not end the process."""
    if isinstance(error, StopIteration) or not isinstance(
        error, Exception | asyncio.CancelledError
    ):
        return RuntimeError(f"the call raised {error!r}")
    return error
