"""Texts as words that can be compared, whatever their case, accents or endings. Pure functions."""

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"\w+")


def word_set(words: str) -> frozenset[str]:
    """Return the words between the blanks: the legible way to write many of them."""
    return frozenset(words.split())


# Letters with a stroke are letters of their own to Unicode, and accents to those who type.
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}
)

FUNCTION_WORDS = word_set(
    "a an and any are as at be been by can could did do does for from had has have he her "
    "him his how i in into is it its me my of on or our please s she so than that the their "
    "them then there these they this those to us was we were what when where which who whom "
    "whose why will with would you your"
)
"""Words that say how others belong together, and by themselves find nothing."""


def fold(text: str) -> str:
    """Return the text without case, accents and compatibility forms."""
    if text.isascii():
        return text.lower()
    # A lone surrogate is no text: it cannot be encoded, nor given to SQLite.
    writable = text.encode(errors="replace").decode()
    decomposed = unicodedata.normalize("NFKD", writable)
    kept = "".join(char for char in decomposed if not unicodedata.combining(char))
    return kept.casefold().translate(_UNDECOMPOSED)


def plain_words(text: str) -> list[str]:
    """Return the words of the text, folded, in order."""
    return _WORD.findall(fold(text))


def name_key(name: str) -> str:
    """Return what two spellings of one name have in common: its folded words."""
    return " ".join(plain_words(name)) or name


def content_words(text: str) -> list[str]:
    """Return the distinct words that carry meaning; all words where none does."""
    words = list(dict.fromkeys(plain_words(text)))
    return [word for word in words if word not in FUNCTION_WORDS] or words


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the folded word without its English endings; crude, and the same for all forms.

    `company` and `companies`, `prefers` and `preferred`, `consulting` and `consultants` become
    one. What comes out is no word, and only good for comparison.
    """
    shorter = _shortened(word)
    while shorter != word:
        word, shorter = shorter, _shortened(shorter)
    return word


_IRREGULAR = {
    form: verb
    for verb, forms in {
        "take": "took taken",
        "win": "won",
        "write": "wrote written",
        "buy": "bought",
        "sell": "sold",
        "build": "built",
        "lead": "led",
        "hold": "held",
        "make": "made",
        "begin": "began begun",
        "grow": "grew grown",
        "choose": "chose chosen",
        "teach": "taught",
        "bring": "brought",
        "keep": "kept",
        "run": "ran",
    }.items()
    for form in forms.split()
}

_SHORTEST_STEM = 3

_ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("ants", ""),
    ("ings", ""),
    ("ers", ""),
    ("ors", ""),
    ("ant", ""),
    ("ing", ""),
    ("sses", "ss"),
    ("ed", ""),
    ("er", ""),
    ("or", ""),
    ("es", ""),
    ("e", ""),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("s", ""),
)


def _shortened(word: str) -> str:
    return _without_ending(_IRREGULAR.get(word, word))


def _without_ending(word: str) -> str:
    for ending, kept in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return _undoubled(word.removesuffix(ending) + kept)
    return word


def _undoubled(word: str) -> str:
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "aeioulsz":
        return word[:-1]
    return word
