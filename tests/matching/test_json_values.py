import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.matching.assignment import assign
from audition.matching.json_values import (
    SHOWN_DIFFERENCES,
    JsonMode,
    check_expectation,
    matches,
)

CASES = Path(__file__).parents[1] / "cases"
MODES: list[JsonMode] = ["exact", "subset", "superset", "ignore"]


def case(name: str) -> Any:
    return json.loads((CASES / f"{name}.json").read_text())


NESTED = case("01-args-nested-superset")
DEFAULTS = case("03-args-explicit-default")
ORDERS = case("05-args-list-order")
PAIRINGS = case("07-args-greedy-pairing")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON, st.sampled_from(MODES))
def test_a_value_matches_itself(value: JsonValue, mode: JsonMode) -> None:
    assert matches({"$literal": value}, value, mode) is None
    if "$" not in json.dumps(value):
        assert matches(value, value, mode) is None


@given(st.lists(JSON, max_size=5).filter(lambda values: "$" not in json.dumps(values)), st.data())
def test_a_list_matches_itself_in_any_order(values: list[JsonValue], data: st.DataObject) -> None:
    assert matches({"$unordered": values}, data.draw(st.permutations(values))) is None


@given(JSON.filter(lambda value: "$" not in json.dumps(value)), JSON)
def test_subset_and_superset_together_are_exact(expected: JsonValue, actual: JsonValue) -> None:
    modes: tuple[JsonMode, ...] = ("exact", "subset", "superset")
    exact, subset, superset = (matches(expected, actual, mode) is None for mode in modes)
    assert exact == (subset and superset)


@pytest.mark.parametrize("check", NESTED["checks"])
def test_a_partial_object_is_partial_at_every_level(check: dict[str, Any]) -> None:
    mismatch = matches(check["expected"], NESTED["actual"], check["mode"])
    assert (mismatch is None) == check["match"]
    assert all(name in str(mismatch) for name in check["reason_names"])


@pytest.mark.parametrize("mode", ["exact", "superset", "subset"])
@pytest.mark.parametrize("pair", DEFAULTS)
def test_an_argument_at_its_default_is_a_difference_of_one_side(
    pair: dict[str, Any], mode: JsonMode
) -> None:
    mismatch = matches(pair["expected"], pair["actual"], mode)
    assert (mismatch is None) == pair["match"][mode]
    assert mismatch is None or "/page" in str(mismatch)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pair", DEFAULTS)
def test_a_declared_default_or_an_ignored_argument_matches_in_every_mode(
    pair: dict[str, Any], mode: JsonMode
) -> None:
    pages: list[JsonValue] = [{"$absent_or": 1}, {"$ignore": True}]
    for page in pages:
        assert matches({**pair["expected"], "page": page}, pair["actual"], mode) is None


def test_another_value_than_the_declared_default_is_a_difference() -> None:
    assert matches({"page": {"$absent_or": 1}}, {"page": 1}) is None
    assert str(matches({"page": {"$absent_or": 1}}, {"page": 2})) == "/page: expected 1, was 2"


@pytest.mark.parametrize("pair", ORDERS, ids=lambda pair: pair["id"])
def test_a_list_is_ordered_unless_it_is_said_not_to_be(pair: dict[str, Any]) -> None:
    expected = dict(pair["expected"])
    if pair["mode"] == "unordered":
        expected["item_ids"] = {"$unordered": expected["item_ids"]}
    assert (matches(expected, pair["actual"]) is None) == pair["match"]


def test_the_reason_says_where_only_the_order_differs() -> None:
    mismatch = matches({"ids": ["A", "B", {"n": 1}]}, {"ids": [{"n": 1}, "A", "B"]})
    assert str(mismatch) == (
        '/ids: expected ["A","B",{"n":1}] in this order, '
        'was [{"n":1},"A","B"], whose elements agree and only their order differs'
    )


@pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda pairing: pairing["id"])
def test_a_loose_and_a_tight_expectation_share_out_the_calls(pairing: dict[str, Any]) -> None:
    expected, actual = pairing["expected"], pairing["actual"]
    assert (matches({"$unordered": expected}, actual, "superset") is None) == pairing["match"]
    fits = [[matches(want, call, "superset") is None for call in actual] for want in expected]
    assert (None not in assign(fits)) == pairing["match"]


