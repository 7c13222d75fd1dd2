"""One inner task at a time that can be given up, and bounded calls inside it.

A coroutine may swallow its cancellation for ever. Its task is then abandoned: nobody waits for it,
and asyncio is told to forget it, so that the loop can still be closed.
"""

import asyncio
import time
from collections.abc import Collection, Coroutine
from contextvars import Context, copy_context
from typing import Any, Self

import anyio

from audition.errors import BoundOverrun, RunError
from audition.loop_guard import (
    NEVER,
    NOTICE_SECONDS,
    Hold,
    arm,
    current_hold,
    raise_if_blocked,
)

CANCELLING_SECONDS = 0.25
"""How long after its cancellation a call may take to end before it is abandoned."""


class _Run(Hold):
    """One inner task: the timer of the call it is in, and whether it still counts.

    Attributes:
        owner: The supervisor that runs it.
        changed: Set when it ended or passed its bound.
        expired: The call it is in passed its bound, and the task was cancelled for it.
        overran: The call it is in ignored its cancellation.
        abandoned: Nobody waits for it any more; what it still does must touch nothing.

    """

    def __init__(self, owner: "Supervisor") -> None:
        super().__init__(is_guarded=owner.is_guarded)
        self.owner = owner
        self.changed = asyncio.Event()
        self.expired = False
        self.overran = False
        self.abandoned = False
        self._task: asyncio.Task[Any] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._has_paused = False

    def arm(self, seconds: float) -> None:
        """Bound the call that the current task is about to make."""
        if self._task is None:
            self._task = asyncio.current_task()
        self.expired = False
        self.bound(seconds)
        if self._has_paused:
            self._timer = self.loop.call_later(seconds, self._expire)

    def pause(self) -> None:
        """Take note that the task waits for the first time: no timer is of use before that."""
        self._has_paused = True
        if self.due != NEVER:
            left = self.due - NOTICE_SECONDS - time.monotonic()
            self._timer = self.loop.call_later(left, self._expire)

    def await_end(self) -> None:
        """Give the call that was cancelled a little time to end; it may still not hold the loop."""
        self._take_timer_back()
        self._timer = self.loop.call_later(CANCELLING_SECONDS, self._overrun)

    def disarm(self) -> None:
        """Take the bound back."""
        self.due = NEVER
        self._take_timer_back()

    def _take_timer_back(self) -> None:
        self.overran = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def end(self) -> None:
        """Bound nothing any more."""
        self.disarm()
        self._task = None  # a task has its context, which has this
        super().end()

    def _expire(self) -> None:
        if self._is_late():
            self._timer = self.loop.call_later(0, self._expire)
        elif self._task is not None:
            self.expired = True
            self._task.cancel()
            self.await_end()

    def _overrun(self) -> None:
        if self._is_late():
            self.await_end()
        else:
            self.overran = True
            self.changed.set()

    def _is_late(self) -> bool:
        """Return whether somebody held the loop, so that the call could not end in its time."""
        return self._timer is not None and (
            self.loop.time() - self._timer.when() > CANCELLING_SECONDS / 2
        )


_running: dict[asyncio.AbstractEventLoop, int] = {}
"""How many cases each loop has under way; a loop with none is not in it."""


