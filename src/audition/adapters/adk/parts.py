"""The parts of an event's content: who speaks and what is used is decided by their kind alone.

What a model runs itself becomes a call and its return as well: code as the tool `code_execution`,
what the provider's own tools do under their `tool_type`. A file is mentioned, never carried along.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from audition.adapters.adk.casing import JsonObject, named, snake, word
from audition.values import writable_text

CODE_EXECUTION = "code_execution"
"""The tool that code which a model wrote and ran is a call of."""

CALL = "call"
RETURN = "return"
SAID = frozenset({"text", "file"})
"""The kinds of what is said; a thought is not."""


# Not frozen: a frozen one takes four times as long to make, and nobody changes one.
@dataclass(slots=True)
class AdkPart:
    """A part of an event's content.

    Attributes:
        kind: `text`, `file`, `thought`, `call`, `return`, else what it holds.
        text: Of a text or thought, the mention of a file, else empty.
        name: The tool of a call or return, else empty.
        call_id: Its id, None where it has none.
        body: The arguments or the response as recorded, None where there are none.
        failed: It is the return of a tool of the model that says so.

    """

    kind: str
    text: str = ""
    name: str = ""
    call_id: str | None = None
    body: JsonValue = None
    failed: bool = False


def read_part(raw: JsonValue) -> AdkPart:
    """Return one part, whatever it is."""
    part = named(raw)
    for kind, body in part.items():
        read = _OF_TOOLS.get(kind)
        if read is not None and isinstance(body, dict):
            return read(kind, body)
    text = part.get("text")
    if isinstance(text, str):
        return AdkPart("thought" if part.get("thought") is True else "text", writable_text(text))
    for kind in ("inline_data", "file_data"):
        body = part.get(kind)
        if isinstance(body, dict):
            return AdkPart("file", _mention(named(body)))
    held = raw.items() if isinstance(raw, dict) else ()
    return AdkPart(next((snake(key) for key, value in held if value is not None), "empty part"))


def said(parts: Iterable[AdkPart]) -> str:
    """Return what parts say, as it was streamed; a file stands on a line of its own."""
    content = separator = ""
    for part in parts:
        if part.kind == "text":
            content += separator + part.text
            separator = ""
        elif part.kind == "file":
            content += "\n" + part.text if content else part.text
            separator = "\n"
    return content


def _call(kind: str, body: JsonObject) -> AdkPart:
    body = _in_snake_case(body)
    name = word(body, "name") or word(body, "tool_type")
    if name is None:
        return AdkPart(f"{kind} without a name")
    return AdkPart(CALL, "", name, word(body, "id"), body.get("args"))


def _return(kind: str, body: JsonObject) -> AdkPart:
    body = _in_snake_case(body)
    name = word(body, "name") or word(body, "tool_type")
    if name is None:
        return AdkPart(f"{kind} without a name")
    return AdkPart(RETURN, "", name, word(body, "id"), body.get("response"))


def _in_snake_case(body: JsonObject) -> JsonObject:
    """Return the fields of a call or a return: most have one word, the same in every spelling."""
    return body if "name" in body else named(body)


def _code(_kind: str, body: JsonObject) -> AdkPart:
    body = named(body)
    given = {name: body.get(name) for name in ("code", "language")}
    args: JsonObject = {name: value for name, value in given.items() if value is not None}
    return AdkPart(CALL, "", CODE_EXECUTION, word(body, "id"), args)


def _code_result(_kind: str, body: JsonObject) -> AdkPart:
    body = named(body)
    outcome = body.get("outcome")
    failed = isinstance(outcome, str) and outcome not in {"OUTCOME_OK", "OUTCOME_UNSPECIFIED"}
    told = body.get("output")
    return AdkPart(RETURN, "", CODE_EXECUTION, word(body, "id"), {"output": told}, failed)


_OF_TOOLS = {
    "function_call": _call,
    "function_response": _return,
    "executable_code": _code,
    "code_execution_result": _code_result,
    "tool_call": _call,
    "tool_response": _return,
}


def _mention(body: JsonObject) -> str:
    told = [word(body, "mime_type") or "unknown type"]
    data, uri = body.get("data"), word(body, "file_uri")
    if isinstance(data, str):
        told.append(f"{len(data.rstrip('=')) * 3 // 4} bytes")
    if uri is not None:
        told.append(uri.partition("?")[0])  # what follows may be a signature
    name = word(body, "display_name")
    return f"[file: {', '.join([*told, name] if name else told)}]"
