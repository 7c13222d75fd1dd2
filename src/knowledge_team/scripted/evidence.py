"""Search results as statements: single sentences, each with what it speaks of and what it means."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knowledge_team.facts import Entity, Fact, Relation
from knowledge_team.scripted.language import (
    NO_PERSONS,
    NO_PROFESSIONS,
    kind_of,
    said_in,
    stems,
)
from knowledge_team.scripted.sentences import ended, sentences
from knowledge_team.words import fold, plain_words

_TIME = re.compile(
    r"\b(?:1\d|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|at|near|from)\s+(?:the\s+)?[A-Z]")
NUMBER = re.compile(
    r"\b\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand)\b",
    re.IGNORECASE,
)
"""The beginning of a number."""
_IS_A = re.compile(
    r"^(?P<before>.*?)\b(?:is|was|are|became|remains)\s+(?:an?|the|now\s+an?|our)\s+(?P<noun>[^,.;]+)",
    re.IGNORECASE,
)
_APPOSITION = re.compile(
    r"^(?P<before>[^,]{1,60}),\s+(?:an?|our)\s+(?P<noun>[^,]+),", re.IGNORECASE
)
_BARE = re.compile(r"^(?:an?\s+|the\s+)?(?P<noun>[^,.;]+)", re.IGNORECASE)
_NOUN_END = re.compile(
    r"\b(?:of|at|in|for|from|with|who|that|which|and|to|on|by|since)\b", re.IGNORECASE
)
_STARTS_WITH_PRONOUN = re.compile(r"^(?:he|she|it|they)\b", re.IGNORECASE)
_LONGEST_PREFIX = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence of one record.

    Attributes:
        text: The sentence as the record has it, or a relation put into words.
        subject: The entity whose record it is; of a relation the one it goes out from.
        record: Which record, counted over all results.
        meanings: The meanings of its words, its names and its types.
        kind: What the record's entity is: `organisation`, `person`, or nothing known.
        relation: The relation that it is, None where it is a sentence about an entity.

    """

    text: str
    subject: str
    record: int
    meanings: frozenset[str]
    kind: str
    relation: Relation | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entities that the record is about."""
        ends = () if self.relation is None else (self.relation.to_entity,)
        return (self.subject, *ends)

    def sentence(self) -> str:
        """Return the text as a sentence that names its subject."""
        if stems(self.subject) & stems(self.text):
            return _as_sentence(self.text)
        if _STARTS_WITH_PRONOUN.match(self.text):
            return _as_sentence(_STARTS_WITH_PRONOUN.sub(self.subject, self.text, count=1))
        return _as_sentence(f"{self.subject}: {self.text}")


def statements(facts: Iterable[Fact]) -> tuple[Statement, ...]:
    """Return what the facts say, sentence by sentence."""
    distinct = tuple(dict.fromkeys(facts))
    types = {fold(one.name): one.entity_type for one in distinct if isinstance(one, Entity)}
    found: list[Statement] = []
    for record, fact in enumerate(distinct):
        match fact:
            case Entity():
                found.extend(_of_entity(fact, record))
            case Relation():
                found.append(_of_relation(fact, record, types))
    return tuple(found)


def occupation(text: str, names: Iterable[str] = ()) -> str:
    """Return what the sentence says that somebody is, as `marine engineer`; empty if nothing."""
    found = _APPOSITION.match(text) or _IS_A.match(text)
    if found is None:
        # A description often leaves out its subject: `Marine engineer from Norvik.`
        starts_with_name = bool(stems(" ".join(names)) & stems(" ".join(text.split()[:2])))
        found = None if starts_with_name or _STARTS_WITH_PRONOUN.match(text) else _BARE.match(text)
    elif len(found["before"].split()) > _LONGEST_PREFIX:
        return ""
    noun = _NOUN_END.split(found["noun"])[0].strip() if found else ""
    words = plain_words(noun)
    return noun if words and words[-1] not in NO_PROFESSIONS else ""


def says_what(text: str) -> bool:
    """Return whether the sentence says what its subject is: `Vela is a shipyard in Norvik`."""
    found = _IS_A.match(text)
    return found is not None and len(found["before"].split()) <= _LONGEST_PREFIX


def _of_entity(entity: Entity, record: int) -> Iterator[Statement]:
    common = said_in(entity.entity_type)
    for text in sentences(entity.description.strip()):
        meant = said_in(text) | _implied(text) | common
        if _is_person(entity) and occupation(text, (entity.name,)):
            meant |= {"=profession"}
        yield Statement(
            text=text,
            subject=entity.name,
            record=record,
            meanings=meant,
            kind=kind_of(entity.entity_type),
        )


def _of_relation(relation: Relation, record: int, types: dict[str, str]) -> Statement:
    ends = (relation.from_entity, relation.to_entity)
    named = " ".join(types.get(fold(end), "") for end in ends)
    text = _in_words(relation)
    return Statement(
        text=text,
        subject=relation.from_entity,
        record=record,
        meanings=said_in(f"{text} {relation.relation_type} {named}") | _implied(text),
        kind=kind_of(types.get(fold(relation.from_entity), "")),
        relation=relation,
    )


def _implied(text: str) -> frozenset[str]:
    """Return what a sentence tells without a word for it: a time, a place, a number."""
    told = (("=time", _TIME), ("=place", _PLACE), ("=number", NUMBER))
    return frozenset(meaning for meaning, form in told if form.search(text))


def _is_person(entity: Entity) -> bool:
    return not NO_PERSONS & set(plain_words(entity.entity_type.replace("_", " ")))


def _in_words(relation: Relation) -> str:
    said = relation.description.strip()
    if said and {relation.from_entity, relation.to_entity} <= _contained(said, relation):
        return said
    verb = " ".join(relation.relation_type.replace("_", " ").lower().split())
    first, _, rest = verb.partition(" ")
    is_participle = first.endswith("ed") and rest
    is_noun = not first.endswith(("s", "ed")) and rest
    verb = f"is {verb}" if is_participle or is_noun else verb
    more = f" ({said.rstrip('.')})" if said else ""
    return ended(f"{relation.from_entity} {verb} {relation.to_entity}{more}")


def _contained(text: str, relation: Relation) -> set[str]:
    return {end for end in (relation.from_entity, relation.to_entity) if fold(end) in fold(text)}


def _as_sentence(text: str) -> str:
    return ended(text[:1].upper() + text[1:])
