"""The matchers that may stand inside an expected JSON value, and how they are written.

An object one of whose keys begins with `$` is a matcher, and must be exactly one of

    {"$term": term}                         a text in which the term of `terms` is found
    {"$number": 1.5, "$tolerance": 0.1}     a number at most the tolerance away
    {"$any": [values]}                      one of several expected values
    {"$unordered": [values]}                a list of these in any order, as a multiset
    {"$absent_or": value}                   the value, or no such key: an argument at its default
    {"$present": true}                      the key with any value, null too; false: no such key
    {"$ignore": true}                       anything, or nothing at all
    {"$literal": value}                     the value as it stands, for keys that begin with `$`

The values inside are expected values themselves, with matchers; those of `$literal` are not.
"""

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Annotated, Any, Literal, assert_never

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictBool, ValidationError

from audition.matching.json_equality import same_json
from audition.matching.numbers import decimal_of, interval
from audition.matching.terms import Number, NumberTerm, Term, describe, find
from audition.matching.text import NormalText
from audition.values import canonical_json, first_problem, writable_json


class _Matcher(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TermMatcher(_Matcher):
    """A text in which a term is found."""

    term: Annotated[Term, Field(alias="$term")]


class NumberMatcher(_Matcher):
    """A number at most the tolerance away; no bool and no text is a number."""

    number: Annotated[Number, Field(alias="$number")]
    tolerance: Annotated[Number, Field(alias="$tolerance", ge=0)] = 0


class AnyMatcher(_Matcher):
    """One of several expected values is enough."""

    values: Annotated[list[JsonValue], Field(alias="$any", min_length=1)]


class UnorderedMatcher(_Matcher):
    """A list of these elements, each as often as it stands here, in any order."""

    values: Annotated[list[JsonValue], Field(alias="$unordered")]


class AbsentOrMatcher(_Matcher):
    """The value, or no such key."""

    value: Annotated[JsonValue, Field(alias="$absent_or")]


class PresentMatcher(_Matcher):
    """The key with any value, or no such key where `present` is false."""

    present: Annotated[StrictBool, Field(alias="$present")]


class IgnoreMatcher(_Matcher):
    """Anything, or nothing at all."""

    ignore: Annotated[Literal[True], Field(alias="$ignore")]


class LiteralMatcher(_Matcher):
    """The value as it stands, whatever its keys begin with."""

    value: Annotated[JsonValue, Field(alias="$literal")]


type LeafMatcher = TermMatcher | NumberMatcher | PresentMatcher | IgnoreMatcher | LiteralMatcher
"""The matchers that hold no expected values."""

type Matcher = LeafMatcher | AnyMatcher | UnorderedMatcher | AbsentOrMatcher

_MATCHERS: Mapping[str, type[Matcher]] = {
    "$term": TermMatcher,
    "$number": NumberMatcher,
    "$any": AnyMatcher,
    "$unordered": UnorderedMatcher,
    "$absent_or": AbsentOrMatcher,
    "$present": PresentMatcher,
    "$ignore": IgnoreMatcher,
    "$literal": LiteralMatcher,
}


def read_matcher(value: Mapping[str, Any]) -> Matcher | None:
    """Return the matcher that a JSON object is, None where it is an ordinary object.

    Raises:
        ValueError: It has keys that begin with `$` and is none of the matchers.

    """
    for key in value:
        if key[:1] == "$":
            break
    else:
        return None
    try:
        return _known_matcher(*chain.from_iterable(value.items()))
    except TypeError:  # a list or an object inside it cannot be looked up
        return _matcher(value)


@lru_cache(maxsize=1024, typed=True)  # the same few in every case of a run
def _known_matcher(*parts: Any) -> Matcher:
    return _matcher(dict(zip(parts[::2], parts[1::2], strict=True)))


def _matcher(value: Mapping[str, Any]) -> Matcher:
    for key, matcher in _MATCHERS.items():
        if key in value:
            try:
                return matcher.model_validate(value)
            except ValidationError as error:
                raise ValueError(first_problem(error)) from None
    odd = ", ".join(sorted(key for key in value if key.startswith("$")))
    msg = f"{odd} is no matcher; there are {', '.join(_MATCHERS)}"
    raise ValueError(msg)


def accepts(matcher: LeafMatcher, actual: JsonValue) -> bool:
    """Return whether the value, which is there, is what the matcher wants."""
    match matcher:
        case TermMatcher():
            return isinstance(actual, str) and find(matcher.term, NormalText(actual)) is not None
        case NumberMatcher():
            return _is_near(matcher, actual)
        case PresentMatcher():
            return matcher.present
        case LiteralMatcher():
            return same_json(matcher.value, actual)
        case IgnoreMatcher():
            return True
        case _:
            assert_never(matcher)


def wanted_by(matcher: LeafMatcher) -> str:
    """Return what the matcher wants, as a reason shows it."""
    match matcher:
        case TermMatcher():
            return f"a text with {describe(matcher.term)}"
        case NumberMatcher():
            return describe(NumberTerm(number=matcher.number, tolerance=matcher.tolerance))
        case PresentMatcher():
            return "any value" if matcher.present else "no such key"
        case LiteralMatcher():
            return canonical_json(writable_json(matcher.value))
        case IgnoreMatcher():
            return "anything"
        case _:
            assert_never(matcher)


def _is_near(matcher: NumberMatcher, actual: JsonValue) -> bool:
    if isinstance(actual, bool) or not isinstance(actual, int | float) or not math.isfinite(actual):
        return False
    low, high = interval(matcher.number, matcher.tolerance)
    return low <= decimal_of(actual) <= high
