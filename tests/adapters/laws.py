"""What holds for every adapter, and frames that something happened to."""

from collections.abc import Sequence
from copy import deepcopy

from hypothesis import strategies as st
from pydantic import JsonValue

from audition.adaptation import NO_FRAME, Adapted
from audition.events import event_adapter
from audition.values import writable_json

_WORDS = st.sampled_from(
    ["user", "assistant", "tool", "text", "c-1", "{", '{"a":1}', "request", "response", "ai"]
)
_KEYS: st.SearchStrategy[str] = st.sampled_from(
    (
        *("role", "content", "type", "tool_calls", "function", "name", "arguments", "id"),
        *("messages", "input", "output", "parts", "part_kind", "kind", "args", "tool_call_id"),
        *("usage", "error", "data", "kwargs", "request", "response", "choices", "message"),
        *("items", "timestamp", "outcome", "tool_name", "run_id"),
    )
)
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | _WORDS
    | st.text(st.characters(exclude_categories=()), max_size=5)
)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=6),
    max_leaves=12,
)


type _Holder = dict[str, JsonValue] | list[JsonValue]


def mutated(data: st.DataObject, frames: Sequence[JsonValue]) -> list[JsonValue]:
    """Return the frames with some places replaced, deleted or doubled."""
    changed = deepcopy(list(frames))
    for _ in range(data.draw(st.integers(1, 5))):
        holders = _holders(changed)
        holder = holders[data.draw(st.integers(0, len(holders) - 1))]
        _spoil(data, holder, data.draw(st.sampled_from(["replace", "delete", "double"])))
        changed = changed or [None]
    return changed


def _spoil(data: st.DataObject, holder: _Holder, how: str) -> None:
    value = data.draw(VALUES)
    if isinstance(holder, list):
        index = data.draw(st.integers(0, len(holder) - 1))
        kept = [] if how == "delete" else [value if how == "replace" else deepcopy(holder[index])]
        holder[index : index + (how != "double")] = kept
        return
    key = data.draw(st.sampled_from(list(holder)))
    if how == "double":
        holder[data.draw(_KEYS)] = deepcopy(holder[key])
    elif how == "replace":
        holder[key] = value
    else:
        del holder[key]


def _holders(value: list[JsonValue]) -> list[_Holder]:
    """Return every list and object in a value that holds something, itself first."""
    found: list[_Holder] = []
    waiting: list[JsonValue] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list) and one:
            found.append(one)
            waiting += one.values() if isinstance(one, dict) else one
    return found


def accounts_for(adapted: Adapted) -> None:
    """Check that every frame contributed events or was dropped for a reason, and never both."""
    heads = [head.index for head in adapted.heads]
    assert heads == list(range(len(heads)))
    assert len(adapted.origins) == len(adapted.events)
    gave = {origin for origin in adapted.origins if origin != NO_FRAME}
    dropped = [frame.index for frame in adapted.dropped]
    assert dropped == sorted(set(dropped))
    assert gave.isdisjoint(dropped)
    assert gave | set(dropped) == set(heads)
    assert all(frame.reason for frame in adapted.dropped)


def survives(adapted: Adapted) -> None:
    """Check that the events are the same when they are written and read again."""
    for event in adapted.events:
        text = event_adapter().dump_json(event)
        assert event_adapter().validate_json(text) == event
    assert writable_json([head.author for head in adapted.heads]) == [
        head.author for head in adapted.heads
    ]
