"""A bound on coroutines that hold the event loop.

`async def send(...): time.sleep(60)` stops every timer of the loop, so no timeout of asyncio can
end it. A watchdog thread sees that a guarded call is still there after its bound, and sends a
signal whose handler raises inside the task that holds the loop: the guarded one, or one that it
has started. This works on POSIX with the loop in the main thread; elsewhere, or where the
application handles the signal itself, there is no guard.
"""

import asyncio
import signal
import threading
import time
from contextlib import AbstractContextManager
from contextvars import ContextVar
from types import FrameType, TracebackType
from typing import cast

from audition.errors import LoopBlocked

_SIGNAL = getattr(signal, "SIGUSR2", None)

NOTICE_SECONDS = 0.1
"""How long after its bound a call may still be there: the time a healthy loop needs to notice."""

AGAIN_SECONDS = 0.005
"""How soon the signal comes again where it came while the task reported an event."""

_REPORTING = frozenset(
    {"audition.watch", "audition.collector", "audition.completion", "audition.loop_guard"}
)
_BETWEEN = frozenset({"contextlib", "threading", "asyncio.timeouts"})

_holder: ContextVar[asyncio.Task[object] | None] = ContextVar("audition_loop_holder", default=None)
"""The guarded task on whose behalf the current one runs."""


class _Interrupt(BaseException):
    """Raised in the blocked coroutine; no `except Exception` of a runtime catches it."""


class _Guard:
    """The deadlines of the guarded calls, and the thread that watches them.

    Attributes:
        came_at_a_bad_time: The last signal found the task in our code, and must come again.

    """

    def __init__(self) -> None:
        self._wake = threading.Condition()
        self._deadlines: dict[asyncio.Task[object], float] = {}
        self._next = float("inf")
        self._thread: threading.Thread | None = None
        self.came_at_a_bad_time = False

    def enter(self, task: asyncio.Task[object], seconds: float) -> None:
        deadline = time.monotonic() + seconds + NOTICE_SECONDS
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

    def _forget_ended(self) -> None:
        for task in list(self._deadlines):
            if task.done() or task.get_loop().is_closed():
                del self._deadlines[task]  # it was abandoned, and never came to leave

    def _watch(self) -> None:
        main = threading.main_thread().ident
        while True:
            with self._wake:
                now = time.monotonic()
                self._forget_ended()
                self._next = min(self._deadlines.values(), default=float("inf"))
                if self._next > now:
                    self._wake.wait(min(self._next - now, 3600))
                    continue
            self.came_at_a_bad_time = False
            # Asked again now: to any other handler the signal would mean something else.
            if _SIGNAL is not None and main is not None and _is_ours_to_send():
                signal.pthread_kill(main, _SIGNAL)
            time.sleep(AGAIN_SECONDS)
            if not self.came_at_a_bad_time:
                time.sleep(NOTICE_SECONDS)  # the task may free what it holds


_guard = _Guard()


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Raise in the task that runs now, if it is guarded and overdue; else leave it alone."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return  # no loop is running: the overdue call is not what holds the main thread
    holder = _holder.get()
    if task is None or holder is None or not _guard.is_overdue(holder):
        return
    if _is_ours(frame):
        _guard.came_at_a_bad_time = True
        return
    raise _Interrupt


def _is_ours(frame: FrameType | None) -> bool:
    """Return whether the task is in our code, or reports an event: to raise would tear our state.

    The signal comes again until the task is back in its own code.
    """
    innermost = frame
    while innermost is not None and innermost.f_globals.get("__name__") in _BETWEEN:
        innermost = innermost.f_back
    if innermost is not None and innermost.f_globals.get("__name__") == "audition.supervision":
        return True
    while frame is not None:
        if frame.f_globals.get("__name__") in _REPORTING:
            return True
        frame = frame.f_back
    return False


def _is_ours_to_send() -> bool:
    return _SIGNAL is not None and signal.getsignal(_SIGNAL) is _interrupt


def arm() -> bool:
    """Install the handler where a guard is possible, and return whether it is."""
    if _SIGNAL is None or threading.current_thread() is not threading.main_thread():
        return False
    current = signal.getsignal(_SIGNAL)
    if current is _interrupt:
        return True
    if current is not signal.SIG_DFL:
        return False
    signal.signal(_SIGNAL, _interrupt)
    return True


class ArmedGuard(AbstractContextManager[None]):
    """Bounds how long the current task may hold the event loop without a pause.

    Of use only where `arm()` said that a guard is possible. Leaving it raises `LoopBlocked` where
    the task held the loop for longer.

    Args:
        what: The guarded call, for the text of the error.
        seconds: Its bound.

    """

    __slots__ = ("_seconds", "_task", "_what")

    def __init__(self, what: str, seconds: float) -> None:
        self._what = what
        self._seconds = seconds
        self._task = asyncio.current_task()

    def __enter__(self) -> None:
        if self._task is not None:
            _holder.set(self._task)
            _guard.enter(self._task, self._seconds)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            _guard.leave(self._task)
        if error is not None and _is_interrupt(error):
            msg = f"{self._what} blocked the event loop for more than {self._seconds:g} s"
            raise LoopBlocked(msg) from None


def _is_interrupt(error: BaseException) -> bool:
    if isinstance(error, BaseExceptionGroup):  # it was raised in a task of a group
        group = cast("BaseExceptionGroup[BaseException]", error)
        return group.subgroup(_Interrupt) is not None
    return isinstance(error, _Interrupt)