@pytest.mark.parametrize(
    ("expected", "actual", "reason"),
    [
        (True, 1, "the value: expected true, was 1"),
        ({"a": 1}, {"a": True}, "/a: expected 1, was true"),
        ({"a": None}, {}, "/a: expected null, was missing"),
        ({}, {"a": None}, "/a: expected no such key, was null"),
        ({"a": {}}, {"a": []}, "/a: expected {}, was []"),
        ([], {}, "the value: expected [], was {}"),
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "/a/1/b: expected 2, was 3"),
        ([1, 2], [1], "/1: expected 2, was missing"),
        ([1], [1, 2], "/1: expected no such element, was 2"),
        ({"a/b~": 1}, {"a/b~": 2}, "/a~1b~0: expected 1, was 2"),
        ({"a": 1}, {"c": 3}, "/a: expected 1, was missing; /c: expected no such key, was 3"),
        ({"a": {"$term": "x1"}}, {"a": "y"}, '/a: expected a text with "x1", was "y"'),
        ({"a": {"$term": "x1"}}, {}, '/a: expected {"$term":"x1"}, was missing'),
        ({"a": {"$number": 5}}, {"a": "5"}, '/a: expected the number 5, was "5"'),
        ({"a": {"$any": [1, {"b": 2}]}}, {"a": 3}, '/a: expected one of 1, {"b":2}, was 3'),
        ({"a": {"$present": True}}, {}, '/a: expected {"$present":true}, was missing'),
        ({"a": {"$present": False}}, {"a": None}, "/a: expected no such key, was null"),
        ({"a": {"$unordered": [1]}}, {"a": 1}, "/a: expected a list, was 1"),
        ({"a": {"$unordered": [1, 1, 2]}}, {"a": [2, 1]},
         "/a: expected an element 1, was a list without one, or without one more"),
        ({"a": {"$unordered": [1]}}, {"a": [3, 1]}, "/a/0: expected no such element, was 3"),
    ],
)  # fmt: skip
def test_a_difference_says_where_what_was_expected_and_what_was_there(
    expected: JsonValue, actual: JsonValue, reason: str
) -> None:
    assert str(matches(expected, actual)) == reason


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ({"a": {"$any": [1, {"$term": "north"}]}}, {"a": "NORTH"}),
        ({"a": {"$any": [2, {"$absent_or": 1}]}}, {}),
        ({"a": {"$present": True}}, {"a": None}),
        ({"a": {"$present": False}}, {}),
        ({"a": {"$unordered": [{"$any": [1, 2]}, 1]}}, {"a": [1, 2]}),
        ({"a": {"$unordered": []}}, {"a": []}),
        ({"$number": 2, "$tolerance": 1}, 3),
        ([{"$ignore": True}, 1], [None, 1.0]),
        ({"a": {"$literal": {"$ref": "#"}}}, {"a": {"$ref": "#"}}),
    ],
)
def test_matchers_stand_anywhere_in_an_expected_value(
    expected: JsonValue, actual: JsonValue
) -> None:
    assert matches(expected, actual) is None


def test_a_difference_that_a_reader_may_not_see_is_pointed_out() -> None:
    assert str(matches("Caf\u00e9", "cafe\u0301")) == (
        'the value: expected "Caf\u00e9", was "cafe\u0301" '
        "(the same but for case, spaces, marks or the form of its letters)"
    )


def test_a_mode_holds_inside_matchers() -> None:
    expected: JsonValue = {"$unordered": [{"a": 1}, {"$any": [{"b": 2}]}]}
    actual: JsonValue = [{"b": 2, "x": 1}, {"a": 1, "y": 1}]
    assert matches(expected, actual, "superset") is None
    assert matches(expected, actual, "exact") is not None


def test_a_mode_does_not_make_lists_partial() -> None:
    assert matches([1], [1, 2], "superset")
    assert matches([1, 2], [1], "subset")


def test_a_present_key_is_asked_for_in_every_mode() -> None:
    assert matches({"a": {"$present": True}}, {}, "subset")


def test_a_key_that_must_be_absent_may_not_hide_among_others() -> None:
    assert matches({"a": {"$present": False}}, {"a": 1, "b": 2}, "superset")


def test_nothing_is_looked_at_where_the_mode_ignores() -> None:
    assert matches({"a": 1}, "other", "ignore") is None


def test_many_differences_are_cut_and_it_is_said() -> None:
    expected, actual = list[JsonValue]([0] * 100), list[JsonValue]([1] * 100)
    mismatch = matches(expected, actual)
    assert mismatch
    assert (len(mismatch.differences), mismatch.more) == (SHOWN_DIFFERENCES, True)
    assert str(mismatch).endswith("; and more")


def test_a_reason_is_one_bounded_line_whatever_the_values_are() -> None:
    many = list[JsonValue](["y\x1b"] * 5000)
    reason = str(matches({"a": "x\n" * 5000}, {"a": many}))
    assert len(reason) < 400
    assert reason.isprintable()


def test_a_good_expectation_is_given_back() -> None:
    expected: JsonValue = {
        "a": [{"$any": [{"$unordered": [{"$term": {"regex": "x"}}]}]}],
        "b": {"$literal": {"$trem": "x"}},
        "c": None,
    }
    assert check_expectation(expected) is expected


def test_every_misspelt_matcher_is_named_with_its_place() -> None:
    expected: JsonValue = {"a/b": [1, {"$trem": "x"}], "c": {"$any": [{"$unordred": []}]}}
    with pytest.raises(ValueError, match="is no matcher") as refused:
        check_expectation(expected)
    assert str(refused.value).startswith("/a~1b/1: $trem is no matcher; there are $term, $number")
    assert "; /c/$any/0: $unordred is no matcher" in str(refused.value)


def test_a_misspelt_matcher_at_the_top_is_named_too() -> None:
    with pytest.raises(ValueError, match=r"^the value: \$trem is no matcher"):
        check_expectation({"$trem": "x"})


def test_a_misspelt_matcher_never_compares() -> None:
    with pytest.raises(ValueError, match="is no matcher"):
        matches({"$trem": "x"}, {"$trem": "x"})
