"""What an author may look for in a text, how it is found, and what came nearest to it.

In a dataset file a term is one of

    "software architect"                          the text, anywhere, in its normal form
    {"any": ["north gate", {"word": "gate"}]}     one of several terms
    {"word": "cat"}                               the text, but not inside a longer word
    {"number": 1234567.5, "tolerance": 0.5}       a number, however it is written
    {"regex": "BK-[0-9]{4}"}                      a pattern, on the text as it was said

A term that nothing is left of in its normal form, such as `""` or `"**"`, would be found in
anything and is refused when it is made. Plain texts and words are compared in the normal form of
`text`, where a dotless i is not i: a Turkish ILGIN is found in "ilgin" and not in its own small
letters. How numbers are read, and which notations are left unread, says `numbers`; the dialect of
patterns, `patterns`.
"""

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, assert_never, cast

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Discriminator, Field, Tag
from pydantic import dataclasses as pydantic_dataclasses

from audition.matching.numbers import find_number
from audition.matching.patterns import check_pattern, find_pattern
from audition.matching.similarity import Nearest, nearest_number, nearest_text
from audition.matching.text import NormalText, excerpt, normalise, shown_text


def check_text(text: str) -> str:
    """Return the text.

    Raises:
        ValueError: Nothing is left of it in its normal form.

    """
    if not normalise(text):
        msg = f"{text!r} is empty, blank or Markdown marks alone, so it would match anything"
        raise ValueError(msg)
    return text


def _check_any[T](alternatives: tuple[T, ...]) -> tuple[T, ...]:
    if not alternatives:
        msg = "there are no alternatives, so nothing could match"
        raise ValueError(msg)
    return alternatives


def check_number(number: object) -> object:
    """Return the number.

    Raises:
        ValueError: It is text, a bool, or not finite.

    """
    if isinstance(number, bool) or not isinstance(number, int | float):
        msg = f"{number!r} is not a number"
        raise ValueError(msg)  # noqa: TRY004 - pydantic makes its errors of ValueErrors alone
    if not math.isfinite(number):
        msg = f"{number!r} is not finite"
        raise ValueError(msg)
    return number


def _kind(term: object) -> str | None:
    """Return the tag of the kind of term, by its key in a dataset file, or None."""
    if isinstance(term, str):
        return "text"
    if isinstance(term, Mapping):
        keys = cast("Mapping[object, object]", term)
        return next((kind for kind in _TERM_CLASSES if kind in keys), None)
    return next((kind for kind, of in _TERM_CLASSES.items() if isinstance(term, of)), None)


type TermText = Annotated[str, AfterValidator(check_text)]
type Number = Annotated[int | float, BeforeValidator(check_number)]
type Term = Annotated[
    Annotated[TermText, Tag("text")]
    | Annotated[AnyTerm, Tag("any")]
    | Annotated[WordTerm, Tag("word")]
    | Annotated[NumberTerm, Tag("number")]
    | Annotated[RegexTerm, Tag("regex")],
    Discriminator(
        _kind,
        custom_error_type="term",
        custom_error_message='a term is a text, {"any": [terms]}, {"word": text}, '
        '{"number": number, "tolerance": number} or {"regex": pattern}',
    ),
]
"""What is looked for: a text, or one of the classes below."""

_CONFIG = ConfigDict(extra="forbid")


@pydantic_dataclasses.dataclass(frozen=True, config=_CONFIG)
class AnyTerm:
    """One of several terms is enough.

    Attributes:
        any: The alternatives, at least one.

    """

    any: Annotated[
        tuple[Term, ...], AfterValidator(_check_any), Field(json_schema_extra={"minItems": 1})
    ]


@pydantic_dataclasses.dataclass(frozen=True, config=_CONFIG)
class WordTerm:
    """A text with no letter, digit or underscore directly before or after it.

    Attributes:
        word: The text; several words are allowed.

    """

    word: TermText


@pydantic_dataclasses.dataclass(frozen=True, config=_CONFIG)
class NumberTerm:
    """A number, however it is written.

    Attributes:
        number: The number, by its decimal digits.
        tolerance: How far away a number may be and still match; 0 is exact.
        decimal_comma: Whether the text writes 1.234,5 for what is 1234.5 here.

    """

    number: Number
    tolerance: Annotated[Number, Field(ge=0)] = 0
    decimal_comma: bool = False


