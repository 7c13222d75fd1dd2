"""What a tool was given and what it gave back: arguments, content and outcome, for the adapters.

The outcome is read from marks that ADK, kagent and MCP set, never guessed from words: a tool that
reports a rejected payment is not a rejected call.
"""

from dataclasses import dataclass

from pydantic import JsonValue

from audition.events import ToolOutcome
from audition.values import (
    canonical_json,
    parse_json,
    structure_of,
    text_of,
    writable_json,
    writable_text,
)

_WAITING = "This tool call requires confirmation"
_REJECTED = ("This tool call is rejected", "Tool call was rejected by user")
_RETRIED = "ERROR_HANDLED_BY_REFLECT_AND_RETRY_PLUGIN"
_WRAPPERS = {"result", "response", "output", "content"}
_ENVELOPE = {"content", "isError", "structuredContent", "_meta", "meta"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """The arguments of a call, all None where they were not recorded.

    Attributes:
        raw: Their text.
        value: They parsed, None where they do not parse.
        parse_error: Why they do not parse.

    """

    raw: str | None = None
    value: JsonValue = None
    parse_error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """What came back of a call.

    Attributes:
        content: Its text; structured content as canonical JSON.
        structure: The object or array that it is, None where it is plain text.
        outcome: How the call ended, as far as this tells it.

    """

    content: str
    structure: JsonValue = None
    outcome: ToolOutcome = ToolOutcome.OK


def read_arguments(recorded: JsonValue) -> Arguments:
    """Return the recorded arguments; a text is parsed, as models write them."""
    if recorded is None:
        return Arguments()
    if not isinstance(recorded, str):
        value = writable_json(recorded)
        return Arguments(raw=canonical_json(value), value=value)
    raw = writable_text(recorded)
    try:
        return Arguments(raw=raw, value=writable_json(parse_json(recorded)))
    except ValueError as error:
        return Arguments(raw=raw, parse_error=writable_text(str(error)))


def read_returned(recorded: JsonValue) -> Returned:
    """Return the content of a recorded response, out of its envelope or of one in the other."""
    response = writable_json(recorded)
    inner = _mcp_of_text(_under_single_key(response))
    content, structure = _content(inner)
    outcome = _outcome(response, content)
    if outcome is ToolOutcome.OK and inner is not response:
        outcome = _outcome(inner, content)
    return Returned(content=content, structure=structure, outcome=outcome)


def _under_single_key(response: JsonValue) -> JsonValue:
    if not isinstance(response, dict) or _is_mcp(response):
        return response
    fields = {key: value for key, value in response.items() if key != "isError"}
    wrapper = next(iter(fields), None)
    return fields[wrapper] if len(fields) == 1 and wrapper in _WRAPPERS else response


def _is_mcp(value: JsonValue) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("content"), list):
        return False
    says_so = value["content"] or value.get("structuredContent") or "isError" in value
    return bool(says_so) and value.keys() <= _ENVELOPE


def _mcp_of_text(value: JsonValue) -> JsonValue:
    """Return the envelope that a text is, where it says that it is one; else the value."""
    if not isinstance(value, str) or '"isError"' not in value:
        return value
    structure = structure_of(value)
    return structure if _is_mcp(structure) else value


def _content(response: JsonValue) -> tuple[str, JsonValue]:
    if not (isinstance(response, dict) and _is_mcp(response)):
        return _shown(response)
    blocks, structured = response["content"], response.get("structuredContent")
    texts = [_block_text(block) for block in blocks] if isinstance(blocks, list) else []
    told = [text for text in texts if text is not None]
    if told:
        text = "\n".join(told)
        return text, structure_of(text) or structured
    return _shown(structured or blocks or None)


def _shown(value: JsonValue) -> tuple[str, JsonValue]:
    text = text_of(value)
    return text, value if isinstance(value, dict | list) else structure_of(text)


def _block_text(block: JsonValue) -> str | None:
    text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
    return text if isinstance(text, str) else None


def _outcome(response: JsonValue, content: str) -> ToolOutcome:
    fields = response if isinstance(response, dict) else {}
    error = fields.get("error")
    words = error if isinstance(error, str) else content
    if words.startswith(_REJECTED):
        return ToolOutcome.REJECTED
    if words.startswith(_WAITING):
        return ToolOutcome.PENDING
    failed = bool(error) and isinstance(error, str | dict | list | bool)  # a number is a measure
    if failed or fields.get("isError") is True or fields.get("response_type") == _RETRIED:
        return ToolOutcome.TOOL_ERROR
    return ToolOutcome.OK
