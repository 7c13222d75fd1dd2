"""Recorded sessions of ADK and kagent, small made ones, and what to look at in their events."""

from pathlib import Path

from pydantic import JsonValue

from audition.adaptation import Adapted
from audition.adapters.adk.session import adapt_adk
from audition.events import Event, MessageSent, ToolCalled, ToolEvidence, ToolReturned, TurnFinished
from audition.values import parse_json

RECORDINGS = Path(__file__).parents[2] / "recordings"


def recorded(name: str) -> list[JsonValue]:
    text = (RECORDINGS / name).read_text(encoding="utf-8")
    if name.endswith(".json"):
        return [parse_json(text)]
    return [parse_json(line) for line in text.split("\n") if line]


def adapted(name: str) -> Adapted:
    return adapt_adk(recorded(name))


def without_nulls(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def select[E: Event](record: Adapted, kind: type[E]) -> list[E]:
    return [event for event in record.events if isinstance(event, kind)]


def calls(record: Adapted) -> list[tuple[str | None, str, JsonValue]]:
    found = select(record, ToolCalled)
    return [(call.agent, call.tool_name, call.arguments) for call in found]


def outcomes(record: Adapted) -> list[tuple[str, str]]:
    return [(event.tool_name, event.outcome.value) for event in select(record, ToolReturned)]


def evidence(record: Adapted) -> list[str]:
    return [event.content for event in select(record, ToolEvidence)]


def answers(record: Adapted) -> list[tuple[str | None, str]]:
    said = [event for event in select(record, MessageSent) if event.recipient == "user"]
    return [(event.agent, event.content) for event in said]


def reasons(record: Adapted) -> list[tuple[str, str | None]]:
    return [(event.reason.value, event.detail) for event in select(record, TurnFinished)]


def dropped(record: Adapted) -> list[tuple[int, str | None, str]]:
    return [(frame.index, frame.author, frame.reason) for frame in record.dropped]


def event(event_id: str, author: str, *parts: JsonValue, **others: JsonValue) -> JsonValue:
    content: JsonValue = {"parts": list(parts), "role": "whoever"}
    made: dict[str, JsonValue] = {"id": event_id, "author": author, "invocation_id": "e-1"}
    return {**made, **({"content": content} if parts else {}), **others}


def text(words: str) -> JsonValue:
    return {"text": words}


def call(name: str, call_id: str | None = None, args: JsonValue = None) -> JsonValue:
    return {"function_call": {"id": call_id, "name": name, "args": args}}


def response(name: str, call_id: str | None = None, told: JsonValue = None) -> JsonValue:
    return {"function_response": {"id": call_id, "name": name, "response": told}}


ASKED = event("u-1", "user", text("Is pier 4 free?"))
CALLED = event("a-1", "desk", text("Let me look."), call("check", "c-1", {"pier": 4}))
BACK = event("a-2", "desk", response("check", "c-1", {"free": True}))
ENDED = event("a-9", "desk", actions={"end_of_agent": True})


CONFIRMATION = "adk_request_confirmation"
WAITING: JsonValue = {"error": "This tool call requires confirmation, please approve or reject."}


def asks_approval(event_id: str, request_id: str, call_id: str, **others: JsonValue) -> JsonValue:
    """Return the event that asks the person to approve a call of the desk."""
    original: JsonValue = {"id": call_id, "name": "clear", "args": {}}
    args: JsonValue = {"originalFunctionCall": original, "toolConfirmation": {"confirmed": False}}
    request = call(CONFIRMATION, request_id, args)
    return event(event_id, "desk", request, long_running_tool_ids=[request_id], **others)
