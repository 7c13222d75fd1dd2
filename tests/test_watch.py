"""What is heard from any thread, and the waiting for it."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn, cast

import pytest

from audition.collector import Collector
from audition.completion import MessageResponse
from audition.events import (
    AgentFailed,
    AgentStarted,
    CompletionReason,
    Event,
    MessageSent,
    ModelResponded,
    RuntimeStopped,
    TurnStarted,
)
from audition.output import CaseOutput
from audition.testing import answer
from audition.watch import ERROR_GRACE_SECONDS, Watch

BEGIN = TurnStarted(turn=0, message="q")


def listening(
    case: Callable[[Watch], Awaitable[object]], *, settle: float = 0.0, max_events: int = 99
) -> object:
    """Run something with a watch whose first turn has begun."""

    async def run() -> object:
        watch = Watch(Collector(max_events=max_events), MessageResponse(settle_seconds=settle))
        watch.begin_turn(BEGIN)
        return await case(watch)

    return asyncio.run(run())


def reason_after(*events: Event, max_events: int = 99) -> object:
    async def case(watch: Watch) -> object:
        for event in events:
            watch.hear(event)
        return watch.over()

    return listening(case, max_events=max_events)


def test_why_a_turn_is_over() -> None:
    assert reason_after() is None
    assert reason_after(answer("a")) == CompletionReason.RESPONSE
    assert reason_after(AgentFailed(error="x")) == CompletionReason.ERROR
    assert reason_after(RuntimeStopped()) == CompletionReason.RUNTIME_STOPPED
    assert reason_after(answer("a"), RuntimeStopped()) == CompletionReason.RESPONSE
    assert reason_after(AgentFailed(error="x"), answer("a"), RuntimeStopped()) == (
        CompletionReason.RUNTIME_STOPPED
    )
    closed = RuntimeStopped(transport_closed=True)
    assert reason_after(answer("a"), closed) == CompletionReason.TRANSPORT_CLOSED


def test_a_case_beyond_its_bound_is_over() -> None:
    assert reason_after(answer("a"), answer("b"), max_events=2) == CompletionReason.ERROR


def test_an_event_from_another_thread_wakes_the_waiter() -> None:
    async def case(watch: Watch) -> object:
        threading.Timer(0.02, watch.hear, [answer("a")]).start()
        return await asyncio.wait_for(watch.until_over(), 1)

    assert listening(case) == CompletionReason.RESPONSE


def test_an_event_on_the_loop_wakes_the_waiter() -> None:
    async def case(watch: Watch) -> object:
        asyncio.get_running_loop().call_later(0.02, watch.hear, answer("a"))
        return await asyncio.wait_for(watch.until_over(), 1)

    assert listening(case) == CompletionReason.RESPONSE


def test_a_turn_settles_when_nothing_new_comes() -> None:
    async def case(watch: Watch) -> object:
        loop = asyncio.get_running_loop()
        watch.hear(answer("a"))
        for delay in (0.05, 0.1):
            loop.call_later(delay, watch.hear, answer("more"))
        began = loop.time()
        assert await watch.until_settled() == CompletionReason.RESPONSE
        return loop.time() - began

    waited = listening(case, settle=0.08)
    assert isinstance(waited, float)
    assert 0.17 < waited < 1


def test_a_team_that_is_gone_need_not_settle() -> None:
    async def case(watch: Watch) -> object:
        watch.hear(RuntimeStopped())
        return await asyncio.wait_for(watch.until_settled(), 1)

    assert listening(case, settle=60) == CompletionReason.RUNTIME_STOPPED


def test_a_team_may_speak_longer_after_a_failure() -> None:
    async def case(watch: Watch) -> object:
        before = watch.grace_seconds()
        watch.hear(AgentFailed(error="x"))
        return before, watch.grace_seconds()

    assert listening(case, settle=0.2) == (0.2, ERROR_GRACE_SECONDS)


def test_a_new_turn_begins_without_the_failures_of_the_last() -> None:
    async def case(watch: Watch) -> object:
        watch.hear(AgentFailed(error="x"))
        watch.begin_turn(TurnStarted(turn=1, message="r"))
        return watch.over()

    assert listening(case) is None


def test_proven_quiet_is_told_to_the_policy() -> None:
    async def case(watch: Watch) -> object:
        watch.quiet()
        return watch.over()

    assert listening(case) == CompletionReason.QUIESCENT


def test_after_the_output_nothing_is_heard() -> None:
    async def case(watch: Watch) -> object:
        watch.output()
        watch.hear(answer("late"))
        return watch.output().human_responses

    assert listening(case) == ()


def test_an_event_after_the_loop_is_closed_raises_nothing() -> None:
    kept: list[Watch] = []

    async def case(watch: Watch) -> object:
        kept.append(watch)
        return None

    listening(case)
    kept[0].hear(answer("late"))
    assert kept[0].over() == CompletionReason.RESPONSE


class BrokenAt(MessageResponse):
    """Raises in one of its methods."""

    def __init__(self, method: str) -> None:
        super().__init__()
        setattr(self, method, self._break)

    def _break(self, *_: object) -> NoReturn:
        raise ZeroDivisionError


@pytest.mark.parametrize("method", ["begin_turn", "feed", "reason"])
def test_a_policy_that_raises_breaks_the_turn_and_not_the_agent(method: str) -> None:
    async def case() -> Watch:
        watch = Watch(Collector(), BrokenAt(method))
        watch.begin_turn(BEGIN)
        watch.hear(answer("a"))
        return watch

    watch = asyncio.run(case())
    assert watch.over() == CompletionReason.ERROR
    assert watch.output().errors == ("the completion policy raised ZeroDivisionError()",)


def test_what_is_no_event_is_counted_as_lost_and_breaks_the_turn() -> None:
    bad: list[Any] = [
        "hello",
        RuntimeStopped.__new__(RuntimeStopped),
        MessageSent(content="x", message_id=["m"]),  # pyright: ignore[reportArgumentType]  # the mistake of this test
        MessageSent(content="x", cause_id={}),  # pyright: ignore[reportArgumentType]  # the mistake of this test
        ModelResponded(run_id=[]),  # pyright: ignore[reportArgumentType]  # the mistake of this test
    ]

    async def case(watch: Watch) -> CaseOutput:
        for event in bad:
            watch.hear(event)
        return watch.output()

    made = cast("CaseOutput", listening(case))
    assert made.dropped_events == len(bad)
    assert len(made.errors) == len(bad)
    assert reason_after(*bad) == CompletionReason.ERROR


def test_only_run_case_marks_turns() -> None:
    async def case(watch: Watch) -> CaseOutput:
        watch.hear(TurnStarted(turn=7, message="mine"))
        watch.hear(answer("a"))
        return watch.output()

    made = cast("CaseOutput", listening(case))
    assert [turn.message for turn in made.turns] == ["q"]
    assert "turns are marked by run_case" in made.errors[0]


def test_a_policy_may_report_from_inside() -> None:
    async def case() -> Watch:
        policy = MessageResponse()
        watch = Watch(Collector(), policy)
        asks = policy.feed

        def feed(turn: int | None, event: Event) -> None:
            if isinstance(event, AgentStarted):
                watch.hear(answer("from inside"))
            asks(turn, event)

        policy.feed = feed
        watch.begin_turn(BEGIN)
        watch.hear(AgentStarted(agent="@K"))
        return watch

    assert asyncio.run(case()).over() == CompletionReason.RESPONSE


def test_a_turn_without_an_event_settles_from_its_begin() -> None:
    class Idle(MessageResponse):
        def reason(self) -> CompletionReason:
            return CompletionReason.QUIESCENT

    async def case() -> float:
        watch = Watch(Collector(), Idle(settle_seconds=0.3))
        await asyncio.sleep(0.3)
        watch.begin_turn(TurnStarted(turn=0, message="q"))
        began = time.monotonic()
        await watch.until_settled()
        return time.monotonic() - began

    assert asyncio.run(case()) > 0.25
