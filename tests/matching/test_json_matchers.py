from typing import Any, cast

import pytest
from pydantic import JsonValue

from audition.matching.json_matchers import accepts, read_matcher, wanted_by


def leaf(written: dict[str, Any]) -> Any:
    matcher = read_matcher(written)
    assert matcher is not None
    return matcher


@pytest.mark.parametrize(
    ("matcher", "actual", "accepted"),
    [
        ({"$term": "north gate"}, "To the NORTH  gate", True),
        ({"$term": {"any": ["a1", "b2"]}}, "b2", True),
        ({"$term": "5"}, 5, False),
        ({"$number": 1.5, "$tolerance": 0.1}, 1.6, True),
        ({"$number": 1.5, "$tolerance": 0.1}, 1.61, False),
        ({"$number": 1}, 1.0, True),
        ({"$number": 1}, True, False),
        ({"$number": 1}, "1", False),
        ({"$number": 1}, float("nan"), False),
        ({"$present": True}, None, True),
        ({"$present": False}, None, False),
        ({"$ignore": True}, {"a": 1}, True),
        ({"$literal": {"$term": "x"}}, {"$term": "x"}, True),
        ({"$literal": [1]}, [True], False),
    ],
)
def test_a_matcher_accepts_what_it_wants(
    matcher: dict[str, Any], actual: JsonValue, *, accepted: bool
) -> None:
    assert accepts(leaf(matcher), actual) == accepted


@pytest.mark.parametrize(
    ("matcher", "wanted"),
    [
        ({"$term": {"word": "cat"}}, 'a text with the word "cat"'),
        ({"$number": 1.5, "$tolerance": 0.1}, "the number 1.5 \u00b1 0.1"),
        ({"$present": True}, "any value"),
        ({"$present": False}, "no such key"),
        ({"$ignore": True}, "anything"),
        ({"$literal": {"$ref": 1}}, '{"$ref":1}'),
    ],
)
def test_a_matcher_says_what_it_wants(matcher: dict[str, Any], wanted: str) -> None:
    assert wanted_by(leaf(matcher)) == wanted


def test_what_is_no_matcher_is_an_error_and_no_answer() -> None:
    for ask in (
        lambda: accepts(cast("Any", {"$term": "x"}), "x"),
        lambda: wanted_by(cast("Any", 5)),
    ):
        with pytest.raises(AssertionError):
            ask()


def test_an_object_without_dollar_keys_is_no_matcher() -> None:
    assert read_matcher({"price": 5, "US$": 1}) is None
    assert read_matcher({}) is None


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ({"$trem": "x"}, "$trem is no matcher; there are $term, $number, $any, $unordered"),
        ({"$tolerance": 1}, "$tolerance is no matcher"),
        ({"$term": "x", "more": 1}, "more: Extra inputs are not permitted"),
        ({"$term": "x", "$any": [1]}, "$any: Extra inputs are not permitted"),
        ({"$term": "**"}, "$term.text: '**' is empty"),
        ({"$number": True}, "$number: True is not a number"),
        ({"$number": 1, "$tolerance": -1}, "$tolerance: Input should be greater"),
        ({"$any": []}, "$any: List should have at least 1 item"),
        ({"$any": 5}, "$any: Input should be a valid list"),
        ({"$unordered": {"a": 1}}, "$unordered: Input should be a valid list"),
        ({"$present": 1}, "$present: Input should be a valid boolean"),
        ({"$ignore": False}, "$ignore: Input should be True"),
    ],
)
def test_an_object_with_other_dollar_keys_is_refused(written: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=r"^\$|^more") as refused:
        read_matcher(written)
    assert problem in str(refused.value)
