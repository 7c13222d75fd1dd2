"""Events, one after the other, into the lists of an output. No bound, no turn is decided here."""

import dataclasses
from collections.abc import Callable, Collection
from types import GenericAlias
from typing import Any, get_type_hints

from pydantic import ConfigDict, JsonValue, TypeAdapter, ValidationError

from audition.events import (
    AgentFailed,
    Event,
    MessageHandled,
    MessageSent,
    MessageType,
    ModelResponded,
    RuntimeStopped,
    StateChanged,
    ToolCalled,
    ToolEvidence,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.records import (
    HandledRecord,
    LlmUsageRecord,
    MessageRecord,
    StateChangeRecord,
    ToolCallRecord,
    ToolEvidenceRecord,
    ToolReturnRecord,
)
from audition.values import (
    MAX_EVENT_NODES,
    MAX_TEXT,
    canonical_json,
    parse_json,
    writable_json,
    writable_text,
)

ANSWERING = frozenset({MessageType.REQUEST, MessageType.RESPONSE})
"""The message types that can answer the human; the others only inform."""


def is_answer(
    event: MessageSent,
    human: str,
    *,
    senders: Collection[str | None] | None = None,
    types: Collection[MessageType] = ANSWERING,
) -> bool:
    """Return whether a message is something said to the human that counts as an answer.

    Args:
        event: The message.
        human: Who must be answered.
        senders: Whose messages count, None for everybody's but the human's own.
        types: The types that count.

    """
    return (
        event.recipient == human
        and event.agent != human
        and (senders is None or event.agent in senders)
        and event.message_type in types
        and not event.internal
        and bool(event.content.strip())
    )


class RecordLists:
    """The lists of an output, as they grow event by event. `TAKES` says what takes which event.

    What takes an event is given its position among all events and its turn, None outside of any.

    Attributes:
        human: The name of the person in the events.
        messages: The records of the messages; where Pydantic has to look at one again, in this
            and the other lists, its fields by name.
        tool_calls: Those of the requests for tools.
        tool_returns: Those of the ends of invocations.
        tool_evidence: Those of what models were given back.
        llm_usage: Those of the answers of models.
        handled: Those of the ends of the handling of messages.
        state_changes: Those of the changes of the state.
        turns: The turns by their number, as plain values.
        errors: What broke, one line each.
        models: The models that answered, in order of appearance.
        foreign: The human was seen to say what no turn of this case says.

    """

    def __init__(self, human: str) -> None:
        self.human = human
        self.messages: list[Any] = []
        self.tool_calls: list[Any] = []
        self.tool_returns: list[Any] = []
        self.tool_evidence: list[Any] = []
        self.llm_usage: list[Any] = []
        self.handled: list[Any] = []
        self.state_changes: list[Any] = []
        self.turns: dict[int, dict[str, Any]] = {}
        self._started_at: dict[int, float | None] = {}
        self.errors: list[str] = []
        self.models: dict[str, None] = {}
        self.foreign = False

    # Each tuple below is in the order of its record's fields, which a test holds them to: an
    # attrgetter made of the names of the fields takes a tenth more of the time of all records.

    def take_message(self, seq: int, turn: int | None, event: MessageSent) -> None:
        """Take a message, and note what was said to the human, or by one that is not ours."""
        if turn is not None and turn in self.turns:
            if is_answer(event, self.human):
                self.turns[turn]["responses"].append(writable_text(event.content))
            elif event.agent == self.human and not event.internal:
                self.foreign |= event.content.strip() != self.turns[turn]["message"].strip()
        values = (
            seq,
            event.at,
            turn,
            event.agent,
            event.agent,
            event.recipient,
            event.message_type,
            event.content,
            event.message_id,
            event.cause_id,
            event.internal,
        )
        self.messages.append(_message_record(values))

    def take_call(self, seq: int, turn: int | None, event: ToolCalled) -> None:
        """Take a request for a tool, its arguments as they are now: a tool may change them."""
        values = (
            seq,
            event.at,
            turn,
            event.agent,
            event.run_id,
            event.tool_name,
            event.tool_call_id,
            *_arguments(event),
            event.cause_id,
            event.internal,
        )
        self.tool_calls.append(_call_record(values))

    def take_return(self, seq: int, turn: int | None, event: ToolReturned) -> None:
        """Take the end of an invocation."""
        values = (
            seq,
            event.at,
            turn,
            event.agent,
            event.run_id,
            event.tool_name,
            event.tool_call_id,
            event.outcome,
            event.internal,
        )
        self.tool_returns.append(_return_record(values))

    def take_evidence(self, seq: int, turn: int | None, event: ToolEvidence) -> None:
        """Take what a model was given back."""
        values = (
            seq,
            event.at,
            turn,
            event.agent,
            event.run_id,
            event.tool_name,
            event.tool_call_id,
            event.content,
            None
            if event.structure is None
            else writable_json(event.structure, nodes=MAX_EVENT_NODES),
            event.outcome,
            event.internal,
        )
        self.tool_evidence.append(_evidence_record(values))

    def take_usage(self, seq: int, turn: int | None, event: ModelResponded) -> None:
        """Take an answer of a model, and note which one."""
        name = event.model_name
        if isinstance(name, str) and name not in self.models:
            self.models[writable_text(name)] = None
        values = (
            seq,
            event.at,
            turn,
            event.agent,
            event.run_id,
            event.model_name,
            event.provider_name,
            event.input_tokens,
            event.output_tokens,
            event.cache_read_tokens,
            event.cache_write_tokens,
            event.requests,
            event.cost_usd,
            event.finish_reason,
            event.cause_id,
        )
        self.llm_usage.append(_usage_record(values))

    def take_handled(self, seq: int, turn: int | None, event: MessageHandled) -> None:
        """Take the end of the handling of a message."""
        values = (seq, event.at, turn, event.agent, event.message_id)
        self.handled.append(_handled_record(values))

    def take_state(self, seq: int, turn: int | None, event: StateChanged) -> None:
        """Take a change of the state, as it is now: the team may go on with the same object."""
        changes = writable_json(event.changes, nodes=MAX_EVENT_NODES)
        self.state_changes.append(_state_record((seq, event.at, turn, event.agent, changes)))

    def begin_turn(self, _seq: int, _turn: int | None, event: TurnStarted) -> None:
        """Open a turn."""
        self.turns[event.turn] = _opened(event)
        self._started_at[event.turn] = event.at

    def finish_turn(self, _seq: int, _turn: int | None, event: TurnFinished) -> None:
        """Close a turn with its reason."""
        known = self.turns.get(event.turn)
        if known is None:
            known = self.turns[event.turn] = _opened(TurnStarted(turn=event.turn, message=""))
        known["reason"] = event.reason
        known["detail"] = None if event.detail is None else writable_text(event.detail)
        started_at = self._started_at.get(event.turn)
        if event.at is not None and started_at is not None:
            known["seconds"] = event.at - started_at

    def note_break(self, _seq: int, _turn: int | None, event: AgentFailed | RuntimeStopped) -> None:
        """Remember what broke."""
        told = event.error if isinstance(event, AgentFailed) else event.detail
        if told:
            name = f"{event.agent}: " if event.agent else ""
            self.errors.append(writable_text(f"{name}{told}"))


def _text(value: object) -> object:
    """Make a text writable; what is none is for Pydantic to refuse: a mark may be made by hand."""
    return writable_text(value) if isinstance(value, str) else value


def _opened(event: TurnStarted) -> dict[str, Any]:
    return {
        "message": _text(event.message),
        "target": _text(event.target),
        "responses": [],
        "reason": None,
        "detail": None,
    }


def _writable(fields: dict[str, Any]) -> dict[str, Any]:
    """Make every text among the fields writable: an id or a name can hold anything as well."""
    return {
        name: writable_text(value) if isinstance(value, str) else value
        for name, value in fields.items()
    }


def _arguments(event: ToolCalled) -> tuple[str | None, JsonValue, str | None]:
    """Return the text, the value and why it has none, where a runtime may report one alone."""
    raw, error = event.arguments_raw, event.parse_error
    value = (
        None if event.arguments is None else writable_json(event.arguments, nodes=MAX_EVENT_NODES)
    )
    if raw is None:
        return None if value is None else canonical_json(value), value, error
    if value is not None or error is not None or not raw.strip():
        return raw, value, error  # some models send nothing for "no arguments"
    try:
        return raw, writable_json(parse_json(raw), nodes=MAX_EVENT_NODES), None
    except ValueError as unreadable:
        return raw, None, str(unreadable)


_OF_OUR_JSON: dict[Any, Any] = {JsonValue: Any, dict[str, JsonValue]: dict[str, Any]}
"""What is checked of JSON that was made writable here: not each value in it again."""


def _maker(record_type: type[Any]) -> Callable[[tuple[object, ...]], Any]:
    """Return what makes a record of its values, or its fields by name where they are not right.

    To validate the record itself costs more than all the rest of a case, and events nearly always
    have the types that they declare, and texts that can be written as they are: so the values are
    checked alone, and those that are not right are for Pydantic to look at again.
    """
    names = [field.name for field in dataclasses.fields(record_type)]
    hints = get_type_hints(record_type)
    types = [_OF_OUR_JSON.get(hints[name], hints[name]) for name in names]
    config = ConfigDict(strict=True, str_max_length=MAX_TEXT)
    shape: Any = GenericAlias(tuple, tuple(types))
    checked = TypeAdapter(shape, config=config).validator.validate_python

    def unread(values: tuple[object, ...]) -> dict[str, Any]:
        return _writable(dict(zip(names, values, strict=True)))

    # A frozen dataclass sets each field by a call; an object of the same slots that is not frozen
    # is filled many times faster, and may become the frozen one. Its filling is written out, as
    # `dataclasses` writes `__init__`: a loop over the names takes four times as long.
    space: dict[str, Any] = {
        "open_type": type(f"Open{record_type.__name__}", (), {"__slots__": names}),
        "record_type": record_type,
        "checked": checked,
        "ValidationError": ValidationError,
        "unread": unread,
    }
    targets = ", ".join([f"record.{name}" for name in names])
    exec(_MADE.format(targets=targets), space)  # noqa: S102  # the names of our own fields
    return space["made"]


_MADE = """
def made(values, open_type=open_type, checked=checked, record_type=record_type):
    record = open_type()
    try:
        {targets} = checked(values)
    except ValidationError:
        return unread(values)
    record.__class__ = record_type
    return record
"""

_message_record = _maker(MessageRecord)
_call_record = _maker(ToolCallRecord)
_return_record = _maker(ToolReturnRecord)
_evidence_record = _maker(ToolEvidenceRecord)
_usage_record = _maker(LlmUsageRecord)
_handled_record = _maker(HandledRecord)
_state_record = _maker(StateChangeRecord)

TAKES: dict[type[Event], Callable[[RecordLists, int, int | None, Any], None]] = {
    MessageSent: RecordLists.take_message,
    ToolCalled: RecordLists.take_call,
    ToolReturned: RecordLists.take_return,
    ToolEvidence: RecordLists.take_evidence,
    ModelResponded: RecordLists.take_usage,
    TurnStarted: RecordLists.begin_turn,
    TurnFinished: RecordLists.finish_turn,
    AgentFailed: RecordLists.note_break,
    RuntimeStopped: RecordLists.note_break,
    MessageHandled: RecordLists.take_handled,
    StateChanged: RecordLists.take_state,
}
"""What takes an event of which type; starts and stops of agents leave nothing in an output."""
