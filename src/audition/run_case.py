"""The lifecycle of one case: start, turns in order, shutdown; always an output, whatever breaks.

The conversation is held by an inner task, each call into the runtime in its bound; the caller's
task supervises it. Where a call swallows its cancellation, the inner task is abandoned and the
team is shut down beside it.
"""

import asyncio
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from contextvars import Context, copy_context
from functools import partial

from audition.conversation import Conversation, PolicyFactory
from audition.daemon_threads import Worker, run_plain
from audition.events import EventHandler
from audition.inputs import CaseInput
from audition.loop_guard import Guard
from audition.output import CaseOutput
from audition.runtime import TeamRuntime, TeamRuntimeFactory


async def run_case(
    inputs: CaseInput,
    runtime: TeamRuntime,
    *,
    policy: PolicyFactory | None = None,
    on_event: EventHandler | None = None,
) -> CaseOutput:
    """Hold one conversation with a team and return what was seen of it.

    Args:
        inputs: The turns and the bounds; copied, so that a team cannot change them.
        runtime: Drives the team; started and shut down here.
        policy: Makes what decides when a turn is over; None for the runtime's own choice, or
            else quiet with an answer where the runtime can see quiet, and an answer elsewhere.
        on_event: Given every event that is kept, in order, turn marks included, from any thread
            but one at a time: a `Recorder` makes a recording of the case. Where it raises, it is
            given no more, and `completion_detail` says so.

    Raises:
        asyncio.CancelledError: The case was cancelled from outside; the team is shut down.

    """
    case = Conversation(inputs, policy=policy, on_event=on_event)
    async with case.supervisor:
        await _hold(case, runtime)
    return _output(case)


async def run_case_with_factory[CaseInputT: CaseInput](
    inputs: CaseInputT,
    *,
    runtime_factory: TeamRuntimeFactory[CaseInputT],
    policy: PolicyFactory | None = None,
    on_event: EventHandler | None = None,
) -> CaseOutput:
    """Hold one conversation with the team that a factory makes for these inputs.

    Args:
        inputs: As in `run_case`.
        runtime_factory: Its `runtime(inputs)` is entered before the team is started and left
            after it is shut down.
        policy: As in `run_case`.
        on_event: As in `run_case`.

    Raises:
        asyncio.CancelledError: The case was cancelled from outside; everything is freed.

    """
    case = Conversation(inputs, policy=policy, on_event=on_event)
    seconds, is_guarded = inputs.start_seconds, case.supervisor.is_guarded
    try:
        # Not in the inner task: what the factory starts for all cases does not belong to this one.
        with Guard(_FACTORY, seconds, is_guarded=is_guarded):
            manager = runtime_factory.runtime(inputs.separate())
    except (Exception, SystemExit) as error:  # noqa: BLE001  # the application's: this case's error
        case.fail_to_start(_FACTORY, error)
        return case.output()
    async with case.supervisor:
        if not isinstance(manager, AbstractAsyncContextManager):
            await _hold_within_thread(case, _Stay(manager))
            return _output(case)
        inside = _Inside(case, manager)
        if not await case.supervisor.run(inside.hold()):
            await _end_beside(case)
            await case.supervisor.run(inside.leave())
    return _output(case)


def _output(case: Conversation) -> CaseOutput:
    if case.supervisor.cancelled:
        raise asyncio.CancelledError
    return case.output()


async def _hold(
    case: Conversation, runtime: TeamRuntime, *, context: Context | None = None
) -> None:
    """Hold the conversation; where it had to be abandoned, shut the team down beside it."""
    if not await case.supervisor.run(case.hold(runtime), context=context):
        await _end_beside(case)


async def _end_beside(case: Conversation) -> None:
    case.give_up()
    if not case.shutdown_begun:
        await case.supervisor.run(case.shutdown())


class _Inside:
    """The time inside the context manager of a factory, entered and left in one task.

    A task group inside the manager needs that.
    """

    def __init__(
        self, case: Conversation, manager: AbstractAsyncContextManager[TeamRuntime]
    ) -> None:
        self._case = case
        self._manager = manager
        self._is_inside = False

    async def hold(self) -> None:
        try:
            runtime = await self._case.make(_FACTORY, self._enter())
            if runtime is not None:
                await self._case.hold(runtime)
        finally:
            if not self._case.given_up:
                await self.leave()

    async def _enter(self) -> TeamRuntime:
        runtime = await self._manager.__aenter__()
        self._is_inside = True
        return runtime

    async def leave(self) -> None:
        if self._is_inside:
            self._is_inside = False
            await self._case.free(_FACTORY, _leave(self._manager))


_FACTORY = "the runtime factory"


async def _leave(manager: AbstractAsyncContextManager[TeamRuntime]) -> None:
    await manager.__aexit__(None, None, None)


async def _hold_within_thread(case: Conversation, stay: "_Stay") -> None:
    """Enter and leave a plain manager in one thread and one context, which is the case's too."""
    made: list[TeamRuntime] = []

    async def make() -> None:
        runtime = await case.make(_FACTORY, stay.enter())
        made.extend([runtime] if runtime is not None else [])

    await case.supervisor.run(make())
    for runtime in made:
        await _hold(case, runtime, context=stay.context)
    if stay.is_inside:
        # An abandoned inner task may still step into the context, and two at once cannot be in it.
        context = stay.context.copy() if case.given_up else stay.context
        await case.supervisor.run(case.free(_FACTORY, stay.leave(context)))


class _Stay:
    """The time inside a plain context manager, entered and left in a thread of its own."""

    def __init__(self, manager: AbstractContextManager[TeamRuntime]) -> None:
        self.context = copy_context()
        self._manager = manager
        self._worker = Worker()
        self._entering: asyncio.Future[TeamRuntime] | None = None

    @property
    def is_inside(self) -> bool:
        """Whether it was entered in time, and must be left."""
        entering = self._entering
        return (
            entering is not None
            and entering.done()
            and not entering.cancelled()
            and entering.exception() is None
        )

    async def enter(self) -> TeamRuntime:
        self._entering = run_plain(
            self._enter, worker=self._worker, context=self.context, on_late=self._leave_late
        )
        return await self._entering

    def _enter(self) -> TeamRuntime:
        try:
            return self._manager.__enter__()
        except BaseException:
            self._worker.end()  # and with it what would be run late: there is nothing to leave
            raise

    async def leave(self, context: Context) -> None:
        left = run_plain(
            partial(self._manager.__exit__, None, None, None), worker=self._worker, context=context
        )
        self._worker.end()
        await left

    def _leave_late(self) -> None:
        self._worker.end()
        self.context.run(self._manager.__exit__, None, None, None)
