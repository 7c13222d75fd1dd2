import asyncio
import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from knowledge_team.facts import Entity
from knowledge_team.scripted.answers import RECOMMENDATION
from knowledge_team.scripted.model import scripted_model
from knowledge_team.store import GraphStore

if TYPE_CHECKING:
    from tests.knowledge_team.conftest import Watched

type Start = Callable[..., "Watched"]


def queries(watched: "Watched") -> list[str]:
    calls = [event for event in watched.kinds("tool_called") if event["agent"] == "@Knowledge"]
    arguments = [event["arguments"] for event in calls]
    return [str(one["query"]) for one in arguments if isinstance(one, dict)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is Mira Solberg's job?", "Mira Solberg is a marine engineer and tide researcher."),
        (
            "Which firms that formed Vela Maritime have Shipping in their name?",
            "Firms that formed Vela Maritime, under that condition: "  # noqa: ISC004 one sentence
            "Brightsea Shipping and Norvik Shipping.",
        ),
        ("Where is Zed Quorn?", f"Zed Quorn is not in the knowledge base. {RECOMMENDATION}"),
    ],
)
def test_a_question_is_answered_from_the_graph(start: Start, question: str, expected: str) -> None:
    assert start().ask(question) == expected


def test_one_search_is_enough_where_something_was_found(start: Start) -> None:
    watched = start()
    watched.ask("What is Mira Solberg's favourite database?", "@Knowledge")
    assert queries(watched) == ["Mira Solberg favourite database"]


def test_an_empty_search_is_repeated_once_with_the_name_alone(start: Start) -> None:
    watched = start()
    watched.ask("What is the profession of Zed Quorn?", "@Knowledge")
    assert queries(watched) == ["Zed Quorn profession", "Zed Quorn"]


def test_two_subjects_are_looked_for_one_after_the_other(start: Start) -> None:
    watched = start()
    watched.ask("What is Mira Solberg's job, and what does Vela Maritime do?", "@Knowledge")
    assert queries(watched) == ["Mira Solberg job", "Vela Maritime"]


def test_a_changed_graph_changes_the_answer(start: Start, store: GraphStore) -> None:
    watched = start()
    store.upsert_entities(
        [Entity(name="Mira Solberg", entity_type="person", description="A harbour pilot.")]
    )
    assert watched.ask("What is Mira Solberg's job?") == "Mira Solberg: A harbour pilot."


def test_usage_counts_words_under_the_models_name(start: Start) -> None:
    watched = start()
    watched.ask("What does Vela Maritime do?")
    told = watched.kinds("model_responded")
    assert {str(event["model_name"]) for event in told} == {"scripted"}
    assert all(event["input_tokens"] and event["output_tokens"] for event in told)


def test_a_case_takes_a_few_milliseconds(start: Start) -> None:
    watched = start()
    watched.ask("What does Vela Maritime do?")
    began = time.process_time()
    for _ in range(5):
        watched.ask("What does Vela Maritime do?")
    assert (time.process_time() - began) / 5 < 0.1


def test_a_very_long_question_does_not_hold_the_loop_of_all_teams(start: Start) -> None:
    started = time.process_time()
    answer = start().ask("A Corp" * 3000)
    assert RECOMMENDATION in answer
    assert time.process_time() - started < 5


def fetched(url: str, text: str) -> list[ModelMessage]:
    """Return the conversation of one who has fetched this page, and is asked what comes next."""
    page = {"url": url, "content_hash": "h", "content_status": "first", "raw_content": text}
    found = json.dumps({"results": [page], "failed_results": []})
    return [
        ModelRequest(parts=[UserPromptPart(f"Ingest {url}")]),
        ModelResponse(parts=[ToolCallPart("web_fetch_tool", {"urls": [url]}, tool_call_id="1")]),
        ModelRequest(parts=[ToolReturnPart("web_fetch_tool", found, tool_call_id="1")]),
    ]


def long_page() -> str:
    paragraphs = (
        f"Vela{number} Maritime is a company in Norvik. It was founded by Ada Quill{number}."
        for number in range(900)
    )
    return "\n\n".join(paragraphs)[:60_000]


def test_a_very_long_page_does_not_hold_the_loop_of_all_teams() -> None:
    tools = [ToolDefinition(name="web_fetch_tool")]
    messages = fetched("https://eval.invalid/vela", long_page())

    async def turns_of_others() -> int:
        turns = 0

        async def take_turns() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0.001)

        others = asyncio.create_task(take_turns())
        await scripted_model().request(messages, None, ModelRequestParameters(function_tools=tools))
        others.cancel()
        return turns

    assert asyncio.run(turns_of_others()) > 5
