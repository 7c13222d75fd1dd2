"""Reviewed knowledge as it stands in a dataset file, and the inputs of a case over it."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from audition.inputs import CaseInput

type Name = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FixtureRecord(_Part):
    """An entity that the team may find.

    Attributes:
        name: What it is called.
        entity_type: What kind of thing it is.
        description: What is known of it, in sentences.

    """

    name: Name
    entity_type: Name
    description: Name


class FixtureRelation(_Part):
    """How one entity stands to another.

    Attributes:
        from_entity: The name of the one.
        relation_type: A verb or noun: `formed_by`, `works_at`.
        to_entity: The name of the other.
        description: More about it, empty where there is no more.

    """

    from_entity: Name
    relation_type: Name
    to_entity: Name
    description: str = ""


class KnowledgeFixture(_Part):
    """All that the team can find out in a case.

    Attributes:
        records: The entities, at least one.
        relations: The relations between them.

    """

    records: Annotated[tuple[FixtureRecord, ...], Field(min_length=1)]
    relations: tuple[FixtureRelation, ...] = ()


class KnowledgeCaseInput(CaseInput):
    """The inputs of a case for the knowledge team.

    Attributes:
        fixture: What `search_graph` finds in place of the store, None for the store itself.

    """

    fixture: KnowledgeFixture | None = None
