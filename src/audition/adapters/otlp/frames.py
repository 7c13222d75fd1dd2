"""Spans and log records as plain values, out of their envelopes. No event of ours is made here.

A frame is one span or one log record, counted after unwrapping. OTLP JSON (also with the older
`instrumentationLibrarySpans`, and Tempo's `batches`), Jaeger JSON and bare spans, as console
exporters and Logfire write them, come to the same value.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from audition.adaptation import innermost
from audition.adapters.otlp.attributes import (
    JsonObject,
    named,
    nanoseconds,
    read_attributes,
    read_list,
    read_object,
    read_value,
    word,
)

_RESOURCES = ("resourceSpans", "resource_spans", "batches", "resourceLogs", "resource_logs")
_SCOPES = (
    *("scopeSpans", "scope_spans", "scopeLogs", "scope_logs"),
    *("instrumentationLibrarySpans", "instrumentation_library_spans", "instrumentationLibraryLogs"),
)
_RECORDS = ("spans", "logRecords", "log_records")
_WRAPPERS = ("data", "trace", "traces")
_ENVELOPES = (*_WRAPPERS, *_RESOURCES, *_SCOPES, *_RECORDS)
_TRACE_ID = ("traceId", "trace_id", "traceID")
_SPAN_ID = ("spanId", "span_id", "spanID")
_PARENT_ID = ("parentSpanId", "parent_span_id", "parent_id", "parentId", "parentSpanID")
_NAME = ("name", "operationName", "span_name", "eventName", "event_name")
_STARTS = {"startTimeUnixNano": 1, "start_time_unix_nano": 1, "startTime": None, "start_time": None}
_ENDS = {"endTimeUnixNano": 1, "end_time_unix_nano": 1, "endTime": None, "end_time": None}
_MOMENTS = {"timeUnixNano": 1, "time_unix_nano": 1, "observedTimeUnixNano": 1, "timestamp": None}
_FAILED = {2, "2", "STATUS_CODE_ERROR", "ERROR", "Error", "StatusCode.ERROR"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanEvent:
    """Something at a point in time in a span, or a log record.

    Attributes:
        name: What it is.
        attributes: Its attributes, those of its body included.

    """

    name: str
    attributes: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A span or a log record, or what stands in its place.

    Attributes:
        index: Position in the record, after unwrapping.
        kind: `span`, `log`, or `unreadable`.
        problem: What is wrong with one that is unreadable, else empty.
        trace_id: Its trace, empty where unknown.
        span_id: Its id, for a log record that of its span; empty where unknown.
        parent_id: The span that it is part of, None where it is a root.
        name: What its source calls it.
        role: The kind of span, as server or internal, None where it does not say.
        start: Nanoseconds since the epoch, None where unknown.
        end: As `start`; None for a span that was still open.
        attributes: By name.
        events: In order; a log record has itself.
        failed: Its status is an error.
        status: What its status says, None where it says nothing.
        service: The service of its resource, None where unknown.
        scope: The library that made it, None where unknown.

    """

    index: int
    kind: str
    problem: str = ""
    trace_id: str = ""
    span_id: str = ""
    parent_id: str | None = None
    name: str = ""
    role: str | None = None
    start: int | None = None
    end: int | None = None
    attributes: JsonObject = field(default_factory=dict[str, JsonValue])
    events: tuple[SpanEvent, ...] = ()
    failed: bool = False
    status: str | None = None
    service: str | None = None
    scope: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """What envelopes say of the records in them."""

    is_log: bool = False
    service: str | None = None
    scope: str | None = None
    processes: JsonObject = field(default_factory=dict[str, JsonValue])


type _Placed = tuple[JsonValue, _Place]


def is_otlp(frame: JsonValue) -> bool:
    """Return whether one decoded value is of a trace: an envelope of spans or logs, or a span."""
    if not isinstance(frame, dict):
        return False
    if any(isinstance(frame.get(name), list) for name in (*_RESOURCES[:2], *_RESOURCES[3:])):
        return True
    if _has_scopes(frame) or any(map(_has_scopes, read_list(frame.get("batches"))[:1])):
        return True
    data = frame.get("data")
    if any(map(_is_jaeger, (frame, data, *read_list(data)[:1]))):
        return True
    if "resourceSpans" in (inner := read_object(frame.get("trace"))) or "batches" in inner:
        return True
    return _is_span(frame) and any(name in frame for name in (*_STARTS, "timestamp"))


