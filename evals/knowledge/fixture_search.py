"""The search tool over reviewed records: what an agent does with evidence that is known.

A small lexical search, the same in every run. It says nothing about the store's own ranking.
"""

from collections.abc import Sequence

from evals.knowledge.fixtures import KnowledgeFixture
from evals.knowledge.substitute import Answer
from knowledge_team.facts import Entity, Fact, Hit, Relation, fact_text
from knowledge_team.search_text import results_text
from knowledge_team.store import DEFAULT_TOP_K
from knowledge_team.words import content_words, plain_words, stem


def fixture_search(fixture: KnowledgeFixture) -> Answer:
    """Return what answers `search_graph` from a fixture, whatever the mode of the search."""
    facts = facts_of(fixture)

    async def answer(
        query: str,
        *,
        top_k: int | None = None,
        mode: str = "hybrid",
        include_neighbours: bool = False,
        include_edges: bool = False,
    ) -> str:
        del mode
        hits = search(facts, query)[: top_k or DEFAULT_TOP_K]
        found = [hit.fact for hit in hits]
        related = _related(facts, found, neighbours=include_neighbours, edges=include_edges)
        return results_text(hits, related)

    return answer


def facts_of(fixture: KnowledgeFixture) -> list[Fact]:
    """Return the facts of a fixture, entities first, in the order of the file."""
    entities = [Entity(**record.model_dump()) for record in fixture.records]
    relations = [Relation(**relation.model_dump()) for relation in fixture.relations]
    return [*entities, *relations]


def search(facts: Sequence[Fact], query: str) -> list[Hit]:
    """Return the facts that share words with the query, by the share of its words they have."""
    wanted = {stem(word) for word in content_words(query)}
    hits = [Hit(fact=fact, score=_shared(wanted, fact) / max(len(wanted), 1)) for fact in facts]
    # sorted() is stable: facts of one score keep the order of the file
    return sorted((hit for hit in hits if hit.score), key=lambda hit: -hit.score)


def _shared(wanted: set[str], fact: Fact) -> int:
    return len(wanted & {stem(word) for word in plain_words(fact_text(fact))})


def _related(
    facts: Sequence[Fact], found: Sequence[Fact], *, neighbours: bool, edges: bool
) -> list[Fact]:
    names = {fact.name for fact in found if isinstance(fact, Entity)}
    beside = [
        fact
        for fact in facts
        if isinstance(fact, Relation) and names & {fact.from_entity, fact.to_entity}
    ]
    near = {name for relation in beside for name in (relation.from_entity, relation.to_entity)}
    entities = [fact for fact in facts if isinstance(fact, Entity) and fact.name in near]
    related = [*(beside if edges else ()), *(entities if neighbours else ())]
    return [fact for fact in related if fact not in found]
