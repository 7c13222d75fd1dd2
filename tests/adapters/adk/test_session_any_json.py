"""No JSON is too strange for a session."""

from collections.abc import Sequence
from copy import deepcopy
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.adapters.adk.session import adapt_adk
from audition.events import event_adapter
from tests.adapters.adk.records import recorded, without_nulls

KEYS = (
    *("id", "author", "invocation_id", "timestamp", "content", "parts", "role", "text", "thought"),
    *(
        "function_call",
        "functionResponse",
        "name",
        "args",
        "response",
        "result",
        "error",
        "isError",
    ),
    *("actions", "transfer_to_agent", "rewind_before_invocation_id", "usageMetadata", "partial"),
    *("long_running_tool_ids", "error_code", "prompt_token_count", "events", "type", "agent_name"),
)
WORDS = st.sampled_from(["user", "desk", "transfer_to_agent", "e-1", "c-1", "text", "{", '{"a":1}'])
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


def places(value: JsonValue, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the path of everything in the value but of the ids of events."""
    pairs: Sequence[tuple[str | int, JsonValue]] = []
    if isinstance(value, dict):
        pairs = [(key, item) for key, item in value.items() if at or key != "id"]
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    return [found for key, item in pairs for found in [(*at, key), *places(item, (*at, key))]]


def replaced(frame: JsonValue, path: tuple[str | int, ...], value: JsonValue) -> JsonValue:
    changed = deepcopy(frame)
    holder = cast("dict[str | int, JsonValue]", changed)
    for key in path[:-1]:
        holder = cast("dict[str | int, JsonValue]", holder[key])
    holder[path[-1]] = value
    return changed


MUTABLE = [
    frame
    for name in ("confirm_approve", "thoughts", "error_code")
    for frame in recorded(f"adk/2.13.0/{name}.kagent.jsonl")
]


@settings(deadline=None)
@given(st.data())
def test_every_frame_is_accounted_for_whatever_became_of_it(data: st.DataObject) -> None:
    frames = [without_nulls(frame) for frame in MUTABLE]
    for _ in range(data.draw(st.integers(1, 6))):
        index = data.draw(st.integers(0, len(frames) - 1))
        path = data.draw(st.sampled_from(places(frames[index])))
        frames[index] = replaced(frames[index], path, data.draw(VALUES))
    record = adapt_adk(frames)
    seen = {event.event_id for event in record.events}
    silent = [
        index
        for index, frame in enumerate(frames)
        if isinstance(frame, dict) and frame["id"] not in seen
    ]
    assert [frame.index for frame in record.dropped] == silent


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6))
def test_no_json_raises_and_every_event_can_be_written(frames: list[JsonValue]) -> None:
    record = adapt_adk(frames)
    indexes = [frame.index for frame in record.dropped]
    assert indexes == sorted(set(indexes))
    assert all(event_adapter().dump_json(event) for event in record.events)