@pydantic_dataclasses.dataclass(frozen=True, config=_CONFIG)
class RegexTerm:
    """A regular expression, applied to the text as it was said.

    Attributes:
        regex: The pattern, in the dialect of `patterns`.

    """

    regex: Annotated[str, AfterValidator(check_pattern)]


_TERM_CLASSES: Mapping[str, type[Any]] = {
    "any": AnyTerm,
    "word": WordTerm,
    "number": NumberTerm,
    "regex": RegexTerm,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Where a term was found.

    Attributes:
        within: The text it was found in. Texts and words are found in the normal form of a text,
            numbers and patterns in the text as it was said.
        start: Where it starts there.
        end: Where it ends there, exclusive.

    """

    within: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """What matched."""
        return self.within[self.start : self.end]

    @property
    def excerpt(self) -> str:
        """What stands around it, one line."""
        return excerpt(self.within, self.start, self.end)


def find(term: Term, text: NormalText) -> Found | None:
    """Return the first place of the term in the text, None where it is not there.

    Of alternatives, the first that is found. The whole text is searched, however long.

    Raises:
        ValueError: The term is a plain text that `check_text` refuses.

    """
    match term:
        case str():
            return _find_text(_needle(term), text.normal)
        case AnyTerm():
            return next(filter(None, (find(alternative, text) for alternative in term.any)), None)
        case WordTerm():
            return _find_word(_needle(term.word), text.normal)
        case NumberTerm():
            found = find_number(
                text.raw,
                term.number,
                tolerance=term.tolerance,
                decimal_comma=term.decimal_comma,
            )
            return found and _found(text.raw, found.start, found.end)
        case RegexTerm():
            span = find_pattern(term.regex, text.raw)
            return span and _found(text.raw, *span)
        case _:
            assert_never(term)


def contains(text: NormalText, term: Term) -> bool:
    """Return whether the term is in the text, quicker than `find` tells where."""
    return _needle(term) in text.normal if type(term) is str else find(term, text) is not None


def nearest(term: Term, text: NormalText) -> Nearest | None:
    """Return what came nearest to the term, None where nothing in the text is comparable.

    Of alternatives, the nearest of all. A pattern has no nearest miss.
    """
    match term:
        case str():
            return nearest_text(normalise(term), text.normal)
        case AnyTerm():
            misses = filter(None, (nearest(alternative, text) for alternative in term.any))
            return max(misses, key=lambda miss: miss.similarity, default=None)
        case WordTerm():
            return nearest_text(normalise(term.word), text.normal)
        case NumberTerm():
            return nearest_number(term.number, text.raw, decimal_comma=term.decimal_comma)
        case RegexTerm():
            return None
        case _:
            assert_never(term)


@lru_cache(maxsize=4096)
def _needle(text: str) -> str:
    """Return the normal form of what is looked for: the same few texts in every case of a run."""
    return normalise(check_text(text))


@lru_cache(maxsize=4096)
def describe(term: Term) -> str:
    """Return the term as a reason shows it, one line."""
    match term:
        case str():
            return f'"{shown_text(term)}"'
        case AnyTerm():
            return f"any of {', '.join(map(describe, term.any))}"
        case WordTerm():
            return f'the word "{shown_text(term.word)}"'
        case NumberTerm():
            within = f" ± {term.tolerance}" if term.tolerance else ""
            return f"the number {term.number}{within}"
        case RegexTerm():
            return f"the pattern /{shown_text(term.regex)}/"
        case _:
            assert_never(term)


def _find_text(needle: str, text: str) -> Found | None:
    start = text.find(needle)
    return None if start < 0 else _found(text, start, start + len(needle))


def _find_word(needle: str, text: str) -> Found | None:
    for match in re.finditer(rf"(?<!\w){re.escape(needle)}(?!\w)", text):
        # \w leaves out the vowel signs of scripts such as Devanagari, which are marks.
        if not unicodedata.category(text[match.end() : match.end() + 1] or " ").startswith("M"):
            return _found(text, *match.span())
    return None


def _found(text: str, start: int, end: int) -> Found:
    return Found(within=text, start=start, end=end)
