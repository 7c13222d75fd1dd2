"""Recorded Akgentic teams, small made ones, and what to look at in their events."""

from itertools import count
from pathlib import Path

from pydantic import JsonValue

from audition.adaptation import Adapted
from audition.adapters.akgentic.session import adapt_akgentic
from audition.collector import collect
from audition.events import Event
from audition.output import CaseOutput
from audition.values import parse_json

RECORDINGS = Path(__file__).parents[2] / "recordings"
CORE = "akgentic.core.messages.orchestrator"
EVENTS = "akgentic.llm.event"

_numbers = count()


def recorded(name: str) -> list[JsonValue]:
    text = (RECORDINGS / "akgentic" / name).read_text(encoding="utf-8")
    if name.endswith(".json"):
        return [parse_json(text)]
    return [parse_json(line) for line in text.split("\n") if line]


def adapted(name: str) -> Adapted:
    return adapt_akgentic(recorded(name))


def output(record: Adapted) -> CaseOutput:
    return collect(
        record.events,
        human=record.human,
        dropped=record.dropped,
        lost=record.lost,
        capabilities=record.capabilities,
    )


def select[E: Event](record: Adapted, kind: type[E]) -> list[E]:
    return [event for event in record.events if isinstance(event, kind)]


def dropped(record: Adapted) -> list[tuple[int, str | None, str]]:
    return [(frame.index, frame.author, frame.reason) for frame in record.dropped]


def turns(*frames: JsonValue) -> list[tuple[str, str, str | None]]:
    made = output(adapt_akgentic(frames)).turns
    return [(turn.message, str(turn.reason), turn.detail) for turn in made]


def address(name: str) -> JsonValue:
    return {
        "__actor_address__": True,
        "name": name,
        "role": name[1:],
        "is_user_proxy": name == "@Ada",
    }


def told(kind: str, sender: str, **fields: JsonValue) -> dict[str, JsonValue]:
    """Return a message of the orchestrator; `@Ada` is the person."""
    made: dict[str, JsonValue] = {
        "id": f"f-{next(_numbers)}",
        "parent_id": None,
        "timestamp": "2026-03-01T10:00:00+00:00",
        "sender": address(sender),
        "__model__": f"{CORE}.{kind}",
    }
    return {**made, **fields}


def sent(
    message_id: str, sender: str, recipient: str, content: str, **fields: JsonValue
) -> dict[str, JsonValue]:
    inner: dict[str, JsonValue] = {
        "id": message_id,
        "parent_id": None,
        "type": "request",
        "content": content,
        "__model__": "akgentic.agent.messages.AgentMessage",
    }
    message: JsonValue = {**inner, **fields}
    return told("SentMessage", sender, message=message, recipient=address(recipient))


def processed(message_id: str, agent: str) -> dict[str, JsonValue]:
    return told("ProcessedMessage", agent, message_id=message_id, parent_id=message_id)


def handled(message_id: str, agent: str, by: str) -> dict[str, JsonValue]:
    return told("HandledMessage", agent, message_id=message_id, parent_id=by)


def carried(kind: str, **fields: JsonValue) -> dict[str, JsonValue]:
    """Return a message of the desk with an event of its model run."""
    event: JsonValue = {"run_id": "r-1", **fields, "__model__": f"{EVENTS}.{kind}"}
    return told("EventMessage", "@Desk", parent_id="m-1", event=event)


def of_model(*parts: JsonValue, kind: str = "request", **fields: JsonValue) -> JsonValue:
    message: JsonValue = {"kind": kind, "run_id": "r-1", "parts": list(parts), **fields}
    return carried("LlmMessageEvent", message=message)


def part(kind: str, **fields: JsonValue) -> JsonValue:
    return {"part_kind": kind, "tool_name": "check", "tool_call_id": "c-1", **fields}


ASKED = sent("m-1", "@Ada", "@Desk", "Is pier 4 free?")
ANSWERED = sent("m-2", "@Desk", "@Ada", "It is.", type="response", parent_id="m-1")
DONE = processed("m-1", "@Desk")
CALLED = carried("ToolCallEvent", tool_name="check", tool_call_id="c-1", arguments='{"pier": 4}')
ENDED = carried("ToolReturnEvent", tool_name="check", tool_call_id="c-1", success=True)
