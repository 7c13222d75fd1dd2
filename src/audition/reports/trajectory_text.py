"""Chat messages as lines for a terminal: who spoke, what was called, and what came back."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from pydantic import JsonValue

from audition.output import CaseOutput
from audition.redaction.records import Redactor
from audition.reports.terminal import long_line, one_line
from audition.trajectory import ChatMessage, chat_messages

_SHOWN = 400
"""Characters shown of one text, or of the arguments of one call."""


def redacted_messages(output: CaseOutput) -> list[ChatMessage]:
    """Return the chat messages of an output without their secrets."""
    messages = chat_messages(output)
    return cast("list[ChatMessage]", Redactor().whole(cast("JsonValue", messages)))


def trajectory_lines(messages: Sequence[ChatMessage]) -> Iterator[str]:
    """Yield the lines that tell the messages."""
    for message in messages:
        role = str(message["role"])
        named = message.get("name")
        who = one_line(f"{role} {named}" if named else role)
        content = message.get("content")
        if content is not None:
            yield f"{who}: {long_line(str(content), _SHOWN)}"
        calls = cast("list[dict[str, Any]]", message.get("tool_calls") or [])
        for call in calls:
            function = call["function"]
            arguments = function["arguments"]
            told = "arguments not recorded" if arguments is None else arguments
            yield f"{who} calls {one_line(f'{function["name"]} {told}', _SHOWN)}"
