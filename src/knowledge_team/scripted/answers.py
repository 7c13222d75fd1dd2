"""The answer to a question from what the searches returned, part by part.

Every sentence is taken from the evidence, or says that something is not there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from knowledge_team.facts import Fact
from knowledge_team.scripted.evidence import NUMBER, Statement, says_what, statements
from knowledge_team.scripted.language import QUESTION_WORDS
from knowledge_team.scripted.lists import listed
from knowledge_team.scripted.matching import (
    about,
    contradicting,
    own,
    spelt_out,
    supporting,
    with_names,
)
from knowledge_team.scripted.question import Part
from knowledge_team.scripted.sentences import ended
from knowledge_team.words import fold, stem

RECOMMENDATION = "To fill this gap, please ingest a source that covers it through @WebIngest."
"""What a specialist says where a fact is missing."""

_MAX_SENTENCES = 3

_OPENING = re.compile(
    r"^(?:(?:can|could|would|will)\s+you\s+|please\s+)*(?:how\s+many|which|what|who|name|list|give|tell"
    r"|show|identify|enumerate|find)?\b\s*(?:me\s+|us\s+|of\s+|all\s+|the\s+|are\s+|were\s+)*",
    re.IGNORECASE,
)
_WHO = re.compile(r"\bwho\b", re.IGNORECASE)
_INVERTED = re.compile(r"\b(?:do|does|did)\b", re.IGNORECASE)
_ARE_OF = re.compile(r"^\w+\s+(?:are|were)\s+(?:the\s+)?(?=\w+s\s+of\b)")
_NOUN_AND_VERB = re.compile(r"^(?P<noun>\w+)\s+(?P<verb>\w+ed|own|lead)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartAnswer:
    """What is said to one part of a question.

    Attributes:
        text: One or more sentences.
        missing: Whether they say that the fact is not there.

    """

    text: str
    missing: bool = False


def answer(parts: Sequence[Part], facts: Sequence[Fact]) -> str:
    """Return the answer to all parts; a recommendation at its end, where a fact is missing."""
    evidence = statements(facts)
    answers = [_answered(with_names(part, evidence), evidence) for part in parts]
    found = [one.text for one in answers if not one.missing]
    missing = [one.text for one in answers if one.missing]
    advice = [RECOMMENDATION] if missing or not answers else []
    return " ".join(dict.fromkeys((*found, *missing, *advice)))


def _answered(part: Part, evidence: Sequence[Statement]) -> PartAnswer:
    first = _part_answer(part, evidence)
    full = spelt_out(part, evidence)
    return _part_answer(full, evidence) if first.missing and full != part else first


def _part_answer(part: Part, evidence: Sequence[Statement]) -> PartAnswer:
    if part.subjects and not about(evidence, part.subjects[:1]):
        return PartAnswer(text=f"{part.subjects[0]} is not in the knowledge base.", missing=True)
    match part.kind:
        case "surname" | "forename" | "fullname":
            return _name_part(part, evidence)
        case "purpose":
            return _purpose(part, evidence)
        case "description":
            return _description(part, evidence)
        case "fact":
            return _list(part, evidence) if part.several else _fact(part, evidence)


def _fact(part: Part, evidence: Sequence[Statement]) -> PartAnswer:
    found = supporting(part, evidence)
    if part.counted:
        found = [one for one in found if "=number" in one.meanings]
    if not found:
        return _missing(part)
    names = listed(part, evidence) if _WHO.search(part.text) else ()
    if found[0].relation is not None and len(names) > 1:
        return PartAnswer(text=ended(f"{part.text}: {_enumerated(names)}"))
    if against := contradicting(part, found):
        one, other = (statement.sentence() for statement in against)
        return PartAnswer(text=f"The records conflict. One says: {one} Another says: {other}")
    if part.subjects:
        return PartAnswer(text=found[0].sentence())
    sentences = dict.fromkeys(one.sentence() for one in found[:_MAX_SENTENCES])
    return PartAnswer(text=" ".join(sentences))


def _list(part: Part, evidence: Sequence[Statement]) -> PartAnswer:
    if part.counted and (told := _number_told(part, evidence)):
        return PartAnswer(text=told)
    names = listed(part, evidence)
    if (
        part.condition is None
        and not part.counted
        and len(names) == 1
        and supporting(part, evidence)
    ):
        return _fact(part, evidence)  # the sentence says it better than a list of one
    if not names:
        return _fact(part, evidence) if part.condition is None else _missing(part)
    if part.condition is None:
        count = f"{len(names)}. " if part.counted else ""
        return PartAnswer(text=ended(f"{count}{_heading(part)}: {_enumerated(names)}"))
    chosen = [name for name in names if part.condition.admits(name)]
    if not chosen:
        return PartAnswer(text="None of the names in the knowledge base meets that condition.")
    told = f"{_heading(part)}, under that condition: {_enumerated(chosen)}"
    return PartAnswer(text=ended(told))


def _number_told(part: Part, evidence: Sequence[Statement]) -> str:
    """Return the sentence in which the subject has so many of what is counted; empty if none."""
    if not part.wanted or part.condition is not None:
        return ""
    number = re.compile(
        rf"(?:{NUMBER.pattern})\S*\s+(?:\w+\s+){{0,2}}?{re.escape(part.wanted)}\b", re.IGNORECASE
    )
    found = (one.sentence() for one in supporting(part, evidence) if number.search(one.text))
    return next(found, "")


def _name_part(part: Part, evidence: Sequence[Statement]) -> PartAnswer:
    said_so = [one for one in own(part, evidence) if stem(part.kind) in one.meanings]
    names = dict.fromkeys(one.subject for one in own(part, evidence))
    full = [name for name in names if len(name.split()) > 1]
    if not full:
        return PartAnswer(text=said_so[0].sentence()) if said_so else _missing(part)
    sentences = [_about_name(part, name) for name in full]
    return PartAnswer(text=" ".join(sentences))


def _about_name(part: Part, name: str) -> str:
    first, *rest = name.split()
    match part.kind:
        case "surname":
            return f"The last name of {first} is {_surname(rest)} ({name})."
        case "forename":
            return f"The first name is {first} ({name})."
        case _:
            return f"The full name is {name}."


def _surname(words: Sequence[str]) -> str:
    """Return the last name with the small words before it: `van Dorn`, but not a middle name."""
    small = next((at for at, word in enumerate(words) if word.islower()), len(words) - 1)
    return " ".join(words[small:])


def _purpose(part: Part, evidence: Sequence[Statement]) -> PartAnswer:
    found = own(part, evidence)
    if not found:
        return _missing(part)
    is_person = found[0].kind == "person" or "=profession" in found[0].meanings
    if is_person:
        work = [one for one in found if "=profession" in one.meanings]
        return PartAnswer(text=work[0].sentence()) if work else _description(part, evidence)
    telling = [
        one
        for one in found
        if says_what(one.text) or not one.meanings & {"=form", "=location", "=time"}
    ]
    sentences = [one.sentence() for one in (telling or found)[:_MAX_SENTENCES]]
    return PartAnswer(text=" ".join(dict.fromkeys(sentences)))


def _description(part: Part, evidence: Sequence[Statement]) -> PartAnswer:
    found = own(part, evidence) or about(evidence, part.subjects) if part.subjects else []
    if not found:
        return _missing(part)
    sentences = [one.sentence() for one in found[:_MAX_SENTENCES]]
    return PartAnswer(text=" ".join(dict.fromkeys(sentences)))


def _missing(part: Part) -> PartAnswer:
    if (
        not part.subjects
        or part.role != "unclear"
        or fold(" ".join(part.words[:1])) in {"", *QUESTION_WORDS}
    ):
        text = f"This is not in the knowledge base: {part.text}?"
    else:
        text = f"The {' '.join(part.words)} of {part.subjects[0]} is not in the knowledge base."
    return PartAnswer(text=text, missing=True)


def _heading(part: Part) -> str:
    """Return the clause as the title of its answer: `Companies that formed Vela`."""
    if _INVERTED.search(part.text):
        return part.text
    bare = _ARE_OF.sub("", _OPENING.sub("", part.text).strip())
    titled = _NOUN_AND_VERB.sub(r"\g<noun> that \g<verb>", bare, count=1)
    return titled[:1].upper() + titled[1:]


def _enumerated(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
