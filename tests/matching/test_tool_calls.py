"""Two calls of a tool, and the rules for comparing their arguments."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.matching.tool_calls import ArgumentRule, ArgumentRules, ToolCall, unparsed

CASES = Path(__file__).parents[1] / "cases"


def case(name: str) -> Any:
    return json.loads((CASES / f"{name}.json").read_text("utf-8"))


def differ(
    expected: JsonValue, made: JsonValue, rule: ArgumentRule | None = None, **rules: Any
) -> str | None:
    overrides: dict[str, ArgumentRule] = {} if rule is None else {"search": rule}
    compared = ArgumentRules(overrides=overrides, **rules)
    return compared.difference(ToolCall("search", expected), ToolCall("search", made))


NESTED = case("01-args-nested-superset")


@pytest.mark.parametrize("check", NESTED["checks"])
def test_a_partial_mode_goes_to_every_level(check: Any) -> None:
    why = differ(check["expected"], NESTED["actual"], mode=check["mode"])
    assert (why is None) is check["match"]
    assert all(name in (why or "") for name in check["reason_names"])


@pytest.mark.parametrize("pair", case("03-args-explicit-default"), ids=["spelt", "left out"])
def test_an_argument_at_its_default_can_be_left_out_of_the_comparison(pair: Any) -> None:
    for mode, match in pair["match"].items():
        why = differ(pair["expected"], pair["actual"], mode=mode)
        assert (why is None, "page" in (why or "page")) == (match, True)
    ignored: JsonValue = {"page": {"$ignore": True}}
    default: JsonValue = {"page": {"$absent_or": 1}}
    assert differ(pair["expected"], pair["actual"], ignored) is None
    assert differ(pair["expected"], pair["actual"], default) is None
    assert differ({"page": 1}, {"page": 2}, default) is not None


@pytest.mark.parametrize("pair", case("05-args-list-order"), ids=lambda pair: pair["id"])
def test_the_order_of_a_list_counts_but_where_a_rule_says_that_it_does_not(pair: Any) -> None:
    items: JsonValue = {"item_ids": {"$unordered": pair["expected"]["item_ids"]}}
    rule: ArgumentRule = items if pair["mode"] == "unordered" else "exact"
    assert (differ(pair["expected"], pair["actual"], rule) is None) is pair["match"]


def test_keys_alone_are_compared_and_exactly() -> None:
    made: JsonValue = {"q": "x", "page": 2, "filters": {"city": "Mirefort", "open": True}}
    keys = ("q", "filters.city")
    assert differ({"q": "x", "filters": {"city": "Mirefort"}}, made, keys) is None
    other = differ({"q": "x", "filters": {"city": "Gannet"}}, made, keys)
    assert other == '/filters.city: expected "Gannet", was "Mirefort"'


@pytest.mark.parametrize("key", ["items.0.id", "$.items[0].id", "$.items[*].id"])
def test_a_key_may_be_a_path_into_a_list(key: str) -> None:
    expected: JsonValue = {"items": [{"id": 1, "n": 5}]}
    assert differ(expected, {"items": [{"id": 1, "n": 6}]}, (key,)) is None
    assert differ(expected, {"items": [{"id": 2, "n": 5}]}, (key,)) is not None
    assert differ(expected, {"items": []}, (key,)) is not None
    assert list(ArgumentRules(overrides={"s": (key,)}).problems([ToolCall("s", expected)])) == []


def test_a_key_with_a_point_is_found_as_it_stands() -> None:
    assert differ({"a.b": 1}, {"a.b": 1}, ("a.b",)) is None
    assert differ({"a.b": 1}, {"a.b": 2}, ("a.b",)) is not None


def test_a_key_that_only_one_side_has_and_null_are_differences() -> None:
    assert differ({"q": "x"}, {}, ("q",)) is not None
    assert differ({"q": None}, {}, ("q",)) is not None
    assert differ({}, {"q": "x"}, ("q",)) is not None


def test_a_matcher_of_the_reference_counts_behind_a_key() -> None:
    assert differ({"q": {"$term": "mara"}}, {"q": "Mara Ilves", "page": 1}, ("q",)) is None


def test_where_nothing_is_expected_any_arguments_do_but_for_what_a_rule_wants() -> None:
    assert differ(None, {"q": "x"}) is None
    assert differ(None, {"q": "x", "page": 1}, {"q": "x"}) is None
    assert differ(None, {"q": "y"}, {"q": "x"}) == '/q: expected "x", was "y"'


def test_a_rule_of_values_is_all_that_is_left_where_arguments_are_ignored() -> None:
    assert differ({"page": 1}, {"q": "x", "page": 2}, {"q": "x"}, mode="ignore") is None
    assert differ({"page": 1}, {"q": "y", "page": 2}, {"q": "x"}, mode="ignore") is not None


def test_the_rule_for_every_other_tool_leaves_those_with_a_rule_of_their_own() -> None:
    rules = ArgumentRules(overrides={"*": "ignore", "send": "exact"})
    assert rules.difference(ToolCall("search", {"q": 1}), ToolCall("search", {"q": 2})) is None
    assert rules.difference(ToolCall("send", {"q": 1}), ToolCall("send", {"q": 2})) is not None


def test_equality_is_typed() -> None:
    assert differ({"n": 1}, {"n": True}) is not None
    assert differ({"n": 0}, {"n": False}) is not None
    assert differ({"n": 1}, {"n": 1.0}) is None


def test_malformed_arguments_differ_with_their_text_unless_they_are_ignored() -> None:
    broken = ToolCall("search", problem=unparsed('{"q": ', "it ends too early"))
    told = "the arguments '{\"q\": ' do not parse: it ends too early"
    assert ArgumentRules().difference(ToolCall("search", {}), broken) == told
    assert ArgumentRules(mode="ignore").difference(ToolCall("search", {}), broken) is None
    assert str(broken) == f"search ({told})"


@pytest.mark.parametrize(
    ("tool", "rule", "problem"),
    [
        ("serch", "exact", "overrides/serch: no expected call is of this tool; there are: search"),
        ("search", ("qq",), "overrides/search: no expected call has 'qq' among its arguments"),
        ("*", ("qq",), "overrides/*: no expected call has 'qq' among its arguments"),
        ("search", ("$.q[",), "overrides/search: the path '$.q[' cannot be read"),
    ],
)
def test_a_rule_that_could_never_apply_is_told(tool: str, rule: ArgumentRule, problem: str) -> None:
    rules = ArgumentRules(overrides={tool: rule})
    (told,) = rules.problems([ToolCall("search", {"q": "x"})])
    assert told.startswith(problem)


def test_a_rule_for_the_others_is_told_where_there_are_none() -> None:
    rules = ArgumentRules(overrides={"search": "exact", "*": "ignore"})
    (told,) = rules.problems([ToolCall("search", {"q": "x"})])
    assert told == "overrides/*: every expected call is of a tool with a rule of its own"


def test_a_call_is_told_with_its_arguments() -> None:
    every: list[JsonValue] = [{"q": "x"}, {}, None]
    told = [str(ToolCall("search", arguments)) for arguments in every]
    assert told == ['search {"q":"x"}', "search {}", "search"]


ARGUMENTS = st.dictionaries(
    st.sampled_from("ab"),
    st.recursive(
        st.sampled_from([None, True, 1, 1.0, "1"]),
        lambda inside: (
            st.lists(inside, max_size=2)
            | st.dictionaries(st.sampled_from("cd"), inside, max_size=2)
        ),
        max_leaves=3,
    ),
    max_size=2,
)


@given(ARGUMENTS, ARGUMENTS, st.sampled_from(["exact", "ignore", "subset", "superset"]))
def test_calls_agree_where_nothing_differs_also_where_their_texts_are_known(
    one: Any, other: Any, mode: Any
) -> None:
    rules = ArgumentRules(mode=mode)
    expected = ToolCall("search", one, text=json.dumps(one))
    made = ToolCall("search", other, text=json.dumps(other))
    assert rules.agree(expected, made) is (rules.difference(expected, made) is None)
    broken = ToolCall("search", problem=unparsed("{", "?"))
    assert rules.agree(expected, broken) is (mode == "ignore")
    assert not rules.agree(expected, ToolCall("send", one, text=json.dumps(one)))
