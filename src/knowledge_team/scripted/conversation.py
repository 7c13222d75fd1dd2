"""What the rules see of a conversation: the requests, and what was done since the last one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from knowledge_team.scripted.searching import Search


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool returned.

    Attributes:
        tool: Its name.
        arguments: What it was called with, empty where that is not in the conversation.
        text: What came back.
        failed: Whether that is the text of an error.

    """

    tool: str
    arguments: Mapping[str, Any]
    text: str
    failed: bool = False


def requests(messages: Sequence[ModelMessage]) -> list[str]:
    """Return all requests of the conversation, oldest first."""
    return [
        part.content
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart) and isinstance(part.content, str)
    ]


def tool_results(messages: Sequence[ModelMessage]) -> list[ToolResult]:
    """Return what the tools returned that were called for the last request, in order."""
    calls: dict[str, Mapping[str, Any]] = {}
    done: list[ToolResult] = []
    for message in _since_last_request(messages):
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                calls[part.tool_call_id] = part.args_as_dict()
            elif isinstance(part, ToolReturnPart):
                done.append(_result(part, calls.get(part.tool_call_id, {})))
    return done


def searches(messages: Sequence[ModelMessage]) -> list[Search]:
    """Return the searches that were made for the last request, in order."""
    return [
        Search(query=str(one.arguments.get("query", "")), result=one.text, failed=one.failed)
        for one in tool_results(messages)
    ]


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


def _result(part: ToolReturnPart, arguments: Mapping[str, Any]) -> ToolResult:
    text = part.model_response_str(wrap_if_error=False)
    failed = part.outcome != "success"
    return ToolResult(tool=part.tool_name, arguments=arguments, text=text, failed=failed)
