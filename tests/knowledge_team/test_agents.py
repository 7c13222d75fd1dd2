import asyncio

import pytest
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from knowledge_team.agents import REMEMBERED_RUNS, Delegation, MemberAgent, relay_prompt
from knowledge_team.catalog import AgentCard
from knowledge_team.event_feed import EventFeed
from knowledge_team.run_events import RunScope
from knowledge_team.scripted.conversation import requests
from knowledge_team.scripted.model import scripted_model
from knowledge_team.store import GraphStore

SPECIALISTS = (AgentCard(name="@Pilot", role="specialist", purpose="Brings ships in."),)


def scope() -> RunScope:
    return RunScope(feed=EventFeed(), agent="@Manager", cause_id="m1")


def manager(model: FunctionModel, store: GraphStore) -> MemberAgent:
    return MemberAgent(AgentCard(name="@Manager", role="manager", prompt="Route."), model, store)


def handing_over_to(*names: str) -> FunctionModel:
    """Return a model that names one member after the other until one is accepted."""

    async def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        made = sum(isinstance(message, ModelResponse) for message in messages)
        arguments = {"specialist": names[made], "request": info.instructions or ""}
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, arguments)])

    return FunctionModel(respond)


def test_the_model_chooses_among_the_specialists_it_is_told(store: GraphStore) -> None:
    work = manager(handing_over_to("@Pilot"), store).delegate("Hi", scope(), SPECIALISTS)
    told = "Route.\n\nTeam members:\n@Pilot: Brings ships in."
    assert asyncio.run(work) == Delegation(specialist="@Pilot", request=told)


def test_a_name_that_is_not_in_the_team_is_asked_for_again(store: GraphStore) -> None:
    agent = manager(handing_over_to("@Nobody", "@Pilot"), store)
    assert asyncio.run(agent.delegate("Hi", scope(), SPECIALISTS)).specialist == "@Pilot"


def test_a_model_that_finds_nobody_fails(store: GraphStore) -> None:
    agent = manager(handing_over_to("@A", "@B", "@C"), store)
    with pytest.raises(UnexpectedModelBehavior):
        asyncio.run(agent.delegate("Hi", scope(), SPECIALISTS))


def test_an_agent_remembers_its_last_runs(store: GraphStore) -> None:
    async def respond(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(",".join(requests(messages)))])

    async def talk() -> list[str]:
        agent = manager(FunctionModel(respond), store)
        return [await agent.answer(str(number), scope()) for number in range(11)]

    heard = asyncio.run(talk())
    assert heard[1] == "0,1"
    assert heard[10].split(",") == [str(number) for number in range(10 - REMEMBERED_RUNS, 11)]


def test_what_is_passed_on_stands_alone_in_its_prompt() -> None:
    assert relay_prompt("@Pilot", "Two ships.").split("\n\n")[1] == "Two ships."


@pytest.mark.parametrize(
    ("request_text", "chosen"),
    [
        ("What does Vela do?", "@Knowledge"),
        ("Ingest https://vela.invalid/about", "@WebIngest"),
        ("Please re-ingest https://vela.invalid/about", "@WebIngest"),
        ("What does Vela do? Do not ingest https://vela.invalid/about", "@Knowledge"),
    ],
)
def test_the_scripted_manager_tells_questions_from_sources(
    store: GraphStore, request_text: str, chosen: str
) -> None:
    members = [
        AgentCard(name=name, role="specialist", purpose="Works.")
        for name in ("@Knowledge", "@WebIngest")
    ]
    agent = manager(scripted_model(), store)
    delegation = asyncio.run(agent.delegate(request_text, scope(), members))
    assert delegation == Delegation(specialist=chosen, request=request_text)
