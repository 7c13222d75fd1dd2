"""The scripted team plays its steps, and nothing beyond them."""

from audition.events import CompletionReason, RuntimeStopped
from audition.inputs import ConversationTurn
from audition.output import RuntimeCapabilities
from audition.runtimes.scripted import Break, ScriptedRuntime, Wait
from audition.testing import answer, question, tool_use
from tests.teams import ask, hold


def test_a_script_is_played_step_by_step() -> None:
    steps = [question("q"), *tool_use("@K", "search", "found"), Wait(seconds=0.01), answer("a")]
    output = hold(ask("q"), ScriptedRuntime([steps]))
    assert [message.content for message in output.messages] == ["q", "a"]
    assert [call.tool_name for call in output.tool_calls] == ["search"]


def test_a_turn_beyond_the_script_is_silent() -> None:
    output = hold(ask("one", "two"), ScriptedRuntime([[answer("1")]]))
    assert [turn.reason for turn in output.turns] == ["response", "quiescent"]


def test_a_break_is_what_send_raises() -> None:
    output = hold(ask("q"), ScriptedRuntime([[Break(error=OSError("no route"))]]))
    assert output.errors == ("send raised OSError: no route",)
    assert output.completion_detail == "send raised OSError: no route"


def test_a_script_tells_what_was_sent() -> None:
    team = ScriptedRuntime([])
    hold(ask("one", "two"), team)
    assert team.sent == [ConversationTurn(message="one"), ConversationTurn(message="two")]
    assert team.shutdowns == 1


def test_a_script_declares_what_it_is_told_to() -> None:
    declared = RuntimeCapabilities(tool_evidence=True)
    team = ScriptedRuntime([[answer("a")]], capabilities=declared, source="a play")
    output = hold(ask("q"), team)
    assert (output.capabilities, output.provenance.source) == (declared, "a play")


def test_a_script_that_was_not_started_tells_nobody() -> None:
    team = ScriptedRuntime([[answer("a")]])
    import asyncio

    asyncio.run(team.send(ConversationTurn(message="q")))
    assert team.sent == [ConversationTurn(message="q")]


def test_a_team_that_stops_ends_the_case() -> None:
    stop = RuntimeStopped(detail="the power failed")
    output = hold(ask("one", "two"), ScriptedRuntime([[answer("1"), stop], [answer("2")]]))
    assert output.completion_reason == CompletionReason.RUNTIME_STOPPED
    assert [turn.not_run for turn in output.turns] == [False, True]
    assert output.errors == ("the power failed",)