def read_frames(frames: Iterable[JsonValue]) -> list[Frame]:
    """Return every span and log record read; what is none is kept as unreadable."""
    return [_frame(index, value, place) for index, (value, place) in enumerate(_placed(frames))]


def unwrapped(frames: Iterable[JsonValue]) -> Iterator[JsonValue]:
    """Return every span and log record by itself, with what its envelopes say of it around it."""
    return (_alone(value, place) for value, place in _placed(frames))


def _alone(value: JsonValue, place: _Place) -> JsonValue:
    if place == _Place():
        return value
    if place.processes:
        process_id = word(read_object(value), "processID") or ""
        kept: JsonObject = {process_id: place.processes.get(process_id)}
        return {"processes": kept, "spans": [value]}
    kind = "Logs" if place.is_log else "Spans"
    of_scope: JsonObject = {"logRecords" if place.is_log else "spans": [value]}
    if place.scope is not None:
        of_scope["scope"] = {"name": place.scope}
    of_resource: JsonObject = {f"scope{kind}": [of_scope]}
    if place.service is not None:
        name: JsonObject = {"key": "service.name", "value": {"stringValue": place.service}}
        of_resource["resource"] = {"attributes": [name]}
    return {f"resource{kind}": [of_resource]}


def _placed(frames: Iterable[JsonValue]) -> Iterator[_Placed]:
    return innermost(((frame, _Place()) for frame in frames), _held)


def _held(placed: _Placed) -> list[_Placed]:
    """Return what a list or an envelope holds."""
    value, place = placed
    if isinstance(value, list):
        return [(item, place) for item in value]
    held = [name for name in _ENVELOPES if _holds(value, name)]
    envelope = read_object(value)
    inside = _inside(envelope, place) if held else place
    return [
        (
            envelope[name],
            replace(inside, is_log="log" in name.lower()) if name in _RECORDS else inside,
        )
        for name in held
    ]


def _holds(value: JsonValue, name: str) -> bool:
    """Return whether an envelope holds something under this name; an empty one is a frame."""
    held = value.get(name) if isinstance(value, dict) else None
    if name in _WRAPPERS:
        first = next(iter(held), None) if isinstance(held, list) else held
        return isinstance(first, dict) and any(inner in first for inner in _ENVELOPES)
    return isinstance(held, list) and bool(held)


def _inside(envelope: JsonObject, place: _Place) -> _Place:
    resource = read_attributes(read_object(envelope.get("resource")).get("attributes"))
    scope = read_object(named(envelope, "scope", "instrumentationLibrary", "instrumentationScope"))
    return replace(
        place,
        service=word(resource, "service.name") or place.service,
        scope=word(scope, "name") or place.scope,
        processes=read_object(envelope.get("processes")) or place.processes,
    )


def _frame(index: int, value: JsonValue, place: _Place) -> Frame:
    if not isinstance(value, dict):
        return Frame(index=index, kind="unreadable", problem="not a span")
    if any(isinstance(value.get(name), list) for name in (*_RESOURCES, *_SCOPES, *_RECORDS)):
        return Frame(index=index, kind="unreadable", problem="an envelope without spans")
    if place.is_log or _is_log(value):
        return _log(index, value, place)
    if not _is_span(value):
        return Frame(index=index, kind="unreadable", problem="not a span")
    return _span(index, value, place)


def _span(index: int, span: JsonObject, place: _Place) -> Frame:
    attributes = read_attributes(named(span, "attributes", "tags"))
    start, end = _times(span)
    failed, told = _status(span, attributes)
    return Frame(
        index=index,
        kind="span",
        trace_id=_id(span, *_TRACE_ID),
        span_id=_id(span, *_SPAN_ID),
        parent_id=_parent(span),
        name=word(span, *_NAME) or "",
        role=_role(span, attributes),
        start=start,
        end=end,
        attributes=attributes,
        events=tuple(map(_event, read_list(named(span, "events", "logs")))),
        failed=failed,
        status=told,
        service=_service(span, place),
        scope=place.scope or word(attributes, "otel.scope.name", "otel.library.name"),
    )


