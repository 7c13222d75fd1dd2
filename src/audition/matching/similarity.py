"""The nearest miss: what in a text comes closest to a text or number that is not there.

A reason for a reader, never a verdict. Of a long text only a part is compared, in bounded time:
its beginning, its end, and the places in between where words of what was sought stand.

rapidfuzz is imported when it is first needed: watching a team needs terms, for its tool rules, and
no misses of them.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal

from audition.matching.numbers import decimal_of, read_numbers
from audition.matching.text import excerpt

COMPARED_NEEDLE = 200
"""Characters of what was sought that are compared, from its beginning."""

COMPARED_TEXT = 400_000
"""Characters of a text that are compared with a text: 20 ms for the longest needle."""

COMPARED_FOR_NUMBERS = 80_000
"""Characters of a text whose numbers are compared."""

_ROUGHLY = Context(prec=6)
_WORDS = 8
_PLACES_OF_A_WORD = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """What came nearest to a term.

    Attributes:
        similarity: From 0, nothing in common, to 1, written alike. 1 can still be a miss: a
            word inside a longer one, or a number in a notation that was not declared.
        text: What came nearest, from the text that was compared.
        excerpt: What stands around it, one line.

    """

    similarity: float
    text: str
    excerpt: str


def nearest_text(needle: str, text: str) -> Nearest | None:
    """Return the part of the text that is most like the needle, None where nothing is alike.

    Args:
        needle: What was sought, in its normal form.
        text: The whole text, in its normal form.

    """
    from rapidfuzz import fuzz  # noqa: PLC0415  # see the module

    needle = needle[:COMPARED_NEEDLE]
    if len(text) <= len(needle):
        score = fuzz.ratio(needle, text)
        return _nearest(text, 0, len(text), score) if score else None
    best = 0.0, 0, 0
    for left, piece in _pieces(needle, text, COMPARED_TEXT):
        found = fuzz.partial_ratio_alignment(needle, piece, score_cutoff=best[0])
        if found is not None and found.score > best[0]:
            best = found.score, left + found.dest_start, left + found.dest_end
    score, start, end = best
    return _nearest(text, start, end, score) if score else None


def likeness(sought: str, text: str, at_least: float = 0) -> tuple[float, bool]:
    """Return how alike two texts are as wholes, from 0 to 1, and whether that is exact.

    Where their lengths alone put it below `at_least` it is the most that it can be: to compare a
    text of megabytes with a sentence takes long and tells nothing.

    Args:
        sought: One text, in its normal form.
        text: The other, in its normal form.
        at_least: From 0 to 1.

    """
    from rapidfuzz import fuzz  # noqa: PLC0415  # see the module

    together = len(sought) + len(text)
    most = 2 * min(len(sought), len(text)) / together if together else 1.0
    if most < at_least:
        return most, False
    return fuzz.ratio(sought, text) / 100, True


def nearest_number(number: float, text: str, *, decimal_comma: bool) -> Nearest | None:
    """Return the digits that are nearest in value or writing, None in a text without digits.

    What counts as its similarity is how alike the digits are written: 2031 is near to 2029, and
    not a slip of the pen.

    Args:
        number: What was sought.
        text: The whole text as it was said.
        decimal_comma: As it was read when the number was sought.

    """
    sought = decimal_of(number)
    best, best_rank = None, -1.0
    for left, piece in _pieces(f"{sought:f}", text, COMPARED_FOR_NUMBERS):
        for found in read_numbers(piece, decimal_comma=decimal_comma):
            alike = _alike(f"{sought:f}", piece[found.start : found.end])
            rank = max(alike, _closeness(sought, found.value))
            if rank > best_rank:
                best, best_rank = (left + found.start, left + found.end, alike), rank
    return _nearest(text, *best) if best else None


def _nearest(text: str, start: int, end: int, score: float) -> Nearest:
    """Return the part of the text as a nearest miss, with its score from 0 to 100."""
    return Nearest(
        similarity=score / 100, text=text[start:end].strip(), excerpt=excerpt(text, start, end)
    )


def _pieces(needle: str, text: str, budget: int) -> Iterator[tuple[int, str]]:
    """Yield where each part of the text that is compared begins, and the part."""
    if len(text) <= budget:
        yield 0, text
        return
    first, last = budget // 4, len(text) - budget // 4
    yield 0, text[:first]
    yield last, text[last:]
    margin = len(needle)
    for word in sorted(set(needle.split()), key=lambda word: (-len(word), word))[:_WORDS]:
        place = first
        for _ in range(_PLACES_OF_A_WORD):
            place = text.find(word, place, last)
            if place < 0:
                break
            yield max(0, place - margin), text[max(0, place - margin) : place + 2 * margin]
            place += 2 * margin


def _alike(sought: str, written: str) -> float:
    """Return from 0 to 100 how alike two numbers are written, by their digits alone."""
    from rapidfuzz import fuzz  # noqa: PLC0415  # see the module

    return fuzz.ratio(_digits(sought), _digits(written))


def _digits(written: str) -> str:
    return "".join(str(unicodedata.decimal(char)) for char in written if char.isdecimal())


def _closeness(sought: Decimal, found: Decimal | None) -> float:
    """Return from 0 to 100 how near the two values are, 0 where one is no number."""
    if found is None:
        return 0.0
    larger = max(abs(sought), abs(found))
    if not larger:
        return 100.0
    difference = _ROUGHLY.divide(_ROUGHLY.subtract(sought, found), larger)
    return max(0.0, 100 * (1 - float(abs(difference))))
