"""The steps of one case, where the runtime decides how they go."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any, NoReturn, cast

import pytest

from audition.completion import CompletionPolicy, MessageResponse, ResponseThenQuiet
from audition.conversation import PolicyFactory
from audition.events import AgentFailed, CompletionReason, MessageSent, RuntimeStopped
from audition.output import RuntimeCapabilities
from audition.run_case import run_case
from audition.runtimes.scripted import ScriptedRuntime, Wait
from audition.testing import answer
from tests.teams import PlainTeam, ask, hold


class NeverSettled(ScriptedRuntime):
    """Says what it has to say, and never proves that it is quiet."""

    async def settled(self) -> None:
        await asyncio.sleep(3600)


class SettlesLate(ScriptedRuntime):
    """Reports the last of a turn only while it settles."""

    async def settled(self) -> None:
        await asyncio.sleep(0.03)
        if self._handler is not None:
            self._handler(answer("the last of it"))


class SettlesBadly(ScriptedRuntime):
    """Cannot prove that it is quiet."""

    async def settled(self) -> None:
        msg = "lost count"
        raise ArithmeticError(msg)


def test_proven_quiet_without_an_answer_is_quiet() -> None:
    assert hold(ask("q"), ScriptedRuntime([[]])).completion_reason == CompletionReason.QUIESCENT


def test_a_proof_of_quiet_brings_in_the_last_events() -> None:
    output = hold(ask("q"), SettlesLate([[answer("first")]]))
    assert output.human_responses == ("first", "the last of it")


def test_an_answer_without_the_proof_of_quiet_is_kept_but_ends_nothing() -> None:
    output = hold(ask("q", seconds=0.1), NeverSettled([[answer("a")]]))
    assert (output.completion_reason, output.final_response) == (CompletionReason.TIMEOUT, "a")


def test_a_failure_ends_a_turn_that_is_never_quiet() -> None:
    output = hold(ask("q"), NeverSettled([[AgentFailed(agent="@K", error="no")]]))
    assert (output.completion_reason, output.errors) == (CompletionReason.ERROR, ("@K: no",))


def test_a_stop_ends_a_turn_that_is_never_quiet_at_once() -> None:
    output = hold(ask("q"), NeverSettled([[RuntimeStopped()]]))
    assert output.completion_reason == CompletionReason.RUNTIME_STOPPED


def test_a_proof_that_fails_is_an_error_of_its_turn() -> None:
    output = hold(ask("q"), SettlesBadly([[answer("a")]]))
    assert output.completion_detail is not None
    assert output.completion_detail.startswith(
        "settled raised ArithmeticError: lost count (test_conversation.py:"
    )


def test_a_timeout_says_what_is_still_waited_for() -> None:
    output = hold(ask("q", seconds=0.1), NeverSettled([[]]))
    assert output.completion_detail == (
        "not over within 0.1 s; still waiting for proof that the team is quiet; a first message"
    )


def test_a_timeout_says_what_is_still_open() -> None:
    asked = MessageSent(agent="@M", recipient="@K", content="x", message_id="1")
    case = run_case(ask("q", seconds=0.1), NeverSettled([[asked]]), policy=ResponseThenQuiet)
    assert asyncio.run(case).completion_detail == (
        "not over within 0.1 s; still waiting for 1 open: a message to @K"
    )


@pytest.mark.parametrize(
    ("seconds", "deadline", "reason"),
    [(0.1, None, CompletionReason.TIMEOUT), (5.0, 0.1, CompletionReason.DEADLINE)],
)
def test_the_shorter_bound_is_the_reason(
    seconds: float, deadline: float | None, reason: CompletionReason
) -> None:
    inputs = ask("q", seconds=seconds, deadline=deadline)
    output = hold(inputs, ScriptedRuntime([[Wait(seconds=60)]]))
    assert output.completion_reason == reason


def test_a_runtime_may_choose_when_its_turns_are_over() -> None:
    class Chooses(PlainTeam):
        def completion_policy(self) -> CompletionPolicy:
            return MessageResponse(count=2)

    output = hold(ask("q", seconds=0.1), Chooses())
    assert (output.completion_reason, output.final_response) == (CompletionReason.TIMEOUT, "q!")
    assert "1 more answer(s) to @Human" in (output.completion_detail or "")


def test_a_runtime_that_sees_quiet_is_waited_for_until_it_is() -> None:
    class Sees(PlainTeam):
        def __init__(self) -> None:
            super().__init__()
            self.capabilities = RuntimeCapabilities(actor_quiescence=True)

    assert hold(ask("q"), Sees()).completion_reason == CompletionReason.RESPONSE


def test_the_source_is_kept() -> None:
    output = hold(ask("q"), ScriptedRuntime([[answer("a")]], source="a play"))
    assert output.provenance.source == "a play"


def test_rules_of_the_inputs_go_into_the_output() -> None:
    inputs = ask("q").model_copy(update={"tool_rules": ()})
    assert asyncio.run(run_case(inputs, ScriptedRuntime([[answer("a")]]))).tool_rules == ()


class BrokenPolicy(MessageResponse):
    """Raises, or says what is no reason, in one of its methods."""

    def __init__(self, method: str, says: object = None) -> None:
        super().__init__()
        self._says = says
        setattr(self, method, self._break)

    def _break(self, *_: object) -> object:
        if self._says is None:
            raise ZeroDivisionError
        return self._says


@pytest.mark.parametrize("method", ["begin_turn", "feed", "quiet", "reason"])
def test_a_policy_that_raises_ends_the_case_with_an_error(method: str) -> None:
    runtime = ScriptedRuntime([[answer("a")]])
    case = run_case(ask("q", "r"), runtime, policy=lambda: BrokenPolicy(method))
    output = asyncio.run(case)
    assert output.completion_reason == CompletionReason.ERROR
    assert output.errors == ("the completion policy raised ZeroDivisionError()",)
    assert (len(runtime.sent), runtime.shutdowns) == (1, 1)


def test_a_policy_that_cannot_say_what_it_waits_for_loses_no_case() -> None:
    case = run_case(
        ask("q", seconds=0.1), NeverSettled([[]]), policy=lambda: BrokenPolicy("waiting_for")
    )
    assert asyncio.run(case).completion_reason == CompletionReason.TIMEOUT


def test_a_policy_that_gives_no_reason_of_ours_ends_the_case_with_an_error() -> None:
    case = run_case(
        ask("q"), ScriptedRuntime([[]]), policy=lambda: BrokenPolicy("reason", "because")
    )
    output = asyncio.run(case)
    assert output.completion_reason == CompletionReason.ERROR
    assert output.errors == ("the completion policy gave 'because' as a reason",)


def exits() -> NoReturn:
    sys.exit("no")


def breaks() -> NoReturn:
    raise ZeroDivisionError


class BrokenTeam(PlainTeam):
    """Breaks when it is asked for something that it is, or what decides when it is done."""

    def __init__(self, name: str, what: Callable[[], NoReturn]) -> None:
        super().__init__()
        self._name = name
        self._breaks = what

    def __getattribute__(self, name: str) -> Any:
        if name == object.__getattribute__(self, "__dict__").get("_name"):
            object.__getattribute__(self, "_breaks")()
        return super().__getattribute__(name)


@pytest.mark.parametrize("what", [breaks, exits])
@pytest.mark.parametrize("name", ["capabilities", "human", "completion_policy"])
def test_a_runtime_that_breaks_when_it_is_asked_does_not_start(
    name: str, what: Callable[[], NoReturn]
) -> None:
    output = hold(ask("q"), BrokenTeam(name, what))
    assert output.completion_reason == CompletionReason.START_FAILED
    assert len(output.errors) == 1


class Misspelt:
    """Has what every runtime has but the end, whose name is misspelt."""

    capabilities = RuntimeCapabilities()

    def __init__(self) -> None:
        self.calls: list[str] = []

    def start(self, _handler: object) -> None:
        self.calls.append("start")

    def send(self, _turn: object) -> None:
        self.calls.append("send")

    def shutdwon(self) -> None:
        self.calls.append("shutdwon")


def test_a_runtime_that_lacks_a_method_is_not_started() -> None:
    team = Misspelt()
    output = hold(ask("q"), cast("Any", team))
    told = "the runtime, Misspelt, has no `shutdown`; see audition.runtime.TeamRuntime"
    assert (output.completion_reason, output.completion_detail) == ("start_failed", told)
    assert team.calls == []


def test_everything_that_a_runtime_lacks_is_told_at_once() -> None:
    output = hold(ask("q"), cast("Any", object()))
    assert str(output.completion_detail).startswith(
        "the runtime, object, has no `start`, `send`, `shutdown`, `capabilities`;"
    )


def test_a_runtime_that_declares_no_capabilities_of_ours_does_not_start() -> None:
    class Declares(PlainTeam):
        def __init__(self) -> None:
            super().__init__()
            self.capabilities = cast("RuntimeCapabilities", "all of them")

    output = hold(ask("q"), Declares())
    assert output.completion_reason == CompletionReason.START_FAILED
    assert "found 'all of them'" in (output.completion_detail or "")


@pytest.mark.parametrize("policy", [None, MessageResponse, ResponseThenQuiet])
def test_a_team_that_answers_and_goes_home_has_held_its_turn(policy: PolicyFactory | None) -> None:
    runtime = ScriptedRuntime([[answer("a"), RuntimeStopped(detail="home")]])
    output = asyncio.run(run_case(ask("q", "r"), runtime, policy=policy))
    assert [(turn.reason, turn.not_run) for turn in output.turns] == [
        (CompletionReason.RESPONSE, False),
        (None, True),
    ]
    assert output.completion_reason == CompletionReason.RUNTIME_STOPPED
    assert output.completion_detail == "the team was gone before turn 1"
