"""What a model was told and what it said, read out of whichever place holds it.

The attributes of the GenAI conventions, of ADK, of Pydantic AI and of OpenLLMetry's numbered form;
span events and log records of the older conventions. Content that was not captured is not there:
nothing is put in its place.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from audition.adapters.otlp.attributes import JsonObject, named, read_list, read_object, word
from audition.adapters.otlp.frames import Frame, SpanEvent
from audition.values import parse_json, writable_json, writable_text

_THOUGHTS = {"reasoning", "thinking", "thought"}
_CALLS = {"tool_call", "tool_use", "function"}
_RETURNS = {"tool_call_response", "tool_result"}
_NUMBERED = re.compile(r"gen_ai\.(prompt|completion)\.(\d{1,6})\.(.+)")
_NUMBERED_CALL = re.compile(r"tool_calls\.(\d{1,6})\.(\w+)")
_DETAILS = {
    "gen_ai.client.inference.operation.details",
    "gen_ai.content.prompt",
    "gen_ai.content.completion",
}
_UNSAID = {"<not serializable>", "<elided>"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a message.

    Attributes:
        kind: `text`, `call` or `return`.
        role: Who speaks; `assistant` for a model.
        message: Position of its message in the list that it stands in.
        text: Of a text, else empty.
        name: The tool of a call or return, None where it is not named.
        call_id: Its id, None where it has none.
        body: The arguments or the result, None where they were not recorded.

    """

    kind: str
    role: str
    message: int
    text: str = ""
    name: str | None = None
    call_id: str | None = None
    body: JsonValue = None


type Parts = tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a model or an agent was told, history included, and what it said.

    Attributes:
        inputs: What it was told, in order.
        outputs: What it said.

    """

    inputs: Parts = ()
    outputs: Parts = ()


def read_said(spans: Sequence[Frame], logs: Iterable[Frame] = ()) -> Said:
    """Return what was said in one request, of which several spans may tell.

    Args:
        spans: The span of the request, then its other views.
        logs: The log records that belong to them.

    """
    places = [(span.attributes, span.events) for span in spans]
    places += [({}, log.events) for log in logs]
    inputs: Parts = ()
    outputs: Parts = ()
    for attributes, events in places:
        for told, said in _sources(attributes, events):
            inputs, outputs = inputs or told(), outputs or said()
    return Said(inputs=inputs, outputs=outputs)


def read_history(span: Frame) -> Said:
    """Return what a run of an agent was told and said, where its span has all its messages."""
    recorded = span.attributes.get("pydantic_ai.all_messages")
    if recorded is None:
        recorded = span.attributes.get("all_messages_events")
        parts = _parts([_message(event) for event in map(read_object, read_list(_json(recorded)))])
    else:
        parts = _parts(_json(recorded))
    new = span.attributes.get("pydantic_ai.new_message_index")
    first = new if isinstance(new, int) else 0
    asked = (part.message for part in parts if part.message >= first and is_question(part))
    begin = next(asked, first)
    return Said(
        inputs=tuple(part for part in parts if part.message <= begin),
        outputs=tuple(part for part in parts if part.message > begin),
    )


def read_offered(spans: Sequence[Frame]) -> frozenset[str]:
    """Return the names of the tools that a model was offered, empty where that is not recorded."""
    recorded = (span.attributes.get("gen_ai.tool.definitions") for span in spans)
    tools = (read_object(tool) for entry in recorded for tool in read_list(_json(entry)))
    names = (
        word(tool, "name") or word(read_object(tool.get("function")), "name") for tool in tools
    )
    return frozenset(name for name in names if name is not None)


def is_question(part: Part) -> bool:
    """Return whether it is something that the person, or whoever asks the model, says."""
    return part.kind == "text" and part.role == "user"


def has_content(parts: Parts) -> bool:
    """Return whether anything that was said, given or given back was recorded, not only that."""
    return any(part.kind == "text" or part.body is not None for part in parts)


def last_question(parts: Parts) -> str | None:
    """Return the text of the last message of the one who asks, None where there is none."""
    asked = [part for part in parts if is_question(part)]
    texts = [part.text for part in asked if part.message == asked[-1].message]
    return "".join(texts) if texts else None


type _Source = tuple[Callable[[], Parts], Callable[[], Parts]]


def _sources(attributes: JsonObject, events: Sequence[SpanEvent]) -> list[_Source]:
    """Return the places where messages may stand, the plainest first."""
    request = read_object(_json(attributes.get("gcp.vertex.agent.llm_request")))
    response = read_object(_json(attributes.get("gcp.vertex.agent.llm_response")))
    data = attributes.get("gcp.vertex.agent.data")
    return [
        _attributes(attributes),
        (
            lambda: _parts(request.get("contents") or _json(data)),
            lambda: _parts([response.get("content")], "assistant"),
        ),
        *(_attributes(event.attributes) for event in events if event.name in _DETAILS),
        (lambda: _of_events(events, told=True), lambda: _of_events(events, told=False)),
        (
            lambda: _of_list(attributes.get("events"), told=True),
            lambda: _of_list(attributes.get("events"), told=False),
        ),
        (lambda: _numbered(attributes, "prompt"), lambda: _numbered(attributes, "completion")),
    ]


def _attributes(attributes: JsonObject) -> _Source:
    told = named(attributes, "gen_ai.input.messages", "gen_ai.prompt")
    said = named(attributes, "gen_ai.output.messages", "gen_ai.completion")
    return lambda: _parts(_json(told), "user"), lambda: _parts(_json(said), "assistant")


def _of_list(recorded: JsonValue, *, told: bool) -> Parts:
    """Return the messages of events that stand in one attribute, as a list."""
    entries = list(map(read_object, read_list(_json(recorded))))
    events = [
        SpanEvent(name=word(entry, "event.name") or "", attributes=entry) for entry in entries
    ]
    return _of_events(events, told=told)


def _of_events(events: Sequence[SpanEvent], *, told: bool) -> Parts:
    """Return what events of one message each say: a choice is the model's, all else was told."""
    chosen = [event for event in events if (event.name == "gen_ai.choice") is not told]
    wanted = [event for event in chosen if _event_role(event.name) is not None]
    return _parts([_message(event.attributes, event.name) for event in wanted])


