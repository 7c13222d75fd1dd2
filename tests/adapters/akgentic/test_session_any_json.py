"""No JSON is too strange for a team's record."""

from collections.abc import Sequence
from copy import deepcopy
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.adaptation import NO_FRAME, Adapted
from audition.adapters.akgentic.frames import is_akgentic
from audition.adapters.akgentic.session import adapt_akgentic
from audition.collector import collect
from audition.events import event_adapter
from tests.adapters.akgentic.records import CORE, EVENTS, recorded

KEYS = (
    *("id", "parent_id", "timestamp", "sender", "recipient", "name", "role", "is_user_proxy"),
    *("__model__", "__actor_address__", "message", "message_id", "content", "type", "event"),
    *("content_type", "current_message", "run_id", "tool_name", "tool_call_id", "arguments"),
    *("success", "parts", "part_kind", "args", "outcome", "kind", "usage", "input_tokens"),
    *("dump", "frame", "events", "sequence", "estimated_cost_usd", "finish_reason", "reason"),
)
MODELS = (
    *("SentMessage", "ProcessedMessage", "HandledMessage", "ErrorMessage", "StartMessage"),
    *("EventMessage", "NotificationMessage", "StopMessage"),
)
PAYLOADS = ("LlmMessageEvent", "ToolCallEvent", "ToolReturnEvent", "LlmUsageEvent")
WORDS = st.sampled_from(
    [
        *(f"{CORE}.{name}" for name in (*MODELS, "TeamStoppingEvent")),
        *(f"{EVENTS}.{name}" for name in PAYLOADS),
        *("@Human", "@Manager", "request", "response", "tool-return", "tool-call", "retry-prompt"),
        *("None", "retried", "{", '{"a":1}', "os.getpid", "2026-03-01T10:00:00Z"),
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
MUTABLE = [
    frame for name in ("2.62/cancel-msg", "2.59/crash") for frame in recorded(f"{name}.jsonl")
]

type Place = tuple[str | int, ...]


def places(value: JsonValue, at: Place = ()) -> list[Place]:
    pairs: Sequence[tuple[str | int, JsonValue]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    return [found for key, item in pairs for found in [(*at, key), *places(item, (*at, key))]]


def changed(frame: JsonValue, place: Place, value: JsonValue, *, is_gone: bool) -> JsonValue:
    made = deepcopy(frame)
    holder = cast("dict[str | int, JsonValue]", made)
    for key in place[:-1]:
        holder = cast("dict[str | int, JsonValue]", holder[key])
    if is_gone:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    return made


@st.composite
def mutated_records(draw: st.DrawFn) -> list[JsonValue]:
    """Return a record in which values were replaced or taken out, and frames moved or doubled."""
    frames = list(MUTABLE)
    for _ in range(draw(st.integers(1, 6))):
        index = draw(st.integers(0, len(frames) - 1))
        match draw(st.sampled_from(["replace", "delete", "double", "drop", "move"])):
            case "double":
                frames.insert(draw(st.integers(0, len(frames))), frames[index])
            case "drop" if len(frames) > 1:
                del frames[index]
            case "move":
                frames.insert(draw(st.integers(0, len(frames) - 1)), frames.pop(index))
            case how if there := places(frames[index]):
                place = draw(st.sampled_from(there))
                value = draw(VALUES)
                frames[index] = changed(frames[index], place, value, is_gone=how == "delete")
            case _:
                pass
    return frames


def assert_sound(record: Adapted) -> None:
    silent = [frame.index for frame in record.dropped]
    telling = set(record.origins) - {NO_FRAME}
    assert len(record.origins) == len(record.events)
    assert [head.index for head in record.heads] == sorted({*silent, *telling})
    assert silent == sorted(set(silent) - telling)
    adapter = event_adapter()
    for event in record.events:
        assert adapter.validate_json(adapter.dump_json(event)) == event
    collect(record.events, human=record.human, dropped=record.dropped, lost=record.lost)


@settings(deadline=None)
@given(mutated_records())
def test_every_frame_is_accounted_for_whatever_became_of_it(frames: list[JsonValue]) -> None:
    assert_sound(adapt_akgentic(frames))


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6))
def test_no_json_raises_and_every_event_can_be_written(frames: list[JsonValue]) -> None:
    assert_sound(adapt_akgentic(frames))
    assert all(isinstance(is_akgentic(frame), bool) for frame in frames)


def test_a_part_whose_kind_is_no_word_is_none_of_the_kinds() -> None:
    frames = [
        changed(frame, place, [], is_gone=False)
        for frame in MUTABLE
        for place in places(frame)
        if place[-1] == "part_kind"
    ]
    assert frames
    assert_sound(adapt_akgentic(frames))
