"""One message of a chat, or one item of a response, as a frame of parts. No event is made here.

Who speaks is the role of a message, under any of its names, or the type of an item. What a model
thinks and what it was instructed are no part of what a team did.
"""

from pydantic import JsonValue

from audition.adaptation import FrameHead
from audition.adapters.openai_chat.blocks import (
    ARGUMENTS,
    CALL_IDS,
    Content,
    JsonObject,
    fields,
    given,
    items,
    read_content,
    returned,
    word,
)
from audition.trajectory import ASSISTANT
from audition.transcripts.parts import (
    Answered,
    Asked,
    Broke,
    Called,
    Frame,
    HandedOver,
    Part,
    Responded,
    Said,
)
from audition.values import seconds_of, text_of, writable_json, writable_text

_NAMES = {
    "user": "user human HumanMessage HumanMessageChunk",
    "assistant": "assistant ai model AIMessage AIMessageChunk",
    "instructions": "system developer SystemMessage SystemMessageChunk",
    "tool": "tool function ToolMessage ToolMessageChunk FunctionMessage",
}
_ROLES = {name: role for role, names in _NAMES.items() for name in names.split()}
_CLIENT_CALLS = {
    *("function_call", "custom_tool_call", "local_shell_call", "shell_call"),
    *("apply_patch_call", "computer_call"),
}
_PROVIDER_CALLS = {
    *("web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call"),
    *("mcp_call", "tool_search_call"),
}
_OUTPUTS = {f"{kind}_output" for kind in _CLIENT_CALLS}
_SILENT = {
    *("reasoning", "item_reference", "compaction", "mcp_list_tools"),
    *("mcp_approval_request", "mcp_approval_response"),
}
_DETAILS = ("prompt_tokens_details", "input_tokens_details", "input_token_details")
_CACHED = ("cached_tokens", "cache_read", "cache_read_input_tokens")
_TRANSFER = "transfer_to_"
_INPUTS = ("arguments", "input", "action", "queries", "code", "operation")
_FAILED = {"error", "failed", "incomplete"}
_RESULTS = ("output", "outputs", "results", "result")

NOT_CHAT = "not a chat message"
"""Why a frame was dropped of which nobody can tell what it said."""


def role_of(record: JsonObject) -> str | None:
    """Return user, assistant, instructions or tool; None for what is no message."""
    for name in ("role", "type"):
        role = record.get(name)
        if isinstance(role, str) and role in _ROLES and "parts" not in record:
            has_content = "content" in record or name == "role"
            return _ROLES[role] if has_content else None
    return None


def is_item(record: JsonObject) -> bool:
    """Return whether this is a call, a result or a thought among the items of a response."""
    kind = record.get("type")
    known = (_CLIENT_CALLS, _PROVIDER_CALLS, _OUTPUTS, _SILENT)
    return isinstance(kind, str) and "role" not in record and any(kind in one for one in known)


class MessageReader:
    """Reads the messages of one chat in order.

    Among the items of responses, those of one answer of a model stand side by side, and who acts is
    known by who was handed the conversation.
    """

    def __init__(self) -> None:
        self._answering = False
        self._acting = ASSISTANT
        self._transfers: set[str] = set()

    def read(self, index: int, frame: JsonValue) -> Frame:
        """Return a message as a frame."""
        record = fields(frame)
        role = role_of(record)
        agent: str | None = None
        emptiness, parts = NOT_CHAT, list[Part]()
        if role == "assistant":
            is_of_items = record.get("type") == "message"
            agent = word(record, "name") or (self._acting if is_of_items else ASSISTANT)
            parts = [*self._responded(record, is_item=is_of_items), *_assistant(record)]
        elif role == "instructions":
            emptiness = "instructions"
        elif role is not None:
            parts = _user(record) if role == "user" else _results(record)
            self._answering = False
            emptiness = "nothing is said in it"
        elif is_item(record):
            agent, emptiness, parts = self._item(record)
        elif isinstance(record.get("error"), dict | str):
            agent, parts = ASSISTANT, [Broke(error=_error(record["error"]))]
        head = FrameHead(
            index=index,
            author=word(record, "name") or word(record, "role", "type"),
            role=word(record, "role", "type"),
        )
        return Frame(
            head=head,
            agent=agent,
            at=_at(record),
            event_id=word(record, "id"),
            parts=tuple(parts),
            emptiness=emptiness,
            is_foreign=emptiness == NOT_CHAT and not parts,
        )

    def _item(self, record: JsonObject) -> tuple[str | None, str, list[Part]]:
        """Return who acts in an item, why nothing may come of it, and what is in it."""
        kind = str(record["type"])
        if kind in _OUTPUTS:
            self._answering = False
            result = _result(record)
            return None, "", [result, *self._handed_over(result)]
        if kind in _SILENT:
            return None, kind, []
        calls = _call_item(record, kind)
        self._transfers |= {
            part.call_id
            for part in calls
            if isinstance(part, Called) and part.call_id and part.name.startswith(_TRANSFER)
        }
        return self._acting, "", [*self._responded(record, is_item=True), *calls]

    def _handed_over(self, result: Answered) -> list[Part]:
        """Return the hand-over that a result tells of, in the form of OpenAI's Agents SDK."""
        structure = fields(result.returned.structure)
        to = word(structure, "assistant")
        if result.call_id not in self._transfers or to is None or len(structure) > 1:
            return []
        by, self._acting = self._acting, to
        return [HandedOver(by=by, to=to)]

    def _responded(self, record: JsonObject, *, is_item: bool) -> list[Part]:
        """Return the answer of the model that begins here; the items of one answer have one."""
        begins = not (is_item and self._answering)
        self._answering = True
        return [_response(record)] if begins else []


