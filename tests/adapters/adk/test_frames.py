"""One value for every spelling of an event, and which frames count for nothing."""

import pytest
from pydantic import JsonValue

from audition.adapters.adk.frames import AdkFrame, read_frames, void_frames


def read(raw: JsonValue) -> AdkFrame:
    (frame,) = read_frames([raw])
    return frame


def test_all_spellings_are_one_value() -> None:
    snake: JsonValue = {
        "author": "desk",
        "invocation_id": "e-1",
        "error_code": None,
        "usage_metadata": {"prompt_token_count": 7},
        "long_running_tool_ids": ["c-1"],
        "content": {"parts": [{"text": None, "function_call": {"id": "c-1", "name": "look"}}]},
        "actions": {"skip_summarization": True, "requested_auth_configs": {"c-1": {"key": "x"}}},
    }
    camel: JsonValue = {
        "author": "desk",
        "invocationId": "e-1",
        "usageMetadata": {"prompt_token_count": 7},
        "longRunningToolIds": ["c-1"],
        "content": {"parts": [{"functionCall": {"id": "c-1", "name": "look"}}]},
        "actions": {"skipSummarization": True, "requestedAuthConfigs": {"c-1": {"key": "y"}}},
    }
    pascal: JsonValue = {
        "Author": "desk",
        "InvocationID": "e-1",
        "UsageMetadata": {"prompt_token_count": 7},
        "LongRunningToolIDs": ["c-1"],
        "Content": {"Parts": [{"FunctionCall": {"ID": "c-1", "Name": "look"}}]},
        "Actions": {"SkipSummarization": True, "RequestedAuthConfigs": {"c-1": {"Key": "y"}}},
    }
    assert read(snake) == read(camel) == read(pascal)


@pytest.mark.parametrize(
    ("recorded", "at"),
    [
        (1796031985.5, 1796031985.5),
        (1796031985, 1796031985.0),
        ("2026-08-20T14:26:17.123456789Z", 1787235977.123456),
        ("2026-08-20T16:26:17+02:00", 1787235977.0),
        ("2026-08-20T14:26:17", 1787235977.0),
        ("yesterday", None),
        (True, None),
        (None, None),
        (10**400, None),
        (float("nan"), None),
    ],
)
def test_a_time_is_seconds_since_the_epoch(recorded: JsonValue, at: float | None) -> None:
    assert read({"author": "desk", "timestamp": recorded}).at == at


@pytest.mark.parametrize(
    ("code", "message", "error"),
    [
        ("SAFETY", "blocked", "SAFETY: blocked"),
        ("SAFETY", None, "SAFETY"),
        ("", "line one\nline two", "line one line two"),
        (429, {"retry": 5}, '429: {"retry":5}'),
        ("", "", None),
        (" ", None, None),
    ],
)
def test_an_error_is_one_line(code: JsonValue, message: JsonValue, error: str | None) -> None:
    frame = read({"author": "desk", "error_code": code, "error_message": message})
    assert frame.error == error


@pytest.mark.parametrize("count", [None, True, -3, "12", 1.5])
def test_a_count_that_is_none_is_zero(count: JsonValue) -> None:
    frame = read({"author": "desk", "usage_metadata": {"prompt_token_count": count}})
    assert frame.tokens("prompt_token_count") == 0


def test_a_session_is_its_events() -> None:
    session: JsonValue = {"id": "s", "appName": "a", "events": [{"author": "x"}, {"author": "y"}]}
    frames = read_frames([session, {"author": "z"}])
    assert [(frame.index, frame.author) for frame in frames] == [(0, "x"), (1, "y"), (2, "z")]


def test_an_event_with_a_field_named_events_is_no_session() -> None:
    assert read({"author": "desk", "events": [1, 2]}).author == "desk"


