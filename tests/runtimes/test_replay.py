"""A recording told again comes to the output that it came to when it was recorded."""

import asyncio

import pytest

from audition.collector import collect
from audition.events import (
    AgentFailed,
    AgentStarted,
    CompletionReason,
    Event,
    RuntimeStopped,
    StateChanged,
    TurnFinished,
    TurnStarted,
)
from audition.inputs import ConversationTurn
from audition.output import CaseOutput, RuntimeCapabilities
from audition.runtimes.replay import ReplayRuntime, recorded_inputs
from audition.testing import answer, question, tool_use, turn
from tests.teams import ask, hold

UNTIMED = {"turns": {"__all__": {"seconds", "detail"}}, "completion_detail": True}


def told_again(events: list[Event]) -> CaseOutput:
    return hold(recorded_inputs(events), ReplayRuntime(events))


@pytest.mark.parametrize(
    "events",
    [
        [AgentStarted(agent="@Manager"), *turn("q", [question("q"), answer("a")])],
        [*turn("q", [*tool_use("@K", "search", {"n": 1}), answer("a")])],
        [*turn("q", [answer("a")]), *turn("r", [answer("b")], number=1)],
        [*turn("q", [], reason=CompletionReason.QUIESCENT)],
        [*turn("q", [question("q")], reason=CompletionReason.TIMEOUT)],
        [*turn("q", [AgentFailed(agent="@K", error="no")], reason=CompletionReason.ERROR)],
        [*turn("q", [RuntimeStopped()], reason=CompletionReason.RUNTIME_STOPPED)],
        [
            StateChanged(agent="system", changes={"a": 1}),
            *turn("q", [answer("a"), StateChanged(agent="@K", changes={"b": [2]})]),
        ],
    ],
    ids=["one", "tools", "two turns", "quiet", "timed out", "failed", "stopped", "state"],
)
def test_a_replay_gives_the_output_of_its_recording_but_for_the_times(events: list[Event]) -> None:
    recorded = collect(events, source="replay")
    replayed = told_again(events)
    assert replayed.model_dump(exclude=UNTIMED) == recorded.model_dump(exclude=UNTIMED)


def test_a_recording_that_ends_inside_a_turn_is_told_as_one() -> None:
    output = told_again([TurnStarted(turn=0, message="q"), answer("a")])
    assert (output.completion_reason, output.final_response) == ("runtime_stopped", "a")


def test_a_replay_declares_what_the_recorded_runtime_declared() -> None:
    declared = RuntimeCapabilities(isolated_execution=True)
    runtime = ReplayRuntime(turn("q", [answer("a")]), capabilities=declared)
    assert hold(ask("q"), runtime).capabilities == declared


def test_the_human_may_have_another_name() -> None:
    events = turn("q", [question("q"), answer("a")])
    output = hold(ask("q"), ReplayRuntime(events, human="@Manager"))
    assert (output.human, output.human_responses) == ("@Manager", ("q",))


def test_a_turn_beyond_the_recording_is_silent() -> None:
    output = hold(ask("q", "r"), ReplayRuntime(turn("q", [answer("a")])))
    assert [turn.reason for turn in output.turns] == ["response", "quiescent"]


def test_the_turns_are_those_of_the_recording() -> None:
    events = [TurnStarted(turn=0, message="q", target="@K"), TurnStarted(turn=1, message="r")]
    assert recorded_inputs(events).turns == [
        ConversationTurn(message="q", target="@K"),
        ConversationTurn(message="r"),
    ]


def test_a_recording_without_a_turn_cannot_be_held() -> None:
    with pytest.raises(ValueError, match="give exactly one of `message` and `turns`"):
        recorded_inputs([answer("a")])


def test_the_marks_of_the_recording_are_not_told() -> None:
    heard: list[Event] = []

    async def tell() -> None:
        runtime = ReplayRuntime(turn("q", [answer("a")]))
        await runtime.send(ConversationTurn(message="before the start"))
        await runtime.start(heard.append)
        await runtime.send(ConversationTurn(message="beyond"))

    asyncio.run(tell())
    assert not any(isinstance(event, TurnStarted | TurnFinished) for event in heard)


def test_a_recorded_turn_waits_for_its_telling() -> None:
    policy = ReplayRuntime([]).completion_policy()
    policy.feed(0, answer("a"))
    assert (policy.reason(), policy.waiting_for()) == (None, "the recording to be told")


def test_what_came_after_a_completed_turn_does_not_answer_it() -> None:
    events = [*turn("q", [answer("a")]), answer("by the way")]
    output = hold(ask("q"), ReplayRuntime(events))
    assert (output.final_response, len(output.messages)) == ("a", 2)
