"""Which statements answer a part of a question. Strict: a fact that is not there is not guessed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from knowledge_team.scripted.evidence import Statement
from knowledge_team.scripted.language import said, stems
from knowledge_team.scripted.question import Part
from knowledge_team.scripted.voice import fits_role, named_like
from knowledge_team.words import FUNCTION_WORDS, fold, plain_words

_MODIFIED_FROM = 3


def with_names(part: Part, evidence: Iterable[Statement]) -> Part:
    """Return the part with the names that the evidence knows and that stand in it in any case.

    A question written without capitals shows its names only beside the facts.
    """
    if part.subjects:
        return part
    asked = stems(part.text)
    names = dict.fromkeys(name for one in evidence for name in one.names)
    named = [name for name in names if stems(name) and stems(name) <= asked]
    covered = frozenset[str]().union(*(stems(name) for name in named))
    words = tuple(word for word in part.words if not stems(word) <= covered)
    kind = "description" if part.kind == "fact" and not words else part.kind
    return replace(part, subjects=tuple(named[:1]), words=words, kind=kind)


def spelt_out(part: Part, evidence: Iterable[Statement]) -> Part:
    """Return the part with the full name of a subject that a record gives its initials."""
    full = {
        short: one.subject
        for one in evidence
        for short in part.subjects
        if f"{one.subject} ({short})" in one.text
    }
    return replace(part, subjects=tuple(full.get(name, name) for name in part.subjects))


def concerns(statement: Statement, name: str) -> bool:
    """Return whether the statement is about what is named so, or mentions it."""
    if any(named_like(name, entity) for entity in statement.names):
        return True
    return bool(stems(name)) and stems(name) <= stems(statement.text)


def about(evidence: Iterable[Statement], subjects: Sequence[str]) -> list[Statement]:
    """Return the statements that concern all of these names."""
    return [one for one in evidence if all(concerns(one, name) for name in subjects)]


def supporting(part: Part, evidence: Iterable[Statement]) -> list[Statement]:
    """Return the statements that answer the part, those of the subject's own record first."""
    found = [one for one in about(evidence, part.subjects) if covers(part, one)]
    return sorted(found, key=lambda one: not _is_own(part, one))


def own(part: Part, evidence: Iterable[Statement]) -> list[Statement]:
    """Return the statements of the records of the part's subject itself."""
    return [one for one in evidence if _is_own(part, one) and one.relation is None]


def covers(part: Part, statement: Statement) -> bool:
    """Return whether the statement has a meaning for each word of the part.

    A word before another (`application database`) may be missing, but only where a word of a
    known concept (`prefer`) and the word after it are there.
    """
    keys = part.keys
    if not fits_role(part, statement):
        return False
    missing = [position for position, key in enumerate(keys) if not key & statement.meanings]
    if not missing:
        return True
    (position, *others) = missing
    has_concept = any(_concepts(key) for at, key in enumerate(keys) if at not in missing)
    is_modifier = position + 1 < len(keys) and not _concepts(keys[position])
    return len(keys) >= _MODIFIED_FROM and not others and is_modifier and has_concept


def contradicting(part: Part, found: Sequence[Statement]) -> list[Statement]:
    """Return statements of different records that give different values; empty where they agree."""
    (first, *others) = found
    value = _value(part, first)
    for other in others:
        against = _value(part, other)
        differs = value - against and against - value
        if other.record != first.record and same_subject(first, other) and differs:
            return [first, other]
    return []


def same_subject(left: Statement, right: Statement) -> bool:
    """Return whether the two speak of one thing by nearly the same name."""
    one, other = stems(left.subject), stems(right.subject)
    return bool(one & other)


def _value(part: Part, statement: Statement) -> frozenset[str]:
    """Return the words of the statement that the question does not have: what it answers."""
    same = [name for name in statement.names if any(named_like(one, name) for one in part.subjects)]
    named = (*part.subjects, *same)
    asked = frozenset[str]().union(*part.keys) | stems(" ".join(named))
    words = [word for word in plain_words(statement.text) if word not in FUNCTION_WORDS]
    return frozenset(word for word in words if not said(word) & asked)


def _concepts(key: frozenset[str]) -> frozenset[str]:
    return frozenset(meaning for meaning in key if meaning.startswith("="))


def _is_own(part: Part, statement: Statement) -> bool:
    if not part.subjects:
        return False
    return named_like(part.subjects[0], statement.subject) or fold(part.subjects[0]) == fold(
        statement.subject
    )
