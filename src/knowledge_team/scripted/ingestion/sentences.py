"""A paragraph as sentences. Pure functions."""

import re

from knowledge_team.words import word_set

MOST_CHARACTERS = 600
"""Characters of a sentence that is looked at: longer ones are no sentences, and rules would look
at every pair of places in them."""

_ABBREVIATIONS = word_set(
    "dr mr mrs ms prof st no vs inc ltd co corp jr sr e.g i.e ca approx est dipl ing bzw z.b"
)
_END = re.compile(r"[.!?][\"'\u201d\u2019)\]]*\s+(?=[\"'\u201c\u2018(\[]?\w)")
_LAST_WORD = re.compile(r"([\w.]+?)[.!?][\"'\u201d\u2019)\]]*\s*$")


def sentences(paragraph: str) -> tuple[str, ...]:
    """Return the sentences, in order; a point after `Dr` or an initial ends none."""
    found: list[str] = []
    start = 0
    for end in _END.finditer(paragraph):
        piece = paragraph[start : end.end()]
        if end[0].startswith(".") and _goes_on(piece, paragraph[end.end() :]):
            continue
        found.append(piece.strip())
        start = end.end()
    found.append(paragraph[start:].strip())
    return tuple(one for one in found if one and len(one) <= MOST_CHARACTERS)


def _goes_on(piece: str, after: str) -> bool:
    word = _LAST_WORD.search(piece)
    if after[:1].islower() or word is None:
        return True
    last = word[1].lower()
    is_initial = len(word[1]) == 1 and word[1].isupper()
    return last in _ABBREVIATIONS or is_initial
