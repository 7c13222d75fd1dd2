"""What a case may give the team."""

from typing import Any

import pytest
from pydantic import ConfigDict, PrivateAttr, ValidationError

from audition.inputs import CaseInput, ConversationTurn


def test_one_message_is_a_conversation_of_one_turn() -> None:
    turns = CaseInput(message="hi", target="@K").ordered_turns()
    assert turns == [ConversationTurn(message="hi", target="@K")]


def test_turns_keep_their_order() -> None:
    turns = [ConversationTurn(message=str(number)) for number in range(30)]
    assert CaseInput(turns=turns).ordered_turns() == turns


def test_an_application_adds_its_environment() -> None:
    class Desk(CaseInput):
        fixture: str

    assert Desk(message="hi", fixture="bookings.json").fixture == "bookings.json"


WRONG: dict[str, dict[str, Any]] = {
    "nothing": {},
    "both": {"message": "a", "turns": [{"message": "b"}]},
    "target beside turns": {"target": "@K", "turns": [{"message": "b"}]},
    "empty message": {"message": ""},
    "blank message": {"message": " \n"},
    "empty target": {"message": "a", "target": ""},
    "unknown field": {"message": "a", "timeout": 3},
    "unknown field of a turn": {"turns": [{"message": "a", "to": "@K"}]},
    "no time": {"message": "a", "timeout_seconds": 0},
    "endless": {"message": "a", "deadline_seconds": float("inf")},
    "more than a day": {"message": "a", "start_seconds": 100_000},
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG)
def test_what_cannot_be_held_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        CaseInput.model_validate(given)


def test_bounds_have_defaults() -> None:
    inputs = CaseInput(message="a")
    assert (inputs.timeout_seconds, inputs.deadline_seconds) == (180, None)
    assert (inputs.start_seconds, inputs.shutdown_seconds) == (60, 10)


def test_a_separate_copy_shares_nothing_that_can_be_changed() -> None:
    class Desk(CaseInput):
        fixtures: dict[str, list[str]]

    inputs = Desk(turns=[ConversationTurn(message="hi")], fixtures={"pages": ["one"]})
    copied = inputs.separate()
    assert copied == inputs
    copied.turns.clear()
    copied.fixtures["pages"].append("two")
    copied.timeout_seconds = 1
    assert (len(inputs.turns), inputs.fixtures, inputs.timeout_seconds) == (
        1,
        {"pages": ["one"]},
        180,
    )


def test_private_state_of_an_application_is_copied_as_well() -> None:
    class Desk(CaseInput):
        _notes: list[str] = PrivateAttr(default_factory=list[str])

        @property
        def notes(self) -> list[str]:
            return self._notes

    inputs = Desk(message="hi")
    inputs.separate().notes.append("changed")
    assert inputs.notes == []


class Ambiguous:
    """Has no truth value, as an array."""

    def __bool__(self) -> bool:
        msg = "the truth value is ambiguous"
        raise ValueError(msg)


def test_what_an_application_adds_is_copied_whatever_it_is() -> None:
    class Desk(CaseInput):
        model_config = ConfigDict(extra="allow", arbitrary_types_allowed=True)
        data: Any = None

    inputs = Desk.model_validate({"message": "x", "data": Ambiguous(), "env": {"users": ["ann"]}})
    copied: Any = inputs.separate()
    copied.env["users"].append("bob")
    assert (type(copied.data), inputs.model_extra) == (Ambiguous, {"env": {"users": ["ann"]}})


def test_what_two_fields_share_they_share_in_the_copy() -> None:
    class Desk(CaseInput):
        model_config = ConfigDict(revalidate_instances="never", arbitrary_types_allowed=True)
        one: Any = None
        two: Any = None

    shared = ["a"]
    copied = Desk(message="x", one=shared, two=shared).separate()
    assert copied.one is copied.two
    assert copied.one is not shared
