"""Every spelling of values and of time."""

import pytest
from pydantic import JsonValue

from audition.adapters.otlp.attributes import (
    named,
    nanoseconds,
    read_attributes,
    read_list,
    read_object,
    read_value,
    whole_number,
    word,
)

HALVES: JsonValue = {"low": 2665931368, "high": 450739357}
NANOS = 1935910800001000040


@pytest.mark.parametrize(
    ("recorded", "value"),
    [
        ({"stringValue": "a"}, "a"),
        ({"intValue": "12"}, 12),
        ({"intValue": 12}, 12),
        ({"intValue": {"low": 12, "high": 0}}, 12),
        ({"intValue": "many"}, "many"),
        ({"int_value": "-3"}, -3),
        ({"doubleValue": 1.5}, 1.5),
        ({"boolValue": False}, False),
        ({"arrayValue": {"values": [{"stringValue": "a"}, {"intValue": "2"}]}}, ["a", 2]),
        ({"arrayValue": {}}, []),
        ({"kvlistValue": {"values": [{"key": "a", "value": {"intValue": 1}}]}}, {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ({"stringValue": "a", "b": 1}, {"stringValue": "a", "b": 1}),
        ({"bytesValue": "eyJhIjogMX0="}, '{"a": 1}'),
        ({"bytes_value": "/w=="}, "/w=="),
        ({"bytesValue": "no Base64"}, "no Base64"),
        ("plain", "plain"),
        (None, None),
    ],
)
def test_a_value_is_read_out_of_its_kind(recorded: JsonValue, value: JsonValue) -> None:
    assert read_value(recorded) == value


def test_attributes_are_the_same_as_object_list_and_tags() -> None:
    listed: JsonValue = [{"key": "a", "value": {"intValue": "1"}}, {"value": {}}, 5]
    tags: JsonValue = [{"key": "a", "type": "int64", "value": 1}]
    assert read_attributes(listed) == read_attributes(tags) == read_attributes({"a": 1})


@pytest.mark.parametrize(
    ("recorded", "number"),
    [
        ("12", 12),
        (" -7 ", -7),
        (13, 13),
        (12.0, 12),
        ({"low": -1629035928, "high": 450739357}, NANOS),
        (HALVES, NANOS),
        (True, None),
        ("twelve", None),
        ("", None),
        ("1" * 5000, None),
        (float("inf"), None),
        ({"low": 1}, None),
    ],
)
def test_a_whole_number_has_many_spellings(recorded: JsonValue, number: int | None) -> None:
    assert whole_number(recorded) == number


@pytest.mark.parametrize(
    ("recorded", "nanos"),
    [
        (f" {NANOS}", NANOS),
        (NANOS, NANOS),
        (HALVES, NANOS),
        ([1935910800, 1000040], NANOS),
        ("2031-05-07T09:00:00.001000040Z", NANOS),
        ("2031-05-07T11:00:00.001000040+02:00", NANOS),
        ("2031-05-07 09:00:00.00100004", NANOS),
        ("2031-05-07T09:00:00Z", 1935910800000000000),
        (1935910800, 1935910800000000000),
        (1935910800.5, 1935910800500000000),
        (1935910800001, 1935910800001000000),
        (1935910800001000, 1935910800001000000),
        ("0", None),
        (-5, None),
        (2**70, None),
        ("yesterday", None),
        ("25:61:00", None),
        ("2031-05-07T25:61:00Z", None),
        (None, None),
        ({"seconds": 1}, None),
    ],
)
def test_a_moment_keeps_its_nanoseconds(recorded: JsonValue, nanos: int | None) -> None:
    assert nanoseconds(recorded) == nanos


def test_a_known_unit_is_not_told_by_size() -> None:
    assert nanoseconds(40, unit=1) == 40


def test_what_is_of_another_type_is_empty() -> None:
    assert (read_object([1]), read_list({"a": 1})) == ({}, [])


def test_the_first_attribute_that_is_there_counts() -> None:
    held: dict[str, JsonValue] = {"a": None, "b": 0, "c": " ", "d": "x\ud800"}
    assert (named(held, "a", "b", "c"), word(held, "a", "b", "c", "d")) == (0, "x\ufffd")
    assert (named(held, "e"), word(held, "c")) == (None, None)
