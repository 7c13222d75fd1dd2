"""What messages come in: chats, requests and responses of an API, items, serialised objects."""

from collections.abc import Iterable, Iterator

from pydantic import JsonValue

from audition.adaptation import innermost
from audition.adapters.openai_chat.blocks import JsonObject, fields, items
from audition.values import structure_of

_ASKED = ("messages", "input", "items", "data")
_LISTS = (*_ASKED, "output", "choices")
_OF_RESPONSE = ("usage", "model", "finish_reason", "created", "created_at", "timestamp")
"""What an envelope says of the message in it."""


def unwrapped(frames: Iterable[JsonValue]) -> Iterator[JsonValue]:
    """Return every message, out of whatever it comes in; what holds none is told as it is."""
    return innermost(frames, _inside)


def _inside(frame: JsonValue) -> list[JsonValue]:
    """Return what a frame holds, nothing where it is a message."""
    rows = frame if isinstance(frame, list) else fields(fields(frame).get("data")).get("events")
    if isinstance(rows, list) and rows:  # those of a session as kagent's REST gives them
        return rows
    opened = list(_opened(_decoded(frame)))
    return [] if opened == [frame] else opened


def _decoded(frame: JsonValue) -> JsonValue:
    """Return what a row of a database, or a text, holds as the text of JSON."""
    text = fields(frame).get("data") if isinstance(frame, dict) else frame
    inner = structure_of(text) if isinstance(text, str) else None
    return inner if isinstance(inner, dict) else frame


def _opened(frame: JsonValue) -> Iterator[JsonValue]:
    record = fields(frame)
    if "request" in record or "response" in record:
        yield from _envelope(fields(record.get("request")))
        yield from _envelope(fields(record.get("response")))
    elif _is_envelope(record):
        yield from _envelope(record)
    else:
        yield _plain(frame)


def _is_envelope(record: JsonObject) -> bool:
    if "role" in record:
        return False
    has_list = any(isinstance(record.get(name), list) for name in _LISTS)
    return has_list and not str(record.get("type", "")).endswith(("_call", "_output"))


def _envelope(record: JsonObject) -> Iterator[JsonValue]:
    """Yield what an envelope holds: the conversation so far, then what answered it."""
    asked = record.get("input")
    if isinstance(asked, str):
        yield {"role": "user", "content": asked}
    for name in _ASKED:
        listed = record.get(name)
        if isinstance(listed, list):
            dated = {key: record[key] for key in ("timestamp",) if key in record}
            yield from (_with(dated, _plain(message)) for message in listed)
    said = {name: record[name] for name in _OF_RESPONSE if record.get(name) is not None}
    for choice in list(items(record.get("choices")))[:1]:
        yield _with(said | _only(choice, "finish_reason"), choice.get("message", choice))
    output = record.get("output")
    for item in output if isinstance(output, list) else ():
        yield _with(said, item)
        if (
            fields(item).get("type") != "reasoning"
        ):  # it says nothing, so that nothing is said of it
            said = {}
    if isinstance(record.get("error"), dict):
        yield {"error": record["error"]}


def _only(record: JsonObject, name: str) -> JsonObject:
    return {name: record[name]} if record.get(name) is not None else {}


def _with(told: JsonObject, message: JsonValue) -> JsonValue:
    return {**told, **message} if isinstance(message, dict) else message


def _plain(frame: JsonValue) -> JsonValue:
    """Return a message out of the object that a framework serialised it as."""
    record = fields(frame)
    inner, path = fields(record.get("data")), record.get("id")
    if "content" in inner and "type" in record:  # messages_to_dict of LangChain
        return {"type": record["type"], **inner}
    inner = fields(record.get("kwargs"))
    if "content" in inner and isinstance(path, list) and path:  # dumpd of LangChain
        return {"type": path[-1], **inner}
    return frame
