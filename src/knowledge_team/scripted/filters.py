"""Conditions on names: `that have Shipping in their name`, `whose names start with B`."""

import re
from dataclasses import dataclass
from typing import Literal

from knowledge_team.words import fold

_NOT = r"(?P<negated>(?:do|does|did)\s+not\s+|(?:do|does|did)n['\u2019]t\s+|without\s+)?"
_LINK = r"(?:\b(?:that|which|who|and|but)\s+)?"
_HOLDS = (
    r"(?:have|has|having|with|without|contain(?:s|ing)?|includ(?:e|es|ing)|carr(?:y|ies|ying)"
    r"|bear(?:s|ing)?|mention(?:s|ing)?|us(?:e|es|ing)|featur(?:e|es|ing))"
)
_OPENING = r"(?:the\s+|either\s+)*(?:words?\s+|terms?\s+|letters?\s+)?"
_WORDS = rf"(?P<words>(?:(?!\b{_HOLDS}\b)[^,?;])+?)"
_END = r"(?=\s*(?:[,?;]|\.?$))"

_IN_NAME = (
    rf"{_LINK}{_NOT}\b(?P<verb>{_HOLDS})?\s*{_OPENING}{_WORDS}\s+"
    r"(?:in|as\s+part\s+of|within)\s+(?:their|its|the|his|her)\s+(?:\w+\s+)?names?\b"
)
_NAME_HAS = (
    r"\b(?:whose|with|and\s+whose|(?:that\s+)?hav(?:e|ing))?\s*(?:their\s+|the\s+|an?\s+)?"
    rf"\bnames?\s+(?:that\s+|which\s+)?{_NOT}(?P<verb>{_HOLDS}|start|begin|end)\w*\s+"
    rf"(?:with\s+|in\s+)?{_OPENING}{_WORDS}{_END}"
)
_STARTS_WITH = (
    rf"{_LINK}{_NOT}\b(?P<verb>start|begin|end)(?:s|ning|ing)?\s+with\s+{_OPENING}{_WORDS}{_END}"
)
_CALLED = (
    rf"{_LINK}(?:are|is)\s+{_NOT}(?P<verb>called|named)\s+(?:something\s+)?"
    rf"(?:with|like|containing)\s+{_OPENING}{_WORDS}{_END}"
)
_CONDITIONS = tuple(
    re.compile(form, re.IGNORECASE) for form in (_IN_NAME, _NAME_HAS, _STARTS_WITH, _CALLED)
)
_BETWEEN = re.compile(r"\s*(?:,|/|\bn?or\b|\band\b)\s*", re.IGNORECASE)
_QUOTES = " .\"'\u201c\u201d\u2018\u2019«»"

type Place = Literal["anywhere", "start", "end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NameFilter:
    """What a name must be like.

    Attributes:
        words: Texts of which the name has one; capitals and accents do not matter.
        place: Where in the name.
        negated: It must have none of them instead.

    """

    words: tuple[str, ...]
    place: Place = "anywhere"
    negated: bool = False

    def admits(self, name: str) -> bool:
        """Return whether the name is like this."""
        return any(self._has(fold(name), fold(word)) for word in self.words) != self.negated

    def _has(self, name: str, word: str) -> bool:
        match self.place:
            case "anywhere":
                return word in name
            case "start":
                return name.startswith(word)
            case "end":
                return name.endswith(word)


def cut_filter(clause: str) -> tuple[str, NameFilter | None]:
    """Return the clause without its condition on names, and the condition."""
    for condition in _CONDITIONS:
        found = condition.search(clause)
        if found is not None:
            rest = f"{clause[: found.start()].rstrip()} {clause[found.end() :].lstrip()}"
            return rest.strip(), _filter(found)
    return clause, None


def _filter(found: re.Match[str]) -> NameFilter:
    words = [word.strip(_QUOTES) for word in _BETWEEN.split(found["words"])]
    verb = fold(found["verb"] or "")
    return NameFilter(
        words=tuple(word for word in words if word) or (found["words"],),
        place=_place(verb),
        negated=bool(found["negated"]) or verb == "without",
    )


def _place(verb: str) -> Place:
    if verb in {"start", "begin"}:
        return "start"
    return "end" if verb == "end" else "anywhere"
