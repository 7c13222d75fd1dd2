"""What a fetch and its later steps brought, as the tools say it in JSON, read back."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ValidationError

from knowledge_team.facts import Entity, Fact, Relation
from knowledge_team.scripted.conversation import ToolResult


class _Read(BaseModel):
    """What the rules need of a result; whatever else it says is ignored."""


class NamedRelation(_Read):
    """A relation, without more about it."""

    from_entity: str
    relation_type: str
    to_entity: str


class NamedFacts(_Read):
    """Which facts, by name."""

    entities: tuple[str, ...] = ()
    relations: tuple[NamedRelation, ...] = ()

    def facts(self) -> tuple[Fact, ...]:
        """Return them as facts that say nothing but their names."""
        entities = (Entity(name=name, entity_type="", description="") for name in self.entities)
        return (*entities, *(Relation(**one.model_dump()) for one in self.relations))


class FetchedPage(_Read):
    """A page that was fetched; its text is empty where it is unchanged."""

    url: str
    content_hash: str
    content_status: str
    raw_content: str = ""
    unread_characters: int = 0
    previous_facts: NamedFacts = NamedFacts()


class FailedPage(_Read):
    """A page that was not."""

    url: str
    error: str


class Fetched(_Read):
    """What one call fetched."""

    results: tuple[FetchedPage, ...] = ()
    failed_results: tuple[FailedPage, ...] = ()


class _Ended(_Read):
    removed: NamedFacts = NamedFacts()


def read_fetched(result: ToolResult) -> Fetched | None:
    """Return what was fetched, None where the tool failed or says something else."""
    try:
        return None if result.failed else Fetched.model_validate_json(result.text)
    except ValidationError:
        return None


def removed_names(result: ToolResult) -> Sequence[str]:
    """Return the names of the entities that a commit ended, empty where it ended none."""
    try:
        return _Ended.model_validate_json(result.text).removed.entities
    except ValidationError:
        return ()


def of_page(results: Sequence[ToolResult], tool: str, url: str) -> ToolResult | None:
    """Return the last result of this tool for this page, None where it was not called."""
    keys = ("url", "source_url")
    mine = [one for one in results if one.tool == tool and _names(one.arguments, keys, url)]
    return mine[-1] if mine else None


def _names(arguments: Mapping[str, object], keys: Sequence[str], url: str) -> bool:
    return any(arguments.get(key) == url for key in keys)


def as_arguments(fact: Fact) -> dict[str, str]:
    """Return the fact as `update_graph` takes it."""
    match fact:
        case Entity():
            fields = {"name": fact.name, "entity_type": fact.entity_type}
        case Relation():
            fields = {
                "from_entity": fact.from_entity,
                "relation_type": fact.relation_type,
                "to_entity": fact.to_entity,
            }
    return {**fields, "description": fact.description}
