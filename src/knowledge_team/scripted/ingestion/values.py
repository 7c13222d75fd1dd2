"""Lines and cells that say a value without a sentence: `Owner: Bo Krog`. Pure functions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge_team.scripted.ingestion.clauses import NAME_ALONE, PARTICIPLE
from knowledge_team.scripted.ingestion.naming import NAME, clean_name, enumerated, without_marks
from knowledge_team.scripted.language import ASKED
from knowledge_team.words import fold, plain_words, stem, word_set

ITEM = re.compile(rf"^(?P<name>{NAME})\s*(?:[:\u2013\u2014,]|\s-\s|\()\s*(?P<more>.+?)\)?$")
"""An item that begins with a name and says more of it."""

VALUE = re.compile(r"^(?P<key>[A-Z][a-z]+(?:\s+[a-z]+){0,3}):\s+(?P<value>\S.{0,200})$")
"""A line that says the value of something."""

_BRACKETS = re.compile(rf"^(?P<name>{NAME})\s*\([^)]*\)(?=\s*[,:\u2013\u2014])")
_PLACES = word_set("country city town region state island")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a table.

    Attributes:
        name: What it is about: the name in its first cell.
        values: Its other cells, each with the head of its column.

    """

    name: str
    values: tuple[tuple[str, str], ...]


def read_table(rows: Sequence[str]) -> tuple[str, tuple[Row, ...]]:
    """Return the head of the first column, and the rows that begin with a name."""
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    told = [row for row in cells if not all(set(cell) <= set(":- ") for cell in row)]
    heads = told[0] if told else [""]
    return heads[0], tuple(_rows(heads[1:], told[1:]))


def _rows(heads: Sequence[str], cells: Sequence[Sequence[str]]) -> Iterator[Row]:
    for first, *others in cells:
        name = clean_name(first) if NAME_ALONE.match(first) else ""
        values = tuple(
            (head, one) for head, one in zip(heads, others, strict=False) if head and one
        )
        if name and values:
            yield Row(name=name, values=values)


def value_sentence(subject: str, key: str, value: str) -> str:
    """Return what a key and its value say of the subject, as a sentence."""
    said, noun = value.rstrip("."), key.lower()
    if re.fullmatch(PARTICIPLE, fold(key)):
        return f"{subject} was {noun} in {said}."
    if noun == "since":
        return f"{subject} has been there since {said}."
    if noun in _PLACES:
        return f"{subject} is located in {said} ({noun})."
    where = any("=location" in ASKED.get(stem(word), ()) for word in plain_words(key))
    return f"The {noun} of {subject} {'is at' if where else 'is'} {said}."


def without_brackets(item: str) -> str:
    """Return the item without brackets behind its name, where more follows them."""
    return _BRACKETS.sub(r"\g<name>", item, count=1)


def is_key(item: str) -> bool:
    """Return whether the item says the value of something, as `Owner: Signe Dahl` does."""
    found = VALUE.match(item)
    return found is not None and any(stem(word) in ASKED for word in plain_words(found["key"]))


def item_name(item: str) -> str:
    """Return the name that the item is, or begins with; empty where it has none."""
    if is_key(item):
        return ""
    if found := ITEM.match(without_brackets(item)):
        return clean_name(found["name"])
    bare = without_marks(item.rstrip(" ;,"))
    names = enumerated(bare) if NAME_ALONE.match(bare) else ()
    return names[0] if len(names) == 1 else bare if re.fullmatch(r"[a-z]\w{2,}", bare) else ""
