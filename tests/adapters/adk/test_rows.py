"""Rows, sessions, envelopes and texts encoded again are the events in them."""

import json

import pytest
from pydantic import JsonValue

from audition.adapters.adk.rows import is_adk, session_of_adk, unwrapped
from audition.adapters.adk.session import adapt_adk
from audition.events import StateChanged
from audition.values import parse_json
from tests.adapters.adk.records import (
    ASKED,
    BACK,
    CALLED,
    adapted,
    answers,
    calls,
    dropped,
    recorded,
)

EVENTS: list[JsonValue] = [ASKED, CALLED, BACK]
ROW: JsonValue = {"id": "r-1", "session_id": "s-1", "user_id": "u-1", "created_at": "2026-09-03"}


def row(column: str, value: JsonValue) -> JsonValue:
    assert isinstance(ROW, dict)
    return {**ROW, column: value}


def envelope(data: JsonValue) -> JsonValue:
    return {"error": False, "data": data, "message": "Successfully fetched"}


def text(value: JsonValue) -> str:
    return json.dumps(value)


OPENAI = text({"type": "conversation_items", "items": [{"role": "user", "content": "hi"}]})
WRAPPED: dict[str, list[JsonValue]] = {
    "events": EVENTS,
    "texts": [text(one) for one in EVENTS],
    "texts of texts": [text(text(one)) for one in EVENTS],
    "texts of texts of texts": [text(text(text(one))) for one in EVENTS],
    "session": [{"id": "s-1", "appName": "desk", "userId": "u", "events": EVENTS}],
    "kagent's rows": [row("data", text(one)) for one in EVENTS],
    "kagent's rows encoded again": [row("data", text(text(one))) for one in EVENTS],
    "kagent's rows with objects": [row("data", one) for one in EVENTS],
    "ADK's rows": [row("event_data", text(one)) for one in EVENTS],
    "ADK's rows with objects": [row("event_data", one) for one in EVENTS],
    "one column": [{"data": text(one)} for one in EVENTS],
    "list": [EVENTS],
    "text of a list": [text(EVENTS)],
    "REST": [
        envelope({"session": {"id": "s-1"}, "events": [row("data", text(e)) for e in EVENTS]})
    ],
    "text of REST": [text(envelope({"session": {"id": "s-1"}, "events": EVENTS}))],
}


@pytest.mark.parametrize("frames", WRAPPED.values(), ids=WRAPPED)
def test_what_wraps_events_is_the_events(frames: list[JsonValue]) -> None:
    found = list(unwrapped(frames))
    assert found == EVENTS
    assert list(unwrapped(found)) == found
    assert all(map(is_adk, frames))


OTHERS: list[JsonValue] = [
    None,
    4,
    "a line",
    "{",
    [],
    {},
    {"events": []},
    {"data": None},
    {"data": "words"},
    {"data": [{"traceID": "t", "spans": []}]},
    {"resourceSpans": []},
    {"role": "assistant", "content": "hi", "parts": [{"text": "hi"}]},
    {"kind": "response", "parts": [{"content": "hi", "part_kind": "text"}]},
    {"kind": "message_sent", "author": "us"},
    {"events": [{"sequence": 1, "event": {"__model__": "x"}}]},
    parse_json(OPENAI),
    OPENAI,
    row("data", OPENAI),
    envelope({"session": {"id": "s"}, "events": [row("data", OPENAI)]}),
    {"contextId": "c", "status": "done"},
    {"author": "Orla Quist", "title": "Piers", "content": "Words."},
    {"data": [{"author": "Orla Quist", "id": 1, "content": {"text": "Words."}}]},
]


@pytest.mark.parametrize("frame", OTHERS)
def test_frames_of_others_are_not_claimed(frame: JsonValue) -> None:
    assert not is_adk(frame)


def test_what_is_nested_deep_is_looked_at_without_a_limit() -> None:
    frame: JsonValue = {"author": "desk", "content": {"parts": []}}
    for _ in range(5000):
        frame = {"data": frame}
    assert is_adk(frame)
    assert session_of_adk(frame) is None


@pytest.mark.parametrize(
    ("frame", "session"),
    [
        ({"id": "s-1", "appName": "desk", "events": EVENTS}, "s-1"),
        (row("data", text(ASKED)), "s-1"),
        (row("event_data", ASKED), "s-1"),
        (text(row("data", text(ASKED))), "s-1"),
        (envelope({"session": {"id": "s-1"}, "events": [row("data", text(ASKED))]}), "s-1"),
        (envelope([{"id": "t-1", "contextId": "s-1", "kind": "task"}]), "s-1"),
        ({"author": "desk", "sessionId": "s-1"}, "s-1"),
        (ASKED, None),
        ({"session": {"id": 4}}, None),
        ({"data": []}, None),
        ("words", None),
        (None, None),
    ],
)
def test_a_session_is_named_by_what_wraps_it(frame: JsonValue, session: str | None) -> None:
    assert session_of_adk(frame) == session


def test_an_answer_of_kagent_is_the_session_in_it() -> None:
    rest = adapted("kagent/shapes/rest_get_session.json")
    stored = adapted("kagent/demo/weather-grounded.jsonl")
    assert (rest.events, rest.dropped) == (stored.events, stored.dropped)
    (frame,) = recorded("kagent/shapes/rest_get_session.json")
    assert session_of_adk(frame) == "f25e1c01-bcfa-431f-8572-38a7120dd1c8"


