"""Questions taken apart: about whom or what, what of it, and under which condition."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from knowledge_team.scripted.clauses import clauses
from knowledge_team.scripted.filters import NameFilter, cut_filter
from knowledge_team.scripted.language import (
    CLASSES,
    FILLERS,
    PRONOUNS,
    asked,
    canonical,
    is_plural,
)
from knowledge_team.scripted.names import Token, tokens
from knowledge_team.words import fold, word_set

type Role = Literal["agent", "object", "unclear"]
"""Whether the question's first name does what its verb says, or has it done to it."""

type Kind = Literal["fact", "purpose", "description", "surname", "forename", "fullname"]

_DOES = re.compile(r"\bwhat\b.*\b(?:do|does|did)\b.*\bdo$|\bwhat\b.*\b(?:does|did)$", re.IGNORECASE)
_HELPS = re.compile(
    r"\bhow\s+(?:do|does|did|can)\b.*\b(?:helps?|supports?|serves?|assists?|add\s+value)\b",
    re.IGNORECASE,
)
_IS_FOR = re.compile(r"\bwhat\s+(?:is|are)\b.*\bfor$", re.IGNORECASE)
_NAME_PARTS = re.compile(r"\b(surname|forename|fullname)\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow\s+many\b", re.IGNORECASE)
_WHO_ARE = re.compile(r"\bwho\s+(?:are|were|all)\b", re.IGNORECASE)
_VERB = re.compile(
    r"(?:ed|[^s]s)$|^(?:led|built|made|lead|own|took|bought|sold|wrote|won|ran|run|began|held)$",
    re.IGNORECASE,
)
_DONE_TO_IT = re.compile(r"^\s+(?:(?:is|are|was|were)\s+)?(?:\w+ed|led|built|made|run)\b")
_BE_BEFORE_OR_IN = re.compile(r"\b(?:is|are|was|were|been)\b", re.IGNORECASE)
_DOES_IT = re.compile(r"\b(?:do|does|did)\b|\bby\s+(?:the\s+)?$", re.IGNORECASE)
_HAS = re.compile(r"^\s+(?:have|has|had)\b")
_VERB_AFTER = re.compile(r"^\s+(?:\w+ed|owns|leads|built|made)\b")
_THAT_ONE = re.compile(r"\b(?:this|that|the\s+same)\s+(?:company|firm|person|one)\b", re.IGNORECASE)
_ASKED_FOR = word_set("which what name list give tell show identify enumerate find many")
_NOUN_WINDOW = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that a question asks.

    Attributes:
        text: The clause that asks it, its phrases made canonical, its condition cut off.
        subjects: The names in it, or those that its pronoun stands for.
        words: Its other words that carry meaning, as written, in order.
        kind: `purpose` and `description` ask what something is about, `surname`, `forename` and
            `fullname` for a part of a name, `fact` for anything else.
        role: What the first name has to do with the verb.
        wanted: The noun that says what kind of thing is asked for, empty where none does.
        several: Whether the answer is a list.
        counted: Whether the answer is how many.
        condition: What the names in a list must be like, None where they need not.

    """

    text: str
    subjects: tuple[str, ...]
    words: tuple[str, ...]
    kind: Kind
    role: Role
    wanted: str
    several: bool
    counted: bool
    condition: NameFilter | None

    @property
    def keys(self) -> tuple[frozenset[str], ...]:
        """For each word the meanings of which a fact must have one."""
        return tuple(asked(fold(word)) for word in self.words)


def read_question(request: str, earlier: Sequence[str] = ()) -> tuple[Part, ...]:
    """Return what the request asks, part by part.

    Args:
        request: The question, or several in one.
        earlier: Requests before it, oldest first; a pronoun may stand for a name in them.

    """
    known = _last_subjects(earlier)
    parts: list[Part] = []
    for clause in clauses(request):
        for part in _parts(clause):
            named = part if part.subjects else _with_pronoun(part, known)
            known = named.subjects or known
            parts.append(named)
    return tuple(parts)


def _last_subjects(requests: Sequence[str]) -> tuple[str, ...]:
    for request in reversed(requests):
        named = [part.subjects for clause in clauses(request) for part in _parts(clause)]
        if any(named):
            return next(subjects for subjects in reversed(named) if subjects)
    return ()


def _with_pronoun(part: Part, known: tuple[str, ...]) -> Part:
    has_pronoun = any(fold(token.text) in PRONOUNS for token in tokens(part.text))
    refers = has_pronoun or not part.words or _THAT_ONE.search(part.text) is not None
    return replace(part, subjects=known) if refers else part


def _parts(clause: str) -> Iterator[Part]:
    text, condition = cut_filter(canonical(clause))
    found = tokens(text)
    joined = _joined_names(found, text)
    if not joined:
        yield _part(text, found, condition)
    for name in joined:
        others = [token for token in joined if token is not name]
        yield _part(text, tuple(token for token in found if token not in others), condition)


def _joined_names(found: Sequence[Token], text: str) -> tuple[Token, ...]:
    """Return the names of `A and B`, of which the clause asks the same."""
    names = [token for token in found if token.is_name]
    gaps = [text[left.end : right.start] for left, right in pairwise(names)]
    return tuple(names) if gaps and all(gap.strip(" ,") in {"and", ""} for gap in gaps) else ()


def _part(text: str, found: Sequence[Token], condition: NameFilter | None) -> Part:
    names = tuple(token.text for token in found if token.is_name)
    wanted = _wanted(found)
    words = tuple(
        token.text
        for token in found
        if not token.is_name and fold(token.text) not in FILLERS | CLASSES
    )
    counted = _HOW_MANY.search(text) is not None
    plural = bool(wanted and is_plural(wanted)) or _WHO_ARE.search(text) is not None
    return Part(
        text=text,
        subjects=names,
        words=words,
        kind=_kind(text, words),
        role=_role(text, names[0], words) if names else "unclear",
        wanted=wanted,
        several=plural or counted or condition is not None,
        counted=counted,
        condition=condition,
    )


def _kind(text: str, words: Sequence[str]) -> Kind:
    if found := _NAME_PARTS.search(text):
        part = fold(found[0])
        return "surname" if part == "surname" else "forename" if part == "forename" else "fullname"
    if any(form.search(text) for form in (_DOES, _HELPS, _IS_FOR)):
        return "purpose"
    if words and all("=purpose" in asked(fold(word)) for word in words):
        return "purpose"
    return "fact" if words else "description"


def _role(text: str, name: str, words: Sequence[str]) -> Role:
    before, _, after = text.partition(name)
    if _DONE_TO_IT.match(after) and _BE_BEFORE_OR_IN.search(before + after):
        return "object"
    if _HAS.match(after):
        return "unclear"
    if _DOES_IT.search(before) or _VERB_AFTER.match(after):
        return "agent"
    last = [word for word in before.split() if fold(word) not in {"the", "a", "an"}][-1:]
    is_verb = last and last[0] in words and _VERB.search(last[0])
    return "object" if is_verb else "unclear"


def _wanted(found: Sequence[Token]) -> str:
    """Return the noun after `which` or `list`: a plural one, else one that names a class."""
    for position, token in enumerate(found):
        if fold(token.text) in _ASKED_FOR:
            nouns = list(_nouns(found[position + 1 :]))
            plural = [noun for noun in nouns if is_plural(noun)]
            classes = [noun for noun in nouns if fold(noun) in CLASSES]
            if plural or classes:
                return (classes or plural)[0]
    return next((one.text for one in found[:1] if fold(one.text) in CLASSES), "")


def _nouns(found: Sequence[Token]) -> Iterator[str]:
    seen = 0
    for token in found:
        if token.is_name or seen == _NOUN_WINDOW:
            return
        if fold(token.text) not in FILLERS:
            seen += 1
            yield token.text
