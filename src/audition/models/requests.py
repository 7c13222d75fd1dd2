"""What a model is asked, as JSON in which nothing changes from one run to the next. No I/O.

Kept is what a model can see: messages, tools, the mode of the output, and the settings that may
change an answer. Times, ids and usage are dropped, ids of tool calls numbered as they come.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import cast

from pydantic import JsonValue
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from audition.values import structure_of, text_of, writable_json

type Scrub = Callable[[str], str]
"""Takes out of a text what changes from run to run: a date, a path, a generated name."""

_MESSAGE_FIELDS = ("kind", "instructions", "parts")
_UNSEEN_FIELDS = frozenset(
    (
        *("timestamp", "id", "metadata", "signature", "dynamic_ref"),
        *("provider_name", "provider_details"),
    )
)
"""Fields of a part that a model does not read, or that its provider makes anew each time."""

_UNSEEN_SETTINGS = frozenset(
    ("extra_headers", "extra_body", "timeout", "request_timeout", "max_retries")
)
"""Settings that do not change an answer, or that hold keys under names that nobody knows."""


def scrubbed_request(
    messages: Sequence[ModelMessage],
    settings: ModelSettings | None,
    parameters: ModelRequestParameters,
    *,
    scrub: Scrub | None = None,
) -> JsonValue:
    """Return what a model is asked, equal for requests that differ in nothing it can see.

    Args:
        messages: The conversation.
        settings: Those of the request, None for none.
        parameters: Its tools and its output.
        scrub: Applied to each text of the messages, None for nothing.

    """
    dumped = [_plain(message) for message in messages]
    number = _Numbers()
    told = [_message(message, number) for message in dumped]
    request = {
        "settings": scrubbed_settings(settings),
        "output": {
            "mode": parameters.output_mode,
            "text": parameters.allow_text_output,
            "image": parameters.allow_image_output,
            "object": _output_object(parameters.output_object),
        },
        "tools": [
            *_tools(parameters.function_tools),
            *_tools(parameters.output_tools),
            *sorted(tool.unique_id for tool in parameters.native_tools),
        ],
        "messages": told if scrub is None else _with_texts(told, scrub),
    }
    return writable_json(request)


def with_canonical_texts(request: JsonValue) -> JsonValue:
    """Return a request whose texts that are JSON objects or arrays are canonical JSON.

    Where secrets are taken out of such a text it is written anew, and elsewhere it is not.
    """
    return _with_texts(request, lambda text: text_of(structure_of(text)) or text)


def scrubbed_settings(settings: ModelSettings | None) -> JsonValue:
    """Return the settings that may change an answer; headers are not among them."""
    given = cast("dict[str, object]", settings or {})
    return writable_json(
        {name: value for name, value in sorted(given.items()) if name not in _UNSEEN_SETTINGS}
    )


def plain_response(response: ModelResponse) -> JsonValue:
    """Return a whole response as JSON."""
    return _plain(response)


def _plain(message: ModelMessage) -> JsonValue:
    (dumped,) = ModelMessagesTypeAdapter.dump_python(
        [message], mode="json", fallback=_type_alone, warnings=False
    )
    return writable_json(dumped)


def _type_alone(value: object) -> str:
    """Return what is told of an object that is no JSON: its repr may have its address."""
    return f"<{type(value).__name__}>"


class _Numbers(dict[str, str]):
    """The ids of tool calls, numbered in the order in which they first stand."""

    def __missing__(self, call_id: str) -> str:
        self[call_id] = number = f"call {len(self) + 1}"
        return number


def _message(message: JsonValue, number: _Numbers) -> JsonValue:
    fields = cast("dict[str, JsonValue]", message)
    kept = {name: fields[name] for name in _MESSAGE_FIELDS if fields.get(name) is not None}
    parts = cast("list[dict[str, JsonValue]]", fields["parts"])
    return {**kept, "parts": [_part(part, number) for part in parts]}


def _part(part: dict[str, JsonValue], number: _Numbers) -> JsonValue:
    kept = {
        name: _without_bytes(value)
        for name, value in part.items()
        if value is not None and name not in _UNSEEN_FIELDS
    }
    call_id = kept.get("tool_call_id")
    return {**kept, "tool_call_id": number[call_id]} if isinstance(call_id, str) else kept


def _without_bytes(value: JsonValue) -> JsonValue:
    """Return a value whose images, sounds and files are their hashes: they are large."""
    match value:
        case {"kind": "binary", "data": str(data)}:
            return {**value, "data": f"sha256:{sha256(data.encode()).hexdigest()}"}
        case dict():
            return {name: _without_bytes(item) for name, item in value.items()}
        case list():
            return [_without_bytes(item) for item in value]
        case _:
            return value


def _with_texts(value: JsonValue, scrub: Scrub) -> JsonValue:
    match value:
        case str():
            return scrub(value)
        case dict():
            return {name: _with_texts(item, scrub) for name, item in value.items()}
        case list():
            return [_with_texts(item, scrub) for item in value]
        case _:
            return value


def _tools(tools: Sequence[ToolDefinition]) -> list[dict[str, object]]:
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters_json_schema,
            "strict": tool.strict,
        }
        for tool in sorted(tools, key=lambda tool: tool.name)
    ]


def _output_object(wanted: OutputObjectDefinition | None) -> dict[str, object] | None:
    if wanted is None:
        return None
    return {
        "name": wanted.name,
        "description": wanted.description,
        "schema": wanted.json_schema,
    }
