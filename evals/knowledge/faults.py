"""The good team with one part made bad: the evaluation must say which.

Each object that makes such teams has the name of its fault in `fault_table`. A fault is a change
of the team's card, applied after the case's own tool is in place.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import override

from pydantic_ai.models import Model

from audition.events import EventHandler
from evals.knowledge.composition import replace_tool, with_model
from evals.knowledge.fault_models import (
    AnswersFromNowhere,
    ClaimsSuccess,
    CommitsFirst,
    DropsNames,
    DropsRecommendation,
    KeepsFour,
    NeverAnswers,
    SearchesAgain,
    WritesFirst,
)
from evals.knowledge.runtime import KnowledgeRuntimeFactory, KnowledgeTeamRuntime
from evals.knowledge.substitute import SubstituteCard
from knowledge_team.catalog import TeamCard
from knowledge_team.search_text import NO_RESULTS
from knowledge_team.tools.graph import UpdateGraphCard

_SPECIALIST = "@Knowledge"
_INGESTER = "@WebIngest"
_MANAGER = "@Manager"


class _DyingTeamRuntime(KnowledgeTeamRuntime):
    """Drives a team whose specialist dies as soon as it calls a tool."""

    @override
    def start(self, event_handler: EventHandler) -> None:
        self.team.subscribe(self._end_it)
        super().start(event_handler)

    def _end_it(self, event: Mapping[str, object]) -> None:
        if (event["kind"], event["agent"]) == ("tool_called", _SPECIALIST):
            self.team.lose(_SPECIALIST)


async def _find_nothing(**_: object) -> str:
    return NO_RESULTS


def _with_empty_search(team: TeamCard) -> TeamCard:
    """Return the team with a search that returns successfully, but nothing."""
    return replace_tool(
        team,
        agent_name=_SPECIALIST,
        tool_type="search_graph",
        replacement=lambda tool: SubstituteCard(original=tool, answer=_find_nothing),
    )


def _with_writing_specialist(team: TeamCard) -> TeamCard:
    """Return the team with a specialist that may write, and does before it answers."""
    specialist = team.agent(_SPECIALIST)
    armed = replace(specialist, tools=(*specialist.tools, UpdateGraphCard()))
    agents = tuple(armed if agent is specialist else agent for agent in team.agents)
    return _with_faulty_model(replace(team, agents=agents), _SPECIALIST, WritesFirst)


def _with_faulty_model(team: TeamCard, agent_name: str, model: type[Model]) -> TeamCard:
    named = f"{model.__module__}:{model.__qualname__}"
    return with_model(team, agent_name=agent_name, model=named)


def _faulty(agent_name: str, model: type[Model]) -> KnowledgeRuntimeFactory:
    """Return what makes teams one of whose members has a faulty model."""
    return KnowledgeRuntimeFactory(change=lambda team: _with_faulty_model(team, agent_name, model))


search_is_empty = KnowledgeRuntimeFactory(change=_with_empty_search)
names_are_dropped = _faulty(_SPECIALIST, DropsNames)
nothing_is_searched = _faulty(_SPECIALIST, AnswersFromNowhere)
four_of_six_are_stored = _faulty(_INGESTER, KeepsFour)
commit_before_update = _faulty(_INGESTER, CommitsFirst)
success_is_claimed = _faulty(_INGESTER, ClaimsSuccess)
questions_write = KnowledgeRuntimeFactory(change=_with_writing_specialist)
searches_repeat = _faulty(_SPECIALIST, SearchesAgain)
recommendation_is_dropped = _faulty(_MANAGER, DropsRecommendation)
specialist_dies = KnowledgeRuntimeFactory(drive=_DyingTeamRuntime)
specialist_is_silent = _faulty(_SPECIALIST, NeverAnswers)
