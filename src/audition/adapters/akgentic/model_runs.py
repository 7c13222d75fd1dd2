"""What a model said and called, out of the events that messages of a team carry.

A call is told by its `ToolCallEvent`, its end by its `ToolReturnEvent`, and an answer of a model by
its `LlmUsageEvent`; where a record lacks one of these, the part of the model's message tells it.
How a call ended and what it gave back is only ever read from that part: with pydantic-ai from 2.60
on, the flag `success` of the event is true for every failed call.
"""

import math
from collections.abc import Iterable
from typing import TypedDict

from pydantic import JsonValue

from audition.adapters.akgentic.frames import (
    UNREADABLE,
    AkgenticFrame,
    JsonObject,
    fields_of,
    kind_of,
    word,
)
from audition.events import (
    Event,
    ModelResponded,
    ToolCalled,
    ToolEvidence,
    ToolOutcome,
    ToolReturned,
)
from audition.tool_payloads import read_arguments
from audition.transcripts.events import Identity
from audition.values import seconds_of, structure_of, text_of, writable_json

MODEL_EVENTS = frozenset({"LlmMessageEvent", "LlmUsageEvent", "ToolCallEvent", "ToolReturnEvent"})
"""The events that tell of a model run."""

_CALLS = {"tool-call", "builtin-tool-call"}
_RETURNS = {"tool-return", "builtin-tool-return"}
_RETRY = "retry-prompt"
_OUTPUT_TOOL = "final_result"
_PLUMBING = {_OUTPUT_TOOL, "hire_members", "fire_members", "read_mailbox"}

type _Key = tuple[str | None, str]
"""The run and the id of a call within it."""


class _Origin(TypedDict):
    agent: str | None
    event_id: str | None
    cause_id: str | None


class ModelRuns:
    """Makes the events of the model runs of a record, frame by frame.

    Args:
        frames: The frames that count, to know what they tell by events of their own.

    """

    def __init__(self, frames: Iterable[AkgenticFrame]) -> None:
        self._told: dict[str, set[_Key | None]] = {
            "ToolCallEvent": set(),
            "ToolReturnEvent": set(),
        }
        self._metered: set[str | None] = set()
        for frame in frames:
            kind = kind_of(frame.payload)
            if kind in self._told:
                self._told[kind].add(_key(_identity(_run(frame.payload), frame.payload)))
            elif kind == "LlmUsageEvent":
                self._metered.add(_run(frame.payload))
        self._ended: dict[_Key, tuple[ToolOutcome, float | None]] = {}
        self._finish_reasons: dict[str | None, str | None] = {}

    def events(self, frame: AkgenticFrame) -> list[Event] | str:
        """Return what a frame with one of `MODEL_EVENTS` tells, or why that is nothing."""
        match kind_of(frame.payload):
            case "LlmMessageEvent":
                return self._of_message(frame)
            case "ToolCallEvent":
                return self._of_call(frame)
            case "ToolReturnEvent":
                return self._of_return(frame)
            case _:
                return [self._responded(frame, frame.payload, frame.payload)]

    def _of_message(self, frame: AkgenticFrame) -> list[Event] | str:
        message = fields_of(frame.payload.get("message"))
        parts = message.get("parts")
        if not isinstance(parts, list):
            return UNREADABLE
        made: list[Event] = []
        for part in map(fields_of, parts):
            made += self._of_part(frame, _run(message), part)
        is_answer = message.get("kind") == "response"
        if is_answer:
            self._finish_reasons[_run(message)] = word(message, "finish_reason")
        if is_answer and _run(message) not in self._metered:
            made.append(self._responded(frame, message, fields_of(message.get("usage"))))
        return made or ("told by events of its own" if is_answer else "no result of a tool")

    def _of_part(self, frame: AkgenticFrame, run_id: str | None, part: JsonObject) -> list[Event]:
        identity = _identity(run_id, part)
        if identity is None:
            return []
        kind = word(part, "part_kind")
        if kind in _CALLS and _key(identity) not in self._told["ToolCallEvent"]:
            return [_called(frame, identity, part.get("args"))]
        if kind in _RETURNS or kind == _RETRY:
            return self._gave_back(frame, identity, part)
        return []

    def _gave_back(self, frame: AkgenticFrame, identity: Identity, part: JsonObject) -> list[Event]:
        at = seconds_of(part.get("timestamp"))
        at = frame.at if at is None else at
        outcome = _outcome(part)
        content = writable_json(part.get("content"))
        text = text_of(content)
        evidence = ToolEvidence(
            **_origin(frame),
            **identity,
            at=at,
            content=text,
            structure=content if isinstance(content, dict | list) else structure_of(text),
            outcome=outcome,
        )
        key = (identity["run_id"], identity["tool_call_id"])
        self._ended[key] = outcome, at
        if key in self._told["ToolReturnEvent"]:
            return [evidence]
        return [evidence, ToolReturned(**_origin(frame), **identity, at=at, outcome=outcome)]

    def _of_call(self, frame: AkgenticFrame) -> list[Event] | str:
        identity = _identity(_run(frame.payload), frame.payload)
        if identity is None:
            return UNREADABLE
        return [_called(frame, identity, frame.payload.get("arguments"))]

    def _of_return(self, frame: AkgenticFrame) -> list[Event] | str:
        identity = _identity(_run(frame.payload), frame.payload)
        if identity is None:
            return UNREADABLE
        ended = self._ended.get((identity["run_id"], identity["tool_call_id"]))
        if ended is None and frame.payload.get("success") is not False:
            return "no message says how the call ended"
        outcome, at = ended or (ToolOutcome.TOOL_ERROR, frame.at)
        return [ToolReturned(**_origin(frame), **identity, at=at, outcome=outcome)]

    def _responded(
        self, frame: AkgenticFrame, said: JsonObject, usage: JsonObject
    ) -> ModelResponded:
        """Return an answer of a model; a cost of nothing is what an unpriced model has."""
        run_id = _run(said)
        cost = _cost(usage.get("estimated_cost_usd", usage.get("cost")))
        return ModelResponded(
            **_origin(frame),
            at=frame.at,
            run_id=run_id,
            model_name=word(said, "model_name"),
            provider_name=word(said, "provider_name"),
            input_tokens=_count(usage, "input_tokens", 0),
            output_tokens=_count(usage, "output_tokens", 0),
            cache_read_tokens=_count(usage, "cache_read_tokens", 0),
            cache_write_tokens=_count(usage, "cache_write_tokens", 0),
            requests=_count(usage, "requests", 1),
            cost_usd=cost,
            finish_reason=self._finish_reasons.pop(run_id, None),
        )


