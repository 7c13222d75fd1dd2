"""One suite that holds for every runtime: ours, and two of the tests."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from audition.completion import MessageResponse
from audition.events import CompletionReason
from audition.run_case import run_case
from tests.teams import KINDS, CountedTeam, Says, ask, hold

type Make = Callable[[Sequence[Says]], CountedTeam]

CAN_BE_SILENT = sorted(KINDS.keys() - {"replay"})


@pytest.fixture(params=KINDS.values(), ids=list(KINDS))
def make(request: pytest.FixtureRequest) -> Make:
    return request.param


@pytest.fixture(params=CAN_BE_SILENT)
def make_silent(request: pytest.FixtureRequest) -> Make:
    return KINDS[request.param]


def test_turns_are_answered_in_order(make: Make) -> None:
    output = hold(ask("who?", "when?", "where?"), make(["Ada", "1843", "London"]))
    assert [(turn.message, turn.answer) for turn in output.turns] == [
        ("who?", "Ada"),
        ("when?", "1843"),
        ("where?", "London"),
    ]
    assert output.human_responses == ("Ada", "1843", "London")
    assert (output.final_response, output.completed) == ("London", True)


def test_thirty_turns_are_held_one_after_the_other(make: Make) -> None:
    says = [f"answer {number}" for number in range(30)]
    inputs = ask(*(f"question {number}" for number in range(30)))
    at_once = MessageResponse(settle_seconds=0)
    output = asyncio.run(run_case(inputs, make(says), policy=lambda: at_once))
    assert [turn.responses for turn in output.turns] == [(said,) for said in says]


def test_every_turn_says_why_it_ended_and_how_long_it_took(make: Make) -> None:
    output = hold(ask("who?"), make(["Ada"]))
    (turn,) = output.turns
    assert turn.reason == CompletionReason.RESPONSE
    assert turn.seconds is not None
    assert 0 <= turn.seconds < 2


def test_messages_are_kept_as_evidence(make: Make) -> None:
    output = hold(ask("who?"), make(["Ada"]))
    answer = output.messages[-1]
    assert (answer.recipient, answer.content, answer.turn) == ("@Human", "Ada", 0)


def test_empty_answers_are_no_answers(make_silent: Make) -> None:
    output = hold(ask("who?", seconds=0.15), make_silent([" \n"]))
    assert (output.final_response, output.human_responses) == (None, ())
    assert output.completion_reason in {CompletionReason.QUIESCENT, CompletionReason.TIMEOUT}


def test_the_team_is_shut_down_exactly_once(make: Make) -> None:
    team = make(["Ada"])
    hold(ask("who?"), team)
    assert team.calls.count("shutdown") == 1


def test_after_an_error_the_other_turns_are_not_run(make: Make) -> None:
    team = make(["Ada", ValueError("no dates"), "London"])
    output = hold(ask("who?", "when?", "where?"), team)
    assert output.completion_reason == CompletionReason.ERROR
    assert [turn.not_run for turn in output.turns] == [False, False, True]
    assert "no dates" in output.errors[0]
    assert team.calls.count("shutdown") == 1


def test_after_a_timeout_the_other_turns_are_not_run(make_silent: Make) -> None:
    team = make_silent(["Ada", None, "London"])
    output = hold(ask("who?", "when?", "where?", seconds=0.15), team)
    assert output.completion_reason == CompletionReason.TIMEOUT
    assert [turn.not_run for turn in output.turns] == [False, False, True]
    assert output.final_response is None
    assert team.calls.count("shutdown") == 1


def test_the_last_turn_that_is_never_answered_loses_no_other(make_silent: Make) -> None:
    output = hold(ask("first", "second", "third", seconds=0.15), make_silent(["1", "2", None]))
    reasons = [turn.reason for turn in output.turns]
    assert reasons == ["response", "response", "timeout"]
    assert output.human_responses == ("1", "2")


def test_the_deadline_holds_for_all_turns_together(make_silent: Make) -> None:
    team = make_silent(["Ada", None, "London"])
    output = hold(ask("who?", "when?", "where?", deadline=0.2), team)
    assert output.completion_reason == CompletionReason.DEADLINE
    assert [turn.not_run for turn in output.turns] == [False, False, True]
    assert team.calls.count("shutdown") == 1


def test_the_declared_capabilities_are_kept(make: Make) -> None:
    team = make(["Ada"])
    assert hold(ask("who?"), team).capabilities == team.capabilities


def test_the_inputs_are_copied(make: Make) -> None:
    inputs = ask("who?", "when?")

    async def case() -> int:
        running = asyncio.ensure_future(run_case(inputs, make(["Ada", "1843"])))
        await asyncio.sleep(0)
        inputs.turns.clear()
        return len((await running).turns)

    assert asyncio.run(case()) == 2


def test_cancelling_shuts_the_team_down(make_silent: Make) -> None:
    team = make_silent([None])

    async def case() -> None:
        running = asyncio.ensure_future(run_case(ask("who?"), team))
        await asyncio.sleep(0.05)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(case())
    assert team.calls.count("shutdown") == 1
