"""The text of a page as blocks: headings, paragraphs, lists and tables. Pure functions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

type BlockKind = Literal["heading", "prose", "list", "table"]

_HEADING = re.compile(r"^#{1,6}\s+(?P<text>.+?)\s*#*$")
_UNDERLINE = re.compile(r"^(?:=+|-{3,}|\*{3,})$")
_ITEM = re.compile(r"^(?:[-*+•\u2013‣]|\(?\d{1,2}[.)])\s+(?P<text>.+)$")
_ROW = re.compile(r"^\|(?P<cells>.+)\|$")
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)|\[\d+\]")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_COMMA_INSIDE = re.compile(r",\s+(?=(?:Inc|Ltd|LLC|Corp|Co|Lda|Ltda|GmbH|S\.[AL])\b)")
"""The comma of `Vela, Inc.`, which ends no name."""
_SENTENCE_END = re.compile(r"[.,!?:;][\"'\u201d\u2019)]*$")
_LONGEST_TITLE = 8
"""Words of a line that may be a heading without a mark of one."""
_WRAPPED = 50
"""Characters of the shortest line that was broken for want of room, not because it ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A piece of a page.

    Attributes:
        kind: What it is.
        parts: The texts in it: one of a heading or a paragraph, the items of a list, the rows of
            a table with their cells between bars.

    """

    kind: BlockKind
    parts: tuple[str, ...]


def read_blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of the text, in order, without marks of emphasis and links."""
    lines = [_plain(line) for line in text.splitlines()]
    found: list[Block] = []
    for kind, group in groupby(_kinds(lines), key=lambda one: one[0]):
        parts = [part for _, part in group]
        match kind:
            case "list" | "table":
                found.append(Block(kind=kind, parts=tuple(parts)))
            case "heading":
                found.extend(Block(kind=kind, parts=(part,)) for part in parts)
            case "prose":
                found.extend(Block(kind=kind, parts=(part,)) for part in _paragraphs(parts))
            case _:
                pass  # what stands between the blocks
    return tuple(found)


def _plain(line: str) -> str:
    return _COMMA_INSIDE.sub(" ", _MARKS.sub("", _LINK.sub(r"\1", line))).strip()


def _kinds(lines: Sequence[str]) -> Iterator[tuple[BlockKind | Literal[""], str]]:
    for before, line, after in zip(("", *lines), lines, (*lines[1:], ""), strict=False):
        if line and not _UNDERLINE.match(line):
            yield _kind(line, before, after)
        elif not (_ITEM.match(before) and _ITEM.match(after)):
            # A blank line ends a paragraph, but not a list with blank lines between its items.
            yield "", ""


def _kind(line: str, before: str, after: str) -> tuple[BlockKind, str]:
    if found := _HEADING.match(line):
        return "heading", found["text"]
    if found := _ROW.match(line):
        return "table", found["cells"].strip()
    if found := _ITEM.match(line):
        return "list", found["text"]
    return ("heading" if _is_title(line, before, after) else "prose"), line


def _is_title(line: str, before: str, after: str) -> bool:
    """Return whether the line stands alone, is short, and is no sentence."""
    if _SENTENCE_END.search(line) or ": " in line or not line[:1].isalnum():
        return False
    if len(line.split()) > _LONGEST_TITLE:
        return False
    return not _goes_on(before, line) and not after[:1].islower()


def _paragraphs(lines: Iterable[str]) -> Iterator[str]:
    """Join the lines that are one sentence broken up."""
    paragraph = ""
    for line in lines:
        if paragraph and not _goes_on(paragraph, line):
            yield paragraph
            paragraph = ""
        paragraph = f"{paragraph} {line}".strip()
    if paragraph:
        yield paragraph


def _goes_on(before: str, line: str) -> bool:
    if not before or _HEADING.match(before) or _ITEM.match(before) or _ROW.match(before):
        return False
    if before.endswith((",", "\u2013", "-")) or line[:1].islower():
        return True
    return not before.endswith(":") and len(before) > _WRAPPED
