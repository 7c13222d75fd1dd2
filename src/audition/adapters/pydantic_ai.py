"""Message histories of Pydantic AI, as they are serialised, to ours. No vendor, no I/O.

Both sides of its version 2.60: a retry of a call is a `retry-prompt` before it, and a return with
the outcome `retried` from then on. A history does not name its agent, which is "assistant" here. A
tool for the output is plumbing, and what it was given is the answer once it was accepted; a text
that was sent back to the model is none.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from audition.adaptation import Adapted, FrameHead, innermost
from audition.events import ToolOutcome
from audition.tool_payloads import Arguments, Returned, read_arguments
from audition.trajectory import ASSISTANT
from audition.transcripts.parts import Answered, Asked, Broke, Called, Frame, Part, Responded, Said
from audition.transcripts.telling import PERSON, adapt_transcript
from audition.values import seconds_of, structure_of, text_of, writable_json, writable_text

type JsonObject = dict[str, JsonValue]

_NOT_OURS = "not a message of Pydantic AI"
_KINDS = ("request", "response")
_CALLS = {"tool-call", "builtin-tool-call"}
_RETURNS = {"tool-return", "builtin-tool-return"}
_FEEDBACK = {"retry-prompt", "retry-feedback"}
_OUTPUT_TOOL = "final_result"
_ACCEPTED = "Final result processed."
_SKIPPED = "Tool not executed - a final result was already processed."
_CUT_OFF = {"interrupted", "incomplete"}


def adapt_pydantic_ai(frames: Iterable[JsonValue]) -> Adapted:
    """Return the events of a message history; never raises on any JSON."""
    messages = [_object(frame) for frame in unwrapped(frames)]
    outputs = _outputs_by_run(messages)
    sent_back = _sent_back(messages)
    return adapt_transcript(
        [
            _frame(index, message, outputs[_word(message, "run_id")], sent_back=index in sent_back)
            for index, message in enumerate(messages)
        ]
    )


def is_pydantic_ai(frame: JsonValue) -> bool:
    """Return whether one value is a message of a history, or a list that begins with one."""
    first = _object(next(unwrapped([frame]), None))
    parts = first.get("parts")
    if first.get("kind") not in _KINDS or not isinstance(parts, list):
        return False
    marks = {"state", "usage", "instructions", "run_id"}
    return any("part_kind" in _object(part) for part in parts) or (
        not parts and not marks.isdisjoint(first)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outputs:
    """The tools for the output of a run.

    Attributes:
        names: Those that are known by what came back of them.
        accepted: The ids of the calls whose arguments became the output.

    """

    names: frozenset[str]
    accepted: frozenset[str]

    def has(self, name: str) -> bool:
        return name in self.names or name == _OUTPUT_TOOL or name.startswith(f"{_OUTPUT_TOOL}_")


def unwrapped(frames: Iterable[JsonValue]) -> Iterator[JsonValue]:
    """Return every message, a history as its messages."""
    return innermost(frames, _inside)


def _inside(frame: JsonValue) -> list[JsonValue]:
    record = _object(frame)
    inside = record.get("messages") if "kind" not in record else None
    listed = frame if isinstance(frame, list) else inside
    return listed if isinstance(listed, list) else []


def _outputs_by_run(messages: Sequence[JsonObject]) -> dict[str | None, _Outputs]:
    accepted: dict[str | None, list[JsonObject]] = {}
    for message in messages:
        of_run = accepted.setdefault(_word(message, "run_id"), [])
        of_run += [
            part
            for part in _parts(message)
            if part.get("part_kind") == "tool-return" and part.get("content") == _ACCEPTED
        ]
    return {
        run_id: _Outputs(
            names=frozenset(name for part in parts if (name := _word(part, "tool_name"))),
            accepted=frozenset(one for part in parts if (one := _word(part, "tool_call_id"))),
        )
        for run_id, parts in accepted.items()
    }


def _sent_back(messages: Sequence[JsonObject]) -> set[int]:
    """Return the places of the responses that the next message tells the model to make again."""
    return {
        index
        for index, message in enumerate(messages[1:])
        if any(_is_feedback(part) for part in _parts(message))
    }


def _is_feedback(part: JsonObject) -> bool:
    """Return whether a part is about a whole response, not about a call in it."""
    return _word(part, "part_kind") in _FEEDBACK and _word(part, "tool_name") is None


def _frame(index: int, message: JsonObject, outputs: _Outputs, *, sent_back: bool) -> Frame:
    kind = message.get("kind")
    parts = _parts(message)
    author: str | None = None
    read: list[Part] = []
    if kind == "response":
        author = ASSISTANT
        read = [_responded(message), *_response(parts, outputs, sent_back=sent_back)]
    elif kind == "request":
        read = _request(parts, outputs)
        author = PERSON if any(isinstance(part, Asked) for part in read) else None
    if kind in _KINDS and _word(message, "state") in _CUT_OFF:
        read.append(Broke(error=f"the {kind} is {_word(message, 'state')}"))
    kinds = sorted({_word(part, "part_kind") or "unknown part" for part in parts})
    emptiness = f"nothing is said in it: {', '.join(kinds)}" if kinds else "no content"
    return Frame(
        head=FrameHead(
            index=index,
            author=author,
            role=_word(message, "kind"),
            invocation=_word(message, "run_id"),
        ),
        agent=author if kind == "response" else None,
        at=_at(message, parts),
        event_id=_word(message, "provider_response_id") if kind == "response" else None,
        parts=tuple(read),
        emptiness=emptiness if kind in _KINDS else _NOT_OURS,
        is_foreign=kind not in _KINDS,
    )


def _request(parts: Sequence[JsonObject], outputs: _Outputs) -> list[Part]:
    asked = [_prompt(part) for part in parts if _asks(part)]
    answered = [back for part in parts if (back := _answered(part, outputs)) is not None]
    return [*answered, *([Asked(text="\n".join(asked))] if asked else [])]


def _response(parts: Sequence[JsonObject], outputs: _Outputs, *, sent_back: bool) -> Iterator[Part]:
    texts = [text for part in parts if (text := _text(part)) is not None]
    tools = [tool for part in parts if (tool := _tool(part, outputs)) is not None]
    if texts or not parts:
        yield Said(text="".join(texts), internal=sent_back)
    for tool in tools:
        if isinstance(tool, Called) and tool.call_id in outputs.accepted:
            yield Said(text=_output(tool.arguments.value))
    yield from tools


def _tool(part: JsonObject, outputs: _Outputs) -> Called | Answered | None:
    name = _word(part, "tool_name")
    if _word(part, "part_kind") not in _CALLS or name is None:
        return _answered(part, outputs)
    return Called(
        name=name,
        call_id=_word(part, "tool_call_id"),
        arguments=_arguments(part["args"]) if "args" in part else Arguments(),
        internal=outputs.has(name),
    )


def _arguments(recorded: JsonValue) -> Arguments:
    """Return the arguments of a call; one without any stands for a tool that takes none."""
    if recorded is None or (isinstance(recorded, str) and not recorded.strip()):
        return Arguments(raw=recorded or "", value={})
    return read_arguments(recorded)


def _output(arguments: JsonValue) -> str:
    """Return the output that a tool was given, which is wrapped where it is no object."""
    fields = _object(arguments)
    return text_of(fields["response"] if fields.keys() == {"response"} else arguments)


def _answered(part: JsonObject, outputs: _Outputs) -> Answered | None:
    kind, name = _word(part, "part_kind"), _word(part, "tool_name")
    if kind not in _RETURNS and (kind != "retry-prompt" or name is None):
        return None
    content = writable_json(part.get("content"))
    text = text_of(content)
    structure = content if isinstance(content, dict | list) else structure_of(text)
    outcome = ToolOutcome.TOOL_ERROR if kind == "retry-prompt" else _outcome(part)
    call_id = _word(part, "tool_call_id")
    return Answered(
        name=name,
        call_id=call_id,
        returned=Returned(content=text, structure=structure, outcome=outcome),
        is_last_word=kind == "builtin-tool-return" or call_id in outputs.accepted,
    )


def _outcome(part: JsonObject) -> ToolOutcome:
    word = _word(part, "outcome") or "success"
    if word == "success" and part.get("content") == _SKIPPED:
        return ToolOutcome.REJECTED
    try:
        return ToolOutcome(word)
    except ValueError:  # of a later version: all that is known is that it is no success
        return ToolOutcome.TOOL_ERROR


def _asks(part: JsonObject) -> bool:
    kind = _word(part, "part_kind")
    return kind == "user-prompt" or (kind == "speech" and _word(part, "speaker") == "user")


def _prompt(part: JsonObject) -> str:
    content = part.get("content", part.get("transcript"))
    if not isinstance(content, list):
        return text_of(writable_json(content))
    texts = [_object(one).get("content") if isinstance(one, dict) else one for one in content]
    return "".join(writable_text(text) for text in texts if isinstance(text, str))


def _text(part: JsonObject) -> str | None:
    """Return what a part of a response says to the person, None where it says nothing."""
    kind = _word(part, "part_kind")
    text = part.get({"text": "content", "speech": "transcript"}.get(kind or "", ""))
    return writable_text(text) if isinstance(text, str) else None


def _responded(message: JsonObject) -> Responded:
    usage = _object(message.get("usage"))
    return Responded(
        model_name=_word(message, "model_name"),
        provider_name=_word(message, "provider_name"),
        input_tokens=_count(usage, "input_tokens", "request_tokens"),
        output_tokens=_count(usage, "output_tokens", "response_tokens"),
        cache_read_tokens=_count(usage, "cache_read_tokens"),
        cache_write_tokens=_count(usage, "cache_write_tokens"),
        cost_usd=_cost(usage.get("cost")),
        finish_reason=_word(message, "finish_reason"),
    )


def _count(usage: JsonObject, *names: str) -> int:
    counts = (usage.get(name) for name in names)
    found = (one for one in counts if isinstance(one, int) and not isinstance(one, bool))
    return max(next(found, 0), 0)


def _cost(value: JsonValue) -> float | None:
    """Return US dollars, of a number or the text that a decimal is serialised as."""
    try:
        cost = float(value) if isinstance(value, str | float) else math.nan
    except ValueError:
        return None
    return cost if math.isfinite(cost) else None


def _at(message: JsonObject, parts: Sequence[JsonObject]) -> float | None:
    own = seconds_of(message.get("timestamp"))
    if own is not None:
        return own
    return next((at for part in parts if (at := seconds_of(part.get("timestamp")))), None)


def _parts(message: JsonObject) -> list[JsonObject]:
    parts = message.get("parts")
    return [_object(part) for part in parts] if isinstance(parts, list) else []


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _word(record: JsonObject, name: str) -> str | None:
    value = record.get(name)
    return writable_text(value) if isinstance(value, str) and value else None
