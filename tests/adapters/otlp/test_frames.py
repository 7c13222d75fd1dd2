"""Spans and log records out of every envelope."""

import pytest
from pydantic import JsonValue

from audition.adapters.otlp.frames import Frame, is_otlp, read_frames, unwrapped

RESOURCE: JsonValue = {"attributes": [{"key": "service.name", "value": {"stringValue": "desk"}}]}
SPAN: JsonValue = {
    "traceId": "t1",
    "spanId": "s1",
    "parentSpanId": "s0",
    "name": "chat scripted",
    "kind": "SPAN_KIND_CLIENT",
    "startTimeUnixNano": "1935910800000001000",
    "endTimeUnixNano": "1935910800000003000",
    "attributes": [{"key": "a", "value": {"intValue": "1"}}],
    "status": {"code": 2, "message": "gone"},
    "events": [
        {"name": "e", "attributes": [{"key": "b", "value": {"stringValue": "c"}}]},
    ],
}
SCOPED: JsonValue = {"scope": {"name": "lib"}, "spans": [SPAN]}
OLD_SCOPED: JsonValue = {"instrumentationLibrary": {"name": "lib"}, "spans": [SPAN]}
JAEGER_SPAN: JsonValue = {
    "traceID": "t1",
    "spanID": "s1",
    "operationName": "chat scripted",
    "references": [
        {"refType": "FOLLOWS_FROM", "traceID": "t1", "spanID": "s9"},
        {"refType": "CHILD_OF", "traceID": "t1", "spanID": "s0"},
    ],
    "startTime": 1935910800000001,
    "duration": 2,
    "processID": "p1",
    "tags": [
        {"key": "a", "type": "int64", "value": 1},
        {"key": "span.kind", "type": "string", "value": "client"},
        {"key": "otel.scope.name", "type": "string", "value": "lib"},
        {"key": "otel.status_code", "type": "string", "value": "ERROR"},
        {"key": "otel.status_description", "type": "string", "value": "gone"},
    ],
    "logs": [{"fields": [{"key": "event", "value": "e"}, {"key": "b", "value": "c"}]}],
}
JAEGER: JsonValue = {
    "traceID": "t1",
    "spans": [JAEGER_SPAN],
    "processes": {"p1": {"serviceName": "desk"}},
}
BARE: dict[str, JsonValue] = {
    "name": "chat scripted",
    "context": {"trace_id": "0xt1", "span_id": "0xs1"},
    "kind": "SpanKind.CLIENT",
    "parent_id": "0xs0",
    "start_time": "2031-05-07T09:00:00.000001Z",
    "end_time": "2031-05-07T09:00:00.000003Z",
    "status": {"status_code": "ERROR", "description": "gone"},
    "attributes": {"a": 1},
    "events": [{"name": "e", "timestamp": "2031-05-07T09:00:00Z", "attributes": {"b": "c"}}],
    "resource": {"attributes": {"service.name": "desk"}},
}
ENVELOPES: dict[str, JsonValue] = {
    "otlp": {"resourceSpans": [{"resource": RESOURCE, "scopeSpans": [SCOPED]}]},
    "older": {
        "resourceSpans": [{"resource": RESOURCE, "instrumentationLibrarySpans": [OLD_SCOPED]}]
    },
    "tempo": {"batches": [{"resource": RESOURCE, "scopeSpans": [SCOPED]}]},
    "tempo-v2": {"trace": {"resourceSpans": [{"resource": RESOURCE, "scopeSpans": [SCOPED]}]}},
    "resource": {"resource": RESOURCE, "scopeSpans": [SCOPED]},
    "jaeger": {"data": [JAEGER], "total": 0},
    "jaeger-one": {"data": JAEGER},
    "jaeger-trace": JAEGER,
    "bare": BARE,
}  # fmt: skip