class Supervisor:
    """Runs coroutines of one case, one after the other, each as an inner task in its bounds.

    As an async context manager it spans the case: when the last case on the loop is left, the
    tasks that teams left behind are cancelled, and forgotten where they ignore it.

    Attributes:
        cancelled: The case was cancelled from outside; `run` notes it and goes on, so that
            everything is shut down before its caller raises.
        is_ending: The inner task frees what it holds: a cancellation must not interrupt that.
        is_guarded: How long a coroutine may hold the loop is bounded, too.

    """

    def __init__(self) -> None:
        self.cancelled = False
        self.is_ending = False
        self._loop = asyncio.get_running_loop()
        self.is_guarded = arm()
        self._has_waited = False
        self._tasks_before = _count_tasks()

    async def __aenter__(self) -> Self:
        _running[self._loop] = _running.get(self._loop, 0) + 1
        return self

    async def __aexit__(self, *_: object) -> None:
        others = _running.pop(self._loop) - 1
        if others:
            _running[self._loop] = others
            return
        # Looking at every task of the loop costs as much as a short case. While a case did not
        # wait nobody else ran, so that the number of tasks tells whether its team left one.
        if self._has_waited or _count_tasks() != self._tasks_before:
            await self._sweep()

    async def _sweep(self) -> None:
        left = [task for task in asyncio.all_tasks() if _run_of(task)]
        if left:
            self.is_ending = True
            for task in left:
                task.cancel()
            await self.run(_until_done(left))
            _forget(left)

    async def run(
        self, coroutine: Coroutine[Any, Any, None], *, context: Context | None = None
    ) -> bool:
        """Run a coroutine and return whether it ended; False means that it was abandoned.

        Args:
            coroutine: Must bound every await by `bounded`, and must not raise.
            context: The context to run it in, None for a copy of the current one.

        """
        run = _Run(self)
        within = context or copy_context()
        within.run(run.begin)
        inner = asyncio.Task(coroutine, loop=self._loop, eager_start=True, context=within)
        if not inner.done():
            run.pause()
            inner.add_done_callback(lambda _: run.changed.set())
        while not inner.done() and not run.overran:
            self._has_waited = True
            await self._wait_for(inner, run)
        if inner.done():
            run.end()
            if not inner.cancelled():
                inner.result()
            return True
        run.abandoned = True
        # What it still does may hold the loop: its bound stands until it has ended.
        inner.add_done_callback(lambda _: run.end())
        self._abandon_tasks()
        return False

    async def _wait_for(self, inner: asyncio.Task[None], run: _Run) -> None:
        try:
            # anyio cancels again and again until the scope is left
            with anyio.CancelScope(shield=self.cancelled):
                await run.changed.wait()
            run.changed.clear()
        except asyncio.CancelledError:
            first = not self.cancelled
            self.cancelled = True
            if first and not self.is_ending:
                run.await_end()
                inner.cancel()

    async def bounded[Result](
        self, what: str, seconds: float, call: Coroutine[Any, Any, Result]
    ) -> Result:
        """Await a call of the inner task for at most so long.

        Args:
            what: The call, for the text of the error.
            seconds: Its bound.
            call: The coroutine.

        Raises:
            BoundOverrun: It took longer; it was cancelled.
            LoopBlocked: It held the event loop for longer.
            RunError: It was cancelled by something of its own, or ended by more than an error.

        """
        run = current_hold.get()
        assert isinstance(run, _Run)  # noqa: S101  # `run` is what calls the inner task
        if run.abandoned:
            call.close()
            raise asyncio.CancelledError
        run.arm(seconds)
        try:
            result = await call
        except (GeneratorExit, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001  # a team may call sys.exit or cancel itself
            raise_if_blocked(error, what, seconds)
            # What the call made of its cancellation does not count: past its bound is past.
            if not run.expired:
                raise self._blamed(run, what, error) from None
        else:
            if not run.expired:
                if self.cancelled or run.abandoned:
                    self._raise_if_cancelled(run)
                return result
        finally:
            run.disarm()
        _forget_cancellation()
        raise BoundOverrun(what, seconds)

    def _blamed(self, run: _Run, what: str, error: BaseException) -> Exception:
        """Return the error of a call as one that a case survives."""
        if isinstance(error, Exception):
            return error
        if isinstance(error, asyncio.CancelledError):
            self._raise_if_cancelled(run)
            _forget_cancellation()
            return RunError(f"{what} was cancelled from inside the runtime")
        return RunError(f"{what} raised {type(error).__name__}: {error}")

    def _raise_if_cancelled(self, run: _Run) -> None:
        """Raise where the call was given up and is not one of those that end the case."""
        if run.abandoned or (self.cancelled and not self.is_ending):
            raise asyncio.CancelledError

    def _abandon_tasks(self) -> None:
        """Give up every task that was made on behalf of this case and is still there."""
        tasks = [
            task for task in asyncio.all_tasks() if (run := _run_of(task)) and run.owner is self
        ]
        for task in tasks:
            task.cancel()
        _forget(tasks)


def _count_tasks() -> int:
    """Return how many tasks asyncio knows, without looking at them as `all_tasks` does.

    From Python 3.14 on there is no such number to read: it is always the same.
    """
    return len(getattr(asyncio.tasks, "_scheduled_tasks", ()))


def _run_of(task: asyncio.Task[Any]) -> _Run | None:
    run = task.get_context().get(current_hold) if task is not asyncio.current_task() else None
    return run if isinstance(run, _Run) else None


async def _until_done(tasks: Collection[asyncio.Task[Any]]) -> None:
    await asyncio.wait(tasks, timeout=CANCELLING_SECONDS)


def _forget(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Let asyncio know no more of the tasks that are not done.

    One that ignores its cancellation, and what it has started, would keep asyncio.run from
    ending. Telling asyncio to forget a task is documented for those who implement tasks of their
    own; there is no other way.
    """
    for task in tasks:
        if not task.done():
            task._log_destroy_pending = False  # noqa: SLF001  # pyright: ignore[reportAttributeAccessIssue]
            asyncio.tasks._unregister_task(task)  # noqa: SLF001


def _forget_cancellation() -> None:
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()
