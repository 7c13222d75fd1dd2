"""Events, one after the other, into the lists of an output. No bound, no turn is decided here."""

import dataclasses
from collections.abc import Callable, Collection
from operator import itemgetter
from typing import Any, get_args, get_type_hints

from pydantic import JsonValue

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
from audition.records import (
    LlmUsageRecord,
    MessageRecord,
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
    """The lists of an output, as they grow event by event.

    Attributes:
        human: The name of the person in the events.
        lists: The records of each list of the output, by its name; where Pydantic has to look
            at one, its fields by name.
        turns: The turns by their number, as plain values.
        errors: What broke, one line each.
        models: The models that answered, in order of appearance.
        foreign: The human was seen to say what no turn of this case says.

    """

    def __init__(self, human: str) -> None:
        self.human = human
        self.lists: dict[str, list[Any]] = {kind.name: [] for kind in _KIND_OF.values()}
        self.turns: dict[int, dict[str, Any]] = {}
        self._started_at: dict[int, float | None] = {}
        self.errors: list[str] = []
        self.models: dict[str, None] = {}
        self.foreign = False

    def add(self, seq: int, turn: int | None, event: Event, value: JsonValue = None) -> None:
        """Take the event at this position, which belongs to this turn.

        Args:
            seq: The position.
            turn: The turn, None outside of any.
            event: The event.
            value: Its arguments or its structure, as they were when it was reported.

        """
        noted = _NOTED_BY.get(type(event))
        if noted is not None:
            noted(self, turn, event)
        kind = _KIND_OF.get(type(event))
        if kind is not None:
            self.lists[kind.name].append(kind.made(seq, turn, event, value))

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
    return {
        name: writable_text(value) if isinstance(value, str) else value
        for name, value in fields.items()
    }


# Each tuple is in the order of its record's fields, which a test holds them to: an attrgetter made
# of the names of the fields takes a tenth more of the time of all records.


def _message(seq: int, turn: int | None, event: MessageSent, _: JsonValue) -> tuple[object, ...]:
    return (
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


def _return(seq: int, turn: int | None, event: ToolReturned, _: JsonValue) -> tuple[object, ...]:
    return (
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


def _call(seq: int, turn: int | None, event: ToolCalled, value: JsonValue) -> tuple[object, ...]:
    raw, arguments, parse_error = event.arguments_raw, value, event.parse_error
    if raw is None or (arguments is None and parse_error is None):
        raw, arguments, parse_error = _both_forms(raw, arguments, parse_error)
    return (
        seq,
        event.at,
        turn,
        event.agent,
        event.run_id,
        event.tool_name,
        event.tool_call_id,
        raw,
        arguments,
        parse_error,
        event.cause_id,
        event.internal,
    )


def _both_forms(
    raw: str | None, arguments: JsonValue, parse_error: str | None
) -> tuple[str | None, JsonValue, str | None]:
    """Return the text and the value of arguments of which a runtime reported one alone."""
    if raw is None:
        text = None if arguments is None else canonical_json(arguments)
        return text, arguments, parse_error
    if not raw.strip():
        return raw, arguments, parse_error  # some models send nothing for "no arguments"
    try:
        return raw, writable_json(parse_json(raw), nodes=MAX_EVENT_NODES), None
    except ValueError as error:
        return raw, None, str(error)


def _evidence(
    seq: int, turn: int | None, event: ToolEvidence, value: JsonValue
) -> tuple[object, ...]:
    return (
        seq,
        event.at,
        turn,
        event.agent,
        event.run_id,
        event.tool_name,
        event.tool_call_id,
        event.content,
        value,
        event.outcome,
        event.internal,
    )


def _usage(seq: int, turn: int | None, event: ModelResponded, _: JsonValue) -> tuple[object, ...]:
    return (
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
    )


class _RecordKind:
    """One kind of record: which list it stands in, and how it is made of the values of an event.

    Args:
        name: The list of the output.
        record_type: The record.
        values: From an event to the values of the record's fields, in their order.

    """

    def __init__(
        self,
        name: str,
        record_type: type[Any],
        values: Callable[[int, int | None, Any, JsonValue], tuple[object, ...]],
    ) -> None:
        self.name = name
        self._type = record_type
        self._values = values
        self._fields = [field.name for field in dataclasses.fields(record_type)]
        hints = get_type_hints(record_type)
        self._types = [_exact_types(hints[field]) for field in self._fields]
        # A frozen dataclass sets each field by a call; one of the same slots that is not frozen
        # is made five times faster, and may become the frozen one.
        self._open_twin: Any = dataclasses.make_dataclass(
            f"Open{record_type.__name__}", self._fields, slots=True
        )
        self._texts_of: dict[
            tuple[type, ...], Callable[[tuple[Any, ...]], tuple[str, ...]] | None
        ] = {}

    def made(self, seq: int, turn: int | None, event: Event, value: JsonValue) -> Any:
        """Return the record, or its fields by name where Pydantic has to look at them.

        Validating costs more than all the rest of a case, and events nearly always have the types
        that they declare. So the types alone are looked at, and whether the texts can be written
        as they are; what is left is for Pydantic.
        """
        values = self._values(seq, turn, event, value)
        texts_of = self._known(tuple(map(type, values)))
        if texts_of is None or not _is_plain("".join(texts_of(values))):
            return _writable(dict(zip(self._fields, values, strict=True)))
        record = self._open_twin(*values)
        record.__class__ = self._type
        return record

    def _known(
        self, types: tuple[type, ...]
    ) -> Callable[[tuple[Any, ...]], tuple[str, ...]] | None:
        """Return what takes the texts from values of these types, None where one is wrong."""
        try:
            return self._texts_of[types]
        except KeyError:
            pass
        right = all(kind in declared for kind, declared in zip(types, self._types, strict=True))
        places = [place for place, kind in enumerate(types) if kind is str]
        found = _texts_at(places) if right else None
        if len(self._texts_of) < _MOST_SHAPES:
            self._texts_of[types] = found
        return found


_MOST_SHAPES = 256
"""Combinations of types that are remembered of one kind of record; some ten occur."""


def _texts_at(places: list[int]) -> Callable[[tuple[Any, ...]], tuple[str, ...]]:
    if not places:
        return lambda _: ()
    # The first one twice: of a single place, itemgetter would return the text and no tuple.
    return itemgetter(*places, places[0])


def _is_plain(text: Any) -> bool:
    return text.isascii() and len(text) <= MAX_TEXT


_JSON_TYPES = frozenset({type(None), bool, int, float, str, list, dict})


def _exact_types(annotation: Any) -> frozenset[type]:
    """Return the exact types that a field holds; a JSON value's parts were made by us."""
    if annotation is JsonValue:
        return _JSON_TYPES
    declared = frozenset(get_args(annotation) or (annotation,))
    return declared | {int} if float in declared else declared


_KIND_OF: dict[type[Event], _RecordKind] = {
    MessageSent: _RecordKind("messages", MessageRecord, _message),
    ToolCalled: _RecordKind("tool_calls", ToolCallRecord, _call),
    ToolReturned: _RecordKind("tool_returns", ToolReturnRecord, _return),
    ToolEvidence: _RecordKind("tool_evidence", ToolEvidenceRecord, _evidence),
    ModelResponded: _RecordKind("llm_usage", LlmUsageRecord, _usage),
}
"""The record that an event becomes; the others are kept as events alone."""

_NOTED_BY: dict[type[Event], Callable[[RecordLists, int | None, Any], None]] = {
    TurnStarted: RecordLists.begin_turn,
    TurnFinished: RecordLists.finish_turn,
    MessageSent: RecordLists.hear,
    ModelResponded: RecordLists.note_model,
    AgentFailed: RecordLists.note_break,
    RuntimeStopped: RecordLists.note_break,
}
"""What an event says about the case as a whole; starts and stops of agents say nothing."""
