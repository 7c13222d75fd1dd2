"""A text as sentences. Pure functions."""

import re

from knowledge_team.words import word_set

_TITLES = word_set(
    "dr mr mrs ms prof st no vs e.g i.e ca approx est dipl ing bzw z.b sp nr resp incl bros capt "
    "rev"
)
"""Abbreviations behind which a name or a number follows."""

_LEGAL_FORMS = word_set("inc ltd co corp jr sr plc pty lda ltda")
"""Abbreviations with which a name ends, and often a sentence too."""

_LONGEST_WORD = 40
_MORE_OF_A_NAME = re.compile(r"(?:KG|KGaA|OHG|AG|Ltd|Limited|Inc|LLC|Pte|Pty|Corp)\b")
_END = re.compile(r"[.!?][\"'\u201d\u2019)\]]*\s+(?=[\"'\u201c\u2018(\[]?\w)")
_LAST_WORD = re.compile(r"([\w.]+?)[.!?][\"'\u201d\u2019)\]]*\s*$")


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences, in order; a point after `Dr` or an initial ends none."""
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        piece = text[start : end.end()]
        if end[0].startswith(".") and _goes_on(piece, text[end.end() : end.end() + _LONGEST_WORD]):
            continue
        found.append(piece.strip())
        start = end.end()
    found.append(text[start:].strip())
    return tuple(one for one in found if one)


def ended(text: str) -> str:
    """Return the text with a point at its end; `Vela Ltd.` has one already."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def is_abbreviation(word: str) -> bool:
    """Return whether a point behind the word belongs to it: `St`, `Ltd`, the initial `J`."""
    is_initial = len(word) == 1 and word.isalpha()
    return is_initial or word.lower() in _TITLES | _LEGAL_FORMS


def _goes_on(piece: str, after: str) -> bool:
    word = _LAST_WORD.search(piece[-_LONGEST_WORD:])
    if after[:1].islower() or word is None:
        return True
    if word[1].lower() in _LEGAL_FORMS:
        return _MORE_OF_A_NAME.match(after) is not None
    return is_abbreviation(word[1])
