"""The one normal form in which texts are compared, and excerpts of them for a reader.

Two texts that a reader cannot tell apart have the same normal form: compatibility forms (NFKC:
full-width letters, ligatures, superscripts, so that `m²` is `m2`), letter case, the shapes of
quotes and dashes, invisible characters, white space, and the marks of Markdown. What a reader
sees as different stays different: an accent, another letter, a dotless i against i, and text
that is struck through, so `~~` is no mark.

A mark is judged by its two neighbours alone, never by a partner further on: an unpaired mark
changes nothing elsewhere, and a term has the same form alone and inside a text. So `snake_case`,
`5 * 3`, `2**3`, `*.txt`, `C#` and `#12` keep their signs; `**Hall** 7`, `_so_` and `__init__`
lose them. Numbers of ordered lists stay, being content.
"""

import re
import unicodedata
from collections.abc import Mapping

EXCERPT_WIDTH = 120
"""Characters of an excerpt, without the dots that show a cut."""

# Chains of str.replace, because str.translate takes 1.6 ms for 10 KB that are not ASCII.
_INVISIBLE = (
    "\u00ad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069"
    "\ufe0e\ufe0f\ufeff"
)  # soft hyphen, zero width, directions, emoji or text style; not the joiners, which are seen
_APOSTROPHES = "\u2018\u2019\u201a\u201b\u02bc\u2032\u2035\u2039\u203a"
_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_DASHES = "\u2010\u2012\u2013\u2014\u2015\u2212\u2043"
_BULLETS = "\u2022\u2023\u25e6\u25aa"
# NFKC would take the acute accent and the double primes apart.
_BEFORE_FOLDING = {"\u00b4": "'", "\u1ffd": "'", "\u2033": '"', "\u2036": '"'} | dict.fromkeys(
    _INVISIBLE, ""
)
_AFTER_FOLDING = (
    dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_QUOTES, '"')
    | dict.fromkeys(_DASHES + _BULLETS, "-")
)

# The first mark is taken before its neighbour is looked at, so that the search skips to marks.
_EMPHASIS = re.compile(
    r"""[*_](?<![*_].)(?:
      (?<![^\W_].) [*_]*+ (?=[^\W_])                         # before a word: **hall
    | (?<=[^\W_].) [*_]*+ (?![^\W_])                         # after a word: hall**
    | (?<![^\s(\[{"'].) [*_]*+ (?=[^\s)\]}.,;:/!?])          # before a sign: **"hall"
    | (?<=[^\s(\[{/].) [*_]*+ (?=[\s)\]}.,;:!?"']|\Z)        # after a sign: hall:**
    | (?<=[^\W_]\*) \*[*_]*+ (?=[^\W\d_])                   # within a word: **5**km
    | (?<=[^\W_a-z0-9]\*) \*[*_]*+ (?=[^\W_])               # script without spaces
    )""",
    re.VERBOSE,
)
_LINE_MARK_SIGNS = "#>*+_-"
_LINE_MARKS = re.compile(rf"^[^\S\n]*+(?:[{_LINE_MARK_SIGNS}]++(?:[^\S\n]++|$))++", re.MULTILINE)


def normalise(text: str) -> str:
    """Return the normal form of the text: one line, and its own normal form."""
    if text.isascii():
        return _without_marks(text.lower())
    text = _replace_all(text, _BEFORE_FOLDING)
    text = _replace_all(_folded(text), _AFTER_FOLDING)
    # Without the mark between them, a letter and an accent become one character.
    return unicodedata.normalize("NFKC", _without_marks(text))


def excerpt(text: str, start: int, end: int) -> str:
    """Return the part of the text around [start, end) as one short, printable line.

    A part that is longer than an excerpt shows its beginning. Controls, and marks that turn the
    direction of writing, are shown as escapes.
    """
    margin = max(0, EXCERPT_WIDTH - (end - start)) // 2
    left = max(0, start - margin)
    right = min(len(text), max(left + EXCERPT_WIDTH, min(end, start + EXCERPT_WIDTH)))
    left = max(0, min(left, right - EXCERPT_WIDTH))
    part = text[left:right]
    shown = part if part.isprintable() else "".join(map(_shown, part))
    line = " ".join(shown.split())
    return f"{'…' if left else ''}{line}{'…' if right < len(text) else ''}"


def shown_text(text: str) -> str:
    """Return the beginning of the text as one short, printable line."""
    return excerpt(text, 0, len(text))


class NormalText:
    """A text to search, normalised when it is first needed.

    Attributes:
        raw: The text as it was said.

    """

    __slots__ = ("_normal", "raw")

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self._normal: str | None = None

    @property
    def normal(self) -> str:
        """The normal form of the text."""
        if self._normal is None:
            self._normal = normalise(self.raw)
        return self._normal


def _folded(text: str) -> str:
    """Return the text in NFKC and without case, repeated until both hold."""
    text = unicodedata.normalize("NFKC", text)
    while (folded := unicodedata.normalize("NFKC", text.casefold())) != text:
        text = folded
    return text


def _replace_all(text: str, replacements: Mapping[str, str]) -> str:
    for old, new in replacements.items():
        text = text.replace(old, new)
    return text


def _without_marks(text: str) -> str:
    """Return the text without Markdown's marks and with single spaces."""
    text = text.replace("\r", "\n").replace("`", "")
    if "*" in text or "_" in text:
        text = _EMPHASIS.sub("", text)
    if "\n" in text or text.lstrip()[:1] in _LINE_MARK_SIGNS:
        text = _LINE_MARKS.sub("", text)
    return " ".join(text.split())


def _shown(char: str) -> str:
    """Return the character, a space for any white space, or the escape of what does not print."""
    if char.isprintable() or char == "\u200d":  # the joiner holds an emoji together
        return char
    return " " if char.isspace() else char.encode("unicode_escape", "surrogatepass").decode()
