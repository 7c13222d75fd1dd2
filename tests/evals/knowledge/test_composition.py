"""Exactly one tool is replaced, or it is an error."""

from dataclasses import replace

import pytest

from audition.errors import SetupError
from evals.knowledge.composition import replace_tool, with_model
from evals.knowledge.fixture_search import fixture_search
from evals.knowledge.fixtures import FixtureRecord, KnowledgeFixture
from evals.knowledge.substitute import SubstituteCard
from knowledge_team.catalog import TeamCard, load_team
from knowledge_team.store import GraphStore
from knowledge_team.tools.cards import BuiltTool, ToolCard

FIXTURE = KnowledgeFixture(
    records=(FixtureRecord(name="Pell", entity_type="port", description="Pell is a port."),)
)
PRODUCTION = load_team("production").agent("@Knowledge").tools[0]
SEARCH = SubstituteCard(original=PRODUCTION, answer=fixture_search(FIXTURE))


class Changing:
    tool_type = "search_graph"
    read_only = False

    def build(self, store: GraphStore) -> list[BuiltTool]:
        del store
        return []


def replaced(team: TeamCard, agent_name: str = "@Knowledge") -> TeamCard:
    return replace_tool(
        team,
        agent_name=agent_name,
        tool_type="search_graph",
        replacement=lambda _: SEARCH,
        require_read_only=True,
    )


def test_only_the_named_tool_of_the_named_agent_changes() -> None:
    before, after = load_team("evaluation"), replaced(load_team("evaluation"))
    assert after.agent("@Knowledge").tools == (SEARCH,)
    assert replace(after.agent("@Knowledge"), tools=()) == replace(
        before.agent("@Knowledge"), tools=()
    )
    assert after.agent("@Manager") == before.agent("@Manager")


def test_the_evaluation_team_is_the_production_team_by_reference() -> None:
    assert load_team("evaluation").agents == load_team("production").agents


def test_an_agent_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(SetupError, match="no agent @Librarian; there are @Human, @Manager"):
        replaced(load_team("evaluation"), "@Librarian")


def test_no_candidate_is_an_error() -> None:
    with pytest.raises(
        SetupError, match=r"exactly one read-only search_graph .* found 0 in: no tool"
    ):
        replaced(load_team("evaluation"), "@Manager")


def test_several_candidates_are_an_error() -> None:
    team = load_team("evaluation")
    twice = with_tools(team, SEARCH, SEARCH)
    with pytest.raises(SetupError, match="found 2 in: search_graph, search_graph"):
        replaced(twice)


def test_a_tool_that_may_change_the_store_is_no_candidate_where_read_only_is_required() -> None:
    team = with_tools(load_team("evaluation"), Changing())
    with pytest.raises(SetupError, match="found 0 in: search_graph"):
        replaced(team)


def test_another_model_keeps_the_prompt_and_the_tools() -> None:
    team = load_team("evaluation")
    changed = with_model(team, agent_name="@Knowledge", model="scripted").agent("@Knowledge")
    assert replace(changed, model=team.agent("@Knowledge").model) == team.agent("@Knowledge")


def with_tools(team: TeamCard, *tools: ToolCard) -> TeamCard:
    agents = tuple(
        replace(agent, tools=tools) if agent.name == "@Knowledge" else agent
        for agent in team.agents
    )
    return replace(team, agents=agents)


def test_to_the_model_the_substitute_is_the_tool_it_stands_for() -> None:
    with GraphStore() as store:
        (original,), (substitute,) = PRODUCTION.build(store), SEARCH.build(store)
    assert substitute.tool_def == original.tool_def
