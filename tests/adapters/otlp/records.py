"""Recorded traces, small made ones, and what to look at in their events."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from audition.adaptation import Adapted
from audition.adapters.otlp.session import adapt_otlp
from audition.collector import collect
from audition.events import Event, MessageSent, ToolCalled, ToolEvidence, ToolReturned, TurnFinished
from audition.output import CaseOutput
from audition.values import canonical_json, parse_json

TESTS = Path(__file__).parents[2]
TRACE = "7ca373f7c7e0f17df9965485593768ce"
MILLISECOND = 1_000_000
START = 1_935_910_800_000_000_000


def recorded(name: str) -> list[JsonValue]:
    text = (TESTS / name).read_text(encoding="utf-8")
    if name.endswith(".json"):
        return [parse_json(text)]
    return [parse_json(line) for line in text.split("\n") if line]


def adapted(name: str) -> Adapted:
    return adapt_otlp(recorded(name))


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


def calls(record: Adapted) -> list[tuple[str | None, str, JsonValue]]:
    found = select(record, ToolCalled)
    return [(call.agent, call.tool_name, call.arguments) for call in found]


def outcomes(record: Adapted) -> list[tuple[str, str]]:
    return [(event.tool_name, event.outcome.value) for event in select(record, ToolReturned)]


def evidence(record: Adapted) -> list[str]:
    return [event.content for event in select(record, ToolEvidence)]


def said(record: Adapted) -> list[tuple[str | None, str | None, str]]:
    found = select(record, MessageSent)
    return [(event.agent, event.recipient, event.content) for event in found]


def answers(record: Adapted) -> list[tuple[str | None, str]]:
    return [(agent, text) for agent, recipient, text in said(record) if recipient == "user"]


def reasons(record: Adapted) -> list[tuple[str, str | None]]:
    return [(event.reason.value, event.detail) for event in select(record, TurnFinished)]


def dropped(record: Adapted) -> list[tuple[int, str]]:
    return [(frame.index, frame.reason) for frame in record.dropped]


def attributes(values: dict[str, JsonValue]) -> list[JsonValue]:
    made: list[JsonValue] = []
    for key, value in values.items():
        text = value if isinstance(value, str) else canonical_json(value)
        made.append({"key": key, "value": {"stringValue": text}})
    return made


def span(  # noqa: PLR0913  # a span has that many
    span_id: str,
    name: str,
    parent: str | None = None,
    *,
    at: int = 0,
    lasts: int | None = 1,
    trace: str = TRACE,
    status: JsonValue = None,
    events: Sequence[JsonValue] = (),
    held: Mapping[str, JsonValue] | None = None,
    **values: JsonValue,
) -> dict[str, JsonValue]:
    """Return a span of OTLP JSON; "__" in the names of attributes stands for a dot.

    Args:
        span_id: Its id.
        name: Its operation, and what that is of.
        parent: The id of its parent.
        at: When it starts, in milliseconds.
        lasts: For how many milliseconds, None where it is still open.
        trace: The id of its trace.
        status: Its status.
        events: Its events.
        held: Its attributes that are known by name only.
        values: Its attributes.

    """
    operation, _, of = name.partition(" ")
    own: dict[str, JsonValue] = {"gen_ai.operation.name": operation}
    of_what = {"execute_tool": "gen_ai.tool.name", "invoke_agent": "gen_ai.agent.name"}
    if operation in of_what:
        own[of_what[operation]] = of
    own |= {key.replace("__", "."): value for key, value in {**(held or {}), **values}.items()}
    made: dict[str, JsonValue] = {
        "traceId": trace,
        "spanId": span_id,
        "name": name,
        "startTimeUnixNano": str(START + at * MILLISECOND),
        "attributes": attributes(own),
        "status": status or {},
        "events": list(events),
    }
    if parent is not None:
        made["parentSpanId"] = parent
    if lasts is not None:
        made["endTimeUnixNano"] = str(START + (at + lasts) * MILLISECOND)
    return made


def enclosed(*spans: JsonValue, service: str = "dock-desk") -> JsonValue:
    resource: JsonValue = {"attributes": attributes({"service.name": service})}
    scope: JsonValue = {"scope": {"name": "fictional"}, "spans": list(spans)}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}


def told(*spans: JsonValue) -> Adapted:
    return adapt_otlp([enclosed(*spans)])


def user(text: str) -> JsonValue:
    return {"role": "user", "parts": [{"type": "text", "content": text}]}


def assistant(*parts: JsonValue) -> JsonValue:
    made: list[JsonValue] = [
        {"type": "text", "content": part} if isinstance(part, str) else part for part in parts
    ]
    return {"role": "assistant", "parts": made}


def call(name: str, call_id: str | None, arguments: JsonValue = None) -> JsonValue:
    made: dict[str, JsonValue] = {"type": "tool_call", "id": call_id, "name": name}
    return made if arguments is None else {**made, "arguments": arguments}


def back(call_id: str | None, response: JsonValue) -> JsonValue:
    part: JsonValue = {"type": "tool_call_response", "id": call_id, "response": response}
    return {"role": "tool", "parts": [part]}


def chat(
    span_id: str, inputs: list[JsonValue], *outputs: JsonValue, parent: str = "r", at: int = 1
) -> dict[str, JsonValue]:
    return span(
        span_id,
        "chat scripted",
        parent,
        at=at,
        gen_ai__input__messages=inputs,
        gen_ai__output__messages=list(outputs),
    )


def run(*, lasts: int | None = 90, **values: JsonValue) -> dict[str, JsonValue]:
    return span("r", "invoke_agent desk", lasts=lasts, held=values)