def _assistant(record: JsonObject) -> list[Part]:
    content = read_content(record.get("content"))
    calls = _calls(record)
    known = {call.call_id for call in calls} - {None}
    tools = [one for one in content.tools if not _is_known(one, known, calls)]
    text = _text(record, content)
    parts: list[Part] = []
    if text or not (calls or tools or content.unread):
        parts.append(Said(text=text or ""))
    return [*parts, *calls, *tools]


def _text(record: JsonObject, content: Content) -> str | None:
    """Return what an assistant says: in words, in a refusal, or in a recording of its voice."""
    spoken = fields(record.get("audio")).get("transcript")
    others = (content.text, record.get("refusal"), spoken)
    return next((writable_text(text) for text in others if isinstance(text, str) and text), None)


def _is_known(tool: Called | Answered, known: set[str | None], calls: list[Called]) -> bool:
    """Return whether a block repeats a call that stands beside the content."""
    if isinstance(tool, Answered):
        return False
    return tool.call_id in known if tool.call_id else any(one.name == tool.name for one in calls)


def _calls(record: JsonObject) -> list[Called]:
    names = ("tool_calls", "toolCalls", "invalid_tool_calls")
    listed = [call for name in names for call in items(record.get(name))]
    if not listed and isinstance(record.get("function_call"), dict):
        listed = [fields(record["function_call"])]
    return [call for one in listed if (call := _call(one)) is not None]


def _call(record: JsonObject) -> Called | None:
    inner = fields(record.get("function")) or fields(record.get("custom")) or record
    name = word(inner, "name")
    if name is None:
        return None
    recorded = next((inner[key] for key in ARGUMENTS if key in inner), None)
    return Called(name=name, call_id=word(record, "id", "call_id"), arguments=given(recorded))


def _user(record: JsonObject) -> list[Part]:
    content = read_content(record.get("content"))
    results = [tool for tool in content.tools if isinstance(tool, Answered)]
    if content.text is None and results:
        return [*results]
    return [*results, Asked(text=content.text or "")]


def _results(record: JsonObject) -> list[Part]:
    """Return what a message of a tool gives back, which may stand in blocks of their own."""
    tools = read_content(record.get("content")).tools
    return [*tools] or [_result(record)]


def _result(record: JsonObject) -> Answered:
    recorded = record.get("output") if "output" in record else record.get("content")
    return Answered(
        name=word(record, "name"),
        call_id=word(record, *CALL_IDS[:-1]),
        returned=returned(recorded, failed=_failed(record)),
    )


def _failed(record: JsonObject) -> bool:
    """Return whether what stands beside a result says that the tool failed."""
    return word(record, "status") in _FAILED or bool(record.get("error"))


def _call_item(record: JsonObject, kind: str) -> list[Part]:
    """Return the call that an item is, and what came back where the provider ran the tool."""
    name = word(record, "name") or kind.removesuffix("_call")
    recorded = next((record[key] for key in _INPUTS if record.get(key) is not None), None)
    call_id = word(record, "call_id", "id")
    called = Called(name=name, call_id=call_id, arguments=given(recorded))
    if kind in _CLIENT_CALLS:
        return [called]
    failed = _failed(record)
    names = ("error", *_RESULTS) if failed else _RESULTS
    result = next((record[key] for key in names if record.get(key) is not None), None)
    back = returned(result, failed=failed)
    return [called, Answered(name=name, call_id=call_id, returned=back, is_last_word=True)]


def _response(record: JsonObject) -> Responded:
    described = fields(record.get("response_metadata"))
    usage = fields(record.get("usage")) or fields(record.get("usage_metadata"))
    listed = (fields(usage.get(name)) for name in _DETAILS)
    details = next((one for one in listed if one), usage)
    return Responded(
        model_name=word(record, "model") or word(described, "model_name", "model"),
        provider_name=word(described, "model_provider"),
        input_tokens=_count(usage, "prompt_tokens", "input_tokens"),
        output_tokens=_count(usage, "completion_tokens", "output_tokens"),
        cache_read_tokens=_count(details, *_CACHED),
        finish_reason=word(record, "finish_reason", "stop_reason")
        or word(described, "finish_reason", "stop_reason"),
    )


def _count(usage: JsonObject, *names: str) -> int:
    for name in names:
        count = usage.get(name)
        if isinstance(count, int) and not isinstance(count, bool) and count > 0:
            return count
    return 0


def _at(record: JsonObject) -> float | None:
    named = ("timestamp", "created_at", "created")
    return next((at for name in named if (at := seconds_of(record.get(name))) is not None), None)


def _error(error: JsonValue) -> str:
    told = word(fields(error), "message") or text_of(writable_json(error))
    return " ".join(told.split()) or "error"
