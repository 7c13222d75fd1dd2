"""The names of an event's fields in one spelling. No event is understood here.

Python writes snake_case, REST and newer Go camelCase, older Go PascalCase with initialisms
(`InvocationID`, `LongRunningToolIDs`). Only fields that are read have a name here, and what stands
under them is left as it is: the arguments and results of tools, and the state, have names of their
own.
"""

from pydantic import JsonValue

from audition.values import parse_json, writable_text

type JsonObject = dict[str, JsonValue]

_EVENT = """
    id author invocation_id timestamp branch partial content error_code error_message usage_metadata
    model_version finish_reason output node_info long_running_tool_ids interrupted actions
    input_transcription output_transcription
"""
_ACTIONS = """
    skip_summarization transfer_to_agent requested_tool_confirmations requested_auth_configs
    compaction end_of_agent rewind_before_invocation_id state_delta
"""
_PARTS = """
    text thought function_call function_response executable_code code_execution_result
    tool_call tool_response inline_data file_data
"""
_INSIDE = """
    parts role name args response code language outcome
    tool_type data mime_type display_name file_uri path output_for
    prompt_token_count candidates_token_count thoughts_token_count cached_content_token_count
"""


_SHORT = 1000  # as every name and id is


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _pascal(name: str) -> str:
    initialisms = {"id": "ID", "ids": "IDs", "uri": "URI", "mime": "MIME"}
    return "".join(initialisms.get(word, word.capitalize()) for word in name.split("_"))


_NAMES = {
    spelling: name
    for name in f"{_EVENT} {_ACTIONS} {_PARTS} {_INSIDE}".split()
    for spelling in (name, _camel(name), _pascal(name))
} | {"long_running_tool_ids_json": "long_running_tool_ids"}  # a column of ADK before 2.0


def named(record: JsonValue) -> JsonObject:
    """Return the known fields of an object that are not null, none where it is no object."""
    if not isinstance(record, dict):
        return {}
    return {
        _NAMES[key]: value for key, value in record.items() if value is not None and key in _NAMES
    }


def snake(key: str) -> str:
    """Return any name in snake_case, to be shown."""
    letters = [f"_{letter.lower()}" if letter.isupper() else letter for letter in key[:40]]
    return writable_text("".join(letters).removeprefix("_"))


def word(record: JsonObject, name: str) -> str | None:
    """Return a text that is not empty; Go writes an empty one where there is none."""
    value = record.get(name)
    if not value or not isinstance(value, str):
        return None
    return value if value.isascii() and len(value) < _SHORT else writable_text(value)


def decoded(value: JsonValue) -> JsonValue:
    """Return the object or list that a text holds, however often it was encoded; else the value."""
    inner = value
    while isinstance(inner, str) and inner.lstrip()[:1] in {"{", "[", '"'}:
        try:
            inner = parse_json(inner)
        except ValueError:
            return value
    return inner if isinstance(inner, dict | list) else value
