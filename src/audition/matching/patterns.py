r"""Regular expressions that no text can make slow. Knows nothing of terms.

The dialect is that of Rust's `regex`, which takes time linear in the text: no look-around and no
back-references; `(?i)` for any case, `(?m)` for `^` and `$` at each line, `(?s)` for a dot that
takes line ends, `\A` and `\z` for the ends of the text. `\d` and `\w` know Unicode. A pattern is
applied to the text as it was said, case and marks included.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache

from pydantic_core import SchemaError, SchemaValidator, core_schema

from audition.values import writable_text

_WORDS = re.compile(r"\S+")
_BLOCK = 256
"""Lines that are asked for a match at once: to ask each of a million lines takes seconds."""


def check_pattern(pattern: str) -> str:
    """Return the pattern.

    Raises:
        ValueError: It is no regular expression of the dialect, or it matches the empty text and
            so would be found in anything.

    """
    if _matches(pattern, ""):
        msg = f"the pattern {pattern!r} matches the empty text, so it would match anything"
        raise ValueError(msg)
    return pattern


def find_pattern(pattern: str, text: str) -> tuple[int, int] | None:
    """Return where the pattern is in the text, None where it is not.

    The engine says whether, not where. The place is for a reader: the whole words of the first
    line that matches by itself, or the whole text where a match runs over several lines.
    """
    text = writable_text(text, limit=len(text))  # the engine reads no lone surrogates
    if not _matches(pattern, text):
        return None
    for start, line in _lines_that_may(pattern, text):
        if _matches(pattern, line):
            first, last = _narrowed(pattern, line)
            return start + first, start + last
    return 0, len(text)


MOST_TRIED = 1_000
"""Characters of a line in which the ends of a match are tried one by one, at a microsecond each."""


def matched_text(pattern: str, text: str) -> str | None:
    """Return what the pattern matches in the text, None where it matches nothing.

    Of several, the one that ends first, and as long as it can be. In a line that is longer than
    `MOST_TRIED`, it is the whole words around it.
    """
    text = writable_text(text, limit=len(text))
    span = find_pattern(pattern, text)
    if span is None:
        return None
    first, last = text.rfind("\n", 0, span[0]) + 1, text.find("\n", span[1])
    part = text[first : last if last >= 0 else len(text)]
    if len(part) > MOST_TRIED:
        return text[slice(*span)]
    whole = rf"\A(?:{pattern})\z"
    ends = range(1, len(part) + 1)
    first_end = bisect_left(ends, True, key=lambda end: _matches(pattern, part[:end])) + 1
    for start in range(first_end):
        if _matches(whole, part[start:first_end]):
            longer = range(len(part), first_end, -1)
            end = next((at for at in longer if _matches(whole, part[start:at])), first_end)
            return part[start:end]
    return text[slice(*span)]  # it matches by what stands around it


def _lines_that_may(pattern: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield where each line starts that may match, and the line: those of blocks that do."""
    lines, start = text.splitlines(keepends=True), 0
    for first in range(0, len(lines), _BLOCK):
        block = lines[first : first + _BLOCK]
        whole = "".join(block)
        if not _matches(pattern, whole):
            start += len(whole)
            continue
        for line in block:
            yield start, line.rstrip("\r\n")
            start += len(line)


def _narrowed(pattern: str, line: str) -> tuple[int, int]:
    """Return the fewest whole words of the line that still match, cut on the right, then left."""
    words = list(_WORDS.finditer(line))
    ends = [word.end() for word in words[:-1]]
    shortest = bisect_left(ends, True, key=lambda end: _matches(pattern, line[:end]))
    end = ends[shortest] if shortest < len(ends) else len(line)
    starts = [word.start() for word in words[1 : shortest + 1]]
    fails = bisect_left(starts, True, key=lambda start: not _matches(pattern, line[start:end]))
    return (starts[fails - 1] if fails else 0), end


@cache
def _validator(pattern: str) -> SchemaValidator:
    schema = core_schema.str_schema(pattern=pattern, regex_engine="rust-regex")
    try:
        return SchemaValidator(schema)
    except SchemaError as error:
        reason = re.split("[eE]rror: ", str(error))[-1]
        msg = f"the pattern {pattern!r} is not valid: {reason}"
        raise ValueError(msg) from None


def _matches(pattern: str, text: str) -> bool:
    return _validator(pattern).isinstance_python(text)
