"""The events of a tool call, and the end of a turn."""

from typing import Any

import pytest

from audition.events import ToolOutcome
from audition.tool_payloads import Arguments, Returned
from audition.transcripts.events import Identity, Origin, TurnState, called, came_back

ORIGIN: Origin = {"at": 7.0, "agent": "desk", "event_id": "e-1", "cause_id": "m-1"}
IDENTITY: Identity = {
    "run_id": "r-1",
    "tool_call_id": "c-1",
    "tool_name": "find",
    "internal": False,
}


def test_a_call_and_what_came_back_have_one_identity() -> None:
    call = called(ORIGIN, IDENTITY, Arguments(raw="{}", value={}))
    end, evidence = came_back(
        ORIGIN, IDENTITY, Returned(content="gone"), outcome=ToolOutcome.TOOL_ERROR
    )
    for event in (call, end, evidence):
        assert (event.run_id, event.tool_call_id, event.tool_name) == ("r-1", "c-1", "find")
        assert (event.at, event.agent, event.cause_id) == (7.0, "desk", "m-1")
    assert (call.arguments_raw, call.arguments) == ("{}", {})
    assert (end.outcome, evidence.outcome, evidence.content) == ("tool_error", "tool_error", "gone")


@pytest.mark.parametrize(
    ("state", "reason", "detail"),
    [
        ({"error": "gone", "open_call": "find"}, "error", "gone"),
        (
            {"open_call": "find", "unread": "load"},
            "runtime_stopped",
            "the turn ends with an open call: find",
        ),
        ({"unread": "load"}, "runtime_stopped", "the turn ends on the return of load"),
        (
            {"interrupted": True},
            "runtime_stopped",
            "the turn ends with an answer that was interrupted",
        ),
        ({"acted": False}, "runtime_stopped", "the turn ends with the user's message"),
        ({"answered": False}, "quiescent", None),
        ({}, "response", None),
    ],
)
def test_a_turn_ends_as_it_stands(state: dict[str, Any], reason: str, detail: str | None) -> None:
    fields: dict[str, Any] = {"error": None, "open_call": None, "unread": None}
    fields |= {"acted": True, "answered": True, **state}
    ended = TurnState(**fields).finished(3, "turn", at=9.0)
    assert (ended.turn, ended.at, ended.reason, ended.detail) == (3, 9.0, reason, detail)
