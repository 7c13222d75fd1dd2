"""Chat messages, and short lists of calls, as the steps of a trajectory.

Messages are those of OpenAI's chat API and what is written in their stead: `human`, `ai` and
`model` as roles, calls as `{"name", "args"}`, calls and results as blocks of the content.
Instructions (`system`, `developer`) are no behaviour, and no step. A second result of a call is
none: the first was a placeholder.

Arguments that stand as text are what a call was recorded with, to the letter; in arguments that
stand as an object, the matchers of `json_matchers` count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue

from audition.matching.json_values import check_expectation, shown
from audition.matching.tool_calls import ToolCall, unparsed
from audition.matching.trajectories import Role, Step
from audition.values import canonical_json, parse_json

type Message = Mapping[str, JsonValue]

_ROLES: Mapping[str, Role | None] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "tool": "tool",
    "function": "tool",
    "system": None,
    "developer": None,
}


def expected_steps(messages: Sequence[JsonValue]) -> list[Step]:
    """Return the steps of chat messages; arguments that do not parse are a problem of their call.

    Raises:
        ValueError: One is no chat message. Names its place as a JSON pointer.

    """
    conversation = _Conversation()
    for position, message in enumerate(messages):
        try:
            conversation.add(_object(message, "a message"))
        except ValueError as error:
            msg = f"/{position}: {error}"
            raise ValueError(msg) from None
    return conversation.steps()


def expected_calls(calls: Sequence[JsonValue]) -> list[ToolCall]:
    """Return the calls of a short list, `{"tool": …, "arguments": {…}}`.

    Raises:
        ValueError: One is no such call. Names its place as a JSON pointer.

    """
    return [_short_call(call, f"/{position}") for position, call in enumerate(calls)]


def is_call(item: JsonValue) -> bool:
    """Return whether an item of a reference is a call of a short list, and no message."""
    return isinstance(item, dict) and "tool" in item and "role" not in item


def check_calls(calls: Iterable[ToolCall]) -> None:
    """Refuse expected calls that no call can match.

    Raises:
        ValueError: The arguments of one do not parse, or hold a matcher that is none.

    """
    for call in calls:
        if call.problem is not None:
            msg = f"{call.tool}: {call.problem}"
            raise ValueError(msg)
        try:
            check_expectation(call.arguments)
        except ValueError as error:
            msg = f"{call.tool}: {error}"
            raise ValueError(msg) from None


def _short_call(item: JsonValue, at: str) -> ToolCall:
    call = _object(item, f"{at}: a call")
    odd = ", ".join(sorted(call.keys() - {"tool", "arguments"}))
    if odd:
        msg = f"{at}: {odd} is no field of a call; wanted tool and arguments"
        raise ValueError(msg)
    tool, arguments = call.get("tool"), call.get("arguments")
    if not isinstance(tool, str) or not tool:
        msg = f"{at}/tool: wanted the name of a tool, found {shown(tool)}"
        raise ValueError(msg)
    if "arguments" in call and not isinstance(arguments, dict):
        wanted = "an object; {} for no arguments, and nothing at all for any"
        msg = f"{at}/arguments: wanted {wanted}, found {shown(arguments)}"
        raise ValueError(msg)
    return ToolCall(tool) if arguments is None else _written_call(tool, arguments)


@dataclass(slots=True)
class _Open:
    """A step that results may still come for.

    Attributes:
        role: Who speaks.
        calls: The calls in it.
        waiting: The ids of those without a result; None for one without an id.
        answered: How many results came.

    """

    role: Role
    calls: list[ToolCall] = field(default_factory=list[ToolCall])
    waiting: list[str | None] = field(default_factory=list[str | None])
    answered: int = 0


class _Conversation:
    """The steps so far, and which call waits for a result."""

    def __init__(self) -> None:
        self._steps: list[_Open] = []
        self._called: dict[str, _Open] = {}

    def steps(self) -> list[Step]:
        return [Step(step.role, tuple(step.calls), step.answered) for step in self._steps]

    def add(self, message: Message) -> None:
        """Take the next message.

        Raises:
            ValueError: It is no chat message.

        """
        role = _role(message)
        if role == "tool":
            self._add_result(message.get("tool_call_id"))
        elif role == "user":
            results = [*_blocks(message, "tool_result")]
            for block in results:
                self._add_result(block.get("tool_use_id"))
            if not results or _says_more(message):
                self._steps.append(_Open(role))
        elif role == "assistant":
            self._add_assistant(message)

    def _add_assistant(self, message: Message) -> None:
        step = _Open("assistant")
        self._steps.append(step)
        for call_id, call in _calls(message):
            step.calls.append(call)
            step.waiting.append(call_id)
            if call_id is not None:
                self._called[call_id] = step

    def _add_result(self, call_id: JsonValue) -> None:
        """Count a result of the call of this id; of none known, of the first that waits."""
        known = isinstance(call_id, str) and call_id in self._called
        step = self._called[cast("str", call_id)] if known else self._last()
        if step is None:
            self._steps.append(_Open("tool"))
            return
        wanted = call_id if known else None
        if wanted not in step.waiting:
            if known:
                return  # a second result: the first was a placeholder
            wanted = step.waiting[0]
        step.waiting.remove(wanted)
        step.answered += 1

    def _last(self) -> _Open | None:
        """Return the last step, where one of its calls waits for a result."""
        last = self._steps[-1] if self._steps else None
        return last if last is not None and last.waiting else None


def _role(message: Message) -> Role | None:
    name = message.get("role", message.get("type"))
    if name is None:
        msg = (
            "neither a chat message, which has a role, nor a call in short form, "
            '{"tool": ..., "arguments": {...}}'
        )
        raise ValueError(msg)
    if not isinstance(name, str) or name not in _ROLES:
        msg = f"the role {shown(name)} is none; there are {', '.join(_ROLES)}"
        raise ValueError(msg)
    return _ROLES[name]


def _calls(message: Message) -> Iterator[tuple[str | None, ToolCall]]:
    """Yield the calls of a message, with their ids; an empty list says nothing of the content."""
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        yield from (_call(_object(call, f"/tool_calls/{i}")) for i, call in enumerate(calls))
        return
    if calls is not None and calls != []:
        msg = f"/tool_calls: wanted a list, found {shown(calls)}"
        raise ValueError(msg)
    yield from (_call(block) for block in _blocks(message, "tool_use"))
    if message.get("function_call") is not None:
        yield _call(_object(message["function_call"], "/function_call"))


def _call(call: Message) -> tuple[str | None, ToolCall]:
    function = call.get("function")
    stated = _object(function, "/function") if function is not None else call
    name = stated.get("name")
    if not isinstance(name, str) or not name:
        msg = f"a call has no name: {shown(cast('JsonValue', call))}"
        raise ValueError(msg)
    call_id = call.get("id")
    key = next((key for key in ("arguments", "args", "input") if key in stated), None)
    made = ToolCall(name) if key is None else _expected_call(name, stated[key])
    return call_id if isinstance(call_id, str) else None, made


def _expected_call(tool: str, arguments: JsonValue) -> ToolCall:
    """Return the call; no text at all and `null` are no arguments."""
    if not isinstance(arguments, str):
        return _written_call(tool, {} if arguments is None else arguments)
    try:
        value = parse_json(arguments) if arguments.strip() else None
    except ValueError as error:
        return ToolCall(tool, problem=unparsed(arguments, str(error)))
    if "$" in arguments or "\\" in arguments:  # a key may begin with it, or with its escape
        return ToolCall(tool, _literal(value))
    return ToolCall(tool, {} if value is None else value, text=arguments)


def _written_call(tool: str, arguments: JsonValue) -> ToolCall:
    """Return a call whose arguments may hold matchers."""
    text = canonical_json(arguments)
    return ToolCall(tool, arguments, text=None if "$" in text else text)


def _literal(value: JsonValue) -> JsonValue:
    """Return the value so that no object in it is taken for a matcher."""
    match value:
        case dict() if any(key.startswith("$") for key in value):
            return {"$literal": value}
        case dict():
            return {key: _literal(inside) for key, inside in value.items()}
        case list():
            return [_literal(inside) for inside in value]
        case _:
            return value


def _blocks(message: Message, kind: str) -> Iterator[Message]:
    content = message.get("content")
    if isinstance(content, list):
        yield from (
            block for block in content if isinstance(block, dict) and block.get("type") == kind
        )


def _says_more(message: Message) -> bool:
    """Return whether the content holds anything but results."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    return any(not isinstance(one, dict) or one.get("type") != "tool_result" for one in blocks)


def _object(value: JsonValue, what: str) -> dict[str, JsonValue]:
    if isinstance(value, dict):
        return value
    msg = f"{what}: wanted an object, found {shown(value)}"
    raise ValueError(msg)
