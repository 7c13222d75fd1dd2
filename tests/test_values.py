"""Everything that becomes evidence can be written, and is bounded."""

import json
from decimal import Decimal
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from audition.values import (
    MAX_TEXT,
    canonical_json,
    first_problem,
    json_line,
    parse_json,
    pointer_token,
    seconds_of,
    structure_of,
    text_of,
    writable_json,
    writable_text,
)

ANY_TEXT = st.text(st.characters(categories=None))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(ANY_TEXT)
def test_any_text_becomes_one_that_can_be_written_and_read_back(text: str) -> None:
    written = writable_text(text)
    assert from_json(to_json(written)) == written


@given(st.text())
def test_text_without_lone_surrogates_stays_as_it_is(text: str) -> None:
    assert writable_text(text) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [("a\ud800b", "a�b"), ("\ud83d\ude00", "😀"), ("a\x00b", "a\x00b"), ("é\udcff", "é�")],
    ids=["alone", "a pair", "NUL", "escaped byte"],
)
def test_only_lone_surrogates_are_replaced(text: str, written: str) -> None:
    assert writable_text(text) == written


def test_a_long_text_is_cut_and_says_so() -> None:
    assert writable_text("abcdef", 4) == "abcd[... 2 characters cut]"
    assert len(writable_text("x" * (MAX_TEXT + 5))) < MAX_TEXT + 40


@given(JSON)
def test_json_values_stay_as_they_are(value: JsonValue) -> None:
    assert writable_json(value) == value


@given(JSON)
def test_canonical_json_reads_back_equal(value: JsonValue) -> None:
    assert json.loads(canonical_json(value)) == value


class Bad:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (b"caf\xc3\xa9 \xff", "café �"),
        (bytearray(b"x"), "x"),
        ((1, {"a"}), [1, ["a"]]),
        ({1: {None: True}}, {"1": {"None": True}}),
        ("\ud800", "�"),
        (ValueError("x"), "ValueError('x')"),
        (Bad(), "<Bad>"),
        ({Bad(): 1}, {"<Bad>": 1}),
        (1 << 20_000, f"{1 << 20_000:#x}"),
    ],
    ids=str.split("nan inf bytes bytearray tuple keys surrogate error bad badkey huge"),
)
def test_what_json_cannot_hold_becomes_its_text(value: object, written: JsonValue) -> None:
    assert writable_json(value) == written


def test_deep_nesting_is_cut() -> None:
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    written = to_json(writable_json(deep))
    assert b"nested too deep" in written
    assert from_json(written)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), ("a", "a"), (1, "1"), ({"b": 1, "a": ["é"]}, '{"a":["é"],"b":1}')],
    ids=["nothing", "text", "number", "object"],
)
def test_the_text_of_a_value(value: JsonValue, text: str) -> None:
    assert text_of(value) == text


@pytest.mark.parametrize(
    ("text", "structure"),
    [
        ('{"a": 1}', {"a": 1}),
        (" [1]\n", [1]),
        ("1", None),
        ('"a"', None),
        ("{not json", None),
        ("", None),
        ("[NaN]", None),
        ("[" * 100_000, None),
    ],
    ids=["object", "array", "number", "text", "broken", "empty", "nan", "deep"],
)
def test_only_objects_and_arrays_have_a_structure(text: str, structure: JsonValue) -> None:
    assert structure_of(text) == structure


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}', b'{"a": 1}', '﻿{"a": 1}', b'\xef\xbb\xbf{"a": 1}'],
    ids=["text", "bytes", "marked text", "marked bytes"],
)
def test_a_byte_order_mark_is_passed_over(text: str | bytes) -> None:
    assert parse_json(text) == {"a": 1}


@pytest.mark.parametrize("text", ['"\\ud800"', '"\ud800"'], ids=["escaped", "as it is"])
def test_lone_surrogates_are_read(text: str) -> None:
    assert parse_json(text) == "\ud800"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "Expecting property name"),
        ("[Infinity]", "Infinity is not JSON"),
        ("[" * 100_000, "nested too deep to be read"),
        (b"\xff", "codec can't decode"),
    ],
    ids=["torn", "infinity", "deep", "bytes"],
)
def test_what_is_no_json_says_why(text: str | bytes, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_json(text)


def test_a_key_is_written_as_json_pointers_write_it() -> None:
    assert pointer_token("a/b~c") == "a~1b~0c"


@pytest.mark.parametrize(
    ("given", "told"),
    [({"a": ["x"]}, "a.0: Input should be a valid integer"), (5, "Input should be a valid dict")],
)
def test_of_what_pydantic_found_the_first_is_told_with_its_place(given: object, told: str) -> None:
    with pytest.raises(ValidationError) as found:
        TypeAdapter(dict[str, list[int]]).validate_python(given)
    assert first_problem(found.value).startswith(told)


def test_what_contains_itself_or_never_ends_is_kept_in_part() -> None:
    node: dict[str, object] = {"name": "root"}
    node["children"] = [{"name": name, "parent": node} for name in "abc"]
    text = canonical_json(writable_json({"node": node}, nodes=1_000))
    assert text.startswith('{"node":{"children":[{"name":"a"')
    assert len(text) < 40_000
    assert writable_json(range(10**10), nodes=3) == [0, 1, 2]
    assert writable_json([[1], [2], [3]], nodes=3) == [[1], "[... too large]"]


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"n": 2**64 - 1}, {"n": 2**64 - 1}),
        ({"n": -(2**63) - 1, "m": 2**63 - 1}, {"n": -(2**63) - 1, "m": 2**63 - 1}),
        ({"n": 1.5, "text": "a"}, {"n": 1.5, "text": "a"}),
        ({"n": Decimal("1.10")}, {"n": "Decimal('1.10')"}),
        ({"n": True, "m": None}, {"n": True, "m": None}),
        ({Colour.RED: 1}, {"red": 1}),
        ({Colour.RED: [1]}, {"red": [1]}),
        ({7: "a"}, {"7": "a"}),
        ({"a": "\ud800"}, {"a": "\ufffd"}),
    ],
)
def test_a_small_object_is_written_as_any_other(value: object, written: object) -> None:
    made = writable_json(value)
    assert (made, repr(made)) == (written, repr(written))
    assert made is not value


@pytest.mark.parametrize(
    ("timestamp", "seconds"),
    [
        (7, 7.0),
        (7.5, 7.5),
        ("1970-01-01T00:00:07Z", 7.0),
        ("1970-01-01T01:00:07+01:00", 7.0),
        ("1970-01-01 00:00:07", 7.0),
        ("soon", None),
        (True, None),
        (float("inf"), None),
        (10**400, None),
        (None, None),
        ({}, None),
    ],
)
def test_a_timestamp_is_seconds_or_unknown(timestamp: JsonValue, seconds: float | None) -> None:
    assert seconds_of(timestamp) == seconds


def test_a_number_that_is_too_large_leaves_a_line_of_json() -> None:
    assert json_line(parse_json('{"at": 1e999}')) == '{"at": "inf"}'


def test_a_line_of_json_has_no_end_of_line_of_unicode_in_it() -> None:
    text = json_line({"said": "a\u2028b\u2029c\x85d\ne"})
    assert text.splitlines() == [text]
    assert parse_json(text) == {"said": "a\u2028b\u2029c\x85d\ne"}
