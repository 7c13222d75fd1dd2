"""Which words of a question are names: those in quotes, and those with capitals."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from knowledge_team.scripted.language import ASKED, CLASSES, FILLERS, LEGAL_FORMS, QUESTION_WORDS
from knowledge_team.scripted.sentences import is_abbreviation
from knowledge_team.words import fold, stem, word_set

_TOKEN = re.compile(
    r"[\"“«](?P<quoted>[^\"”»]+)[\"”»]|(?P<word>\w(?:[\w.&/+-]*\w)?(?:['\u2019](?!s\b)\w+)*)"
)
_LINKS = word_set("of the de van der den von for la le du da di & af av ap og och y e z")
_ENDINGS = word_set("o.o s.r.o d.o.o a.s e.k e.v e.g ek ev eg plc")
"""Words that end a name though they have no capital: `Vela Sp. z o.o.`."""
_VERSION = re.compile(r"(?:v\d+|\d{1,2})(?:\.\w+)*(?:-\w+)?")
"""What belongs to the name before it, though it has no capital: the 2 of `Kvist 2`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word of a question.

    Attributes:
        text: The word as written; of a name all its words.
        is_name: Whether it names somebody or something.
        start: Where it begins in the question.
        end: Where it ends.

    """

    text: str
    is_name: bool
    start: int
    end: int


def tokens(clause: str) -> tuple[Token, ...]:
    """Return the words and names of the clause, in order."""
    single = [_token(found) for found in _TOKEN.finditer(clause)]
    return tuple(_joined(single, clause))


def _token(found: re.Match[str]) -> Token:
    quoted = found["quoted"]
    text = quoted or found["word"]
    is_name = quoted is not None or _looks_like_name(text, first=found.start() == 0)
    return Token(text=text, is_name=is_name, start=found.start(), end=found.end())


def _looks_like_name(word: str, *, first: bool) -> bool:
    folded = fold(word)
    marked = word[0].isupper() or (word[0].isdigit() and not word.isdigit())
    if not marked or folded in FILLERS | QUESTION_WORDS:
        return False
    # Every question begins with a capital, and CEO is written in capitals: neither is a name.
    is_known = stem(folded) in ASKED or folded in CLASSES
    return not (is_known and (first or word.isupper()))


def _joined(single: list[Token], clause: str) -> Iterator[Token]:
    position = 0
    while position < len(single):
        last = position
        while (after := _continued(single, last, clause)) is not None:
            last = after
        start, end = single[position].start, single[last].end
        text = single[position].text if last == position else clause[start:end]
        yield Token(text=text, is_name=single[position].is_name, start=start, end=end)
        position = last + 1


def _continued(single: list[Token], last: int, clause: str) -> int | None:
    """Return the position of the token that goes on with the name, None where it ends."""
    for after in (last + 1, last + 2):
        if after >= len(single) or not single[last].is_name:
            return None
        gap = clause[single[after - 1].end : single[after].start].strip()
        if gap and not _is_inside_a_name(gap, single[after - 1].text, single[after].text):
            return None
        if after == last + 1 and _ends_a_name(single[after].text):
            return after
        if single[after].is_name or fold(single[after].text) in _ENDINGS:
            return after
        if fold(single[after].text) not in _LINKS:
            return None
    return None


def _ends_a_name(word: str) -> bool:
    """Return whether the word belongs to a name before it: a version, or an `AS` in capitals."""
    is_form = word.isupper() and fold(word) in LEGAL_FORMS
    return is_form or _VERSION.fullmatch(word) is not None


def _is_inside_a_name(gap: str, before: str, after: str) -> bool:
    """Return whether such marks end no name: `St. Brannoc`, `Vela, Inc.`."""
    return (
        gap == "&"
        or (gap == "." and is_abbreviation(before))
        or (gap == "," and fold(after) in LEGAL_FORMS)
    )
