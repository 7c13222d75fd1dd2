"""What the rules see of a conversation: the requests, and the searches since the last one."""

from collections.abc import Sequence

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from knowledge_team.scripted.searching import Search


def requests(messages: Sequence[ModelMessage]) -> list[str]:
    """Return all requests of the conversation, oldest first."""
    return [
        part.content
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart) and isinstance(part.content, str)
    ]


def searches(messages: Sequence[ModelMessage]) -> list[Search]:
    """Return the searches that were made for the last request, in order."""
    queries: dict[str, str] = {}
    done: list[Search] = []
    for message in _since_last_request(messages):
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                queries[part.tool_call_id] = str(part.args_as_dict().get("query", ""))
            elif isinstance(part, ToolReturnPart):
                done.append(_search(part, queries.get(part.tool_call_id, "")))
    return done


def word_count(messages: Sequence[ModelMessage]) -> int:
    """Return how many words stand in the messages: what such a model reads instead of tokens."""
    texts = (str(getattr(part, "content", "")) for message in messages for part in message.parts)
    return sum(len(text.split()) for text in texts)


def _since_last_request(messages: Sequence[ModelMessage]) -> Sequence[ModelMessage]:
    for position in range(len(messages) - 1, -1, -1):
        message = messages[position]
        if isinstance(message, ModelResponse):
            continue
        if any(isinstance(part, UserPromptPart) for part in message.parts):
            return messages[position + 1 :]
    return messages


def _search(part: ToolReturnPart, query: str) -> Search:
    text = part.model_response_str(wrap_if_error=False)
    return Search(query=query, result=text, failed=part.outcome != "success")