@pytest.mark.parametrize("name", ["event_data_go_adk_le_v2.1", "event_data_go_adk_v2.2"])
def test_events_of_go_are_read_in_either_spelling(name: str) -> None:
    record = adapted(f"kagent/shapes/{name}.json")
    assert calls(record) == [("weather_agent", "get_weather", {"city": "London"})]
    ((head),) = record.heads
    assert (head.author, head.role, head.invocation) == ("weather_agent", "model", "e-1")
    (responded, called) = record.events
    assert (responded.event_id, called.event_id) == ("0d3f", "0d3f")
    at = 1784557577.123456 if "v2.1" in name else 1787235977.123456
    assert called.at == at


def test_empty_texts_of_go_are_absent() -> None:
    event: JsonValue = {
        "Author": "desk",
        "ID": "",
        "InvocationID": "",
        "Timestamp": "0001-01-01T00:00:00Z",
        "ErrorCode": "",
        "ErrorMessage": "",
        "Branch": "",
        "Content": {"parts": [{"text": "Free."}], "role": "model"},
        "Actions": {"StateDelta": {"k": 1}, "TransferToAgent": "", "SkipSummarization": False},
    }
    said, state = adapt_adk([event]).events
    assert (said.event_id, said.at, said.kind) == (None, None, "message_sent")
    assert state == StateChanged(agent="desk", changes={"k": 1})


def test_a_pending_call_of_go_is_long_running() -> None:
    event: JsonValue = {
        "Author": "desk",
        "Content": {"parts": [{"functionCall": {"id": "c-1", "name": "ask"}}]},
        "LongRunningToolIDs": ["c-1"],
    }
    assert [one.kind for one in adapt_adk([event]).events] == ["tool_called", "tool_returned"]


def old(**fields: JsonValue) -> JsonValue:
    """Return a row of ADK before 2.0, its actions a pickle in Base64."""
    return {
        "app_name": "desk",
        "user_id": "u",
        "session_id": "s-1",
        "invocation_id": "e-1",
        "timestamp": "2026-11-30 09:47:53.866240",
        "actions": "gASVKgAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjAl0b3VjaCAvdG1wlIWUUpQu",
        "partial": 0,
        "turn_complete": None,
        "error_code": None,
        **fields,
    }


def test_a_row_before_two_is_an_event_whose_pickle_nobody_reads() -> None:
    asked = text({"parts": [{"text": "Is pier 4 free?"}], "role": "user"})
    call: JsonValue = {
        "parts": [{"function_call": {"id": "c", "name": "ask", "args": {"pier": 4}}}]
    }
    rows = [
        old(id="1", author="user", content=asked, long_running_tool_ids_json=None),
        old(id="2", author="desk", content=text(call), long_running_tool_ids_json='["c"]'),
        old(id="3", author="desk", content=text({"parts": [{"text": "Wait"}]}), partial=1),
        old(id="4", author="desk", content=text({"parts": [{"text": "Wait."}]})),
    ]
    record = adapt_adk(rows)
    assert calls(record) == [("desk", "ask", {"pier": 4})]
    assert answers(record) == [("desk", "Wait.")]
    assert dropped(record) == [(2, "desk", "partial")]
    assert record.events[0].at == 1796032073.86624
    pending = [one for one in record.events if one.kind == "tool_returned"]
    assert [one.outcome.value for one in pending] == ["pending"]
    assert [session_of_adk(one) for one in rows] == ["s-1"] * 4


@pytest.mark.parametrize("content", ['{"parts": [{"te', "words", [1], 7])
def test_an_event_whose_content_is_torn_is_lost(content: JsonValue) -> None:
    record = adapt_adk([old(id="1", author="desk", content=content, error_code="E")])
    assert (dropped(record), record.lost) == ([(0, None, "not an ADK event")], 1)


@pytest.mark.parametrize("content", [None, "", {}])
def test_an_event_without_content_is_not_lost(content: JsonValue) -> None:
    record = adapt_adk([old(id="1", author="desk", content=content)])
    assert (dropped(record), record.lost) == ([(0, "desk", "no content")], 0)


def rest(*times: JsonValue) -> JsonValue:
    rows: list[JsonValue] = [
        {"created_at": time, "data": text({"author": "desk", "id": f"e-{number}"})}
        for number, time in enumerate(times)
    ]
    return envelope({"session": {"id": "s"}, "events": rows})


@pytest.mark.parametrize(
    ("times", "order"),
    [
        (["2026-09-03T14:44:58Z", "2026-09-03T14:44:57Z", "2026-09-03T14:44:57Z"], [2, 1, 0]),
        (["2026-09-03T14:44:57Z", "2026-09-03T14:44:58Z"], [0, 1]),
        (["2026-09-03T14:44:57Z", "2026-09-03T14:44:57Z"], [0, 1]),
        (["2026-09-03T14:44:58Z", "2026-09-03T14:44:56Z", "2026-09-03T14:44:57Z"], [0, 1, 2]),
        (["2026-09-03T14:44:58Z", None], [0, 1]),
    ],
)
def test_rows_that_come_newest_first_are_turned(times: list[JsonValue], order: list[int]) -> None:
    found = [frame["id"] for frame in unwrapped([rest(*times)]) if isinstance(frame, dict)]
    assert found == [f"e-{number}" for number in order]
