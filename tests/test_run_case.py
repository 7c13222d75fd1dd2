"""The lifecycle of one case: factories, bounds that are the application's, cancellation."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
)
from contextvars import ContextVar
from typing import NoReturn

import anyio
import pytest

from audition.completion import MessageResponse
from audition.events import (
    AgentFailed,
    CompletionReason,
    EventHandler,
    MessageSent,
    MessageType,
    RuntimeStopped,
)
from audition.inputs import CaseInput, ConversationTurn
from audition.output import CaseOutput, RuntimeCapabilities
from audition.run_case import run_case, run_case_with_factory
from audition.runtime import TeamRuntime
from audition.runtimes.scripted import ScriptedRuntime, Step, Wait
from audition.testing import ScriptedFactory, answer, question
from tests.teams import CoroutineTeam, PlainTeam, ask, hold, sleep, sleep_plainly, swallow

BOUND = 0.12
ANSWERS: Sequence[Sequence[Step]] = [[answer("a")]]

type Manager = AbstractAsyncContextManager[TeamRuntime] | AbstractContextManager[TeamRuntime]


class Factory:
    """Makes teams by a function."""

    def __init__(self, make: Callable[[CaseInput], Manager]) -> None:
        self._make = make

    def runtime(self, inputs: CaseInput) -> Manager:
        return self._make(inputs)


def hold_with(make: Callable[[CaseInput], Manager], *, seconds: float = 5) -> CaseOutput:
    case = run_case_with_factory(ask("q", seconds=seconds), runtime_factory=Factory(make))
    return asyncio.run(case)


# Turns and answers


def test_a_late_answer_belongs_to_its_own_turn() -> None:
    late = MessageSent(
        agent="@Manager", recipient="@Human", content="the first, late", cause_id="m-0"
    )
    asked = MessageSent(agent="@Human", recipient="@Manager", content="one", message_id="m-0")
    script = [[asked, answer("the first")], [late, answer("the second")]]
    output = hold(ask("one", "two"), ScriptedRuntime(script))
    assert [turn.responses for turn in output.turns] == [
        ("the first", "the first, late"),
        ("the second",),
    ]


def test_a_late_answer_does_not_end_the_turn_it_arrives_in() -> None:
    asked = MessageSent(agent="@Human", recipient="@Manager", content="one", message_id="m-0")
    late = MessageSent(agent="@Manager", recipient="@Human", content="late", cause_id="m-0")
    script = [[asked, answer("1")], [late]]
    team = ScriptedRuntime(script, capabilities=RuntimeCapabilities())
    policy = MessageResponse(settle_seconds=0)
    output = asyncio.run(run_case(ask("one", "two"), team, policy=lambda: policy))
    assert [turn.reason for turn in output.turns] == ["response", "quiescent"]


def test_a_failure_in_an_earlier_turn_does_not_end_this_one() -> None:
    asked = MessageSent(agent="@Human", recipient="@Manager", content="one", message_id="m-0")
    late = AgentFailed(agent="@K", error="too late", cause_id="m-0")
    output = hold(ask("one", "two"), ScriptedRuntime([[asked, answer("1")], [late, answer("2")]]))
    assert (output.completion_reason, output.errors) == ("response", ("@K: too late",))


def test_a_policy_of_the_caller_counts_before_that_of_the_runtime() -> None:
    two = ScriptedRuntime([[answer("1"), answer("2")]])
    case = run_case(ask("q"), two, policy=lambda: MessageResponse(count=3))
    assert asyncio.run(case).completion_reason == CompletionReason.QUIESCENT


def test_a_policy_that_cannot_be_made_fails_the_start() -> None:
    def broken() -> NoReturn:
        raise ValueError

    output = asyncio.run(run_case(ask("q"), ScriptedRuntime(ANSWERS), policy=broken))
    assert output.completion_reason == CompletionReason.START_FAILED


def test_a_team_that_goes_between_turns_ends_the_next_one() -> None:
    class Leaves(CoroutineTeam):
        async def send(self, turn: ConversationTurn) -> None:
            if turn.message == "one":
                await super().send(turn)
            else:
                self._handler(RuntimeStopped(transport_closed=True))

    output = hold(ask("one", "two", "three"), Leaves("", sleep))
    assert [turn.reason for turn in output.turns] == ["response", "transport_closed", None]


def test_a_message_that_only_informs_is_no_answer() -> None:
    notice = MessageSent(
        agent="@Manager",
        recipient="@Human",
        content="working on it",
        message_type=MessageType.NOTIFICATION,
    )
    output = hold(ask("q"), ScriptedRuntime([[question("q"), notice]]))
    assert (output.final_response, output.completion_reason) == (None, "quiescent")


# What a runtime may get wrong


def test_a_runtime_that_fails_to_start_is_shut_down() -> None:
    async def fail() -> NoReturn:
        msg = "no\n  database"
        raise ConnectionError(msg)

    team = CoroutineTeam("start", fail)
    output = hold(ask("one", "two"), team)
    assert output.completion_reason == CompletionReason.START_FAILED
    assert output.completion_detail == "start raised ConnectionError: no database"
    assert [turn.not_run for turn in output.turns] == [True, True]
    assert team.calls == ["start", "shutdown"]


def test_an_error_at_the_end_loses_no_answer() -> None:
    async def fail() -> NoReturn:
        msg = "still busy"
        raise RuntimeError(msg)

    output = hold(ask("q"), CoroutineTeam("shutdown", fail))
    assert (output.completion_reason, output.final_response) == ("response", "q!")
    assert output.completion_detail == "shutdown raised RuntimeError: still busy"


def test_what_is_no_event_breaks_the_turn() -> None:
    class Chatty(PlainTeam):
        def send(self, turn: ConversationTurn) -> None:
            self._handler({"role": "assistant"})  # pyright: ignore[reportArgumentType]  # the mistake of this test

    output = hold(ask("q"), Chatty())
    assert output.errors == ("the runtime reported no event: {'role': 'assistant'}",)


def test_an_ill_typed_event_does_not_lose_the_case() -> None:
    nothing: str = None  # pyright: ignore[reportAssignmentType]  # a model's answer may be None
    output = hold(ask("q"), ScriptedRuntime([[answer("a"), answer(nothing)]]))
    assert output.human_responses == ("a",)
    assert any("ill-typed" in error for error in output.errors)


def test_ill_typed_attributes_of_a_runtime_do_not_lose_the_case() -> None:
    class Odd(ScriptedRuntime):
        human = 7

        @property
        def source(self) -> str:
            msg = "no name"
            raise KeyError(msg)

        @source.setter
        def source(self, value: str) -> None: ...

    output = hold(ask("q"), Odd([[answer("a")]]))
    assert (output.human, output.provenance.source) == ("7", None)


def test_a_runtime_without_capabilities_does_not_start() -> None:
    class Bare(ScriptedRuntime):
        @property
        def capabilities(self) -> RuntimeCapabilities:
            raise NotImplementedError

    output = hold(ask("q"), Bare(ANSWERS))
    assert output.completion_reason == CompletionReason.START_FAILED


# Factories


def test_a_factory_gets_a_copy_of_the_inputs() -> None:
    inputs = ask("q")

    @contextmanager
    def make(given: CaseInput) -> Generator[TeamRuntime]:
        given.turns.clear()
        yield ScriptedRuntime(ANSWERS)

    output = asyncio.run(run_case_with_factory(inputs, runtime_factory=Factory(make)))
    assert (len(output.turns), len(inputs.turns)) == (1, 1)


def test_a_scripted_factory_makes_its_team_from_the_inputs() -> None:
    factory = ScriptedFactory(lambda inputs: [[answer(inputs.ordered_turns()[0].message.upper())]])
    output = asyncio.run(run_case_with_factory(ask("q"), runtime_factory=factory))
    assert output.final_response == "Q"


def test_a_plain_manager_is_entered_and_left_in_one_thread() -> None:
    threads: list[int] = []

    @contextmanager
    def make(_: CaseInput) -> Generator[TeamRuntime]:
        threads.append(threading.get_ident())
        yield ScriptedRuntime(ANSWERS)
        threads.append(threading.get_ident())

    hold_with(make)
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()


def test_a_context_variable_of_a_plain_manager_holds_for_its_case() -> None:
    place = ContextVar("place", default="outside")
    seen: list[str] = []

    @contextmanager
    def make(_: CaseInput) -> Generator[TeamRuntime]:
        token = place.set("inside")
        yield PlainTeam("send", lambda: seen.append(place.get()))
        place.reset(token)
        seen.append(place.get())

    output = hold_with(make)
    assert (seen, output.completion_detail) == (["inside", "outside"], None)
    assert place.get() == "outside"


def test_an_async_manager_may_hold_a_task_group() -> None:
    running: list[int] = []

    @asynccontextmanager
    async def make(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.sleep_forever)
            running.append(1)
            yield ScriptedRuntime(ANSWERS)
            group.cancel_scope.cancel()
        running.append(2)

    output = hold_with(make)
    assert (running, output.completion_detail) == ([1, 2], None)


def test_a_team_is_shut_down_before_its_factory_is_left() -> None:
    order: list[str] = []

    @asynccontextmanager
    async def make(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
        team = PlainTeam("shutdown", lambda: order.append("shutdown"))
        yield team
        order.append("left")

    hold_with(make)
    assert order == ["shutdown", "left"]


def test_a_factory_that_raises_is_an_error_of_its_case() -> None:
    def make(_: CaseInput) -> NoReturn:
        msg = "no fixture"
        raise FileNotFoundError(msg)

    output = hold_with(make)
    assert output.completion_reason == CompletionReason.START_FAILED
    assert output.errors == ("the runtime factory raised FileNotFoundError: no fixture",)
    assert output.turns[0].not_run


@contextmanager
def fails_plainly(_: CaseInput) -> Generator[TeamRuntime]:
    raise OSError
    yield ScriptedRuntime(ANSWERS)  # pyright: ignore[reportUnreachable]  # makes it a generator


@contextmanager
def enters_for_ever(_: CaseInput) -> Generator[TeamRuntime]:
    sleep_plainly()
    yield ScriptedRuntime(ANSWERS)


@asynccontextmanager
async def enters_async_for_ever(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
    await swallow()
    yield ScriptedRuntime(ANSWERS)  # pyright: ignore[reportUnreachable]  # makes it a generator


@pytest.mark.parametrize("make", [fails_plainly, enters_for_ever, enters_async_for_ever])
def test_a_factory_that_is_not_entered_fails_the_start(
    make: Callable[[CaseInput], Manager],
) -> None:
    output = hold_with(make, seconds=BOUND)
    assert output.completion_reason == CompletionReason.START_FAILED
    assert "the runtime factory" in output.errors[0]
    assert output.turns[0].not_run


@contextmanager
def leaves_for_ever(_: CaseInput) -> Generator[TeamRuntime]:
    yield ScriptedRuntime(ANSWERS)
    sleep_plainly()


@asynccontextmanager
async def leaves_async_for_ever(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
    yield ScriptedRuntime(ANSWERS)
    await swallow()


@pytest.mark.parametrize("make", [leaves_for_ever, leaves_async_for_ever])
def test_a_factory_that_is_not_left_loses_no_answer(make: Callable[[CaseInput], Manager]) -> None:
    output = hold_with(make, seconds=BOUND)
    assert (output.completion_reason, output.final_response) == ("response", "a")
    assert "the runtime factory did not end" in (output.completion_detail or "")


def test_a_plain_manager_entered_too_late_is_left_at_once() -> None:
    begin, left = threading.Event(), threading.Event()

    @contextmanager
    def make(_: CaseInput) -> Generator[TeamRuntime]:
        begin.wait()
        yield ScriptedRuntime(ANSWERS)
        left.set()

    hold_with(make, seconds=BOUND)
    begin.set()
    assert left.wait(1)


def test_an_async_manager_entered_too_late_is_left_at_once() -> None:
    left: list[bool] = []

    @asynccontextmanager
    async def make(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            yield ScriptedRuntime(ANSWERS)
            left.append(True)

    output = hold_with(make, seconds=BOUND)
    assert (output.completion_reason, left) == (CompletionReason.START_FAILED, [True])


def test_a_factory_is_left_though_its_team_was_abandoned() -> None:
    left: list[str] = []

    @asynccontextmanager
    async def make(_: CaseInput) -> AsyncGenerator[TeamRuntime]:
        yield CoroutineTeam("send", swallow)
        left.append("async")

    @contextmanager
    def make_plainly(_: CaseInput) -> Generator[TeamRuntime]:
        yield CoroutineTeam("send", swallow)
        left.append("plain")

    outputs = [hold_with(make, seconds=BOUND), hold_with(make_plainly, seconds=BOUND)]
    assert [output.completion_reason for output in outputs] == ["timeout", "timeout"]
    assert left == ["async", "plain"]


def test_the_deadline_holds_for_the_factory_too() -> None:
    inputs = ask("q", deadline=BOUND)
    factory = Factory(enters_for_ever)
    output = asyncio.run(run_case_with_factory(inputs, runtime_factory=factory))
    assert output.completion_reason == CompletionReason.DEADLINE


def test_no_turn_is_begun_after_the_deadline() -> None:
    script = [[Wait(seconds=0.15), answer("1")], [answer("2")]]

    class Lingers(ScriptedRuntime):
        async def settled(self) -> None:
            await asyncio.sleep(0.2)

    inputs = ask("one", "two", deadline=0.2)
    output = hold(inputs, Lingers(script))
    assert output.completion_reason in {CompletionReason.RESPONSE, CompletionReason.DEADLINE}
    assert [turn.not_run for turn in output.turns] == [False, True]


# Heard from any thread


def test_events_from_many_threads_are_all_heard() -> None:
    class Choir(PlainTeam):
        def send(self, turn: ConversationTurn) -> None:
            singers = [threading.Thread(target=self._sing, args=(name,)) for name in "abcd"]
            for singer in singers:
                singer.start()
            for singer in singers:
                singer.join()
            self._handler(answer("done"))

        def _sing(self, name: str) -> None:
            for number in range(500):
                self._handler(MessageSent(agent=name, recipient="all", content=str(number)))

    output = hold(ask("q"), Choir())
    assert len(output.messages) == 2001
    for name in "abcd":
        sung = [message.content for message in output.messages if message.sender == name]
        assert sung == [str(number) for number in range(500)]


def test_an_event_after_the_case_is_kept_by_nobody() -> None:
    handlers: list[EventHandler] = []

    class Leaks(PlainTeam):
        def start(self, event_handler: EventHandler) -> None:
            super().start(event_handler)
            handlers.append(event_handler)

    output = hold(ask("q"), Leaks())
    handlers[0](answer("too late"))
    assert output.human_responses == ("q!",)
