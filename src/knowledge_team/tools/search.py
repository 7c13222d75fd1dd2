"""The search of the knowledge graph."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from knowledge_team.facts import Entity, Fact
from knowledge_team.search_text import results_text
from knowledge_team.store import DEFAULT_TOP_K, GraphStore, SearchMode
from knowledge_team.tools.cards import BuiltTool, StrictCard, built_tool

MAX_TOP_K = 50
"""Hits that a model may ask for: more would fill its context for nothing."""


class SearchGraphCard(StrictCard):
    """The read-only search of the knowledge graph.

    Attributes:
        tool_type: Its name in a catalog, where the key is `type`.
        read_only: It never changes the store.
        top_k: Hits of a call that does not say how many.

    """

    tool_type: Literal["search_graph"] = Field(default="search_graph", alias="type")
    read_only: Literal[True] = True
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K)] = DEFAULT_TOP_K

    def build(self, store: GraphStore) -> tuple[BuiltTool]:
        """Return the tool `search_graph` over this store."""

        # Async: pydantic-ai runs plain functions in worker threads, which outlive a process.
        async def search_graph(
            query: str,
            *,
            top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K)] | None = None,
            mode: SearchMode = "hybrid",
            include_neighbours: bool = False,
            include_edges: bool = False,
        ) -> str:
            """Search the knowledge graph and return its entities and relations, best first.

            Args:
                query: The words to look for: names, and what is asked about them.
                top_k: How many facts to return at most.
                mode: `keyword` needs the same words, `vector` similar spelling, `hybrid` either.
                include_neighbours: Add the entities one relation away from those found.
                include_edges: Add all relations of the entities found.

            """
            hits = store.search(query, top_k=top_k or self.top_k, mode=mode)
            found = [hit.fact for hit in hits]
            related = _related(store, found, neighbours=include_neighbours, edges=include_edges)
            return results_text(hits, related)

        return (built_tool(search_graph),)


def _related(
    store: GraphStore, found: Sequence[Fact], *, neighbours: bool, edges: bool
) -> list[Fact]:
    known = set(found)
    related: dict[Fact, None] = {}
    for name in dict.fromkeys(fact.name for fact in found if isinstance(fact, Entity)):
        if edges:
            related.update(dict.fromkeys(store.edges(name)))
        if neighbours:
            related.update(dict.fromkeys(store.neighbours(name)))
    return [fact for fact in related if fact not in known]
