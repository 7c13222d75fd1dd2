"""The facts of the graph: entities, and relations between them. Plain values."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from knowledge_team.words import name_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Something that facts are known about.

    Attributes:
        name: What it is called.
        entity_type: What kind of thing it is: `person`, `company`.
        description: What is known of it, in sentences.
        source: Who owns this record, empty where nobody does. Two sources may each have their
            own record of one name, and these may contradict each other.

    """

    name: str
    entity_type: str
    description: str
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """How one entity stands to another.

    Attributes:
        from_entity: The name of the one.
        relation_type: A verb or noun: `formed`, `works_at`.
        to_entity: The name of the other.
        description: More about it in sentences, empty where there is no more.
        source: Who owns this record, empty where nobody does.

    """

    from_entity: str
    relation_type: str
    to_entity: str
    description: str = ""
    source: str = ""


type Fact = Entity | Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityName:
    """Which entity is meant, and nothing that is said of it.

    Attributes:
        name: What it is called.

    """

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationName:
    """Which relation is meant, and nothing more about it.

    Attributes:
        from_entity: The name of the one.
        relation_type: How it stands to the other.
        to_entity: The name of the other.

    """

    from_entity: str
    relation_type: str
    to_entity: str


type FactName = EntityName | RelationName


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A fact that a search found.

    Attributes:
        fact: The fact.
        score: How well it fits, from 0 to 1; comparable within one search only.

    """

    fact: Fact
    score: float


def fact_text(fact: Fact) -> str:
    """Return all that the fact says, as the text that searches look at."""
    match fact:
        case Entity():
            return f"{fact.name} {fact.entity_type} {fact.description}"
        case Relation():
            relation = fact.relation_type.replace("_", " ")
            return f"{fact.from_entity} {relation} {fact.to_entity} {fact.description}"


def fact_key(fact: Fact | FactName) -> str:
    """Return what all statements of one fact have in common: names, whatever their spelling."""
    match fact:
        case Entity() | EntityName():
            return json.dumps([name_key(fact.name)])
        case Relation() | RelationName():
            ends = (name_key(fact.from_entity), name_key(fact.to_entity))
            return json.dumps([*ends, fact.relation_type])


def named(facts: Iterable[Fact | FactName]) -> dict[str, JsonValue]:
    """Return which facts these are, in the form in which `update_graph` takes those to delete."""
    entities: list[JsonValue] = []
    relations: list[JsonValue] = []
    for fact in facts:
        match fact:
            case Entity() | EntityName():
                entities.append(fact.name)
            case Relation() | RelationName():
                relations.append(
                    {
                        "from_entity": fact.from_entity,
                        "relation_type": fact.relation_type,
                        "to_entity": fact.to_entity,
                    }
                )
    return {"entities": entities, "relations": relations}
