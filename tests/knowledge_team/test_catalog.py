import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from knowledge_team.catalog import AgentCard, TeamCard, load_team, team_names
from knowledge_team.errors import CatalogError, UnknownNameError
from knowledge_team.scripted.answers import RECOMMENDATION
from knowledge_team.tools.graph import UpdateGraphCard
from knowledge_team.tools.ingestion import CommitIngestionCard, FailIngestionCard
from knowledge_team.tools.search import SearchGraphCard
from knowledge_team.tools.web import WebFetchCard

HUMAN = {"name": "@Human", "role": "human", "purpose": "Asks."}
MANAGER = {"name": "@Manager", "role": "manager", "purpose": "Routes."}


def written(folder: Path, *agents: dict[str, Any], **more: object) -> Path:
    team = {"namespace": "dock", "purpose": "Test.", "entry": "@Human", "agents": agents, **more}
    (folder / "dock.json").write_text(json.dumps(team))
    return folder


def test_the_catalog_holds_two_teams() -> None:
    assert team_names() == ("evaluation", "production")


def test_production_has_a_person_a_manager_and_two_specialists() -> None:
    team = load_team("production")
    assert [(agent.name, agent.role) for agent in team.agents] == [
        ("@Human", "human"),
        ("@Manager", "manager"),
        ("@Knowledge", "specialist"),
        ("@WebIngest", "specialist"),
    ]


def test_the_evaluation_team_has_the_same_members() -> None:
    assert load_team("evaluation").agents == load_team("production").agents


def test_only_specialists_have_tools() -> None:
    tools = {agent.name: agent.tools for agent in load_team("production").agents}
    assert tools == {
        "@Human": (),
        "@Manager": (),
        "@Knowledge": (SearchGraphCard(),),
        "@WebIngest": (
            WebFetchCard(),
            UpdateGraphCard(),
            CommitIngestionCard(),
            FailIngestionCard(),
        ),
    }


def test_only_who_takes_in_pages_forgets_them() -> None:
    forget = [agent.name for agent in load_team("production").agents if not agent.remembers]
    assert forget == ["@WebIngest"]


def test_who_answers_cannot_change_the_graph() -> None:
    assert all(tool.read_only for tool in load_team("production").agent("@Knowledge").tools)


def test_the_specialist_is_told_the_sentence_that_the_rules_use() -> None:
    assert RECOMMENDATION in load_team("production").agent("@Knowledge").prompt


def test_a_tool_can_be_replaced_in_a_copy() -> None:
    card = load_team("evaluation").agent("@Knowledge")
    copied = replace(card, tools=(SearchGraphCard(top_k=3),))
    assert (copied.tools, copied.prompt) == ((SearchGraphCard(top_k=3),), card.prompt)


def test_an_unknown_team_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown team 'night'; known: evaluation, prod"):
        load_team("night")


def test_an_unknown_reference_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    folder = written(tmp_path, HUMAN, MANAGER, {"ref": "dock/@Pilot"})
    with pytest.raises(UnknownNameError, match="'dock/@Pilot'; known: dock/@Human, dock/@Man"):
        load_team("dock", folder)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({**HUMAN, "colour": "red"}, "/agents/0/agent/colour: Extra inputs"),
        ({**HUMAN, "role": "pilot"}, "/agents/0/agent/role: Input should be"),
        ({**HUMAN, "name": "Human"}, "/agents/0/agent/name"),
        (
            {**HUMAN, "tools": [{"type": "guess"}]},
            "Input tag 'guess' .* expected tags: 'search_graph'",
        ),
        ({**HUMAN, "tools": [{"type": "web_fetch", "source": "x"}]}, "/source: Cannot check"),
        ({"ref": "nowhere"}, "/agents/0/reference/ref"),
    ],
)
def test_a_file_is_read_strictly(tmp_path: Path, wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(CatalogError, match=said):
        load_team("dock", written(tmp_path, wrong, MANAGER))


def test_a_file_holds_the_namespace_of_its_name(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="holds the namespace 'pier'"):
        load_team("dock", written(tmp_path, HUMAN, MANAGER, namespace="pier"))


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        ((HUMAN, HUMAN, MANAGER), "a name occurs twice"),
        ((HUMAN,), "exactly one member of role manager"),
        (({**HUMAN, "role": "specialist"}, MANAGER), "not of role human"),
    ],
)
def test_a_team_is_complete(tmp_path: Path, agents: tuple[dict[str, Any], ...], said: str) -> None:
    with pytest.raises(CatalogError, match=said):
        load_team("dock", written(tmp_path, *agents))


def test_the_entry_is_a_member() -> None:
    manager = AgentCard(name="@Manager", role="manager")
    with pytest.raises(UnknownNameError, match="unknown member '@Human'; known: @Manager"):
        TeamCard(namespace="dock", entry="@Human", agents=(manager,))
