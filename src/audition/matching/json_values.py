"""Expected JSON against actual JSON: typed, deep, and with every difference by its pointer.

`true` is not `1`, `1` is `1.0`, `null` is not a missing key; texts are equal by their characters.
The mode says what may be left out, at every level: `exact` nothing, `superset` keys of the actual
value that the expected one lacks (the expected one is partial), `subset` keys of the expected
value that the actual one lacks, `ignore` everything. A mode is about keys: a list is a whole, of
the same length and order in every mode, its elements compared in the mode. The matchers of
`json_matchers` may stand anywhere in the expected value.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from pydantic import JsonValue

from audition.matching.assignment import assign
from audition.matching.json_equality import same_json
from audition.matching.json_matchers import (
    AbsentOrMatcher,
    AnyMatcher,
    IgnoreMatcher,
    LiteralMatcher,
    Matcher,
    PresentMatcher,
    TermMatcher,
    UnorderedMatcher,
    accepts,
    read_matcher,
    wanted_by,
)
from audition.matching.text import normalise, shown_text
from audition.values import canonical_json, pointer_token, writable_json

type JsonMode = Literal["exact", "subset", "superset", "ignore"]
"""How the keys of the actual value stand to those of the expected one."""

SHOWN_DIFFERENCES = 8
"""Differences that a mismatch keeps; a reader needs the first few."""

_REORDERED_LENGTH = 50  # a longer list is not tried in other orders only for its reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place where the actual value is not what was expected.

    Attributes:
        pointer: The place in the actual value as a JSON pointer, "" for the whole value.
        expected: What was expected there, as text.
        actual: What was there, as text.

    """

    pointer: str
    expected: str
    actual: str

    def __str__(self) -> str:
        place = self.pointer or "the value"
        return f"{place}: expected {self.expected}, was {self.actual}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """Why an actual value does not match. Its text is one line.

    Attributes:
        differences: The first `SHOWN_DIFFERENCES` differences, at least one.
        more: Whether there are others.

    """

    differences: tuple[Difference, ...]
    more: bool = False

    def __str__(self) -> str:
        return "; ".join([*map(str, self.differences), *["and more"] * self.more])


def matches(expected: JsonValue, actual: JsonValue, mode: JsonMode = "exact") -> Mismatch | None:
    """Return how the actual value differs from the expected one, None where it matches.

    Raises:
        ValueError: The expected value holds a matcher that `check_expectation` refuses.

    """
    if mode == "ignore":
        return None
    first = tuple(islice(_differences(expected, actual, mode, ""), SHOWN_DIFFERENCES + 1))
    if not first:
        return None
    return Mismatch(differences=first[:SHOWN_DIFFERENCES], more=len(first) > SHOWN_DIFFERENCES)


def shown(value: JsonValue) -> str:
    """Return the value as JSON on one line of bounded length."""
    return shown_text(canonical_json(writable_json(value)))


def check_expectation(expected: JsonValue) -> JsonValue:
    """Return the expected value.

    Raises:
        ValueError: Keys that begin with `$` are no matcher. Names each place as a JSON pointer.

    """
    if problems := "; ".join(_problems(expected, "")):
        raise ValueError(problems)
    return expected


def _problems(expected: JsonValue, at: str) -> Iterator[str]:
    """Yield what is wrong with the matchers of an expected value."""
    if isinstance(expected, list):
        for index, element in enumerate(expected):
            yield from _problems(element, f"{at}/{index}")
    elif isinstance(expected, dict):
        try:
            matcher = read_matcher(expected)
        except ValueError as error:
            yield f"{at or 'the value'}: {error}"
            return
        if not isinstance(matcher, TermMatcher | LiteralMatcher):
            for key, value in expected.items():
                yield from _problems(value, f"{at}/{pointer_token(key)}")


def _differences(
    expected: JsonValue, actual: JsonValue, mode: JsonMode, at: str
) -> Iterator[Difference]:
    if isinstance(expected, dict) and (matcher := read_matcher(expected)) is not None:
        yield from _matcher_differences(matcher, actual, mode, at)
    elif isinstance(expected, dict) and isinstance(actual, dict):
        yield from _object_differences(expected, actual, mode, at)
    elif isinstance(expected, list) and isinstance(actual, list):
        yield from _list_differences(expected, actual, mode, at)
    elif not same_json(expected, actual):
        was = shown(actual) + _but_for(expected, actual)
        yield Difference(pointer=at, expected=shown(expected), actual=was)


def _object_differences(
    expected: dict[str, JsonValue], actual: dict[str, JsonValue], mode: JsonMode, at: str
) -> Iterator[Difference]:
    for key, value in expected.items():
        place = f"{at}/{pointer_token(key)}"
        if key in actual:
            yield from _differences(value, actual[key], mode, place)
        elif not _may_be_absent(value, mode):
            yield Difference(pointer=place, expected=shown(value), actual="missing")
    if mode == "superset":
        return
    for key, value in actual.items():
        if key not in expected:
            place = f"{at}/{pointer_token(key)}"
            yield Difference(pointer=place, expected="no such key", actual=shown(value))


def _may_be_absent(expected: JsonValue, mode: JsonMode) -> bool:
    """Return whether the key of this expected value may be missing."""
    matcher = read_matcher(expected) if isinstance(expected, dict) else None
    match matcher:
        case AbsentOrMatcher() | IgnoreMatcher():
            return True
        case PresentMatcher():
            return not matcher.present
        case AnyMatcher():
            return any(_may_be_absent(value, mode) for value in matcher.values)
        case _:
            return mode == "subset"


def _list_differences(
    expected: list[JsonValue], actual: list[JsonValue], mode: JsonMode, at: str
) -> Iterator[Difference]:
    if _is_reordered(expected, actual, mode):
        yield Difference(
            pointer=at,
            expected=f"{shown(expected)} in this order",
            actual=f"{shown(actual)}, whose elements agree and only their order differs",
        )
        return
    for index, (element, found) in enumerate(zip(expected, actual, strict=False)):
        yield from _differences(element, found, mode, f"{at}/{index}")
    for index in range(len(actual), len(expected)):
        yield Difference(pointer=f"{at}/{index}", expected=shown(expected[index]), actual="missing")
    for index in range(len(expected), len(actual)):
        yield _surplus(actual, index, at)


def _is_reordered(expected: list[JsonValue], actual: list[JsonValue], mode: JsonMode) -> bool:
    """Return whether the lists differ, and would not if their order did not matter."""
    if not 1 < len(expected) == len(actual) <= _REORDERED_LENGTH:
        return False
    if all(_agree(*pair, mode) for pair in zip(expected, actual, strict=True)):
        return False
    return not any(_unordered_differences(expected, actual, mode, ""))


def _unordered_differences(
    expected: list[JsonValue], actual: list[JsonValue], mode: JsonMode, at: str
) -> Iterator[Difference]:
    columns = assign([[_agree(element, found, mode) for found in actual] for element in expected])
    for element, column in zip(expected, columns, strict=True):
        if column is None:
            yield Difference(
                pointer=at,
                expected=f"an element {shown(element)}",
                actual="a list without one, or without one more",
            )
    for index in sorted(set(range(len(actual))) - set(columns)):
        yield _surplus(actual, index, at)


def _surplus(actual: list[JsonValue], index: int, at: str) -> Difference:
    return Difference(
        pointer=f"{at}/{index}", expected="no such element", actual=shown(actual[index])
    )


def _agree(expected: JsonValue, actual: JsonValue, mode: JsonMode) -> bool:
    return not any(_differences(expected, actual, mode, ""))


def _matcher_differences(
    matcher: Matcher, actual: JsonValue, mode: JsonMode, at: str
) -> Iterator[Difference]:
    match matcher:
        case AbsentOrMatcher():
            yield from _differences(matcher.value, actual, mode, at)
        case UnorderedMatcher() if isinstance(actual, list):
            yield from _unordered_differences(matcher.values, actual, mode, at)
        case UnorderedMatcher():
            yield Difference(pointer=at, expected="a list", actual=shown(actual))
        case AnyMatcher():
            if not any(_agree(value, actual, mode) for value in matcher.values):
                wanted = f"one of {', '.join(map(shown, matcher.values))}"
                yield Difference(pointer=at, expected=wanted, actual=shown(actual))
        case _:
            if not accepts(matcher, actual):
                yield Difference(pointer=at, expected=wanted_by(matcher), actual=shown(actual))


def _but_for(expected: JsonValue, actual: JsonValue) -> str:
    """Return a remark where two texts differ in what a reader may not see."""
    if not (isinstance(expected, str) and isinstance(actual, str)):
        return ""
    alike = normalise(expected) == normalise(actual)
    return " (the same but for case, spaces, marks or the form of its letters)" if alike else ""
