"""Search results as the text that a model is given, and that text read back. Pure functions.

One line a fact, its fields between ` | `:

    entity | NAME | TYPE | score 0.87 | DESCRIPTION
    relation | FROM | RELATION TYPE | TO | score 0.64 | DESCRIPTION

A fact that was not found itself, but stands beside one that was, has no score: its field reads
`related`. The last field is left out where there is no description.
"""

from collections.abc import Iterable

from knowledge_team.facts import Entity, Fact, Hit, Relation

NO_RESULTS = "No results found."
"""The whole text where nothing was found."""

_BETWEEN = " | "
_RELATED = "related"


def results_text(hits: Iterable[Hit], related: Iterable[Fact] = ()) -> str:
    """Return the hits, then the related facts, as text."""
    lines = [_line(hit.fact, f"score {hit.score:.2f}") for hit in hits]
    lines += [_line(fact, _RELATED) for fact in related]
    return "\n".join(lines) or NO_RESULTS


def read_results(text: str) -> tuple[Fact, ...]:
    """Return the facts of the lines that are in this form, in order; other lines are ignored."""
    facts = (_read_line(line.strip().split(_BETWEEN)) for line in text.splitlines())
    return tuple(fact for fact in facts if fact is not None)


def _line(fact: Fact, standing: str) -> str:
    match fact:
        case Entity():
            fields = ("entity", fact.name, fact.entity_type, standing)
        case Relation():
            ends = (fact.from_entity, fact.relation_type, fact.to_entity)
            fields = ("relation", *ends, standing)
    if fact.description.strip():
        fields = (*fields, fact.description)
    return _BETWEEN.join(_field(field) for field in fields)


def _field(text: str) -> str:
    # Neither a line break nor a bar of a fact may look like one of ours.
    return " ".join(text.replace("|", "/").split())


def _read_line(fields: list[str]) -> Fact | None:
    match fields:
        case ["entity", name, entity_type, _, *rest]:
            return Entity(name=name, entity_type=entity_type, description=" ".join(rest))
        case ["relation", from_entity, relation_type, to_entity, _, *rest]:
            return Relation(
                from_entity=from_entity,
                relation_type=relation_type,
                to_entity=to_entity,
                description=" ".join(rest),
            )
        case _:
            return None
