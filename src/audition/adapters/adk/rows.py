"""From what holds events to the events: rows, sessions, envelopes, tasks, texts encoded again.

A row is `{data}` or `{event_data}`, of kagent and of ADK; a row of ADK before 2.0 is an event as it
stands, its `actions` a pickle that nobody looks at. What wraps nothing is a frame, an event or not.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from pydantic import JsonValue

from audition.adaptation import innermost
from audition.adapters.adk.a2a import events_of_a2a
from audition.adapters.adk.casing import JsonObject, decoded
from audition.values import writable_text

_ENOUGH = 3
_HOLDERS = ("events", "Events", "event_data", "data")
_MARKS = frozenset({"invocation_id", "invocationId", "InvocationID", "actions", "Actions"})
_SESSION_IDS = ("session_id", "sessionId", "SessionID", "contextId", "context_id")


def unwrapped(frames: Iterable[JsonValue]) -> Iterator[JsonValue]:
    """Return every frame, however often it is wrapped; a frame wraps none."""
    return innermost(frames, _inner)


def is_adk(frame: JsonValue) -> bool:
    """Return whether a frame has the marks of an ADK event, or of what wraps some."""
    return any(map(_has_marks, islice(unwrapped([frame]), _ENOUGH)))


def session_of_adk(frame: JsonValue) -> str | None:
    """Return the session that a frame, or what wraps it, names; None where none is."""
    record: JsonValue = frame
    while True:
        record = decoded(record)
        if isinstance(record, list):
            record = record[0] if record else None
        if not isinstance(record, dict):
            return None
        session = record.get("session")
        if isinstance(session, dict):
            return _text(session.get("id"))
        if isinstance(record.get("events"), list) and not _is_event(record):
            return _text(record.get("id"))
        named = [record[key] for key in _SESSION_IDS if key in record]
        name = next(filter(None, map(_text, named)), None)
        if name is not None or "data" not in record:
            return name
        record = record["data"]


def _text(value: JsonValue) -> str | None:
    return writable_text(value) if isinstance(value, str) and value else None


def _is_event(frame: JsonValue) -> bool:
    if not isinstance(frame, dict) or "kind" in frame:  # which an event of ours has
        return False
    return "author" in frame or "Author" in frame


def _has_marks(frame: JsonValue) -> bool:
    """Return whether a frame is an event for sure: much in the world has an author."""
    if not isinstance(frame, dict) or not _is_event(frame):
        return False
    content = frame.get("content", frame.get("Content"))
    return not _MARKS.isdisjoint(frame) or (isinstance(content, dict) and "parts" in content)


def _inner(frame: JsonValue) -> list[JsonValue]:
    """Return what a frame wraps, nothing where it is one."""
    if isinstance(frame, str):
        inner = decoded(frame)
        return [] if inner is frame else [inner]
    if isinstance(frame, list):
        return frame
    if not isinstance(frame, dict) or _is_event(frame):
        return []
    return events_of_a2a(frame) or _held(frame)


def _held(record: JsonObject) -> list[JsonValue]:
    for name in _HOLDERS:
        value = record.get(name)
        if isinstance(value, list) and value:
            return _oldest_first(value)
        if isinstance(value, dict | str) and name in {"event_data", "data"}:
            return [value]
    return []


def _oldest_first(rows: list[JsonValue]) -> list[JsonValue]:
    """Return rows in the order of their storing; kagent gives the newest first, unless asked."""
    times = [row.get("created_at") if isinstance(row, dict) else None for row in rows]
    known = [time for time in times if isinstance(time, str)]
    is_turned = len(known) == len(rows) and known[0] > known[-1]
    return rows[::-1] if is_turned and known == sorted(known, reverse=True) else rows
