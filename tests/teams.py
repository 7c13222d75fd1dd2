"""Teams for the tests of the lifecycle: good ones of several kinds, and ones that misbehave."""

import asyncio
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import NoReturn

from audition.events import AgentFailed, AgentStarted, CompletionReason, Event, EventHandler
from audition.inputs import CaseInput, ConversationTurn
from audition.output import CaseOutput, RuntimeCapabilities
from audition.run_case import run_case
from audition.runtime import TeamRuntime
from audition.runtimes.function import FunctionRuntime
from audition.runtimes.replay import ReplayRuntime
from audition.runtimes.scripted import Break, ScriptedRuntime, Step, Wait
from audition.testing import answer, turn

type Says = str | Exception | None
"""What a team does in a turn: it answers, breaks, or stays silent for ever."""

HANG_SECONDS = 3600


def hold(inputs: CaseInput, runtime: TeamRuntime) -> CaseOutput:
    """Return the output of one case on a loop of its own."""
    return asyncio.run(run_case(inputs, runtime))


def ask(*messages: str, seconds: float = 5, deadline: float | None = None) -> CaseInput:
    """Return the inputs of a conversation with the same bound on all its parts."""
    return CaseInput(
        turns=[ConversationTurn(message=message) for message in messages],
        timeout_seconds=seconds,
        start_seconds=seconds,
        shutdown_seconds=seconds,
        deadline_seconds=deadline,
    )


class PlainTeam:
    """Answers in plain methods, and does something else in one of them.

    Args:
        at: The method.
        what: What it does there.

    """

    def __init__(self, at: str = "", what: Callable[[], object] = lambda: None) -> None:
        self.capabilities = RuntimeCapabilities()
        self.calls: list[str] = []
        self._at = at
        self._what = what
        self._handler: EventHandler = lambda event: None

    def start(self, event_handler: EventHandler) -> None:
        self._handler = event_handler
        self._do("start")

    def send(self, turn: ConversationTurn) -> None:
        self._do("send")
        self._handler(answer(f"{turn.message}!"))

    def shutdown(self) -> None:
        self._do("shutdown")

    def _do(self, call: str) -> None:
        self.calls.append(call)
        if call == self._at:
            self._what()


class CoroutineTeam:
    """Answers in coroutines, and does something else in one of them.

    Args:
        at: The method.
        what: What it does there.

    """

    def __init__(self, at: str, what: Callable[[], Awaitable[object]]) -> None:
        self.capabilities = RuntimeCapabilities()
        self.calls: list[str] = []
        self._at = at
        self._what = what
        self._handler: EventHandler = lambda event: None

    async def start(self, event_handler: EventHandler) -> None:
        self._handler = event_handler
        await self._do("start")

    async def send(self, turn: ConversationTurn) -> None:
        await self._do("send")
        self._handler(answer(f"{turn.message}!"))

    async def shutdown(self) -> None:
        await self._do("shutdown")

    async def _do(self, call: str) -> None:
        self.calls.append(call)
        if call == self._at:
            await self._what()


class PlainAnswers(PlainTeam):
    """Says one thing a turn, in a plain `send`."""

    def __init__(self, says: Sequence[Says]) -> None:
        super().__init__()
        self._says = iter(says)

    def send(self, turn: ConversationTurn) -> None:
        said = next(self._says)
        if isinstance(said, Exception):
            raise said
        if said is None:
            threading.Event().wait()
        else:
            self._handler(answer(said))


class LateAnswers(PlainTeam):
    """Says one thing a turn from a thread of its own, after `send` has returned."""

    def __init__(self, says: Sequence[Says]) -> None:
        super().__init__()
        self._says = iter(says)

    def send(self, turn: ConversationTurn) -> None:
        said = next(self._says)
        if said is not None:
            threading.Timer(0.005, self._say, [said]).start()

    def _say(self, said: str | Exception) -> None:
        if isinstance(said, Exception):
            self._handler(AgentFailed(agent="@Manager", error=str(said)))
        else:
            self._handler(answer(said))


class CountedReplay(ReplayRuntime):
    """A replay that notes its end."""

    calls: Sequence[str] = ()

    async def shutdown(self) -> None:
        await super().shutdown()
        self.calls = [*self.calls, "shutdown"]


