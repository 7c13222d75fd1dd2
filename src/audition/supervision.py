"""One inner task at a time that can be given up, and bounded calls inside it.

A coroutine may swallow its cancellation for ever. Its task is then abandoned: nobody waits for it,
and asyncio is told to forget it, so that the loop can still be closed.
"""

import asyncio
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from typing import Any

import anyio

from audition.errors import BoundOverrun, LoopBlocked, RunError
from audition.loop_guard import loop_guard

GRACE_SECONDS = 0.5
"""How long after its cancellation a call may take to end before it is abandoned."""


class Supervisor:
    """Runs coroutines of one case, one after the other, each as an inner task in its bounds.

    Attributes:
        cancelled: The case was cancelled from outside; `run` notes it and goes on, so that
            everything is shut down before its caller raises.
        is_ending: The inner task frees what it holds: a cancellation must not interrupt that.

    """

    def __init__(self) -> None:
        self.cancelled = False
        self.is_ending = False
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._overran = False

    async def run(
        self, coroutine: Coroutine[Any, Any, None], *, context: Context | None = None
    ) -> bool:
        """Run a coroutine and return whether it ended; False means that it was abandoned.

        Args:
            coroutine: Must bound every await by `bounded`, and must not raise.
            context: The context to run it in, None for a copy of the current one.

        """
        self._changed.clear()
        self._overran = False
        within = context or copy_context()
        within.run(_CASE.set, self)
        inner = asyncio.Task(coroutine, loop=self._loop, eager_start=True, context=within)
        inner.add_done_callback(lambda _: self._changed.set())
        while not inner.done() and not self._overran:
            await self._wait_for(inner)
        self._disarm()
        if inner.done():
            if not inner.cancelled():
                inner.result()
            return True
        self.abandon_children()
        return False

    async def _wait_for(self, inner: asyncio.Task[None]) -> None:
        try:
            if not self.cancelled:
                await self._changed.wait()
                return
            with anyio.CancelScope(shield=True):  # anyio cancels again and again until one leaves
                await self._changed.wait()
        except asyncio.CancelledError:
            first = not self.cancelled
            self.cancelled = True
            if first and not self.is_ending:
                self._arm(0)
                inner.cancel()

    @contextmanager
    def _bound(self, seconds: float) -> Generator[None]:
        self._arm(seconds)
        try:
            yield
        finally:
            self._disarm()

    def _arm(self, seconds: float) -> None:
        self._disarm()
        self._timer = self._loop.call_later(seconds + GRACE_SECONDS, self._overrun)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _overrun(self) -> None:
        self._overran = True
        self._changed.set()

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
            RunError: It was cancelled by something of its own.

        """
        limit = asyncio.timeout(seconds)
        try:
            with self._bound(seconds), loop_guard(what, seconds):
                async with limit:
                    result = await call
        except (Exception, asyncio.CancelledError) as error:
            # What the call made of its cancellation does not count: past its bound is past.
            if limit.expired() and not isinstance(error, LoopBlocked):
                raise BoundOverrun(what, seconds) from None
            if not isinstance(error, asyncio.CancelledError):
                raise
            self._raise_if_cancelled()
            _forget_cancellation()
            msg = f"{what} was cancelled from inside the runtime"
            raise RunError(msg) from None
        if limit.expired():
            raise BoundOverrun(what, seconds)
        self._raise_if_cancelled()
        return result

    def _raise_if_cancelled(self) -> None:
        """Raise where the case was cancelled and the call is not one of those that end it."""
        if self.cancelled and not self.is_ending:
            raise asyncio.CancelledError

    def abandon_children(self) -> None:
        """Give up every task that was made on behalf of this case and is still there.

        A task that ignores its cancellation, and what it has started, would keep asyncio.run
        from ending. Telling asyncio to forget a task is documented for those who implement tasks
        of their own; there is no other way.
        """
        for task in asyncio.all_tasks():
            if task.get_context().get(_CASE) is self:
                task.cancel()
                task._log_destroy_pending = False  # noqa: SLF001  # pyright: ignore[reportAttributeAccessIssue]
                asyncio.tasks._unregister_task(task)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue, reportUnknownMemberType]


_CASE: ContextVar[Supervisor] = ContextVar("audition_case")


def _forget_cancellation() -> None:
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()