def _log(index: int, log: JsonObject, place: _Place) -> Frame:
    body = read_value(log.get("body"))
    event = _event({**log, "attributes": _logged(log, body)})
    times = (nanoseconds(log.get(name), unit=unit) for name, unit in _MOMENTS.items())
    return Frame(
        index=index,
        kind="log",
        trace_id=_id(log, *_TRACE_ID),
        span_id=_id(log, *_SPAN_ID),
        name=event.name,
        start=next((time for time in times if time is not None), None),
        events=(event,),
        service=_service(log, place),
        scope=place.scope,
    )


def _logged(log: JsonObject, body: JsonValue) -> JsonObject:
    attributes = read_attributes(log.get("attributes"))
    return {**attributes, **body} if isinstance(body, dict) else {**attributes, "content": body}


def _event(value: JsonValue) -> SpanEvent:
    event = read_object(value)
    attributes = read_attributes(named(event, "attributes", "fields"))
    name = word(event, *_NAME) or word(attributes, "event.name", "event")
    return SpanEvent(name=name or "", attributes=attributes)


def _is_span(frame: JsonObject) -> bool:
    return bool(_id(frame, *_SPAN_ID) and _id(frame, *_TRACE_ID) and word(frame, *_NAME))


def _is_log(frame: JsonObject) -> bool:
    timed = "timeUnixNano" in frame or "observedTimeUnixNano" in frame
    return timed and ("body" in frame or "severityNumber" in frame)


def _is_jaeger(value: JsonValue) -> bool:
    trace = read_object(value)
    spans = trace.get("spans")
    return isinstance(spans, list) and ("traceID" in trace or "processes" in trace)


def _has_scopes(value: JsonValue) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(name), list) for name in _SCOPES)


def _id(frame: JsonObject, *names: str) -> str:
    """Return an id of the frame or of its context, without what marks it as hexadecimal."""
    holders = (frame, *(read_object(frame.get(name)) for name in ("context", "spanContext")))
    found = next((text for holder in holders if (text := word(holder, *names))), "")
    return found.removeprefix("0x")


def _parent(span: JsonObject) -> str | None:
    context = read_object(named(span, "parentSpanContext", "parent"))
    parent = (word(span, *_PARENT_ID) or word(context, *_SPAN_ID) or "").removeprefix("0x")
    for reference in map(read_object, read_list(span.get("references"))):
        if not parent and reference.get("refType", "CHILD_OF") == "CHILD_OF":
            parent = _id(reference, *_SPAN_ID)
    return parent if parent.strip("0") else None


def _times(span: JsonObject) -> tuple[int | None, int | None]:
    start = _first_time(span, {**_STARTS, "timestamp": None})
    end = _first_time(span, _ENDS)
    lasted = span.get("duration")  # Jaeger's, in microseconds
    if end is None and start is not None and isinstance(lasted, int) and lasted >= 0:
        end = nanoseconds(start + lasted * 1000, unit=1)
    return start, end


def _first_time(span: JsonObject, names: dict[str, int | None]) -> int | None:
    times = (nanoseconds(span.get(name), unit=unit) for name, unit in names.items())
    return next((time for time in times if time is not None), None)


def _status(span: JsonObject, attributes: JsonObject) -> tuple[bool, str | None]:
    recorded = span.get("status")
    status = read_object(recorded) or {"code": recorded}
    codes = (named(status, "code", "status_code"), attributes.get("otel.status_code"))
    failed = any(isinstance(code, int | str) and code in _FAILED for code in codes)
    told = word(status, "message", "description") or word(attributes, "otel.status_description")
    return failed or attributes.get("error") in (True, "true"), told


def _service(frame: JsonObject, place: _Place) -> str | None:
    resource = read_object(frame.get("resource"))
    own = read_attributes(resource.get("attributes"))
    process = frame.get("process")
    process_id = frame.get("processID")
    if isinstance(process_id, str):
        process = place.processes.get(process_id)
    named_by = word(own, "service.name") or word(read_object(process), "serviceName")
    return named_by or place.service or word(frame, "service_name")


def _role(span: JsonObject, attributes: JsonObject) -> str | None:
    told = word(span, "kind") or word(attributes, "span.kind")
    return None if told is None else told.rpartition(".")[2].removeprefix("SPAN_KIND_").lower()
