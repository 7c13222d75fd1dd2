"""Field names in one spelling, and texts that hold JSON."""

import json

import pytest
from pydantic import JsonValue

from audition.adapters.adk.casing import decoded, named, snake, word


@pytest.mark.parametrize(
    "record",
    [
        {"invocation_id": "e", "long_running_tool_ids": ["c"], "file_uri": "f", "id": "i"},
        {"invocationId": "e", "longRunningToolIds": ["c"], "fileUri": "f", "id": "i"},
        {"InvocationID": "e", "LongRunningToolIDs": ["c"], "FileURI": "f", "ID": "i"},
        {"invocation_id": "e", "long_running_tool_ids_json": ["c"], "fileUri": "f", "id": "i"},
    ],
)
def test_every_spelling_of_a_field_is_one_name(record: JsonValue) -> None:
    names: JsonValue = {
        "invocation_id": "e",
        "long_running_tool_ids": ["c"],
        "file_uri": "f",
        "id": "i",
    }
    assert named(record) == names


def test_what_is_null_or_unknown_is_left_out_and_nothing_below_is_touched() -> None:
    args: JsonValue = {"invocationId": None, "Author": 1}
    record: JsonValue = {"output": args, "data": None, "artifactDelta": {"id": 1}}
    assert named(record) == {"output": args}


@pytest.mark.parametrize("record", [None, 4, "x", [1], True])
def test_what_is_no_object_has_no_fields(record: JsonValue) -> None:
    assert named(record) == {}


@pytest.mark.parametrize(("value", "found"), [("x", "x"), ("", None), (4, None), (None, None)])
def test_a_word_is_a_text_that_is_not_empty(value: JsonValue, found: str | None) -> None:
    assert word({"name": value}, "name") == found


def encoded(value: JsonValue, times: int) -> str:
    text = json.dumps(value)
    return text if times == 1 else encoded(text, times - 1)


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("value", [{"a": 1}, [1, 2], {}])
def test_json_in_a_text_is_decoded_however_often_it_was_encoded(
    value: JsonValue, times: int
) -> None:
    assert decoded(encoded(value, times)) == value


@pytest.mark.parametrize("value", ["words", "{", '"{"', "6", '"5"', "", 5, None, {"a": "{}"}])
def test_what_holds_no_object_and_no_list_is_left_as_it_is(value: JsonValue) -> None:
    assert decoded(value) == value


@pytest.mark.parametrize(
    ("key", "shown"), [("executableCode", "executable_code"), ("Name", "name"), ("a", "a")]
)
def test_any_name_can_be_shown(key: str, shown: str) -> None:
    assert snake(key) == shown
