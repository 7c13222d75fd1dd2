"""A bound on coroutines that hold the event loop.

`async def send(...): time.sleep(60)` stops every timer of the loop, so no timeout of asyncio can
end it. A watchdog thread sees that a guarded call is still there after its bound, and sends a
signal whose handler raises inside the task that holds the loop. This works on POSIX with the loop
in the main thread; elsewhere, or where the application handles the signal itself, there is no guard.
"""

import asyncio
import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from audition.errors import LoopBlocked

_SIGNAL = getattr(signal, "SIGUSR2", None)

GRACE_SECONDS = 0.1
"""How long after its bound a call may still be there: the time a healthy loop needs to notice."""


_REPORTING = frozenset({"audition.watch", "audition.collector", "audition.completion"})


class _Interrupt(BaseException):
    """Raised in the blocked coroutine; no `except Exception` of a runtime catches it."""


class _Guard:
    """The deadlines of the guarded calls, and the thread that watches them."""

    def __init__(self) -> None:
        self._wake = threading.Condition()
        self._deadlines: dict[asyncio.Task[object], float] = {}
        self._next = float("inf")
        self._thread: threading.Thread | None = None

    def enter(self, task: asyncio.Task[object], seconds: float) -> None:
        deadline = time.monotonic() + seconds + GRACE_SECONDS
        with self._wake:
            self._deadlines[task] = deadline
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._watch, name="audition-loop-guard", daemon=True
                )
                self._thread.start()
            if deadline < self._next:
                self._next = deadline
                self._wake.notify()

    def leave(self, task: asyncio.Task[object]) -> None:
        with self._wake:
            self._deadlines.pop(task, None)

    def is_overdue(self, task: asyncio.Task[object]) -> bool:
        deadline = self._deadlines.get(task)
        return deadline is not None and time.monotonic() >= deadline

    def _watch(self) -> None:
        main = threading.main_thread().ident
        while True:
            with self._wake:
                now = time.monotonic()
                self._next = min(self._deadlines.values(), default=float("inf"))
                if self._next > now:
                    self._wake.wait(min(self._next - now, 3600))
                    continue
            if _SIGNAL is not None and main is not None:
                signal.pthread_kill(main, _SIGNAL)
            time.sleep(GRACE_SECONDS)  # until the loop has turned, or the signal is due again


_guard = _Guard()


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Raise in the task that runs now, if it is guarded and overdue; else leave it alone."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return  # no loop is running: the overdue call is not what holds the main thread
    if task is not None and _guard.is_overdue(task) and not _is_ours(frame):
        raise _Interrupt


def _is_ours(frame: FrameType | None) -> bool:
    """Return whether the task is just reporting an event: raising there would tear our state.

    The signal comes again until the task is back in its own code.
    """
    while frame is not None:
        if frame.f_globals.get("__name__") in _REPORTING:
            return True
        frame = frame.f_back
    return False


def _is_armed() -> bool:
    """Return whether a guard is possible here, after installing the handler where it is."""
    if _SIGNAL is None or threading.current_thread() is not threading.main_thread():
        return False
    current = signal.getsignal(_SIGNAL)
    if current is _interrupt:
        return True
    if current is not signal.SIG_DFL:
        return False
    signal.signal(_SIGNAL, _interrupt)
    return True


@contextmanager
def loop_guard(what: str, seconds: float) -> Generator[None]:
    """Bound the time for which the current task may hold the event loop without a pause.

    Args:
        what: The guarded call, for the text of the error.
        seconds: Its bound.

    Raises:
        LoopBlocked: The task held the loop for longer.

    """
    task = asyncio.current_task()
    if task is None or not _is_armed():
        yield
        return
    _guard.enter(task, seconds)
    try:
        yield
    except _Interrupt:
        msg = f"{what} blocked the event loop for more than {seconds:g} s"
        raise LoopBlocked(msg) from None
    finally:
        _guard.leave(task)
