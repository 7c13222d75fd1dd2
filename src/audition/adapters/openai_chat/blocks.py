"""What stands in the content of a message: its text, and calls and results beside it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

from audition.events import ToolOutcome
from audition.tool_payloads import Arguments, Returned, read_arguments, read_returned
from audition.trajectory import OUTCOME_PREFIXES
from audition.transcripts.parts import Answered, Called
from audition.values import structure_of, text_of, writable_json, writable_text

type JsonObject = dict[str, JsonValue]

_TEXTS = {"text", "input_text", "output_text", "summary_text"}
_CALLS = {"tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "tool-call", "toolUse"}
_RESULTS = {"tool_result", "tool-result", "tool_call_response", "toolResult"}
_OF_BEDROCK = ("toolUse", "toolResult")
"""Blocks of Bedrock say what they are by the name of the only thing in them."""

CALL_IDS = ("tool_call_id", "toolCallId", "tool_use_id", "toolUseId", "call_id", "id")
"""How the id of a call is named, the plainest last: elsewhere it may be that of the block."""

ARGUMENTS = ("arguments", "args", "input")
"""How the arguments of a call are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The content of a message.

    Attributes:
        text: The text in it, None where there is none.
        tools: The calls and results in it, in order.
        unread: What else is in it, thoughts among them, by its own word.

    """

    text: str | None = None
    tools: tuple[Called | Answered, ...] = ()
    unread: tuple[str, ...] = ()


_VALUES = {"text", "json", "content", "error-text", "error-json"}


def read_content(recorded: JsonValue) -> Content:
    """Return the content of a message: a text, blocks, or nothing."""
    if recorded is None:
        return Content()
    if not isinstance(recorded, list):
        return Content(text=text_of(writable_json(recorded)))
    texts: list[str] = []
    tools: list[Called | Answered] = []
    unread: list[str] = []
    for block in recorded:
        text, tool = _block_text(block), _block_tool(block)
        if text is not None:
            texts.append(text)
        elif tool is not None:
            tools.append(tool)
        else:
            unread.append(_kind(block))
    return Content(text="".join(texts) if texts else None, tools=tuple(tools), unread=tuple(unread))


def given(recorded: JsonValue) -> Arguments:
    """Return the arguments of a call; models send an empty text where a tool takes none."""
    arguments = read_arguments(recorded)
    if arguments.raw is not None and not arguments.raw.strip():
        return Arguments(raw=arguments.raw, value={})
    return arguments


def returned(recorded: JsonValue, *, failed: bool = False) -> Returned:
    """Return what a tool gave back, and how it ended by the marks of it.

    Args:
        recorded: A text, blocks of content, or any other JSON.
        failed: What stands beside the content says that the tool failed.

    """
    text = _returned_text(recorded)
    for outcome, prefix in OUTCOME_PREFIXES.items():
        if text.startswith(prefix):
            rest = text.removeprefix(prefix)
            return Returned(content=rest, structure=structure_of(rest), outcome=outcome)
    structure = structure_of(text)
    read = Returned(content=text, structure=structure)
    if isinstance(structure, dict) and isinstance(structure.get("isError"), bool):
        read = read_returned(structure)  # an envelope of MCP
    return replace(read, outcome=ToolOutcome.TOOL_ERROR) if failed else read


def items(value: JsonValue) -> Iterator[JsonObject]:
    """Yield the objects of a list, nothing of anything else."""
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            yield item


def fields(value: JsonValue) -> JsonObject:
    """Return an object, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def word(record: JsonObject, *names: str) -> str | None:
    """Return the first text that is not empty under one of the names."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value:
            return writable_text(value)
    return None


def _returned_text(recorded: JsonValue) -> str:
    if isinstance(recorded, list) and len(recorded) == 1 and "json" in fields(recorded[0]):
        recorded = fields(recorded[0])["json"]  # of Bedrock
    if not isinstance(recorded, list):
        return text_of(writable_json(recorded))
    texts = [text for block in recorded if (text := _block_text(block)) is not None]
    return "".join(texts) if texts else text_of(writable_json(recorded))


def _kind(block: JsonValue) -> str:
    record = fields(block)
    held = next((name for name in _OF_BEDROCK if isinstance(record.get(name), dict)), "block")
    return word(record, "type") or held


def _block_text(block: JsonValue) -> str | None:
    if isinstance(block, str):
        return writable_text(block)
    record = fields(block)
    kind = word(record, "type")
    text = record.get("refusal") if kind == "refusal" else record.get("text")
    is_text = kind in _TEXTS or kind == "refusal" or (kind is None and "text" in record)
    return writable_text(text) if is_text and isinstance(text, str) else None


def _block_tool(block: JsonValue) -> Called | Answered | None:
    record, kind = fields(block), _kind(block)
    held = fields(record.get(kind)) if kind in _OF_BEDROCK else record
    if kind in _CALLS:
        name = word(held, "name", "toolName")
        arguments = given(next((held[key] for key in ARGUMENTS if key in held), None))
        call_id = word(held, *CALL_IDS)
        return None if name is None else Called(name=name, call_id=call_id, arguments=arguments)
    is_of_provider = kind.endswith("_tool_result") and "tool_use_id" in record
    if kind in _RESULTS or is_of_provider:
        return _answered(held, is_last_word=is_of_provider)
    return None


def _answered(record: JsonObject, *, is_last_word: bool) -> Answered:
    """Return the result in a block; is it the last word, the model that asked went on with it."""
    names = ("content", "result", "output", "response")
    recorded = next((record[name] for name in names if name in record), None)
    kind = str(fields(recorded).get("type", ""))
    if "value" in fields(recorded) and kind in _VALUES:  # of the AI SDK
        recorded = fields(recorded)["value"]
    failed = any(record.get(name) is True for name in ("is_error", "isError"))
    failed = failed or record.get("status") == "error" or kind.startswith("error-")
    return Answered(
        name=word(record, "name", "toolName"),
        call_id=word(record, *CALL_IDS),
        returned=returned(recorded, failed=failed),
        is_last_word=is_last_word,
    )
