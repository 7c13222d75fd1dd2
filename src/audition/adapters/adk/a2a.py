"""Tasks and messages of A2A, as kagent gives them, to the events that they were made of.

What ADK or kagent put into the metadata (`adk_…`, `kagent_…`) says who wrote a message, in which
invocation, and what a data part is. A task is its history; then its artifacts and the message of
its status, with the id of what already told them where they say nothing new; then how it failed.
"""

from collections.abc import Iterator

from pydantic import JsonValue

from audition.adapters.adk.casing import JsonObject, decoded
from audition.values import text_of, writable_json, writable_text

_PREFIXES = ("adk_", "kagent_", "kagent_adk_")
_OF_TOOLS = {"function_call", "function_response", "executable_code", "code_execution_result"}
_FAILED = {"failed", "rejected", "canceled", "cancelled"}
_AGENT = "agent"
_CONFIRMATION = "adk_request_confirmation"
_BY_PERSON = ("user", "ROLE_USER")
_ROLES = (*_BY_PERSON, "agent", "ROLE_AGENT")


def events_of_a2a(record: JsonObject) -> list[JsonValue]:
    """Return the events of a task or a message, none where it is neither."""
    if _is_message(record):
        return [_Task({}).event(record)]
    return list(_Task(record).events()) if _is_task(record) else []


def _is_message(record: JsonObject) -> bool:
    has_parts = isinstance(record.get("parts"), list) and "messageId" in record
    return has_parts and record.get("role") in _ROLES


def _is_task(record: JsonObject) -> bool:
    status = _object(record.get("status"))
    is_one = record.get("kind") == "task" or "contextId" in record
    return is_one and isinstance(status.get("state"), str)


