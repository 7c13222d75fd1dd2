"""No JSON is too strange for a trace."""

from collections.abc import Sequence
from copy import copy as shallow
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.adaptation import NO_FRAME, Adapted
from audition.adapters.otlp.frames import is_otlp, unwrapped
from audition.adapters.otlp.session import adapt_otlp
from audition.collector import collect
from audition.events import event_adapter
from tests.adapters.otlp.records import recorded

KEYS = (
    *("resourceSpans", "batches", "data", "spans", "logRecords", "attributes", "tags", "key"),
    *("value", "stringValue", "intValue", "traceId", "spanId", "parentSpanId", "name", "status"),
    *("startTimeUnixNano", "endTimeUnixNano", "duration", "startTime", "low", "high", "events"),
    *("gen_ai.operation.name", "gen_ai.input.messages", "gen_ai.tool.name", "role", "parts"),
    *("gen_ai.output.messages", "type", "id", "arguments", "response", "content", "error.type"),
)
WORDS = st.sampled_from(
    [
        *("user", "assistant", "execute_tool", "invoke_agent", "chat", "text", "tool_call"),
        *("tool_call_response", "{", '{"a":1}', "a", "b", "12", "2026-08-20T14:26:17Z", "ERROR"),
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(
    st.characters(exclude_categories=()), max_size=5
)  # fmt: skip
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=12,
)

type Path = tuple[str | int, ...]


def places(value: JsonValue, at: Path = ()) -> list[Path]:
    """Return the path of everything in the value."""
    pairs: Sequence[tuple[str | int, JsonValue]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    return [found for key, item in pairs for found in [(*at, key), *places(item, (*at, key))]]


def changed(holder: JsonValue, path: Path, value: JsonValue, what: str) -> JsonValue:
    """Return a copy with a place in it replaced, deleted or doubled."""
    copy = cast("dict[str | int, JsonValue]", shallow(holder))
    key, *rest = path
    if rest:
        copy[key] = changed(copy[key], tuple(rest), value, what)
    elif what == "delete":
        del copy[key]
    elif what == "double" and isinstance(holder, list):
        cast("list[JsonValue]", copy).insert(cast("int", key), copy[key])
    else:
        copy[key] = value
    return cast("JsonValue", copy)


MUTABLE = [
    *(frame for name in ("adk-tools_basic.otlp.json", "adk-transfer.otlp.json")
      for frame in recorded(f"recordings/otlp/{name}")),
    *recorded("recordings/otlp/kagent-helm.jaeger.json"),
    *recorded("recordings/otlp/akgentic-A.spans.jsonl"),
    *recorded("cases/65-otlp-args-in-model-span.json"),
]  # fmt: skip
PLACES = [places(frame) for frame in MUTABLE]


def assert_whole(frames: list[JsonValue], record: Adapted) -> None:
    """Every frame is told of or dropped, and every event can be written and read again."""
    heads = [head.index for head in record.heads]
    silent = [frame.index for frame in record.dropped]
    telling = set(record.origins) - {NO_FRAME}
    assert heads == list(range(len(list(unwrapped(frames)))))
    assert silent == sorted(set(heads) - telling)
    assert telling <= set(heads)
    assert all(frame.reason for frame in record.dropped)
    assert len(record.origins) == len(record.events)
    adapter = event_adapter()
    assert all(adapter.validate_json(adapter.dump_json(one)) == one for one in record.events)


@settings(deadline=None)
@given(st.data())
def test_every_frame_is_accounted_for_whatever_became_of_it(data: st.DataObject) -> None:
    frames = list(MUTABLE)
    for _ in range(data.draw(st.integers(1, 6))):
        index = data.draw(st.integers(0, len(frames) - 1))
        known = PLACES[index] if frames[index] is MUTABLE[index] else places(frames[index])
        path = data.draw(st.sampled_from(known or [None]))
        if path is None:
            continue
        what = data.draw(st.sampled_from(["replace", "delete", "double"]))
        frames[index] = changed(frames[index], path, data.draw(VALUES), what)
    record = adapt_otlp(frames)
    assert_whole(frames, record)
    assert not collect(record.events, human=record.human).dropped_events


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6))
def test_no_json_raises(frames: list[JsonValue]) -> None:
    assert_whole(frames, adapt_otlp(frames))
    assert {is_otlp(frame) for frame in frames} <= {True, False}


MESSAGES = st.lists(
    st.fixed_dictionaries(
        {
            "role": WORDS,
            "parts": st.lists(
                st.dictionaries(
                    st.sampled_from(["type", "id", "name", "arguments", "response", "content"]),
                    WORDS | SCALARS,
                ),
                max_size=3,
            ),
        }
    ),
    max_size=4,
)


@st.composite
def made_spans(draw: st.DrawFn) -> JsonValue:
    ids = st.sampled_from("abcd")
    operation = draw(st.sampled_from(["chat", "execute_tool", "invoke_agent", "other"]))
    held: dict[str, JsonValue] = {
        "gen_ai.operation.name": operation,
        "gen_ai.tool.name": draw(st.sampled_from(["look", "ask"])),
        "gen_ai.tool.call.id": draw(ids | st.none()),
        "gen_ai.agent.name": draw(st.sampled_from(["desk", "pilot"]) | st.none()),
        "gen_ai.input.messages": cast("JsonValue", draw(MESSAGES)),
        "gen_ai.output.messages": cast("JsonValue", draw(MESSAGES)),
        "gcp.vertex.agent.invocation_id": draw(ids | st.none()),
    }
    return {
        "trace_id": draw(st.sampled_from("xy")),
        "span_id": draw(ids),
        "parent_id": draw(ids | st.none()),
        "name": operation,
        "start_time": draw(st.integers(0, 9) | st.none()),
        "end_time": draw(st.integers(0, 9) | st.none()),
        "attributes": held,
    }


@settings(deadline=None)
@given(st.lists(made_spans(), max_size=8))
def test_any_tree_of_spans_is_told_turn_by_turn(frames: list[JsonValue]) -> None:
    record = adapt_otlp(frames)
    assert_whole(frames, record)
    turns = [event.turn for event in record.events if event.kind == "turn_started"]
    assert turns == list(range(len(turns)))
    run_ids = {
        (event.run_id, event.tool_call_id) for event in record.events if event.kind == "tool_called"
    }
    assert len(run_ids) == sum(event.kind == "tool_called" for event in record.events)
