"""The lifecycle of one case: factories, bounds that are the application's, cancellation."""

import asyncio
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

import pytest

from audition.collector import collect
from audition.completion import MessageResponse
from audition.events import (
    AgentFailed,
    CompletionReason,
    Event,
    EventHandler,
    MessageSent,
    MessageType,
    RuntimeStopped,
)
from audition.inputs import CaseInput, ConversationTurn
from audition.output import CaseOutput, RuntimeCapabilities
from audition.recording import Recorder, read_recording
from audition.run_case import run_case, run_case_with_factory
from audition.runtimes.scripted import ScriptedRuntime, Step
from audition.testing import answer, question
from tests.teams import CoroutineTeam, PlainTeam, ask, hold, sleep

BOUND = 0.12
ANSWERS: Sequence[Sequence[Step]] = [[answer("a")]]

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


def test_no_turn_is_begun_after_the_deadline() -> None:
    never_settled = MessageResponse(settle_seconds=60)
    case = run_case(ask("one", "two", deadline=0.1), PlainTeam(), policy=lambda: never_settled)
    output = asyncio.run(case)
    assert output.completion_reason == CompletionReason.DEADLINE
    assert output.completion_detail == "no time was left for turn 1"
    assert [turn.not_run for turn in output.turns] == [False, True]


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


def told(output: CaseOutput) -> str:
    """Return the detail without the numbers of the lines."""
    return re.sub(r":\d+\)", ")", output.completion_detail or "")


def test_a_runtime_that_fails_to_start_is_shut_down() -> None:
    async def fail() -> NoReturn:
        msg = "no\n  database"
        raise ConnectionError(msg)

    team = CoroutineTeam("start", fail)
    output = hold(ask("one", "two"), team)
    assert output.completion_reason == CompletionReason.START_FAILED
    assert told(output) == "start raised ConnectionError: no database (test_run_case.py)"
    assert [turn.not_run for turn in output.turns] == [True, True]
    assert team.calls == ["start", "shutdown"]


def test_an_error_at_the_end_loses_no_answer() -> None:
    async def fail() -> NoReturn:
        msg = "still busy"
        raise RuntimeError(msg)

    output = hold(ask("q"), CoroutineTeam("shutdown", fail))
    assert (output.completion_reason, output.final_response) == ("response", "q!")
    assert told(output) == "shutdown raised RuntimeError: still busy (test_run_case.py)"


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


# Who listens along


def test_a_live_case_can_be_recorded_and_told_again(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        case = run_case(
            ask("one", "two"),
            ScriptedRuntime([[answer("a")], [answer("b")]]),
            on_event=Recorder(stream),
        )
        live = asyncio.run(case)
    events = read_recording(path).events
    kinds = [event.kind for event in events]
    assert kinds == ["turn_started", "message_sent", "turn_finished"] * 2
    assert collect(events).turns == live.turns


def test_a_listener_that_raises_is_a_note_and_given_no_more() -> None:
    heard: list[Event] = []

    def listen(event: Event) -> None:
        heard.append(event)
        raise OSError(28, "No space left on device")

    case = run_case(ask("q"), ScriptedRuntime(ANSWERS), on_event=listen)
    output = asyncio.run(case)
    assert (output.final_response, len(heard)) == ("a", 1)
    assert told(output) == (
        "on_event raised OSError: [Errno 28] No space left on device (test_run_case.py)"
    )


def test_a_factory_that_breaks_when_it_is_called_is_told_of_and_heard() -> None:
    class Breaks:
        def runtime(self, inputs: CaseInput) -> NoReturn:
            raise ZeroDivisionError

    heard: list[Event] = []
    case = run_case_with_factory(ask("q"), runtime_factory=Breaks(), on_event=heard.append)
    output = asyncio.run(case)
    assert output.completion_reason == CompletionReason.START_FAILED
    assert [event.kind for event in heard] == ["agent_failed"]


@pytest.mark.parametrize("bad", [object(), None, 7])
def test_what_is_no_runtime_fails_to_start(bad: Any) -> None:
    output = hold(ask("q"), bad)
    assert output.completion_reason == CompletionReason.START_FAILED
    assert "capabilities" in told(output)
    made = asyncio.run(run_case_with_factory(ask("q"), runtime_factory=bad))
    assert made.completion_reason == CompletionReason.START_FAILED


class Unnamed(PlainTeam):
    """Cannot say where its evidence comes from."""

    @property
    def source(self) -> str:
        return cast("str", Unspeakable())


class Unspeakable:
    def __str__(self) -> str:
        raise KeyError(self)


def test_a_source_that_cannot_be_told_loses_no_answer() -> None:
    output = hold(ask("q"), Unnamed())
    assert (output.final_response, output.provenance.source) == ("q!", None)


@pytest.mark.parametrize("error", [SystemExit(2), asyncio.CancelledError()])
def test_a_listener_that_wants_to_end_the_process_loses_no_answer(error: BaseException) -> None:
    def listen(_: Event) -> None:
        raise error

    output = asyncio.run(run_case(ask("q"), ScriptedRuntime(ANSWERS), on_event=listen))
    assert output.final_response == "a"
    assert "on_event raised" in told(output)
