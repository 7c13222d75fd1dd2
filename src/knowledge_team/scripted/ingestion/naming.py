"""Names in running text: which words with capitals belong together. Pure functions."""

import re
from collections.abc import Iterator

from knowledge_team.words import FUNCTION_WORDS, fold, plain_words, word_set

# `re` knows no class of capital letters, and names are written in more than ASCII.
_U = "".join(char for char in map(chr, range(0x530)) if char.isupper())
_APOSTROPHE = r"(?:['\u2019](?!s\b)\w+)"
_SHORTENED = r"(?:Dr|St|Mr|Mrs|Ms|Prof|Capt|Inc|Ltd|Lda|Ltda|Corp|Co|Bros|Sp|Jr|Sr)\."
_LETTERS = rf"[{_U}]\.(?:(?:\w\.)+|(?=\s*[{_U}]))"
"""Initials, and forms of companies that are written as such: `J. Krog`, `S.p.A.`."""
_DOTTED = r"[a-z]\w+\.(?:ai|app|com|dev|io|js|net|org|py)\b"
_WORD = (
    rf"(?:{_SHORTENED}|{_LETTERS}"
    rf"|[{_U}]\w*(?:[-&+/.](?=\w)\w+)*{_APOSTROPHE}*\+*|\d+[-.]?[A-Za-z{_U}]\w*|{_DOTTED})"
)
_LINK = (
    r"(?:of(?:\s+the)?|de(?:\s+la)?|den|der|van(?:\s+de[nr]?)?|von(?:\s+der)?|zur|zum|und|du|da|di"
    r"|dos|das|del|la|le|am|bei|im|an\s+der|af|av|ap|bin|ibn|&|\+)"
)
_VERSION = r"(?:v?\d{1,2}(?:\.\d{1,4}){0,3}(?:\.x)?|v\d{1,4})(?!\w|%|[.,:]\w)"
_SMALL_FORM = r"(?:z\s+o\.\s?o|s\.\s?r\.\s?o|d\.\s?o\.\s?o|a\.\s?s|e\.?\s?[VKG]|plc)(?:\.|\b)"
NAME = rf"{_WORD}(?:\s+(?:{_LINK}\s+)?{_WORD}|\s+{_VERSION}|\s+{_SMALL_FORM})*"
"""The source of a regular expression for one name."""

_AND = r"(?:and|or|as\s+well\s+as|together\s+with)"
BETWEEN = rf"(?:\s*[,;]\s*(?:{_AND}\s+)?|\s+{_AND}\s+)"
"""The same for what stands between two names of an enumeration."""

_NOUN_BEFORE = (
    r"(?:(?:the|its|their|his|her)\s+"
    r"(?:(?!(?:that|which|who|of|in|at|on|to|for|and|or|is|are|was|were)\b)[a-z][\w-]*\s+){0,3})?"
)
NAMES = rf"(?:{NAME})(?:{BETWEEN}{_NOUN_BEFORE}(?:{NAME}))*"
"""The same for one or several names in a row."""

_NAME = re.compile(NAME)
_ENDS_WITH_POINT = re.compile(r"\b(?:Inc|Ltd|Corp|Co|Bros|Jr|Sr|Lda|Ltda|(?:\w\.\s?)+\w)$")
_NAME_AT_END = re.compile(rf"{NAME}\s*$")
_BETWEEN = re.compile(BETWEEN)
_CALENDAR = word_set(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday"
)
_NO_NAMES = (
    FUNCTION_WORDS
    | _CALENDAR
    | word_set(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty hundred dozens both "
        "all each every some "
        "most many several few no not another other others such same since after before during "
        "while when although because if until under over about above below between among "
        "today now then here there currently originally initially later earlier recently "
        "additionally however moreover furthermore also only even just together according "
        "based founded formed created located born instead its unlike despite through within "
        "without against per via like thanks meanwhile finally first second third last next "
        "more further much yet still soon again once often always never nobody everyone somebody "
        "der die das ein eine im am wir unser"
    )
)
"""Words that have a capital where a sentence begins, and are no name."""

_ROLES = word_set(
    "ceo cto cfo coo chairman chairwoman chairperson chair co-chair director co-director founder "
    "co-founder cofounder owner co-owner president vice-president secretary treasurer manager "
    "captain engineer architect author chef mayor minister researcher scientist professor"
)
_FULL_NAME = 2
"""Words of one."""