def test_a_text_that_cannot_be_written_is_mended() -> None:
    frame = read({"author": "desk", "content": {"parts": [{"text": "half \ud83d"}]}})
    assert [part.text for part in frame.parts] == ["half \ufffd"]


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ({"author": "desk"}, "no content"),
        ({"author": "desk", "actions": {"stateDelta": {}}}, "no content"),
        ({"author": "desk", "content": {"parts": []}}, "no content"),
        ({"author": "desk", "actions": {"endOfAgent": True}}, "end of agent"),
        ({"author": "desk", "interrupted": True}, "interruption"),
    ],
)
def test_an_empty_event_says_what_it_was(raw: JsonValue, reason: str) -> None:
    assert read(raw).emptiness == reason


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ({"videoMetadata": {"fps": 1}}, "video_metadata"),
        ({"text": None, "file_data": "f"}, "file_data"),
        ({"toolCall": {"args": {}}}, "tool_call without a name"),
        ({"text": "hm", "thought": True}, "thought"),
        ({"functionCall": {"id": "c"}}, "function_call without a name"),
        ({"function_response": {"name": 5}}, "function_response without a name"),
        ({"text": 5}, "text"),
        ({}, "empty part"),
        (None, "empty part"),
    ],
)
def test_a_part_that_is_not_read_is_named(part: JsonValue, kind: str) -> None:
    (found,) = read({"author": "desk", "content": {"parts": [part]}}).parts
    assert (found.kind, found.text) == (kind, "hm" if kind == "thought" else "")


def stored(event_id: str | None, invocation: str, target: str | None = None) -> JsonValue:
    return {
        "author": "user",
        "id": event_id,
        "invocation_id": invocation,
        "actions": {"rewind_before_invocation_id": target},
    }


@pytest.mark.parametrize("raw", [None, 4, "a line", [], {}, {"auThor": "desk"}, {"author": ""}])
def test_what_has_no_author_is_no_event(raw: JsonValue) -> None:
    assert void_frames(read_frames([raw])) == {0: "not an ADK event"}


def test_an_event_is_seen_before_by_its_id_alone() -> None:
    frames = read_frames([stored("a", "i"), stored(None, "i"), stored(None, "i"), stored("a", "j")])
    assert void_frames(frames) == {3: "seen before"}


def test_a_preview_does_not_make_its_event_seen() -> None:
    preview: JsonValue = {"author": "desk", "id": "a", "partial": True}
    assert void_frames(read_frames([preview, stored("a", "i")])) == {0: "partial"}


def test_a_rewind_takes_back_all_since_its_invocation() -> None:
    frames = [stored("a", "i1"), stored("b", "i2"), stored("c", "i3"), stored("d", "i4", "i2")]
    void = void_frames(read_frames([*frames, stored("e", "i5")]))
    assert void == {1: "rewound", 2: "rewound", 3: "rewind"}


def test_a_rewind_that_was_taken_back_takes_nothing_back() -> None:
    frames = [stored("a", "i1"), stored("b", "i2", "i1"), stored("c", "i3", "i2")]
    assert void_frames(read_frames(frames)) == {1: "rewound", 2: "rewind"}


def test_a_rewind_to_an_unknown_invocation_takes_nothing_back() -> None:
    frames = [stored("a", "i1"), stored("b", "i2", "i9"), stored("c", "i9")]
    assert void_frames(read_frames(frames)) == {1: "rewind"}


@pytest.mark.parametrize(
    ("actions", "state"),
    [
        ({"state_delta": {"userId": 1, "b": None}}, {"userId": 1, "b": None}),
        ({"stateDelta": {"a_b": {"c": [2]}}}, {"a_b": {"c": [2]}}),
        ({"StateDelta": {"InvocationID": "x"}}, {"InvocationID": "x"}),
        ('{"stateDelta": {"a": 1}}', {"a": 1}),
        ({"state_delta": {}}, {}),
        ({"state_delta": None}, {}),
        ({"state_delta": ["a"]}, {}),
        ({"state_delta": "a"}, {}),
        ("gASVKgAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOU", {}),
    ],
)
def test_the_state_is_read_in_every_spelling_and_left_as_it_is(
    actions: JsonValue, state: JsonValue
) -> None:
    assert read({"author": "desk", "actions": actions}).state == state
