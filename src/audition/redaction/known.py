"""Secrets that are known from elsewhere in a record: wherever they stand, also spelt or cut."""

import json
from collections.abc import Iterator
from itertools import takewhile
from urllib.parse import quote

from audition.redaction.names import SecretKind
from audition.redaction.shapes import Span

_LEAST_KNOWN = 8
"""Characters of a value that is looked for elsewhere: a shorter one may well be a common word."""

_LEAST_KNOWN_WORD = 20
"""Characters of one that is made of letters alone, as the names of fields are."""

_CUTS = ("…", "...", " [...", "[...")
"""What stands where a text was cut."""


def spellings(text: str, kind: SecretKind) -> set[str]:
    """Return what is looked for of a secret: none of what may well be a word, or a name."""
    return {
        spelling
        for part in _parts(text, kind)
        if len(part) >= (_LEAST_KNOWN_WORD if part.replace("_", "").isalpha() else _LEAST_KNOWN)
        for spelling in _spellings(part)
    }


def known_spans(text: str, known: dict[str, SecretKind]) -> Iterator[Span]:
    """Yield where secrets stand that are known from elsewhere, also where a reason cut them."""
    small = text.lower()
    if len(small) != len(text):
        small = text  # the letters are at other places; what is written as it is known is found
    for secret, kind in known.items():
        for start, end in (*_whole_or_head(small, secret), *_tails(small, secret)):
            yield Span(start, end, kind)


def _whole_or_head(text: str, secret: str) -> Iterator[tuple[int, int]]:
    """Yield where a secret stands, or begins and is cut."""
    head = secret[:_LEAST_KNOWN]
    at = text.find(head)
    while at >= 0:
        there = text[at : at + len(secret)]
        pairs = zip(secret, there, strict=False)
        end = at + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if there == secret or text.startswith(_CUTS, end):
            yield at, end
        at = text.find(head, end)


def _tails(text: str, secret: str) -> Iterator[tuple[int, int]]:
    """Yield where the end of a secret stands behind a cut."""
    tail = secret[-_LEAST_KNOWN:]
    for cut in _CUTS if tail in text else ():
        at = text.find(cut)
        while at >= 0:
            start = at + len(cut)
            left = text.find(tail, start, start + len(secret))
            if left >= 0 and secret.endswith(text[start : left + len(tail)]):
                yield start, left + len(tail)
            at = text.find(cut, start)


def _parts(text: str, kind: SecretKind) -> list[str]:
    """Return a secret and what of it may stand alone: without its scheme, or value by value."""
    if kind is SecretKind.COOKIE:
        pairs = text.split(";")
        return [text, *(pair.partition("=")[2].strip() for pair in pairs)]
    return [text, *text.split()[1:]]


def _spellings(part: str) -> set[str]:
    """Return a secret as it stands in texts, in JSON and in addresses, in small letters."""
    return {part.lower(), json.dumps(part)[1:-1].lower(), quote(part, safe="").lower()}
