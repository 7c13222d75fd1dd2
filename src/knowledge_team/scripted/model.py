"""The scripted model: a pydantic-ai model whose every decision is a rule.

Which part it plays it sees from what it was given: a tool to search with makes it one who answers,
a tool to fetch with one who takes pages in, an output tool to hand over with a manager at the
beginning of its work, and none of these makes it one who passes an answer on.
"""

import re
from collections.abc import Sequence
from functools import partial
from itertools import chain

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from knowledge_team.daemon_work import done_beside
from knowledge_team.scripted.answers import answer
from knowledge_team.scripted.conversation import requests, searches, tool_results, word_count
from knowledge_team.scripted.ingestion.requests import takes_in
from knowledge_team.scripted.ingestion.steps import FETCH, next_step
from knowledge_team.scripted.question import Part, read_question
from knowledge_team.scripted.searching import next_query
from knowledge_team.search_text import read_results

MODEL_NAME = "scripted"
"""The name under which its answers are accounted."""

_LONGEST_QUESTION = 1000
"""Characters of a request that are read. Some rules look at every pair of places in a clause, and
the loop on which they run is that of all teams: 18,000 characters would hold it for 25 seconds."""

_SEARCH_TOOL = "search_graph"
_MEMBER = re.compile(r"^(@\w+): (.*)$", re.MULTILINE)


def scripted_model() -> FunctionModel:
    """Return the model; it keeps nothing between requests."""
    return FunctionModel(_respond, model_name=MODEL_NAME)


# Async: pydantic-ai runs plain functions in worker threads.
async def _respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    asked = requests(messages) or [""]
    tools = {tool.name for tool in info.function_tools}
    if _SEARCH_TOOL in tools:
        part = _as_specialist(asked, messages)
    elif FETCH in tools:
        # Reading a large page takes long, and the loop is that of all teams.
        part = await done_beside(partial(_as_ingester, asked[-1], messages))
    elif info.output_tools:
        part = _as_manager(asked[-1], info)
    else:
        part = TextPart(_passed_on(asked[-1]))
    written = part.content if isinstance(part, TextPart) else part.args_as_json_str()
    usage = RequestUsage(
        input_tokens=word_count(messages) + len((info.instructions or "").split()),
        output_tokens=len(written.split()),
    )
    return ModelResponse(parts=[part], usage=usage)


def _as_specialist(asked: Sequence[str], messages: list[ModelMessage]) -> TextPart | ToolCallPart:
    *before, question = [request[:_LONGEST_QUESTION] for request in asked]
    parts = read_question(question, before)
    done = searches(messages)
    query = next_query(parts, done)
    if query is not None:
        return ToolCallPart(_SEARCH_TOOL, _arguments(query, parts))
    if done and all(search.failed for search in done):
        return TextPart(f"The knowledge base could not be searched: {done[-1].result}")
    facts = chain.from_iterable(read_results(search.result) for search in done)
    return TextPart(answer(parts, tuple(facts)))


def _as_ingester(request: str, messages: list[ModelMessage]) -> TextPart | ToolCallPart:
    step = next_step(request[:_LONGEST_QUESTION], tool_results(messages))
    return TextPart(step) if isinstance(step, str) else ToolCallPart(step.tool, step.arguments)


def _arguments(query: str, parts: Sequence[Part]) -> dict[str, object]:
    """Return the arguments of a search; for a list, with all that stands around its subject."""
    several = any(part.several for part in parts)
    around = {"include_neighbours": True, "include_edges": True} if several else {}
    return {"query": query, **around}


def _as_manager(request: str, info: AgentInfo) -> ToolCallPart:
    members = _MEMBER.findall(info.instructions or "")
    chosen = _chosen(request, [name for name, _ in members])
    return ToolCallPart(info.output_tools[0].name, {"specialist": chosen, "request": request})


def _chosen(request: str, names: Sequence[str]) -> str:
    """Return whom the request is for: it takes in a source, or it asks."""
    ingests = takes_in(request[:_LONGEST_QUESTION])
    for name in names:
        if ("ingest" in name.lower()) == ingests:
            return name
    return next(iter(names), "")


def _passed_on(prompt: str) -> str:
    """Return the answer in the prompt: it begins after the first empty line."""
    _, _, text = prompt.partition("\n\n")
    return text or prompt