def _called(frame: AkgenticFrame, identity: Identity, recorded: JsonValue) -> ToolCalled:
    arguments = read_arguments(recorded)
    return ToolCalled(
        **_origin(frame),
        **identity,
        at=frame.at,
        arguments_raw=arguments.raw,
        arguments=arguments.value,
        parse_error=arguments.parse_error,
    )


def _origin(frame: AkgenticFrame) -> _Origin:
    return {
        "agent": frame.sender.name,
        "event_id": frame.frame_id,
        "cause_id": frame.cause_id,
    }


def _run(record: JsonObject) -> str | None:
    """Return the run; events of tools outside of any have the text "None"."""
    run_id = word(record, "run_id")
    return None if run_id == "None" else run_id


def _identity(run_id: str | None, record: JsonObject) -> Identity | None:
    name, call_id = word(record, "tool_name"), word(record, "tool_call_id")
    if name is None or call_id is None:
        return None
    is_output = name.startswith(f"{_OUTPUT_TOOL}_")
    internal = is_output or name in _PLUMBING
    return {"run_id": run_id, "tool_call_id": call_id, "tool_name": name, "internal": internal}


def _key(identity: Identity | None) -> _Key | None:
    return None if identity is None else (identity["run_id"], identity["tool_call_id"])


def _outcome(part: JsonObject) -> ToolOutcome:
    """Return how a call ended by the word of its part, which older ones do not have."""
    recorded = part.get("outcome")
    if part.get("part_kind") == _RETRY:
        return ToolOutcome.TOOL_ERROR
    if recorded is None:
        return ToolOutcome.OK
    try:
        return ToolOutcome(recorded if isinstance(recorded, str) else "failed")
    except ValueError:
        return ToolOutcome.TOOL_ERROR


def _count(usage: JsonObject, name: str, otherwise: int) -> int:
    count = usage.get(name)
    return count if type(count) is int and count >= 0 else otherwise


def _cost(recorded: JsonValue) -> float | None:
    try:
        cost = float(recorded) if isinstance(recorded, int | float | str) else math.nan
    except (ValueError, OverflowError):
        return None
    return cost if 0 < cost < math.inf and not isinstance(recorded, bool) else None
