from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from knowledge_team.scripted.conversation import requests, searches, tool_results, word_count


def exchange(question: str, query: str, result: ToolReturnPart) -> list[ModelMessage]:
    return [
        ModelRequest(parts=[UserPromptPart(question)]),
        ModelResponse(parts=[ToolCallPart("search_graph", {"query": query}, result.tool_call_id)]),
        ModelRequest(parts=[result]),
    ]


FIRST = exchange("Who?", "ada", ToolReturnPart("search_graph", "one line", "c1"))
SECOND = exchange(
    "And where?", "pier", ToolReturnPart("search_graph", "locked", "c2", outcome="failed")
)
MESSAGES = [*FIRST, ModelResponse(parts=[TextPart("Ada.")]), *SECOND]


def test_requests_are_in_order() -> None:
    assert requests(MESSAGES) == ["Who?", "And where?"]


def test_only_searches_of_the_last_request_count() -> None:
    (search,) = searches(MESSAGES)
    assert (search.query, search.result, search.failed) == ("pier", "locked", True)


def test_a_result_belongs_to_its_query() -> None:
    (search,) = searches(FIRST)
    assert (search.query, search.result, search.failed) == ("ada", "one line", False)


def test_words_stand_for_tokens() -> None:
    assert word_count([ModelRequest(parts=[UserPromptPart("three small words")])]) == 3


def test_a_result_has_its_tool_and_arguments() -> None:
    (result,) = tool_results(FIRST)
    assert (result.tool, result.arguments, result.text) == (
        "search_graph",
        {"query": "ada"},
        "one line",
    )


def test_a_result_without_its_call_has_no_arguments() -> None:
    (result,) = tool_results(FIRST[2:])
    assert result.arguments == {}