def _event_role(name: str) -> str | None:
    if name == "gen_ai.choice":
        return "assistant"
    role = name.removeprefix("gen_ai.").removesuffix(".message")
    return role if name == f"gen_ai.{role}.message" and "." not in role else None


def _message(attributes: JsonObject, name: str | None = None) -> JsonValue:
    """Return an event as the message that it stands for."""
    name = name or word(attributes, "event.name") or ""
    inner = _json(attributes.get("message"))
    message = {**attributes, **(inner if isinstance(inner, dict) else {"message": inner})}
    content = _json(named(message, "message", "content"))
    is_parts = isinstance(content, list) and all(isinstance(part, dict) for part in content)
    kept = {"content": content} if is_parts or isinstance(inner, str) else {}
    return {**message, **kept, "role": message.get("role") or _event_role(name)}


def _numbered(attributes: JsonObject, which: str) -> Parts:
    """Return the messages of attributes such as `gen_ai.prompt.0.content`."""
    messages: dict[int, JsonObject] = {}
    calls: dict[int, dict[int, JsonObject]] = {}
    for name, value in attributes.items():
        found = _NUMBERED.fullmatch(name)
        if found is None or found[1] != which:
            continue
        position = int(found[2])
        messages.setdefault(position, {})
        call = _NUMBERED_CALL.fullmatch(found[3])
        if call is None:
            messages[position][found[3]] = value
        else:
            calls.setdefault(position, {}).setdefault(int(call[1]), {})[call[2]] = value
    for position, of_message in calls.items():
        messages[position]["tool_calls"] = [of_message[key] for key in sorted(of_message)]
    return _parts([messages[key] for key in sorted(messages)])


def _json(value: JsonValue) -> JsonValue:
    """Return what a text of JSON says; one that was cut is not there, other text is itself."""
    if not isinstance(value, str):
        return value
    if value.strip() in _UNSAID:
        return None
    if value.lstrip()[:1] not in {"[", "{"}:
        return value
    try:
        return parse_json(value)
    except ValueError:
        return None


def _parts(recorded: JsonValue, role: str = "user") -> Parts:
    """Return the parts of messages: of a list, of one, or of the text of one."""
    if isinstance(recorded, str):
        recorded = {"role": role, "content": recorded}
    messages = recorded if isinstance(recorded, list) else [recorded]
    return tuple(
        part
        for position, message in enumerate(messages)
        if isinstance(message, dict)
        for part in _message_parts(message, role, position)
    )


def _message_parts(message: JsonObject, default: str, position: int) -> Iterable[Part]:
    role = word(message, "role", "author") or default
    role = "assistant" if role == "model" else role
    held = named(message, "parts", "content")
    held = held.get("parts") if isinstance(held, dict) and "parts" in held else held
    if role == "tool" and ("tool_call_id" in message or not isinstance(held, list)):
        call_id = word(message, "tool_call_id", "id")
        yield _part({"type": "tool_result", "id": call_id, **message}, role, position)
        return
    items = held if isinstance(held, list) else [held]
    parts: list[JsonObject] = [
        {"text": item} if isinstance(item, str) else read_object(item) for item in items
    ]
    calls = map(read_object, read_list(_json(message.get("tool_calls"))))
    for part in (*parts, *({"type": "tool_call", **call} for call in calls)):
        read = _part(part, role, position)
        if read.kind:
            yield read


def _part(part: JsonObject, role: str, position: int) -> Part:
    """Return a part of a message; one of no kind is nothing that is read here."""
    kind = word(part, "type") or ""
    call = read_object(named(part, "function_call", "functionCall", "function", "toolUse"))
    back = read_object(named(part, "function_response", "functionResponse", "toolResult"))
    if call or kind in _CALLS:
        body = named({**part, **call}, "arguments", "args", "input")
        return _tool_part("call", {**part, **call}, body, role, position)
    if back or kind in _RETURNS:
        body = named({**part, **back}, "response", "result", "content")
        return _tool_part("return", {**part, **back}, body, role, position)
    if part.get("thought") is True or kind in _THOUGHTS:
        return Part(kind="", role=role, message=position)
    text = named(part, "text", "content") if kind in {"", "text", "output_text"} else None
    if not isinstance(text, str) or text in _UNSAID:
        return Part(kind="", role=role, message=position)
    return Part(kind="text", role=role, message=position, text=writable_text(text))


def _tool_part(kind: str, part: JsonObject, body: JsonValue, role: str, position: int) -> Part:
    unsaid = isinstance(body, str) and body in _UNSAID
    return Part(
        kind=kind,
        role=role,
        message=position,
        name=word(part, "name"),
        call_id=word(part, "tool_call_id", "tool_use_id", "toolUseId", "call_id", "id"),
        body=None if unsaid else writable_json(body),
    )
