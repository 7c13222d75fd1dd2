"""Each event stands in its list, with its own fields."""

from dataclasses import fields
from typing import Any

import pytest
from pydantic import JsonValue

from audition.assembly import TAKES, RecordLists, is_answer
from audition.events import (
    AgentFailed,
    AgentStarted,
    Event,
    MessageHandled,
    MessageSent,
    MessageType,
    ModelResponded,
    RuntimeStopped,
    StateChanged,
    ToolCalled,
    ToolEvidence,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.records import (
    HandledRecord,
    LlmUsageRecord,
    MessageRecord,
    StateChangeRecord,
    ToolCallRecord,
    ToolEvidenceRecord,
    ToolReturnRecord,
)
from audition.testing import answer, question

RECORDED = [
    (MessageSent(agent="@K", content="x"), "messages", MessageRecord),
    (ToolCalled(tool_name="s", tool_call_id="1"), "tool_calls", ToolCallRecord),
    (ToolReturned(tool_name="s", tool_call_id="1"), "tool_returns", ToolReturnRecord),
    (
        ToolEvidence(tool_name="s", tool_call_id="1", content=""),
        "tool_evidence",
        ToolEvidenceRecord,
    ),
    (ModelResponded(model_name="m"), "llm_usage", LlmUsageRecord),
    (MessageHandled(agent="@K", message_id="1"), "handled", HandledRecord),
    (StateChanged(agent="@K", changes={"cart": {"n": 1}}), "state_changes", StateChangeRecord),
]


def take(lists: RecordLists, event: Event, *, seq: int = 0, turn: int | None = 0) -> None:
    TAKES[type(event)](lists, seq, turn, event)


@pytest.mark.parametrize(
    ("event", "name", "record"), RECORDED, ids=[name for _, name, _ in RECORDED]
)
def test_a_record_has_every_field_of_its_event(event: Event, name: str, record: type[Any]) -> None:
    lists = RecordLists("@Human")
    take(lists, event, seq=3, turn=1)
    (made,) = getattr(lists, name)
    assert type(made) is record
    ours = {field.name for field in fields(event)} - {"event_id", "cause_id", "kind"}
    assert all(getattr(made, field) == getattr(event, field) for field in ours)
    assert (made.seq, made.turn) == (3, 1)


def test_what_a_team_does_with_its_state_afterwards_changes_no_record() -> None:
    lists = RecordLists("@Human")
    cart: list[JsonValue] = [1]
    take(lists, StateChanged(changes={"cart": cart, "half": "\ud83d", "big": 1 << 20_000}))
    cart.append(2)
    (made,) = lists.state_changes
    assert (made.changes["cart"], made.changes["half"]) == ([1], "\ufffd")
    assert made.changes["big"].startswith("0x1")


@pytest.mark.parametrize(
    ("message", "counts"),
    [
        (answer("a"), True),
        (MessageSent(agent="@K", recipient="@Human", content="a"), True),
        (question("q"), False),
        (answer(" \n"), False),
        (MessageSent(agent="@Human", recipient="@Human", content="to myself"), False),
        (MessageSent(agent="@K", recipient="@Human", content="a", internal=True), False),
        *(
            (MessageSent(agent="@K", recipient="@Human", content="a", message_type=kind), False)
            for kind in MessageType
            if kind not in {"request", "response"}
        ),
    ],
    ids=str.split("answer request question blank self internal note instruction ack"),
)
def test_what_counts_as_an_answer(message: MessageSent, counts: bool) -> None:  # noqa: FBT001  # a parameter of the test
    assert is_answer(message, "@Human") == counts


def test_what_breaks_is_an_error_with_its_agent() -> None:
    lists = RecordLists("@Human")
    for event in (
        AgentFailed(agent="@K", error="no"),
        AgentFailed(error="alone"),
        RuntimeStopped(detail="off"),
        RuntimeStopped(),
    ):
        take(lists, event)
    assert lists.errors == ["@K: no", "alone", "off"]


def test_models_are_named_once_in_order_of_appearance() -> None:
    lists = RecordLists("@Human")
    for name in ("b", "a", None, "b"):
        take(lists, ModelResponded(model_name=name))
    assert list(lists.models) == ["b", "a"]


def test_an_event_that_leaves_nothing_is_passed_over() -> None:
    assert AgentStarted not in TAKES


def test_a_turn_that_only_ends_is_a_turn() -> None:
    lists = RecordLists("@Human")
    take(lists, TurnFinished(turn=2, reason="response", detail="\ud800", at=3), seq=0, turn=2)  # pyright: ignore[reportArgumentType]  # a word for its enum
    assert (lists.turns[2]["message"], lists.turns[2]["detail"]) == ("", "�")


def test_a_turn_takes_from_its_start_to_its_end() -> None:
    lists = RecordLists("@Human")
    take(lists, TurnStarted(turn=0, message="q", at=1.5))
    take(lists, TurnFinished(turn=0, reason="response", at=4.0), seq=1, turn=0)  # pyright: ignore[reportArgumentType]  # a word for its enum
    assert lists.turns[0]["seconds"] == 2.5


def test_what_the_human_says_in_other_words_is_foreign() -> None:
    lists = RecordLists("@Human")
    take(lists, TurnStarted(turn=0, message="q"))
    take(lists, question(" q\n"), seq=1, turn=0)
    assert not lists.foreign
    take(lists, question("something else"), seq=2, turn=0)
    assert lists.foreign


@pytest.mark.parametrize(
    ("event", "name", "record"), RECORDED, ids=[name for _, name, _ in RECORDED]
)
def test_no_two_fields_of_a_record_are_swapped(event: Event, name: str, record: type[Any]) -> None:
    kind: type[Any] = type(event)
    named = kind(**{field.name: field.name for field in fields(event)})
    lists = RecordLists("@Human")
    take(lists, named, seq=3, turn=None)
    (made,) = getattr(lists, name)  # of the wrong types, so its fields by name
    expected = {field.name: field.name for field in fields(record)}
    renamed = {"sender": "agent"} if record is MessageRecord else {}
    assert made == {**expected, **renamed, "seq": 3, "turn": None}
