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
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar, Token
from types import FrameType, TracebackType
from typing import cast
from weakref import ref

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


class Hold:
    """How long a task, and the tasks it starts, may hold the event loop without a pause.

    Args:
        is_guarded: Whether `arm()` found a guard possible; else nothing happens when it is due.

    Attributes:
        due: When it must have paused, by the monotonic clock; `NEVER` for no bound.
        loop: The loop it may hold.

    """

    def __init__(self, *, is_guarded: bool) -> None:
        self.due = NEVER
        self.loop = asyncio.get_running_loop()
        self._is_guarded = is_guarded

    def begin(self) -> Token["Hold | None"]:
        """Take the current task, and what it starts, for the one that holds the loop."""
        if self._is_guarded:
            _guard.holds.add(self)
        return current_hold.set(self)

    def bound(self, seconds: float) -> None:
        """Bound what the task does next."""
        self.due = due = time.monotonic() + seconds + NOTICE_SECONDS
        # Without the lock where the watcher comes in time by itself: it is taken for few of the
        # calls, and the watcher keeps `next` at infinity while it looks for the next one.
        if due < _guard.next and self._is_guarded:
            _guard.come_by(due)

    def end(self) -> None:
        """Watch it no more."""
        self.due = NEVER
        _guard.holds.discard(self)


NEVER = float("inf")
"""The time for which nothing is due."""

current_hold: ContextVar[Hold | None] = ContextVar("audition_loop_holder", default=None)
"""What the current task was started on behalf of."""


class _Interrupt(BaseException):
    """Raised in the blocked coroutine; no `except Exception` of a runtime catches it."""


class _Guard:
    """The thread that watches all that hold a loop.

    Attributes:
        holds: What it watches.
        next: When it looks at them again, by the monotonic clock.
        came_at_a_bad_time: The last signal found the task in our code, and must come again.
        loop: The loop for which the handler was looked at last.
        is_installed: It was ours then, or could be made so.

    """

    def __init__(self) -> None:
        self.holds: set[Hold] = set()
        self.next = NEVER
        self.came_at_a_bad_time = False
        self.loop: Callable[[], asyncio.AbstractEventLoop | None] = lambda: None
        self.is_installed = False
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None

    def come_by(self, due: float) -> None:
        with self._wake:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._watch, name="audition-loop-guard", daemon=True
                )
                self._thread.start()
            if due < self.next:
                self.next = due
                self._wake.notify()

    def _soonest(self) -> float:
        self.holds.difference_update([hold for hold in list(self.holds) if hold.loop.is_closed()])
        return min((hold.due for hold in list(self.holds)), default=NEVER)

    def _watch(self) -> None:
        main = threading.main_thread().ident
        while True:
            with self._wake:
                now = time.monotonic()
                self.next = NEVER
                self.next = self._soonest()
                if self.next > now:
                    self._wake.wait(min(self.next - now, 3600))
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
    hold = current_hold.get()
    if task is None or hold is None or time.monotonic() < hold.due:
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
    if _SIGNAL is None or threading.get_ident() != threading.main_thread().ident:
        return False
    loop = asyncio.get_running_loop()
    if _guard.loop() is not loop:  # once a loop: to ask for the handler takes longer than a guard
        _guard.loop = ref(loop)
        _guard.is_installed = _install(_SIGNAL)
    return _guard.is_installed


def _install(number: int) -> bool:
    current = signal.getsignal(number)
    if current is signal.SIG_DFL:
        signal.signal(number, _interrupt)
    return current in {signal.SIG_DFL, _interrupt}


class Guard(AbstractContextManager[None]):
    """Bounds how long a plain call in the current task may hold the event loop.

    Leaving it raises `LoopBlocked` where the call held the loop for longer.

    Args:
        what: The call, for the text of the error.
        seconds: Its bound.
        is_guarded: As for `Hold`.

    """

    def __init__(self, what: str, seconds: float, *, is_guarded: bool) -> None:
        self._what = what
        self._seconds = seconds
        self._hold = Hold(is_guarded=is_guarded)

    def __enter__(self) -> None:
        self._token = self._hold.begin()
        self._hold.bound(self._seconds)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._hold.end()
        current_hold.reset(self._token)
        if error is not None:
            raise_if_blocked(error, self._what, self._seconds)


def raise_if_blocked(error: BaseException, what: str, seconds: float) -> None:
    """Raise `LoopBlocked` where a call was interrupted because it held the loop.

    Args:
        error: What it raised.
        what: The call, for the text of the error.
        seconds: Its bound.

    """
    if isinstance(error, BaseExceptionGroup):  # it was raised in a task of a group
        group = cast("BaseExceptionGroup[BaseException]", error)
        is_interrupt = group.subgroup(_Interrupt) is not None
    else:
        is_interrupt = isinstance(error, _Interrupt)
    if is_interrupt:
        msg = f"{what} blocked the event loop for more than {seconds:g} s"
        raise LoopBlocked(msg) from None
