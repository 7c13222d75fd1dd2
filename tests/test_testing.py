"""The short ways to write events."""

import asyncio

from audition.events import HUMAN, MessageType, ToolOutcome
from audition.run_case import run_case_with_factory
from audition.testing import (
    ScriptedFactory,
    answer,
    message,
    output,
    question,
    tool_call,
    tool_result,
    tool_use,
    turn,
)
from audition.tool_rules import ToolRule
from tests.teams import ask


def test_a_question_is_answered() -> None:
    asked, answered = question("q", to="@K"), answer("a", sender="@K")
    assert (asked.agent, asked.recipient, asked.message_type) == (HUMAN, "@K", "request")
    assert (answered.agent, answered.recipient, answered.message_type) == ("@K", HUMAN, "response")


def test_a_message_is_between_two() -> None:
    sent = message("@M", "@K", "x", message_type=MessageType.INSTRUCTION, at=2)
    assert (sent.agent, sent.recipient, sent.at) == ("@M", "@K", 2)


def test_arguments_are_written_as_canonical_json() -> None:
    call = tool_call("@K", "search", arguments={"q": "é", "a": 1})
    assert (call.arguments_raw, call.arguments) == ('{"a":1,"q":"é"}', {"q": "é", "a": 1})
    assert tool_call("@K", "search").arguments_raw == "{}"


def test_a_result_has_its_structure() -> None:
    returned, evidence = tool_result("@K", "s", {"n": 1}, outcome=ToolOutcome.REJECTED)
    assert getattr(returned, "outcome", None) == ToolOutcome.REJECTED
    assert getattr(evidence, "structure", None) == {"n": 1}


def test_two_uses_of_a_tool_are_two_invocations() -> None:
    made = output(*tool_use("@K", "s", "one"), *tool_use("@K", "s", "two"))
    assert [invocation.content for invocation in made.tool_invocations()] == ["one", "two"]


def test_an_output_is_one_turn_of_an_isolated_team() -> None:
    rule = ToolRule(tool_name="s", contains="error")
    made = output(answer("a"), asked="Who?", tool_rules=[rule])
    assert (made.turns[0].message, made.final_response, made.completed) == ("Who?", "a", True)
    assert made.tool_rules == (rule,)


def test_a_turn_has_its_marks() -> None:
    kinds = [event.kind for event in turn("q", [answer("a")], number=2)]
    assert kinds == ["turn_started", "message_sent", "turn_finished"]


def test_a_factory_makes_a_scripted_team_for_every_case() -> None:
    factory = ScriptedFactory(lambda inputs: [[answer(each.message)] for each in inputs.turns])
    made = asyncio.run(run_case_with_factory(ask("a", "b"), runtime_factory=factory))
    assert made.human_responses == ("a", "b")
