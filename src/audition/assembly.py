"""Events, one after the other, into the lists of an output. No bound, no turn is decided here."""

from collections.abc import Callable
from typing import Any

from audition.events import (
    AgentFailed,
    Event,
    MessageSent,
    MessageType,
    ModelResponded,
    RuntimeStopped,
    ToolCalled,
    ToolEvidence,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.values import MAX_TEXT, writable_json, writable_text

ANSWERING = frozenset({MessageType.REQUEST, MessageType.RESPONSE})
"""The message types that can answer the human; the others only inform."""


def is_answer(event: MessageSent, human: str) -> bool:
    """Return whether a message is something said to the human that counts as an answer."""
    return (
        event.recipient == human
        and event.agent != human
        and event.message_type in ANSWERING
        and not event.internal
        and bool(event.content.strip())
    )


class RecordLists:
    """The lists of an output, as they grow event by event.

    Attributes:
        human: The name of the person in the events.
        lists: The records of each list of the output, by its name, as plain values.
        turns: The turns by their number, as plain values.
        errors: What broke, one line each.
        models: The models that answered, in order of appearance.
        foreign: The human was seen to say what no turn of this case says.

    """

    def __init__(self, human: str) -> None:
        self.human = human
        self.lists: dict[str, list[dict[str, Any]]] = {name: [] for name, _ in _RECORD_OF.values()}
        self.turns: dict[int, dict[str, Any]] = {}
        self._started_at: dict[int, float | None] = {}
        self.errors: list[str] = []
        self.models: dict[str, None] = {}
        self.foreign = False

    def add(self, seq: int, turn: int | None, event: Event) -> None:
        """Take the event at this position, which belongs to this turn."""
        match event:
            case TurnStarted():
                self.turns[event.turn] = _turn(event)
                self._started_at[event.turn] = event.at
            case TurnFinished():
                self._finish(event)
            case MessageSent():
                self._say(turn, event)
            case ModelResponded(model_name=str(name)):
                self.models[writable_text(name)] = None
            case AgentFailed() | RuntimeStopped():
                self._break(event)
            case _:
                pass  # starts, stops and settled messages are kept as events, not as records
        recorded = _RECORD_OF.get(type(event))
        if recorded is not None:
            name, fields = recorded
            common = {"seq": seq, "at": event.at, "turn": turn, "agent": event.agent}
            self.lists[name].append(_writable(common | fields(event)))

    def _finish(self, event: TurnFinished) -> None:
        turn = self.turns.setdefault(event.turn, _turn(TurnStarted(turn=event.turn, message="")))
        turn["reason"] = event.reason
        turn["detail"] = None if event.detail is None else writable_text(event.detail)
        started_at = self._started_at.get(event.turn)
        if event.at is not None and started_at is not None:
            turn["seconds"] = event.at - started_at

    def _say(self, turn: int | None, event: MessageSent) -> None:
        if turn is None or turn not in self.turns:
            return
        if is_answer(event, self.human):
            self.turns[turn]["responses"].append(writable_text(event.content))
        elif event.agent == self.human and not event.internal:
            self.foreign |= event.content.strip() != self.turns[turn]["message"].strip()

    def _break(self, event: AgentFailed | RuntimeStopped) -> None:
        told = event.error if isinstance(event, AgentFailed) else event.detail
        if told:
            name = f"{event.agent}: " if event.agent else ""
            self.errors.append(writable_text(f"{name}{told}"))


def _turn(event: TurnStarted) -> dict[str, Any]:
    started = {"message": event.message, "target": event.target, "reason": None, "detail": None}
    return _writable(started) | {"responses": []}


def _writable(fields: dict[str, Any]) -> dict[str, Any]:
    """Make every text among the fields writable: an id or a name can hold anything as well."""
    for name, value in fields.items():
        if isinstance(value, str) and not (value.isascii() and len(value) <= MAX_TEXT):
            fields[name] = writable_text(value)
    return fields


def _message(event: MessageSent) -> dict[str, Any]:
    return {
        "sender": event.agent,
        "recipient": event.recipient,
        "message_type": event.message_type,
        "content": event.content,
        "message_id": event.message_id,
        "cause_id": event.cause_id,
        "internal": event.internal,
    }


def _return(event: ToolReturned) -> dict[str, Any]:
    return {
        "run_id": event.run_id,
        "tool_name": event.tool_name,
        "tool_call_id": event.tool_call_id,
        "outcome": event.outcome,
        "internal": event.internal,
    }


def _call(event: ToolCalled) -> dict[str, Any]:
    return {
        "run_id": event.run_id,
        "tool_name": event.tool_name,
        "tool_call_id": event.tool_call_id,
        "arguments_raw": event.arguments_raw,
        "arguments": writable_json(event.arguments),
        "parse_error": event.parse_error,
        "cause_id": event.cause_id,
        "internal": event.internal,
    }


def _evidence(event: ToolEvidence) -> dict[str, Any]:
    return {
        "run_id": event.run_id,
        "tool_name": event.tool_name,
        "tool_call_id": event.tool_call_id,
        "content": event.content,
        "structure": writable_json(event.structure),
        "outcome": event.outcome,
        "internal": event.internal,
    }


def _usage(event: ModelResponded) -> dict[str, Any]:
    return {
        "run_id": event.run_id,
        "model_name": event.model_name,
        "provider_name": event.provider_name,
        "input_tokens": event.input_tokens,
        "output_tokens": event.output_tokens,
        "cache_read_tokens": event.cache_read_tokens,
        "cache_write_tokens": event.cache_write_tokens,
        "requests": event.requests,
        "cost_usd": event.cost_usd,
        "finish_reason": event.finish_reason,
    }


_RECORD_OF: dict[type[Event], tuple[str, Callable[[Any], dict[str, Any]]]] = {
    MessageSent: ("messages", _message),
    ToolCalled: ("tool_calls", _call),
    ToolReturned: ("tool_returns", _return),
    ToolEvidence: ("tool_evidence", _evidence),
    ModelResponded: ("llm_usage", _usage),
}
"""The list of the output that an event stands in, and the fields of its record there."""
