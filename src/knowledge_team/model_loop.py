"""The one event loop on which the models of all teams of this process run.

One loop, because clients of model providers are bound to the loop that first used them; a
daemon thread, so that a model that never answers cannot keep the process alive.
"""

import asyncio
import atexit
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import cache
from threading import Event, Lock, Thread
from typing import Any

THREAD_NAME = "knowledge-team-models"
"""The name of the thread, for whoever counts threads."""

_EXIT_SECONDS = 1.0


class ModelRun[T]:
    """A coroutine on the loop, seen from another thread."""

    def __init__(self, work: Coroutine[Any, Any, T], loop: asyncio.AbstractEventLoop) -> None:
        self._ended = Event()
        # Called in the handler's context, which asyncio carries over to the task.
        self._future: Future[T] = asyncio.run_coroutine_threadsafe(self._watched(work), loop)

    def result(self) -> T:
        """Wait for the outcome and return it, or raise what the coroutine raised.

        Raises:
            concurrent.futures.CancelledError: `cancel` was called, from any thread.

        """
        return self._future.result()

    def cancel(self) -> None:
        """Release whoever waits, at once, and tell the coroutine to end."""
        self._future.cancel()

    def wait_ended(self, timeout_seconds: float) -> bool:
        """Return whether the coroutine itself is over within this time."""
        return self._ended.wait(timeout_seconds)

    async def _watched(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return await work
        except (SystemExit, KeyboardInterrupt) as error:
            # In the thread that waits these would stop the actors of every team.
            msg = f"the agent raised {type(error).__name__}"
            raise RuntimeError(msg) from error
        finally:
            self._ended.set()


def run_on_model_loop[T](work: Coroutine[Any, Any, T]) -> ModelRun[T]:
    """Start the coroutine on the shared loop, in the caller's context."""
    # `cache` alone lets two threads that come first at once make a loop each.
    with _first:
        loop = _model_loop()
    return ModelRun(work, loop)


_first = Lock()


@cache
def _model_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    thread = Thread(target=_serve, args=(loop,), name=THREAD_NAME, daemon=True)
    thread.start()
    atexit.register(_stop, loop, thread)
    return loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    while True:
        try:
            loop.run_forever()
        except (SystemExit, KeyboardInterrupt):
            continue  # raised by a task, which has it as its error now; the others go on
        return


def _stop(loop: asyncio.AbstractEventLoop, thread: Thread) -> None:
    loop.call_soon_threadsafe(loop.stop)
    thread.join(_EXIT_SECONDS)
    if not thread.is_alive():
        loop.close()
