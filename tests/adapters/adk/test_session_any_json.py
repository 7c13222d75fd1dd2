"""No JSON is too strange for a session, however it is stored."""

from collections.abc import Sequence
from copy import deepcopy
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.adaptation import NO_FRAME, Adapted
from audition.adapters.adk.rows import is_adk, session_of_adk, unwrapped
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
    *("Author", "InvocationID", "Content", "data", "event_data", "session", "Actions", "output"),
    *("executable_code", "codeExecutionResult", "outcome", "inline_data", "tool_call", "tool_type"),
    *("kind", "status", "state", "history", "artifacts", "messageId", "metadata", "adk_type"),
    *("long_running_tool_ids", "error_code", "prompt_token_count", "events", "type", "agent_name"),
)
WORDS = st.sampled_from(
    [
        "user",
        "desk",
        "transfer_to_agent",
        "e-1",
        "c-1",
        "text",
        "{",
        '{"a":1}',
        "data",
        "agent",
        "ROLE_AGENT",
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

FORMS = (
    "adk/2.13.0/confirm_approve.kagent.jsonl",
    "adk/2.13.0/code_parts.session.json",
    "adk/2.13.0/thoughts.dbrows.jsonl",
    "adk/2.13.0/workflow_request_input.session.json",
    "kagent/shapes/event_data_go_adk_le_v2.1.json",
    "kagent/shapes/rest_session_tasks_legacy.json",
    "kagent/github-assistant.jsonl",
)


def places(value: JsonValue, at: Path = ()) -> list[Path]:
    """Return the path of everything in the value."""
    pairs: Sequence[tuple[str | int, JsonValue]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    return [found for key, item in pairs for found in [(*at, key), *places(item, (*at, key))]]


def changed(frames: list[JsonValue], path: Path, what: str, value: JsonValue) -> list[JsonValue]:
    """Return the frames with one place replaced, deleted, or doubled where it is in a list."""
    made = deepcopy(frames)
    holder = cast("dict[str | int, JsonValue] | list[JsonValue]", made)
    for key in path[:-1]:
        holder = cast("dict[str | int, JsonValue]", cast("dict[str | int, JsonValue]", holder)[key])
    last = path[-1]
    if isinstance(holder, list) and isinstance(last, int):
        kept = {"replace": [value], "delete": [], "double": [holder[last], deepcopy(holder[last])]}
        holder[last : last + 1] = kept[what]
    elif isinstance(holder, dict):
        if what == "delete":
            del holder[last]
        else:
            holder[last] = value
    return made


def check_account(record: Adapted) -> None:
    """Every frame contributed or was dropped with a reason, and every event can be kept."""
    contributed = {origin for origin in record.origins if origin != NO_FRAME}
    dropped = [frame.index for frame in record.dropped]
    assert [head.index for head in record.heads] == list(range(len(record.heads)))
    assert len(record.origins) == len(record.events)
    assert dropped == sorted(set(range(len(record.heads))) - contributed)
    assert all(frame.reason for frame in record.dropped)
    for event in record.events:
        assert event_adapter().validate_json(event_adapter().dump_json(event)) == event


@pytest.mark.parametrize("form", FORMS)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_every_frame_is_accounted_for_whatever_became_of_it(form: str, data: st.DataObject) -> None:
    frames = [without_nulls(frame) for frame in recorded(form)]
    for _ in range(data.draw(st.integers(1, 6))):
        found = places(frames)
        if found:
            path = data.draw(st.sampled_from(found))
            what = data.draw(st.sampled_from(["replace", "delete", "double"]))
            frames = changed(frames, path, what, data.draw(VALUES))
    inner = list(unwrapped(frames))
    record = adapt_adk(frames)
    check_account(record)
    assert len(record.heads) == len(inner)
    assert record == adapt_adk(inner)


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6))
def test_no_json_raises_and_every_event_can_be_written(frames: list[JsonValue]) -> None:
    check_account(adapt_adk(frames))
    for frame in frames:
        assert is_adk(frame) in {True, False}
        session = session_of_adk(frame)
        assert session is None or session
