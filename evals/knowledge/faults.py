"""The good team with one part made bad: the evaluation must say which.

Each fault is a change of the team's card, applied after the case's own tool is in place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from pydantic_ai import Tool
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolReturnPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from evals.knowledge.composition import replace_tool, with_model
from evals.knowledge.runtime import Change, KnowledgeRuntimeFactory
from knowledge_team.catalog import TeamCard
from knowledge_team.facts import Entity, Relation
from knowledge_team.scripted.model import scripted_model
from knowledge_team.search_text import NO_RESULTS, read_results
from knowledge_team.store import GraphStore
from knowledge_team.tools import BuiltTool

_SPECIALIST = "@Knowledge"
_DROPPED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class EmptySearchCard:
    """A search that returns successfully and never finds anything.

    Attributes:
        tool_type: The kind of tool it stands for.
        read_only: It never changes anything.

    """

    tool_type: str = "search_graph"
    read_only: bool = True

    def build(self, store: GraphStore) -> Sequence[BuiltTool]:
        """Return the tool; the store is not looked at."""
        del store

        async def search_graph(
            query: str, *, include_neighbours: bool = False, include_edges: bool = False
        ) -> str:
            """Search the knowledge graph and return its entities and relations, best first."""
            del query, include_neighbours, include_edges
            return NO_RESULTS

        return (Tool[object](search_graph),)


def search_is_empty(team: TeamCard) -> TeamCard:
    """Return the team with a search that returns successfully, but nothing."""
    return replace_tool(
        team, agent_name=_SPECIALIST, tool_type="search_graph", replacement=EmptySearchCard()
    )


def names_are_dropped(team: TeamCard) -> TeamCard:
    """Return the team with a specialist that leaves two retrieved names out of a list."""
    model = "evals.knowledge.faults:forgetful_model"
    return with_model(team, agent_name=_SPECIALIST, model=model)


def nothing_is_searched(team: TeamCard) -> TeamCard:
    """Return the team with a specialist that answers from nowhere."""
    return with_model(team, agent_name=_SPECIALIST, model="evals.knowledge.faults:hasty_model")


FAULTS: Mapping[str, Change] = {
    "search-is-empty": search_is_empty,
    "names-are-dropped": names_are_dropped,
    "nothing-is-searched": nothing_is_searched,
}


def with_fault(name: str) -> KnowledgeRuntimeFactory:
    """Return the factory of the evaluation team with one fault.

    Raises:
        KeyError: There is no such fault.

    """
    return KnowledgeRuntimeFactory("evaluation", change=FAULTS[name])


empty_search_team = with_fault("search-is-empty")
dropped_names_team = with_fault("names-are-dropped")
no_search_team = with_fault("nothing-is-searched")


class _ForgetfulModel(WrapperModel):
    """Answers as the model it wraps, but for the last two of the names it lists."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        response = await super().request(messages, model_settings, model_request_parameters)
        names = _retrieved(messages)
        parts = [
            replace(part, content=_without_last(part.content, names))
            if isinstance(part, TextPart)
            else part
            for part in response.parts
        ]
        return replace(response, parts=parts)


def forgetful_model() -> Model:
    """Return the scripted model with a bad memory for lists."""
    return _ForgetfulModel(scripted_model())


def _retrieved(messages: Sequence[ModelMessage]) -> list[str]:
    """Return the names in everything that tools gave back."""
    parts = chain.from_iterable(
        message.parts for message in messages if isinstance(message, ModelRequest)
    )
    texts = [part.content for part in parts if isinstance(part, ToolReturnPart)]
    names: dict[str, None] = {}
    for fact in chain.from_iterable(read_results(str(text)) for text in texts):
        match fact:
            case Entity(name=name):
                names[name] = None
            case Relation(to_entity=name):
                names[name] = None
    return list(names)


def _without_last(text: str, names: Sequence[str]) -> str:
    """Return a text that lists at least four names without the last two of them."""
    before, colon, listed = text.partition(": ")
    there = sorted((name for name in names if name in listed), key=listed.index)
    if not colon or len(there) < _DROPPED + 2:
        return text
    kept = there[:-_DROPPED]
    return f"{before}: {', '.join(kept[:-1])} and {kept[-1]}."


async def _invent(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    del messages, info
    return ModelResponse(parts=[TextPart("As everybody knows, that is the Old Ropewalk.")])


def hasty_model() -> Model:
    """Return a model that never looks anything up."""
    return FunctionModel(_invent, model_name="hasty")
