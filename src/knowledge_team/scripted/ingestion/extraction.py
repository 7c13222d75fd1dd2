"""The facts that a page states, by rules: never by what the rules would know beforehand.

A sentence belongs to the name it begins with, or to the one for which its first word stands. It
becomes part of that entity's description as it was written; the relations in it are made of its
form. Sentences that speak to a reader are left out, and a paragraph ends where it commands a model.

The rest of such a page is still read, for the command may be somebody else's who could write into
it. But what it said first is then not said anew: neither what something is, nor who founded it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile

from knowledge_team.facts import Entity, Fact, Relation
from knowledge_team.scripted.ingestion.addressed import (
    introduces,
    is_addressed,
    is_boilerplate,
    is_command,
    is_injected,
)
from knowledge_team.scripted.ingestion.aliases import KnownNames
from knowledge_team.scripted.ingestion.blocks import Block, read_blocks
from knowledge_team.scripted.ingestion.clauses import (
    BELONGS,
    NAME_ALONE,
    VERB,
    Clause,
    SpokenOf,
    appositions,
    halves,
    introduced,
    of_the_owned,
    read_clause,
    with_object,
    with_owner,
    with_subject,
    without_adverb,
)
from knowledge_team.scripted.ingestion.kinds import (
    is_vague,
    persons_named,
    told_type,
    type_by_name,
    type_of_column,
    type_of_end,
)
from knowledge_team.scripted.ingestion.naming import NAME, clean_name
from knowledge_team.scripted.ingestion.relations import FORMED, clause_relations, role_relations
from knowledge_team.scripted.ingestion.values import (
    ITEM,
    VALUE,
    is_key,
    item_name,
    read_table,
    value_sentence,
    without_brackets,
)
from knowledge_team.scripted.sentences import ended, sentences
from knowledge_team.words import fold, plain_words

MOST_ENTITIES = 300
"""Entities of one page: a longer list is no page about something."""

MOST_RELATIONS = 500
"""Relations of one page."""

LONGEST_SENTENCE = 600
"""Characters of a sentence that is looked at: longer ones are no sentences, and rules would look
at every pair of places in them."""

LONGEST_DESCRIPTION = 8_000
"""Characters of one description. `update_graph` takes more of each, but not without end."""

_TITLE_ENDS = re.compile(r"\s+[|\u2013\u2014»:-]\s+")
_LOOSE = re.compile(
    r"^(?:The|A|An|Its|Their|All|Each|Every|Both|Some|Most|Many|Several|In|Since|On|At|There|Two"
    r"|Three|Four|Five|Six|Seven|Eight|Nine|Ten|No|Only|After|Before|During|From|Until)\b"
)
_GROUP = re.compile(
    rf"^(?P<noun>[A-Z][a-z]+(?:\s[a-z]+){{0,2}})\s+of\s+(?:the\s+)?(?P<what>{NAME})$"
)
_COMPANIES = re.compile(r"\b(?:companies|firms|businesses)\b")
_NOUN_ENDINGS = ("ing", "tion", "ment", "ness")
_HAS_VERB = re.compile(rf"\s{VERB}")


@dataclass(slots=True)
class _Draft:
    name: str
    entity_type: str = ""
    sentences: dict[str, None] = field(default_factory=dict[str, None])

    def entity(self) -> Entity:
        kind = self.entity_type or type_by_name(self.name)
        described = " ".join(self.sentences)
        if len(described) > LONGEST_DESCRIPTION:  # only whole sentences are kept
            described = f"{described[:LONGEST_DESCRIPTION].rpartition('. ')[0]}."
        return Entity(name=self.name, entity_type=kind, description=described)


@lru_cache(maxsize=32)
def page_facts(text: str) -> tuple[Fact, ...]:
    """Return what the page states: entities with their sentences, then relations."""
    blocks = read_blocks(text)
    commanded = any(is_injected(part) for block in blocks for part in block.parts)
    reading = _Reading(text, commanded=commanded)
    for block in blocks:
        reading.take(block)
    return reading.facts()


class _Reading:
    """What was read so far, and of whom the page is speaking."""

    def __init__(self, text: str, *, commanded: bool) -> None:
        self._common = {word for word in re.findall(r"\w+", text) if word.islower()}
        self._names = KnownNames(text)
        self._drafts: dict[str, _Draft] = {}
        self._relations: dict[Relation, None] = {}
        self._title = ""
        self._latest = ""
        self._thing = ""
        self._heading = ""
        self._lead = ""
        self._commanded = commanded
        self._introduced = False

    def take(self, block: Block) -> None:
        lead, self._lead = self._lead, ""
        introduced, self._introduced = self._introduced, False
        commands = [part for part in block.parts if is_injected(part)]
        if commands:
            self._introduced = block.kind == "heading" or introduces(commands[-1])
        if introduced or (commands and block.kind != "prose"):
            return
        match block.kind:
            case "heading":
                self._take_heading(block.parts[0])
            case "prose":
                self._take_paragraph(block.parts[0])
            case "list":
                self._take_list(block.parts, lead)
            case "table":
                self._take_table(block.parts)

    def facts(self) -> tuple[Fact, ...]:
        kept = list(self._drafts.values())[:MOST_ENTITIES]
        names = {draft.name for draft in kept}
        relations = [one for one in self._relations if {one.from_entity, one.to_entity} <= names]
        return (*(draft.entity() for draft in kept), *relations[:MOST_RELATIONS])

    def _take_heading(self, text: str) -> None:
        self._heading = text
        named = NAME_ALONE.match(_TITLE_ENDS.split(text)[0].strip())
        name = clean_name(named["name"]) if named else ""
        if name and (len(name.split()) > 1 or fold(name) not in self._common):
            self._title = self._title or name
            self._latest = name

    def _take_paragraph(self, text: str) -> None:
        # What stands behind a command may be what the command wants to have stored.
        told = (one for one in sentences(text) if len(one) <= LONGEST_SENTENCE)
        found = list(takewhile(lambda sentence: not is_injected(sentence), told))
        for sentence in found:
            for half in halves(sentence):
                self._take_sentence(half)
        if found and found[-1].endswith(":"):
            self._lead = found[-1]

    def _take_sentence(self, sentence: str) -> None:
        if is_addressed(sentence) or is_boilerplate(sentence) or sentence.endswith(":"):
            return
        name, sentence = introduced(sentence)
        if name:
            self._title = self._latest = name
        self._take_statement(self._said(without_adverb(sentence)))

    def _take_statement(self, said: str) -> None:
        found = read_clause(said)
        clause = found if found is not None and self._is_known(found) else None
        relations = role_relations(said) or (clause_relations(clause) if clause else ())
        if self._commanded and self._says_anew(clause, relations):
            return
        if clause is not None:
            self._note(clause, said, relations)
        elif relations:
            self._relate(relations, said)
        elif (value := VALUE.match(said)) and self._subject():
            self._take_value(self._subject(), value["key"], value["value"])
        elif owner := self._owner(said, has_subject=found is not None):
            self._draft(owner).sentences[said] = None
        self._take_appositions(said, clause.subjects if clause else ())

    def _take_appositions(self, said: str, subjects: Sequence[str]) -> None:
        """Take in what is said in passing of others than the subjects: `Bo Krog, a pilot,`."""
        latest, thing = self._latest, self._thing
        for name, noun in appositions(said):
            if name not in subjects:
                self._take_statement(ended(f"{name} is {noun}"))
        if owned := of_the_owned(said):
            self._take_statement(owned)
        for name in persons_named(said):
            if is_vague(self._type_of(name)):
                self._draft(name).entity_type = "person"
        self._latest, self._thing = latest, thing

    def _says_anew(self, clause: Clause | None, relations: Sequence[Relation]) -> bool:
        """Return whether something else is put in the place of what the page said before."""
        told = told_type(clause) if clause is not None else ""
        known = self._type_of(clause.subjects[0]) if clause is not None else ""
        if told and not is_vague(known) and told != known:
            return True
        filled = {(one.relation_type, one.to_entity) for one in self._relations}
        named = [self._named(one) for one in relations]
        return any(
            one not in self._relations and (one.relation_type, one.to_entity) in filled
            for one in named
        )

    def _said(self, sentence: str) -> str:
        """Return the sentence with names where other words stand for them."""
        speaker, latest = self._title or self._latest, self._latest or self._title
        thing = self._thing or latest
        spoken_of = SpokenOf(speaker=speaker, latest=latest, thing=thing, noun=self._type_of(thing))
        said = with_owner(with_subject(sentence, spoken_of), speaker)
        return said if self._type_of(thing) == "person" else with_object(said, thing)

    def _is_known(self, clause: Clause) -> bool:
        """Return whether the subject is a name, no common noun with the capital of a beginning."""
        (first, *others) = clause.subjects
        if others or len(first.split()) > 1:
            return True
        return fold(first) not in self._common and not first.endswith(_NOUN_ENDINGS)

    def _note(self, clause: Clause, said: str, relations: Sequence[Relation]) -> None:
        for name in clause.subjects:
            draft = self._draft(name)
            draft.sentences[said] = None
            if is_vague(draft.entity_type):
                draft.entity_type = told_type(clause) or draft.entity_type
        self._add(relations, said)
        became = [one.to_entity for one in relations if one.relation_type == FORMED]
        self._latest = became[0] if became else clause.subjects[0]
        if self._type_of(self._latest) != "person":
            self._thing = self._latest
        self._title = self._title or self._latest

    def _relate(self, relations: Sequence[Relation], said: str) -> None:
        """Note a sentence of which only the relations show what it is about."""
        self._add(relations, said)
        self._latest = self._latest or relations[0].to_entity
        self._draft(relations[0].to_entity).sentences[said] = None

    def _add(self, relations: Iterable[Relation], said: str) -> None:
        companies = _COMPANIES.search(said) is not None
        for relation in map(self._named, relations):
            if relation.from_entity == relation.to_entity:
                continue
            if companies and relation.relation_type in {FORMED, "founded"}:
                self._draft(relation.from_entity).entity_type = "company"
            self._relations[relation] = None
            for name, is_target in ((relation.from_entity, False), (relation.to_entity, True)):
                draft = self._draft(name)
                kind = type_of_end(relation.relation_type, is_target=is_target)
                draft.entity_type = draft.entity_type or kind

    def _named(self, relation: Relation) -> Relation:
        """Return the relation between those names under which its ends are known."""
        source, target = self._names.of(relation.from_entity), self._names.of(relation.to_entity)
        return replace(relation, from_entity=source, to_entity=target)

    def _draft(self, name: str) -> _Draft:
        known = self._names.of(name)
        return self._drafts.setdefault(known, _Draft(known))

    def _type_of(self, name: str) -> str:
        draft = self._drafts.get(self._names.of(name)) if name else None
        return draft.entity_type if draft else ""

    def _subject(self) -> str:
        return self._title or self._latest

    def _owner(self, said: str, *, has_subject: bool) -> str:
        """Return to whom a sentence belongs that begins with no name, empty if to nobody.

        Args:
            said: The sentence.
            has_subject: Whether it begins like one that has a subject, though that is no name.

        """
        if owned := BELONGS.match(said):
            return clean_name(owned["name"])
        if not (has_subject or _LOOSE.match(said)) or not _HAS_VERB.search(said):
            return ""
        words = set(plain_words(said))
        named = [one.name for one in self._drafts.values() if set(plain_words(one.name)) <= words]
        subject = self._subject()
        return named[0] if named else subject if self._names.of(subject) in self._drafts else ""

    def _take_value(self, subject: str, key: str, value: str) -> None:
        said = value_sentence(subject, key, value)
        relations = role_relations(said)
        if not (self._commanded and self._says_anew(None, relations)):
            self._add(relations, said)
            self._draft(subject).sentences[said] = None

    def _take_list(self, items: Sequence[str], lead: str) -> None:
        fair = [item for item in items if not (is_addressed(item) or is_boilerplate(item))]
        names = [name for item in fair if (name := item_name(item))]
        listed = names if len(names) == len(fair) else [item.rstrip(" .;") for item in fair]
        before = self._latest
        if lead:
            self._take_sentence(ended(f"{lead} {', '.join(names or listed)}"))
        elif listed and (noun := self._group()):
            self._take_sentence(ended(f"The {noun} are {', '.join(listed)}"))
        for item in fair:
            self._take_item(item)
        self._latest = before or self._latest

    def _group(self) -> str:
        """Return what the heading calls the items of its list: `members of Vela`; or nothing."""
        heading = self._heading.strip(" :").removeprefix("The ").removeprefix("Our ")
        if group := _GROUP.match(heading):
            return f"{group['noun'].lower()} of {group['what']}"
        is_plural_noun = heading.endswith("s") and heading.replace(" ", "").isalpha()
        is_of_subject = is_plural_noun and self._subject() != self._heading
        return f"{heading.lower()} of {self._subject()}" if is_of_subject else ""

    def _take_item(self, item: str) -> None:
        found = ITEM.match(without_brackets(item))
        if found is None:
            if item.endswith((".", "!")):
                self._take_sentence(item)
            return
        name, more = clean_name(found["name"]), found["more"].rstrip(" .)")
        if is_key(item) and self._subject():
            self._take_sentence(f"{item.rstrip('.')}.")
            return
        if not name or is_command(more):
            return
        if re.match(r"(?:an?|the)\s", more):
            self._take_sentence(f"{name} is {more}.")
        elif re.match(rf"{VERB}\s", more):
            self._take_sentence(f"{name} {more}.")
        else:
            self._draft(name).sentences[f"{more[:1].upper()}{more[1:]}."] = None

    def _take_table(self, rows: Sequence[str]) -> None:
        head, told = read_table(rows)
        for row in told:
            fair = [
                one for one in row.values if not (is_addressed(one[1]) or is_boilerplate(one[1]))
            ]
            for key, value in fair:
                self._take_value(row.name, key, value)
            if fair and is_vague(self._type_of(row.name)):
                self._draft(row.name).entity_type = type_of_column(head)
