"""One small harbour, told to every test that needs facts; and teams that are always stopped."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

import pytest
from pydantic import JsonValue
from pydantic_ai import Tool
from pydantic_ai.models import Model

from knowledge_team.catalog import TeamCard, load_team
from knowledge_team.facts import Entity, Fact, Relation
from knowledge_team.fetching import PageSource
from knowledge_team.scripted.answers import answer
from knowledge_team.scripted.question import read_question
from knowledge_team.store import GraphStore
from knowledge_team.team import KnowledgeTeam
from knowledge_team.tools.cards import BuiltTool, ToolCard
from knowledge_team.tools.web import WebFetchCard

type Event = dict[str, JsonValue]


def entity(name: str, entity_type: str, description: str, source: str = "") -> Entity:
    return Entity(name=name, entity_type=entity_type, description=description, source=source)


def relation(from_entity: str, relation_type: str, to_entity: str) -> Relation:
    return Relation(from_entity=from_entity, relation_type=relation_type, to_entity=to_entity)


ENTITIES = (
    entity(
        "Mira Solberg",
        "person",
        "Mira Solberg is a marine engineer and tide researcher. She lives in Norvik.",
    ),
    entity(
        "Vela Maritime",
        "company",
        "Vela Maritime is a digital logistics partner for small harbours. It was formed in 2015.",
    ),
    entity("Brightsea Shipping", "company", "Coastal cargo line."),
    entity("Norvik Shipping", "company", "Runs feeder ships."),
    entity("Orca Data", "company", "Builds tide forecasts for ports."),
    entity("B12 Freight", "company", "Moves containers by rail."),
    entity(
        "Quill Alliance",
        "organisation",
        "Quill Alliance helps schools with digital lessons. It was formed by inkwell, Papyrus "
        "Works, Aprico Consultants and B4 Consulting.",
    ),
    entity("Nova Union", "organisation", "Nova Union plans night trains."),
    entity("Hexa Labs", "company", "One of the companies that formed Nova Union."),
    entity("Zephyr Freight", "company", "A founder of Nova Union, active in rail."),
    entity("Ilse van Dorn", "person", "Ilse van Dorn works as a glass conservator."),
    entity("Alex Example", "person", "Alex Example prefers PostgreSQL as database.", "survey"),
    entity("Alex Example", "person", "Alex Example prefers Elasticsearch as database.", "forum"),
    entity("Port of Halden", "port", "A deep-water port in the south."),
)
FOUNDERS = ("Brightsea Shipping", "Norvik Shipping", "Orca Data", "B12 Freight")
RELATIONS = (
    *(relation(founder, "formed", "Vela Maritime") for founder in FOUNDERS),
    relation("Mira Solberg", "works_at", "Orca Data"),
    relation("Tor Lund", "leads", "Vela Maritime"),
    relation("Vela Maritime", "serves", "Port of Halden"),
)


@dataclass(slots=True)
class Watched:
    """A running team and all that it has told."""

    team: KnowledgeTeam
    events: list[Event] = field(default_factory=list[Event])
    lock: Lock = field(default_factory=Lock)

    def ask(self, question: str, target: str | None = None) -> str:
        """Return the last thing the person was told when all is over."""
        self.team.send(question, target)
        self.team.wait_settled(10)
        return self.told()[-1]

    def told(self) -> list[str]:
        sent = [event for event in self.kinds("message_sent") if event["recipient"] == "@Human"]
        return [str(event["content"]) for event in sent]

    def kinds(self, *kinds: str) -> list[Event]:
        return [event for event in self.events if event["kind"] in kinds]

    def routes(self) -> list[tuple[object, object]]:
        return [(event["agent"], event["recipient"]) for event in self.kinds("message_sent")]


@dataclass(frozen=True, slots=True)
class StandIn:
    """A search that answers by a function: what an evaluation puts in the place of the real one."""

    answer: Callable[[], str]
    tool_type: str = "search_graph"
    read_only: bool = True

    def build(self, store: GraphStore) -> Sequence[BuiltTool]:
        async def search_graph(query: str) -> str:
            await asyncio.sleep(0.02)  # so that teams which run at once do overlap here
            return self.answer()

        return (Tool[object](search_graph),)


@pytest.fixture
def searching(card: TeamCard) -> Callable[[Callable[[], str]], TeamCard]:
    """Return a call that gives the team's specialist another search."""

    def with_search(answer: Callable[[], str]) -> TeamCard:
        stand_in = (StandIn(answer),)
        agents = tuple(
            replace(agent, tools=stand_in) if agent.name == "@Knowledge" else agent
            for agent in card.agents
        )
        return replace(card, agents=agents)

    return with_search


type Ingesting = Callable[..., TeamCard]


@pytest.fixture
def ingesting(card: TeamCard) -> Ingesting:
    """Return a call that gives the team these pages in the place of the web."""

    def with_pages(pages: PageSource) -> TeamCard:
        def prepared(tool: ToolCard) -> ToolCard:
            is_web = isinstance(tool, WebFetchCard)
            return tool.model_copy(update={"source": pages}) if is_web else tool

        agents = tuple(
            replace(agent, tools=tuple(map(prepared, agent.tools))) for agent in card.agents
        )
        return replace(card, agents=agents)

    return with_pages


@pytest.fixture
def facts() -> tuple[Fact, ...]:
    return (*ENTITIES, *RELATIONS)


@pytest.fixture
def store() -> Iterator[GraphStore]:
    with GraphStore() as harbour:
        harbour.upsert_entities(ENTITIES)
        harbour.upsert_relations(RELATIONS)
        yield harbour


@pytest.fixture
def card() -> TeamCard:
    return load_team("evaluation")


@pytest.fixture
def start(store: GraphStore, card: TeamCard) -> Iterator[Callable[..., Watched]]:
    """Return a call that starts a team over the harbour; all are stopped at the end."""
    teams: list[KnowledgeTeam] = []

    def started(model: Model | str | None = "scripted", of: TeamCard | None = None) -> Watched:
        team = KnowledgeTeam(of or card, model=model, store=store)
        teams.append(team)
        watched = Watched(team)
        team.subscribe(watched.events.append)
        team.start()
        return watched

    yield started
    for team in teams:
        team.shutdown(timeout_seconds=2)


@pytest.fixture
def answered(facts: Sequence[Fact]) -> Callable[[str], str]:
    """Return what the rules say to a question when all facts of the harbour are found."""
    return lambda question: answer(read_question(question), facts)
