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
        noted = _NOTED_BY.get(type(event))
        if noted is not None:
            noted(self, turn, event)
        recorded = _RECORD_OF.get(type(event))
        if recorded is not None:
            name, fields = recorded
            self.lists[name].append(_writable(fields(seq, turn, event)))

    def begin_turn(self, turn: int | None, event: TurnStarted) -> None:
        """Open a turn."""
        del turn
        self.turns[event.turn] = _turn(event)
        self._started_at[event.turn] = event.at

    def note_model(self, turn: int | None, event: ModelResponded) -> None:
        """Remember a model that answered."""
        del turn
        if isinstance(event.model_name, str):
            self.models[writable_text(event.model_name)] = None

    def finish_turn(self, turn: int | None, event: TurnFinished) -> None:
        """Close a turn with its reason."""
        del turn
        known = self.turns.setdefault(event.turn, _turn(TurnStarted(turn=event.turn, message="")))
        known["reason"] = event.reason
        known["detail"] = None if event.detail is None else writable_text(event.detail)
        started_at = self._started_at.get(event.turn)
        if event.at is not None and started_at is not None:
            known["seconds"] = event.at - started_at

    def hear(self, turn: int | None, event: MessageSent) -> None:
        """Take what was said to the human, or by one that is not ours."""
        if turn is None or turn not in self.turns:
            return
        if is_answer(event, self.human):
            self.turns[turn]["responses"].append(writable_text(event.content))
        elif event.agent == self.human and not event.internal:
            self.foreign |= event.content.strip() != self.turns[turn]["message"].strip()

    def note_break(self, turn: int | None, event: AgentFailed | RuntimeStopped) -> None:
        """Remember what broke."""
        del turn
        told = event.error if isinstance(event, AgentFailed) else event.detail
        if told:
            name = f"{event.agent}: " if event.agent else ""
            self.errors.append(writable_text(f"{name}{told}"))


def _turn(event: TurnStarted) -> dict[str, Any]:
    started = {"message": event.message, "target": event.target, "reason": None, "detail": None}
    return _writable(started) | {"responses": []}


def _writable(fields: dict[str, Any]) -> dict[str, Any]:
    """Make every text among the fields writable: an id or a name can hold anything as well."""
    texts = "".join([value for value in fields.values() if isinstance(value, str)])
    # One look at all of them: nearly always there is nothing to do.
    if texts.isascii() and len(texts) <= MAX_TEXT:
        return fields
    return {
        name: writable_text(value) if isinstance(value, str) else value
        for name, value in fields.items()
    }


def _message(seq: int, turn: int | None, event: MessageSent) -> dict[str, Any]:
    return {
        "seq": seq,
        "at": event.at,
        "turn": turn,
        "agent": event.agent,
        "sender": event.agent,
        "recipient": event.recipient,
        "message_type": event.message_type,
        "content": event.content,
        "message_id": event.message_id,
        "cause_id": event.cause_id,
        "internal": event.internal,
    }


def _return(seq: int, turn: int | None, event: ToolReturned) -> dict[str, Any]:
    return {
        "seq": seq,
        "at": event.at,
        "turn": turn,
        "agent": event.agent,
        "run_id": event.run_id,
        "tool_name": event.tool_name,
        "tool_call_id": event.tool_call_id,
        "outcome": event.outcome,
        "internal": event.internal,
    }


def _call(seq: int, turn: int | None, event: ToolCalled) -> dict[str, Any]:
    return {
        "seq": seq,
        "at": event.at,
        "turn": turn,
        "agent": event.agent,
        "run_id": event.run_id,
        "tool_name": event.tool_name,
        "tool_call_id": event.tool_call_id,
        "arguments_raw": event.arguments_raw,
        "arguments": None if event.arguments is None else writable_json(event.arguments),
        "parse_error": event.parse_error,
        "cause_id": event.cause_id,
        "internal": event.internal,
    }


def _evidence(seq: int, turn: int | None, event: ToolEvidence) -> dict[str, Any]:
    return {
        "seq": seq,
        "at": event.at,
        "turn": turn,
        "agent": event.agent,
        "run_id": event.run_id,
        "tool_name": event.tool_name,
        "tool_call_id": event.tool_call_id,
        "content": event.content,
        "structure": None if event.structure is None else writable_json(event.structure),
        "outcome": event.outcome,
        "internal": event.internal,
    }


def _usage(seq: int, turn: int | None, event: ModelResponded) -> dict[str, Any]:
    return {
        "seq": seq,
        "at": event.at,
        "turn": turn,
        "agent": event.agent,
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


_RECORD_OF: dict[type[Event], tuple[str, Callable[[int, int | None, Any], dict[str, Any]]]] = {
    MessageSent: ("messages", _message),
    ToolCalled: ("tool_calls", _call),
    ToolReturned: ("tool_returns", _return),
    ToolEvidence: ("tool_evidence", _evidence),
    ModelResponded: ("llm_usage", _usage),
}
"""The list of the output that an event stands in, and the fields of its record there."""

_NOTED_BY: dict[type[Event], Callable[[RecordLists, int | None, Any], None]] = {
    TurnStarted: RecordLists.begin_turn,
    TurnFinished: RecordLists.finish_turn,
    MessageSent: RecordLists.hear,
    ModelResponded: RecordLists.note_model,
    AgentFailed: RecordLists.note_break,
    RuntimeStopped: RecordLists.note_break,
}
"""What an event says about the case as a whole; starts and stops of agents say nothing."""
