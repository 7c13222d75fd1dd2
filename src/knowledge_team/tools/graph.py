"""Writing into the knowledge graph what a page says."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from knowledge_team.facts import Entity, EntityName, FactName, Relation, RelationName, named
from knowledge_team.ingestion import IngestionLedger
from knowledge_team.store import GraphStore
from knowledge_team.tools.cards import BuiltTool, StrictCard, built_tool, result_text

MOST_FACTS = 500
"""Entities, or relations, that one call may write."""

type Name = Annotated[str, StringConstraints(min_length=1, max_length=300, strip_whitespace=True)]
type Text = Annotated[str, StringConstraints(max_length=10_000, strip_whitespace=True)]


class _Statement(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NewEntity(_Statement):
    """Something that the page speaks of: what it is called, what kind it is, what is said of it."""

    name: Name
    entity_type: Name
    description: Text = ""


class NamedRelation(_Statement):
    """A relation: which entity stands how to which other."""

    from_entity: Name
    relation_type: Name
    to_entity: Name


class NewRelation(NamedRelation):
    """How one entity stands to another, and more about it where the page says more."""

    description: Text = ""


class UpdateGraphCard(StrictCard):
    """The writing of facts that a page states.

    Attributes:
        tool_type: Its name in a catalog, where the key is `type`.
        read_only: It changes the store.

    """

    tool_type: Literal["update_graph"] = Field(default="update_graph", alias="type")
    read_only: Literal[False] = False

    def build(self, store: GraphStore) -> tuple[BuiltTool]:
        """Return the tool `update_graph` over this store."""
        ledger = IngestionLedger(store)

        async def update_graph(
            source_url: str,
            *,
            create_entities: Annotated[Sequence[NewEntity], Field(max_length=MOST_FACTS)] = (),
            create_relations: Annotated[Sequence[NewRelation], Field(max_length=MOST_FACTS)] = (),
            delete_entities: Annotated[Sequence[Name], Field(max_length=MOST_FACTS)] = (),
            delete_relations: Annotated[Sequence[NamedRelation], Field(max_length=MOST_FACTS)] = (),
        ) -> str:
            """Store what a fetched page states. It counts from commit_web_ingestion on.

            State everything of use that the page says, also what was stored before: with the
            commit this replaces all that the page said, and nothing that other pages say.

            Args:
                source_url: The page, as it was fetched.
                create_entities: What the page speaks of, with all that it says of each.
                create_relations: How these stand to each other.
                delete_entities: Names of entities that the page no longer speaks of.
                delete_relations: Relations that the page no longer states.

            """
            stated = [
                *(Entity(**one.model_dump()) for one in create_entities),
                *(Relation(**one.model_dump()) for one in create_relations),
            ]
            staged = ledger.stage(source_url, stated, _deleted(delete_entities, delete_relations))
            return result_text(
                {
                    "source_url": source_url,
                    "status": "pending",
                    "entities": staged.entities,
                    "relations": staged.relations,
                    "deleted": named(staged.withdrawn),
                    "not_of_this_source": named(staged.unknown),
                }
            )

        return (built_tool(update_graph),)


def _deleted(names: Sequence[str], relations: Sequence[NamedRelation]) -> list[FactName]:
    return [
        *(EntityName(name=name) for name in names),
        *(RelationName(**relation.model_dump()) for relation in relations),
    ]
