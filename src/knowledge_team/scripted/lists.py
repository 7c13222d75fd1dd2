"""Lists: which names stand in the relation that a question asks about. Reads facts of three forms.

A relation (`Brightsea | formed | Vela`), a sentence about the subject that lists names (`Vela was
formed by Brightsea and Orca`), and a sentence about each of the others (`One of the companies
that formed Vela`) all say the same.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from knowledge_team.scripted.evidence import Statement
from knowledge_team.scripted.language import kind_of, put_plainly, said, stems
from knowledge_team.scripted.matching import about, covers
from knowledge_team.scripted.question import Part
from knowledge_team.scripted.voice import named_like
from knowledge_team.words import FUNCTION_WORDS, fold, plain_words

_INTRODUCES = re.compile(
    r"\b(?:by|from|of|between|among|are|were|is|includ(?:es?|ing)|namely|with|serves|into)\b|[:\u2014\u2013]"
)
_BETWEEN = re.compile(r"\s*(?:,\s*and\b|,\s*or\b|,(?!\d)|;|\band\b|\bor\b|\bas\s+well\s+as\b)\s*")
_ITEM_END = re.compile(
    r"\s+(?:in|on|to|that|which|who|whose|for|at|when|as|during|since|under|came|joined|merged"
    r"|formed|founded|together|its|their)\b|\s*\(|\.$"
)
_MAX_WORDS = 6
_ARTICLES = frozenset({"the", "a", "an"})
_LONGEST_LINK = 3
"""Letters of the longest small word inside a name: `Bank of Norvik`, `Kunst und Bau`."""


def listed(part: Part, evidence: Sequence[Statement]) -> tuple[str, ...]:
    """Return the names that answer the part, each once, in the order of the evidence."""
    known = [name for one in evidence for name in one.names]
    names = [
        name
        for statement in about(evidence, part.subjects)
        if covers(part, statement)
        for name in _names(part, statement, known)
        if not any(named_like(subject, name) for subject in part.subjects)
    ]
    return tuple(_distinct(names))


def _names(part: Part, statement: Statement, known: Sequence[str]) -> Iterable[str]:
    if statement.relation is not None:
        return statement.names
    if any(named_like(subject, statement.subject) for subject in part.subjects):
        return _inside(part, statement, known)
    mentions = all(stems(subject) <= stems(statement.text) for subject in part.subjects)
    inside = _inside(part, statement, known) if mentions else ()
    return inside if len(inside) > 1 else _of_wanted_kind(part, statement)


def _of_wanted_kind(part: Part, statement: Statement) -> tuple[str, ...]:
    wanted = kind_of(part.wanted)
    return (statement.subject,) if statement.kind in {wanted, ""} or not wanted else ()


def _inside(part: Part, statement: Statement, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names that the sentence itself lists, before or after the word asked about."""
    for stretch in _stretches(part, put_plainly(statement.text)):
        items = [_item(piece) for piece in _BETWEEN.split(stretch)]
        names = [item for item in items if _is_name(item, known)]
        if len(names) > 1:
            # Beside names with capitals a single small word is one too: `Inkwell, quill and Co`.
            names = [item for item in items if item in names or _is_small_name(item)]
        others = [name for name in names if not any(named_like(one, name) for one in part.subjects)]
        if others:
            return tuple(others)
    return ()


def _stretches(part: Part, text: str) -> Iterator[str]:
    """Return the parts of the sentence in which a list may stand, the likeliest first."""
    for found in re.finditer(r"\w+", text):
        word = fold(found[0])
        if any(said(word) & key for key in part.keys):
            after = text[found.end() :]
            if introduced := _INTRODUCES.search(after):
                yield after[introduced.end() :]
            yield after
            yield text[: found.start()]


def _item(piece: str) -> str:
    bare = re.sub(r"^\s*(?:the|both|companies|firms|businesses|all|:)\s+", "", piece.strip())
    return _ITEM_END.split(bare)[0].strip(" .,;:\"'“”")


def _is_name(item: str, known: Sequence[str]) -> bool:
    if fold(item) in {fold(name) for name in known}:
        return True
    words = item.split()
    if not words or len(words) > _MAX_WORDS or fold(words[0]) in FUNCTION_WORDS - _ARTICLES:
        return False
    starts_like_one = words[0][:1].isupper() or any(char.isdigit() for char in words[0])
    return starts_like_one and all(_is_in_name(word) for word in words)


def _is_in_name(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdigit() or len(word) <= _LONGEST_LINK


def _is_small_name(item: str) -> bool:
    return item.isidentifier() and fold(item) not in FUNCTION_WORDS


def _distinct(names: Iterable[str]) -> Iterator[str]:
    """Return each thing once, by its longest name, where it was first named."""
    kept: list[str] = []
    for name in names:
        same = next((at for at, one in enumerate(kept) if _one_thing(one, name)), None)
        if same is None:
            kept.append(name)
        elif len(plain_words(name)) > len(plain_words(kept[same])):
            kept[same] = name
    return iter(kept)


def _one_thing(left: str, right: str) -> bool:
    one, other = plain_words(left), plain_words(right)
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
