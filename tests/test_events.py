"""The vocabulary is closed, frozen, and written as it is read."""

from dataclasses import FrozenInstanceError
from typing import Any, get_args

import pytest
from inline_snapshot import snapshot
from pydantic import ValidationError

from audition.events import AgentStopped, Event, MessageSent, ToolCalled, event_adapter, read_event


def test_the_kinds() -> None:
    kinds = [event.__dataclass_fields__["kind"].default for event in get_args(Event.__value__)]
    assert kinds == snapshot(
        [
            "turn_started",
            "turn_finished",
            "message_sent",
            "message_handled",
            "tool_called",
            "tool_returned",
            "tool_evidence",
            "model_responded",
            "agent_started",
            "agent_stopped",
            "agent_failed",
            "runtime_stopped",
            "state_changed",
        ]
    )


def test_an_event_is_written_with_its_kind() -> None:
    assert event_adapter().dump_python(AgentStopped(agent="@K", at=1.5)) == snapshot(
        {"at": 1.5, "agent": "@K", "event_id": None, "cause_id": None, "kind": "agent_stopped"}
    )


def test_an_event_is_read_by_its_kind() -> None:
    frame = {"kind": "tool_called", "tool_name": "search", "tool_call_id": "1", "at": 3}
    assert read_event(frame) == ToolCalled(tool_name="search", tool_call_id="1", at=3)


def test_an_event_cannot_be_changed() -> None:
    event = AgentStopped(agent="@K")
    with pytest.raises(FrozenInstanceError):
        event.agent = "@M"  # pyright: ignore[reportAttributeAccessIssue]  # this is what is tried


def test_an_event_has_no_other_attributes() -> None:
    assert not hasattr(MessageSent(content="hi"), "__dict__")


WRONG: dict[str, dict[str, Any]] = {
    "no kind": {"content": "hi"},
    "unknown kind": {"kind": "message_received", "content": "hi"},
    "missing field": {"kind": "message_sent"},
    "unknown field": {"kind": "message_sent", "content": "hi", "colour": "red"},
    "unknown word": {"kind": "message_sent", "content": "hi", "message_type": "shout"},
}


@pytest.mark.parametrize("frame", WRONG.values(), ids=WRONG)
def test_what_is_no_event_is_refused(frame: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        read_event(frame)