class CountedFunction(FunctionRuntime):
    """A function that notes its end."""

    calls: Sequence[str] = ()

    async def shutdown(self) -> None:
        await super().shutdown()
        self.calls = [*self.calls, "shutdown"]


class CountedScript(ScriptedRuntime):
    """A script that notes its end as the others do."""

    @property
    def calls(self) -> list[str]:
        return ["shutdown"] * self.shutdowns


type CountedTeam = PlainTeam | CountedReplay | CountedFunction | CountedScript


def scripted(says: Sequence[Says]) -> CountedScript:
    return CountedScript([[_step(said)] for said in says])


def _step(said: Says) -> Step:
    if isinstance(said, Exception):
        return Break(error=said)
    return Wait(seconds=HANG_SECONDS) if said is None else answer(said)


def replayed(says: Sequence[Says]) -> CountedReplay:
    return CountedReplay(
        event
        for number, said in enumerate(says)
        for event in turn("?", [_event(said)], number=number, reason=_reason(said))
    )


def _reason(said: Says) -> CompletionReason:
    if isinstance(said, Exception):
        return CompletionReason.ERROR
    return CompletionReason.TIMEOUT if said is None else CompletionReason.RESPONSE


def _event(said: Says) -> Event:
    if isinstance(said, Exception):
        return AgentFailed(agent="@Manager", error=str(said))
    return AgentStarted(agent="@Manager") if said is None else answer(said)


def function(says: Sequence[Says]) -> CountedFunction:
    left = iter(says)

    def reply(message: str) -> str:
        del message
        said = next(left)
        if isinstance(said, Exception):
            raise said
        if said is None:
            threading.Event().wait()
        return said or ""

    return CountedFunction(reply)


def async_function(says: Sequence[Says]) -> CountedFunction:
    left = iter(says)

    async def reply(message: str) -> str:
        del message
        said = next(left)
        if isinstance(said, Exception):
            raise said
        if said is None:
            await asyncio.sleep(HANG_SECONDS)
        return said or ""

    return CountedFunction(reply)


KINDS: dict[str, Callable[[Sequence[Says]], CountedTeam]] = {
    "scripted": scripted,
    "replay": replayed,
    "plain function": function,
    "async function": async_function,
    "plain methods": PlainAnswers,
    "late events": LateAnswers,
}
"""Every kind of runtime, made from what its team says in each turn."""


def sleep_plainly() -> None:
    time.sleep(HANG_SECONDS)


def wait_plainly() -> None:
    threading.Event().wait()


async def sleep() -> None:
    await asyncio.sleep(HANG_SECONDS)


async def swallow() -> NoReturn:
    while True:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(HANG_SECONDS)


async def await_swallowing_child() -> None:
    await asyncio.gather(swallow())


async def leave_swallowing_child() -> None:
    _left.add(asyncio.create_task(swallow()))
    await asyncio.sleep(0)


_left: set[asyncio.Task[None]] = set()


async def hold_the_loop() -> None:
    time.sleep(HANG_SECONDS)  # noqa: ASYNC251  # this is the misbehaviour


async def hold_the_loop_whatever_comes() -> NoReturn:
    while True:
        with suppress(Exception):
            time.sleep(HANG_SECONDS)  # noqa: ASYNC251  # this is the misbehaviour


async def hold_the_loop_in_a_child() -> None:
    await asyncio.gather(hold_the_loop())


async def hold_the_loop_in_a_group() -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(hold_the_loop())


async def cancel_itself() -> None:
    raise asyncio.CancelledError


async def exit_the_process() -> None:
    sys.exit(3)


BLOCKS_PLAINLY: dict[str, Callable[[], object]] = {
    "sleeps": sleep_plainly,
    "waits": wait_plainly,
}
"""Ways of a plain method not to end."""

BLOCKS: dict[str, Callable[[], Awaitable[object]]] = {
    "sleeps": sleep,
    "swallows": swallow,
    "child swallows": await_swallowing_child,
    "holds the loop": hold_the_loop,
    "holds it whatever comes": hold_the_loop_whatever_comes,
    "child holds it": hold_the_loop_in_a_child,
    "child in a group holds it": hold_the_loop_in_a_group,
}
"""Ways of a coroutine not to end."""

BREAKS: dict[str, Callable[[], Awaitable[object]]] = {
    "cancels itself": cancel_itself,
    "exits": exit_the_process,
}
"""Ways of a coroutine to end that are no error."""