def facts(frame: Frame) -> tuple[object, ...]:
    ids = (frame.trace_id, frame.span_id, frame.parent_id, frame.name, frame.role)
    times = (frame.start, frame.end, frame.failed, frame.status, frame.service)
    return (*ids, *times, frame.attributes["a"], [one.name for one in frame.events])


@pytest.mark.parametrize("name", ENVELOPES)
def test_every_envelope_holds_the_same_span(name: str) -> None:
    (frame,) = read_frames([ENVELOPES[name]])
    start, end = 1935910800000001000, 1935910800000003000
    ids = ("t1", "s1", "s0", "chat scripted", "client")
    assert facts(frame) == (*ids, start, end, True, "gone", "desk", 1, ["e"])
    assert frame.events[0].attributes["b"] == "c"
    assert frame.scope == (None if name == "bare" else "lib")


@pytest.mark.parametrize("name", ENVELOPES)
def test_every_envelope_is_known(name: str) -> None:
    assert is_otlp(ENVELOPES[name])


@pytest.mark.parametrize(
    "other",
    [
        {"id": "e-1", "author": "user", "invocation_id": "i", "content": {"parts": []}},
        {"id": "s", "appName": "a", "userId": "u", "events": [{"author": "user"}]},
        {"data": {"session": {"id": "s"}, "events": [{"id": "1", "data": "{}"}]}, "error": False},
        {"data": [{"id": "s"}]},
        {"role": "user", "content": "hi"},
        {"messages": [{"role": "user", "content": "hi"}]},
        {"batches": [{"size": 3}]},
        {"name": "chat", "start_time": "2031-05-07T09:00:00Z"},
        {"spans": [1]},
        ["resourceSpans"],
        "resourceSpans",
        None,
    ],
)
def test_what_is_of_another_shape_is_not_claimed(other: JsonValue) -> None:
    assert not is_otlp(other)


def test_positions_count_after_unwrapping() -> None:
    frames: list[JsonValue] = [ENVELOPES["otlp"], [ENVELOPES["jaeger"], 5], BARE]
    alone = list(unwrapped(frames))
    assert [one.kind for one in read_frames(alone)] == ["span", "span", "unreadable", "span"]
    assert alone[2:] == [5, BARE]
    assert [(one.index, one.kind) for one in read_frames(frames)] == [
        (0, "span"),
        (1, "span"),
        (2, "unreadable"),
        (3, "span"),
    ]


EMPTY: list[JsonValue] = [
    {"resourceSpans": []},
    {"resourceSpans": [{"scopeSpans": []}]},
    {"traceID": "t", "spans": [], "processes": {}},
]


@pytest.mark.parametrize("empty", EMPTY)
def test_an_envelope_without_spans_is_a_frame_that_says_so(empty: JsonValue) -> None:
    (frame,) = read_frames([empty])
    assert (frame.kind, frame.problem) == ("unreadable", "an envelope without spans")


def test_a_log_record_belongs_to_its_span() -> None:
    body: JsonValue = {"kvlistValue": {"values": [{"key": "c", "value": {"stringValue": "d"}}]}}
    log: JsonValue = {
        "timeUnixNano": "1935910800000001000",
        "eventName": "gen_ai.user.message",
        "traceId": "t1",
        "spanId": "s1",
        "body": body,
        "attributes": [{"key": "a", "value": {"intValue": "1"}}],
    }
    (frame,) = read_frames([{"resourceLogs": [{"scopeLogs": [{"logRecords": [log]}]}]}])
    assert (frame.kind, frame.trace_id, frame.span_id) == ("log", "t1", "s1")
    assert frame.events[0].name == "gen_ai.user.message"
    assert frame.events[0].attributes == {"a": 1, "c": "d"}
    assert read_frames([log])[0].kind == "log"


@pytest.mark.parametrize("parent", ["", "0000000000000000", "0x0000000000000000", None])
def test_a_parent_of_zeros_is_none(parent: str | None) -> None:
    assert read_frames([{**BARE, "parent_id": parent}])[0].parent_id is None
