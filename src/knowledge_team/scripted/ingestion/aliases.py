"""Names that a page has for one thing: `BTO` and `Baltic Tide Office`, `Vela` and `Vela GmbH`."""

import re
from collections.abc import Iterator

from knowledge_team.scripted.ingestion.naming import name_at_end
from knowledge_team.scripted.language import without_legal_form
from knowledge_team.words import fold, name_key

_SHORT = re.compile(
    r"\((?:the\s+|short:?\s+|or\s+)?[\"'\u201c]?(?P<short>[^\W\d_][\w&-]{1,9})[\"'\u201d]?\)"
)
_BEFORE = 120
"""Characters before a bracket in which the full name stands."""


class KnownNames:
    """What each thing of a page is called first; other names of it lead there."""

    def __init__(self, text: str) -> None:
        self._full = dict(_acronyms(text))
        self._first: dict[str, str] = {}

    def of(self, name: str) -> str:
        """Return the name under which the facts of what is called so are kept."""
        full = self._full.get(name_key(name), name)
        key, short = name_key(full), name_key(without_legal_form(full))
        if key in self._first:
            return self._first[key]
        bearer = self._first.get(short, full)
        # `Vela` is the `Vela AG` of before; but beside a `Vela GmbH` an AG is another company.
        known = bearer if name_key(bearer) == short else full
        self._first[key] = known
        self._first.setdefault(short, known)
        return known


def _acronyms(text: str) -> Iterator[tuple[str, str]]:
    for found in _SHORT.finditer(text):
        short = found["short"]
        name = _spelt_out(short, name_at_end(text[max(found.start() - _BEFORE, 0) : found.start()]))
        if name and sum(char.isupper() for char in short) > 1:
            yield name_key(short), name


def _spelt_out(short: str, name: str) -> str:
    """Return the end of the name of which the short form has the initials; empty if of none."""
    letters = "".join(filter(str.isalnum, fold(short)))
    words = name.split()
    for start in range(len(words)):
        parts = re.split(r"[\s-]", " ".join(words[start:]))
        initials = "".join(fold(part)[0] for part in parts if part[:1].isupper())
        if initials == letters and words[start][0].isupper():
            return " ".join(words[start:])
    return ""
