"""Values of one turn in the messages of later ones, in live conversations."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import ValidationError

from audition.captures import Capture
from audition.events import CompletionReason, ToolOutcome
from audition.inputs import CaseInput, ConversationTurn
from audition.output import CaseOutput
from audition.run_case import run_case
from audition.runtimes.scripted import ScriptedRuntime, Step
from audition.testing import answer, tool_use

BOOKED = Capture(regex="BK-[0-9]+")


def hold(script: Sequence[Sequence[Step]], *turns: ConversationTurn) -> CaseOutput:
    return asyncio.run(run_case(CaseInput(turns=list(turns)), ScriptedRuntime(script)))


def book(**capture: Any) -> ConversationTurn:
    return ConversationTurn(message="Book a berth.", capture={"booking": Capture(**capture)})


CANCEL = ConversationTurn(message="Cancel {{booking}}.")


def test_a_value_of_the_answer_goes_into_the_next_message() -> None:
    script = [[answer("Booked: BK-12."), answer("It is BK-34.")], [answer("Gone.")]]
    output = hold(script, book(regex="BK-[0-9]+"), CANCEL)
    assert [turn.message for turn in output.turns] == ["Book a berth.", "Cancel BK-34."]
    assert (output.captured, output.completed) == ({"booking": "BK-34"}, True)
    assert not output.contaminated


def test_a_value_of_a_tool_is_that_of_its_last_call_that_ended_well() -> None:
    script = [
        [
            *tool_use("@Desk", "book", {"id": 1}),
            *tool_use("@Desk", "book", {"id": 2}),
            *tool_use("@Desk", "book", {"id": 3}, outcome=ToolOutcome.TOOL_ERROR),
            *tool_use("@Desk", "other", {"id": 4}),
            answer("Booked."),
        ],
        [answer("Gone.")],
    ]
    output = hold(script, book(tool_name="book", path="$.id"), CANCEL)
    assert output.turns[1].message == "Cancel 2."


@pytest.mark.parametrize("said", [[answer("Sorry, all is full.")], []], ids=["other", "silent"])
def test_without_the_value_the_next_message_is_not_sent(said: list[Step]) -> None:
    output = hold([said, [answer("Gone.")]], book(regex="BK-[0-9]+"), CANCEL)
    assert output.completion_reason is CompletionReason.MISSING_VALUE
    assert output.completion_detail == (
        "turn 0 does not give 'booking', a match of /BK-[0-9]+/ in the answer"
    )
    assert [(turn.message, turn.not_run) for turn in output.turns] == [
        ("Book a berth.", False),
        ("Cancel {{booking}}.", True),
    ]
    assert not output.completed


def test_braces_are_text_where_nothing_is_captured() -> None:
    output = hold([[answer("a")]], CANCEL)
    assert output.turns[0].message == "Cancel {{booking}}."


@pytest.mark.parametrize(
    ("turns", "wrong"),
    [
        ([CANCEL, book(regex="B"), CANCEL], "turn 0 needs 'booking', which no turn before it"),
        ([book(regex="B"), ConversationTurn(message="ok")], "'booking' is captured, and no later"),
    ],
)
def test_values_are_taken_before_they_are_given_and_given(
    turns: list[ConversationTurn], wrong: str
) -> None:
    with pytest.raises(ValidationError, match=wrong):
        CaseInput(turns=turns)
