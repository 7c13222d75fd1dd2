"""The good team with one part made bad: the evaluation must say which.

Each fault is a change of the team's card, applied after the case's own tool is in place.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

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

from audition.events import EventHandler
from evals.knowledge.application import FAULT_TEAMS
from evals.knowledge.composition import replace_tool, with_model
from evals.knowledge.runtime import KnowledgeRuntimeFactory, KnowledgeTeamRuntime
from evals.knowledge.substitute import SubstituteCard
from knowledge_team.catalog import TeamCard
from knowledge_team.facts import Entity, Relation
from knowledge_team.scripted.model import scripted_model
from knowledge_team.search_text import NO_RESULTS, read_results
from knowledge_team.tools.graph import UpdateGraphCard

_SPECIALIST = "@Knowledge"
_INGESTER = "@WebIngest"
_DROPPED = 2


async def _find_nothing(**_: object) -> str:
    return NO_RESULTS


def search_is_empty(team: TeamCard) -> TeamCard:
    """Return the team with a search that returns successfully, but nothing."""
    return replace_tool(
        team,
        agent_name=_SPECIALIST,
        tool_type="search_graph",
        replacement=lambda tool: SubstituteCard(original=tool, answer=_find_nothing),
    )


def names_are_dropped(team: TeamCard) -> TeamCard:
    """Return the team with a specialist that leaves two retrieved names out of a list."""
    model = "evals.knowledge.faults:forgetful_model"
    return with_model(team, agent_name=_SPECIALIST, model=model)


def nothing_is_searched(team: TeamCard) -> TeamCard:
    """Return the team with a specialist that answers from nowhere."""
    return with_model(team, agent_name=_SPECIALIST, model="evals.knowledge.faults:hasty_model")


def _faulty(agent_name: str, model: str) -> KnowledgeRuntimeFactory:
    """Return what makes teams one of whose members has a faulty model."""
    named = f"evals.knowledge.fault_models:{model}"
    return KnowledgeRuntimeFactory(
        change=lambda team: with_model(team, agent_name=agent_name, model=named)
    )


def questions_write(team: TeamCard) -> TeamCard:
    """Return the team with a specialist that may write, and does before it answers."""
    specialist = team.agent(_SPECIALIST)
    armed = replace(specialist, tools=(*specialist.tools, UpdateGraphCard()))
    agents = tuple(armed if agent is specialist else agent for agent in team.agents)
    model = "evals.knowledge.fault_models:writes_first"
    return with_model(replace(team, agents=agents), agent_name=_SPECIALIST, model=model)


class DyingTeamRuntime(KnowledgeTeamRuntime):
    """Drives a team whose specialist dies as soon as it calls a tool."""

    def start(self, event_handler: EventHandler) -> None:
        """Start the actors, and wait for the call."""
        self.team.subscribe(self._end_it)
        super().start(event_handler)

    def _end_it(self, event: Mapping[str, object]) -> None:
        if (event["kind"], event["agent"]) == ("tool_called", _SPECIALIST):
            self.team.lose(_SPECIALIST)


search_is_empty_team = KnowledgeRuntimeFactory(change=search_is_empty)
names_are_dropped_team = KnowledgeRuntimeFactory(change=names_are_dropped)
nothing_is_searched_team = KnowledgeRuntimeFactory(change=nothing_is_searched)
four_of_six_team = _faulty(_INGESTER, "keeps_four")
commit_first_team = _faulty(_INGESTER, "commits_first")
claiming_team = _faulty(_INGESTER, "claims_success")
writing_team = KnowledgeRuntimeFactory(change=questions_write)
repeating_team = _faulty(_SPECIALIST, "searches_again")
silent_relay_team = _faulty("@Manager", "drops_recommendation")
dying_team = KnowledgeRuntimeFactory(drive=DyingTeamRuntime)
waiting_team = _faulty(_SPECIALIST, "never_answers")

FAULTS: Mapping[str, KnowledgeRuntimeFactory] = {
    name: globals()[team] for name, team in FAULT_TEAMS.items()
}
"""What makes a team with a fault, by the name of the fault."""


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
            replace(part, content=without_last(part.content, names))
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


def without_last(text: str, names: Sequence[str]) -> str:
    """Return a text that names at least four things without the last two of them."""
    inside = [name for name in names if any(name != one and name in one for one in names)]
    there = sorted((one for one in names if one in text and one not in inside), key=text.index)
    if len(there) < _DROPPED + 2:
        return text
    for name in there[-_DROPPED:]:
        text = re.sub(rf"(?:,? and |, )?{re.escape(name)}", "", text)
    return text


async def _invent(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    del messages, info
    return ModelResponse(parts=[TextPart("As everybody knows, that is the Old Ropewalk.")])


def hasty_model() -> Model:
    """Return a model that never looks anything up."""
    return FunctionModel(_invent, model_name="hasty")