class _Task:
    """A task, and what its messages need of those before."""

    def __init__(self, task: JsonObject) -> None:
        self._task = task
        self._history = [_object(message) for message in _list(task.get("history"))]
        self._agent = _agent_of(_object(task.get("metadata")))
        self._told: list[tuple[JsonValue, JsonValue]] = []
        self._requests: dict[str, JsonValue] = {}

    def events(self) -> Iterator[JsonValue]:
        """Yield the events of the task."""
        invocation: JsonValue = self._task.get("id")
        events = [self.event(message) for message in self._history]
        for event in reversed(events):  # the person's messages do not say in which they are
            invocation = event.setdefault("invocation_id", invocation)
        yield from events
        last = {"invocation_id": events[-1]["invocation_id"] if events else invocation}
        for artifact in map(_object, _list(self._task.get("artifacts"))):
            yield self._again(artifact, artifact.get("artifactId")) | last
        status = _object(self._task.get("status"))
        message = _object(status.get("message"))
        if message:
            yield self._again(message, message.get("messageId")) | last
        state = _state(status)
        if state in _FAILED:
            yield self._failure(state, message, status) | last

    def event(self, message: JsonObject) -> JsonObject:
        """Return the event that a message was made of."""
        metadata = _object(message.get("metadata"))
        by_person = message.get("role") in _BY_PERSON
        author = "user"
        if not by_person:
            named = _mark(metadata, "author")
            author = named if isinstance(named, str) and named else _agent_of(metadata)
            self._agent = author = author or self._agent
        parts = [part for one in _list(message.get("parts")) for part in self._parts(_object(one))]
        if not by_person:
            self._told += [(part, message.get("messageId")) for part in parts]
        event: JsonObject = {
            "id": message.get("messageId"),
            "author": author or _AGENT,
            "content": {"parts": parts, "role": message.get("role")},
            "long_running_tool_ids": _long_running(_list(message.get("parts"))),
        }
        for name in ("invocation_id", "partial", "error_code", "usage_metadata", "branch"):
            value = decoded(_mark(metadata, name))
            if value is not None:
                event[name] = value
        return event

    def _again(self, message: JsonObject, own_id: JsonValue) -> JsonObject:
        """Return what an artifact or a status says; with the id of what told it if that is all."""
        told = {text_of(writable_json(part)): name for part, name in self._told}
        event = self.event({**message, "messageId": own_id, "role": "agent"})
        parts = _list(_object(event["content"])["parts"])
        names = [told.get(text_of(writable_json(part)), False) for part in parts]
        fresh = [part for part, name in zip(parts, names, strict=True) if name is False]
        if not fresh and names:
            event["id"] = names[-1]
        event["content"] = {"parts": fresh, "role": "agent"}
        return event

    def _failure(self, state: str, message: JsonObject, status: JsonObject) -> JsonObject:
        texts = [_object(part).get("text") for part in _list(message.get("parts"))]
        return {
            "id": f"{text_of(writable_json(self._task.get('id')))}:{state}",
            "author": self._agent or _AGENT,
            "timestamp": status.get("timestamp"),
            "error_code": f"task {state}",
            "error_message": " ".join(text for text in texts if isinstance(text, str)),
        }

    def _parts(self, part: JsonObject) -> list[JsonValue]:
        metadata = _object(part.get("metadata"))
        data = part.get("data")
        kind = _mark(metadata, "type")
        if isinstance(data, dict) and isinstance(data.get("data"), dict) and "name" not in data:
            data = data["data"]
        if isinstance(part.get("text"), str):
            return [{"text": part["text"], "thought": _mark(metadata, "thought")}]
        if isinstance(kind, str) and kind in _OF_TOOLS and isinstance(data, dict):
            self._note_request(data)
            return [{kind: data}]
        if isinstance(data, dict) and isinstance(data.get("decision_type"), str):
            return self._decided(data)
        if data is not None:
            return [{"text": text_of(writable_json(data))}]
        return [_file(part)]

    def _note_request(self, data: JsonObject) -> None:
        call_id = data.get("id")
        if data.get("name") == _CONFIRMATION and isinstance(call_id, str) and "args" in data:
            self._requests[call_id] = _object(data["args"])

    def _decided(self, data: JsonObject) -> list[JsonValue]:
        """Return what the person answers to the requests for approval that are open."""
        single = _object(data.get("decisions"))
        answers: list[JsonValue] = []
        for request_id, asked in self._requests.items():
            original = _object(_object(asked).get("originalFunctionCall")).get("id")
            decision = single.get(original) if isinstance(original, str) else None
            confirmed = (decision or data["decision_type"]) == "approve"
            answer: JsonObject = {"id": request_id, "name": _CONFIRMATION}
            answers.append({"function_response": {**answer, "response": {"confirmed": confirmed}}})
        self._requests = {}
        return answers


def _file(part: JsonObject) -> JsonValue:
    """Return a file of either version of the protocol, an empty part where it is none."""
    file = _object(part.get("file")) or part
    data = file.get("bytes") or file.get("raw") or file.get("fileWithBytes")
    uri = file.get("uri") or file.get("url") or file.get("fileWithUri")
    about = {
        "mime_type": file.get("mimeType") or file.get("mediaType"),
        "display_name": file.get("name") or file.get("filename"),
    }
    if data is not None:
        return {"inline_data": {"data": data, **about}}
    return {"file_data": {"file_uri": uri, **about}} if uri is not None else {}


def _long_running(parts: list[JsonValue]) -> list[JsonValue]:
    return [
        _object(part.get("data")).get("id")
        for part in map(_object, parts)
        if _mark(_object(part.get("metadata")), "is_long_running") is True
    ]


def _state(status: JsonObject) -> str:
    state = status.get("state")
    return state.lower().removeprefix("task_state_") if isinstance(state, str) else ""


def _mark(metadata: JsonObject, name: str) -> JsonValue:
    found = (metadata.get(f"{prefix}{name}") for prefix in _PREFIXES)
    return next((value for value in found if value is not None), None)


def _agent_of(metadata: JsonObject) -> str | None:
    """Return the agent that an application is named after: kagent puts its namespace before."""
    name = _mark(metadata, "app_name")
    return writable_text(name).rpartition("__NS__")[2] if isinstance(name, str) and name else None


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