_ITEM_OPENING = re.compile(
    r"^\s*(?:and\s+|or\s+)?(?:(?:the|its|their|a|an|both|all|by|from|of|with|merging|joining|uniting"
    r"|namely|including|former|late|merger|fusion|union|alliance)\s+)*(?:(?:\w+\s+){0,4}"
    r"(?:companies|firms|businesses|people|partners|organisations|organizations|founders|members)\s*[:,]?\s+)?"
)
_IN_BRACKETS = re.compile(r"^(?P<noun>[a-z][a-z ]*)\s\((?P<list>[^)]+)\)")
_LONGEST = 100
"""Characters of a name: what is longer is a line in capitals."""
_MOST_ITEM_WORDS = 12
_GOES_ON = word_set(
    "in on at of from to into with for by under as since until during after before when while "
    "where which who that whose is are was were has have together join joined merge merged form "
    "formed founded came each near between one two three four five six seven eight nine ten again "
    "later earlier today now then only also last this next but not all both shortly soon back"
)
"""Words with which a sentence goes on after a name. Others make it a part of a longer noun."""
_SMALL_NAME = re.compile(r"^[a-z]\w{2,}$")


def clean_name(text: str) -> str:
    """Return the name without words around it that are none; empty if none is left.

    Before a full name, what its bearer does is none: `Co-owner Bo Krog` is Bo Krog.
    """
    words = text.split()
    if len(words) > _FULL_NAME and fold(words[0]) in _ROLES:
        words = words[1:]
    while words and fold(words[0]).strip(".") in _NO_NAMES:
        words = words[1:]
    while words and fold(words[-1]) in _CALENDAR:
        words = words[:-1]
    joined = " ".join(words).strip(" ,;:")
    return joined if len(joined) <= _LONGEST and plain_words(joined) else ""


def name_at_end(text: str) -> str:
    """Return the name with which the text ends, empty where it ends with none."""
    found = _NAME_AT_END.search(text[-_LONGEST:])
    return clean_name(found[0]) if found is not None else ""


def enumerated(text: str) -> tuple[str, ...]:
    """Return the names that an enumeration begins with: `the firms A, B and C in 2015`.

    Beside two names with capitals, a single small word is a name as well: `A, inkwell and B`.
    """
    items = list(_items(text))
    named = sum(name != "" for name, _ in items)
    names: list[str] = []
    for name, bare in items:
        if name:
            names.append(name)
        elif named > 1 and _SMALL_NAME.match(bare) and fold(bare) not in _NO_NAMES:
            names.append(bare)
        elif names:
            break
    return tuple(dict.fromkeys(names))


def _items(text: str) -> Iterator[tuple[str, str]]:
    """Return the pieces between commas, each with its name, until one goes on with the sentence."""
    listed = _IN_BRACKETS.sub(r"\g<noun>: \g<list>", text, count=1)
    for piece in _BETWEEN.split(re.sub(r"\s*\([^)]*\)", "", listed)):
        bare = _ITEM_OPENING.sub("", piece.partition(":")[2] or piece, count=1)
        bare = without_marks(bare)
        if len(piece.split()) > _MOST_ITEM_WORDS + len(bare.split()):
            return
        # Not the first name where a noun follows it: `the Dutch investor Orca` is Orca.
        ended = (one for one in _NAME.finditer(bare) if _ends(bare[one.end() :]))
        found = next(ended, None) or _NAME.search(bare)
        fits = found is not None and _leads_to(bare[: found.start()]) and _ends(bare[found.end() :])
        name = clean_name(found[0]) if found is not None and fits else ""
        yield name, bare
        # A name with more behind it is the last one: `C in 2015`, `C, which runs ferries`.
        if found is not None and bare[found.end() :].strip(" .,;!"):
            return


def without_marks(text: str) -> str:
    """Return the text without the marks at its ends; a point that belongs to a name stays."""
    bare = text.strip(" .!\"'“”")
    return f"{bare}." if _ENDS_WITH_POINT.search(bare) and f"{bare}." in text else bare


def _leads_to(before: str) -> bool:
    """Return whether the words before a name say what it is: `the engineer `, or there are none."""
    words = plain_words(before)
    return len(words) <= 4 and not set(words) & {"in", "at", "on", "since", "for", "to", "that"}


def _ends(after: str) -> bool:
    """Return whether the name is over: `Night` is none in `Night ferries`."""
    word = re.match(r"\s+([a-z]\w*)", after)
    return word is None or word[1] in _GOES_ON
