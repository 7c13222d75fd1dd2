"""Events in, one CaseOutput out. No I/O, no clock, no task.

Feeding is an append and three dictionary look-ups, so that a busy team is not slowed by being
watched; records are made once, at the end.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, TypedDict, Unpack

from pydantic import JsonValue, ValidationError

from audition.assembly import RecordLists
from audition.errors import tell_value
from audition.events import (
    COMPLETED,
    HUMAN,
    AgentFailed,
    CompletionReason,
    DroppedFrame,
    Event,
    EventHandler,
    MessageSent,
    ModelResponded,
    ToolCalled,
    ToolEvidence,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.inputs import ConversationTurn
from audition.output import CaseOutput, Provenance, RuntimeCapabilities
from audition.tool_rules import ToolRule
from audition.values import MAX_EVENT_NODES, writable_json, writable_text

MAX_EVENTS = 200_000
"""Events kept of one case: hundreds of times a long real one, a tenth of a gigabyte at most."""

MAX_CHARACTERS = 256 * 1024 * 1024
"""Characters of text kept of one case, over all its events."""

MAX_TOLD = 20
"""Ill-typed events that are told one by one."""


class Known(TypedDict, total=False):
    """What is known of a case besides its events.

    Attributes:
        not_run: The turns that were never sent, in order.
        dropped: Frames that became no event.
        lost: How many of them were broken, so that nobody knows what they said.
        capabilities: What the evidence can be relied on for, None for nothing.
        source: Where it comes from, None where unknown.
        tool_rules: When a returned content is a domain failure.
        completion: Why the case ended and more about it, None to take the last turn's.

    """

    not_run: Sequence[ConversationTurn]
    dropped: Sequence[DroppedFrame]
    lost: int
    capabilities: RuntimeCapabilities | None
    source: str | None
    tool_rules: Sequence[ToolRule]
    completion: tuple[CompletionReason, str | None] | None


def collect(events: Iterable[Event], *, human: str = HUMAN, **known: Unpack[Known]) -> CaseOutput:
    """Return the output of events that are all there already, in the order they happened.

    Args:
        events: In the order in which they happened.
        human: The name of the person in them.
        known: What is known of the case besides.

    """
    collector = Collector(human=human)
    for event in events:
        collector.feed(event)
    return collector.output(**known)


class Collector:
    """Gives every event its position and its turn, and makes the output of them.

    The turn of an event is that of the message it was caused by, else that of the model run it
    belongs to, else the current one: so an answer that comes late stays with its question. What
    the person says is of the current turn.

    Args:
        human: The name of the person in the events.
        max_events: How many are kept.
        max_characters: How many characters of text are kept, over all events.
        on_event: Given each event that is kept, turn marks included; must not raise.

    """

    def __init__(
        self,
        *,
        human: str = HUMAN,
        max_events: int = MAX_EVENTS,
        max_characters: int = MAX_CHARACTERS,
        on_event: EventHandler | None = None,
    ) -> None:
        self._human = human
        self._on_event = on_event
        self._max_events = max_events
        self._characters_left = max_characters
        self._events: list[tuple[Event, int | None, JsonValue]] = []
        self._beyond = 0
        self._unusable = 0
        self._current: int | None = None
        self._turn_of_message: dict[str, int] = {}
        self._turn_of_run: dict[str, int] = {}

    @property
    def full(self) -> bool:
        """Whether events were dropped because the case passed its bound."""
        return self._beyond > 0

    def reject(self) -> None:
        """Count an event that says nothing that can be kept."""
        self._unusable += 1

    def feed(self, event: Event) -> int | None:
        """Take an event and return its turn, None outside of any.

        Raises:
            AttributeError: It was never given its fields.
            TypeError: One of its ids cannot be one.

        """
        kind = type(event)
        if kind in _TURN_EVENTS:
            turn = self._turn_of_mark(event)  # the frame of the conversation is never dropped
        else:
            turn = self._turn_of(event, kind)
            size = _characters(event, kind)
            if len(self._events) >= self._max_events or size > self._characters_left:
                self._beyond += 1
                return turn
            self._characters_left -= size
        value_of = _VALUE_OF.get(kind)
        value = None if value_of is None else value_of(event)
        if value is not None:  # kept as it is now: a tool may change what it was given
            value = writable_json(value, nodes=MAX_EVENT_NODES)
        self._events.append((event, turn, value))
        if self._on_event is not None:
            self._on_event(event)
        return turn

    def _turn_of_mark(self, event: Any) -> int:
        if isinstance(event, TurnStarted):
            self._current = event.turn
        elif event.reason in COMPLETED:
            self._current = None  # what nobody asked for any more must not replace the answer
        return event.turn

    def _turn_of(self, event: Any, kind: type[Event]) -> int | None:
        run_id = event.run_id if kind in _RUN_EVENTS else None
        turn = self._turn_of_cause(event, run_id)
        if turn is None:
            turn = self._current
        if run_id is not None and turn is not None:
            self._turn_of_run.setdefault(run_id, turn)
        elif kind is MessageSent and event.message_id is not None and turn is not None:
            self._turn_of_message[event.message_id] = turn  # ids may begin anew with each turn
        return turn

    def _turn_of_cause(self, event: Any, run_id: str | None) -> int | None:
        cause = event.cause_id
        known = None if cause is None else self._turn_of_message.get(cause)
        if known is None and run_id is not None:
            known = self._turn_of_run.get(run_id)
        if known is not None and self._current is not None and event.agent == self._human:
            return None  # whatever it replies to, what the person says belongs to the turn
        return known

    def output(self, **known: Unpack[Known]) -> CaseOutput:
        """Return everything collected so far; can be called again after more events.

        Args:
            known: What is known of the case besides its events.

        """
        records = RecordLists(self._human)
        told: list[str] = []
        for seq, (event, turn, value) in enumerate(self._events):
            try:
                records.add(seq, turn, event, value)
            except Exception as error:  # noqa: BLE001  # an event may hold an object of any kind
                told.append(f"{type(event).__name__}: {tell_value(error)}")
        capabilities = known.get("capabilities") or RuntimeCapabilities()
        turns = [records.turns[number] for number in sorted(records.turns)]
        reason, detail = known.get("completion") or _completion(turns)
        source = known.get("source")
        if self.full:
            records.errors.append(f"{self._beyond} events beyond the bound of a case were dropped")
        return _read(
            told,
            {
                **records.lists,
                "turns": [
                    *turns,
                    *({**turn.model_dump(), "not_run": True} for turn in known.get("not_run", ())),
                ],
                "human_responses": [text for turn in turns for text in turn["responses"]],
                "final_response": turns[-1]["responses"][-1:][0] if _answered(turns) else None,
                "completion_reason": reason,
                "completion_detail": None if detail is None else writable_text(detail),
                "errors": records.errors,
                "dropped": [_writable(frame) for frame in known.get("dropped", ())],
                "dropped_events": self._beyond + self._unusable + known.get("lost", 0),
                "contaminated": records.foreign and not capabilities.isolated_execution,
                "capabilities": capabilities,
                "provenance": Provenance(
                    source=None if source is None else writable_text(source),
                    model_ids=tuple(records.models),
                ),
                "tool_rules": tuple(known.get("tool_rules", ())),
                "human": writable_text(self._human),
            },
        )


_TURN_EVENTS = frozenset({TurnStarted, TurnFinished})
_RUN_EVENTS = frozenset({ToolCalled, ToolReturned, ToolEvidence, ModelResponded})
_TEXT_OF: dict[type[Event], Callable[[Any], object]] = {
    MessageSent: attrgetter("content"),
    ToolEvidence: attrgetter("content"),
    ToolCalled: attrgetter("arguments_raw"),
    AgentFailed: attrgetter("error"),
}


_VALUE_OF: dict[type[Event], Callable[[Any], object]] = {
    ToolCalled: attrgetter("arguments"),
    ToolEvidence: attrgetter("structure"),
}


def _characters(event: Event, kind: type[Event]) -> int:
    text_of = _TEXT_OF.get(kind)
    text = None if text_of is None else text_of(event)
    return len(text) if isinstance(text, str) else 0


def _writable(frame: DroppedFrame) -> DroppedFrame:
    author = None if frame.author is None else writable_text(frame.author)
    return DroppedFrame(index=frame.index, author=author, reason=writable_text(frame.reason))


def _read(told: Sequence[str], values: dict[str, Any]) -> CaseOutput:
    """Return the output, without the records of a runtime that reported what is no such record.

    Events are not checked as they come, which would cost as much again as all the rest.

    Args:
        told: What was wrong with events that became no record.
        values: The fields of the output.

    """
    try:
        output = CaseOutput.model_validate(values)
    except ValidationError as error:
        kept, broken = _kept(values, error)
    else:
        if not told:
            return output
        kept, broken = values, []
    problems = [*told, *broken]
    return CaseOutput.model_validate(
        {
            **kept,
            "errors": [*values["errors"], *_tell(problems)],
            "dropped_events": values["dropped_events"] + len(problems),
        }
    )


def _kept(values: dict[str, Any], error: ValidationError) -> tuple[dict[str, Any], list[str]]:
    """Return the values without the records that are none, and one line for each of those."""
    broken: dict[tuple[str, int], str] = {}
    for problem in error.errors(include_url=False):
        name, index, *_ = problem["loc"]
        told = f"{_path(problem['loc'])}: {problem['msg']}"
        broken.setdefault((str(name), int(index)), told)
    places: defaultdict[str, set[int]] = defaultdict(set)
    for name, index in broken:
        places[name].add(index)
    kept = {
        name: [record for index, record in enumerate(values[name]) if index not in indices]
        for name, indices in places.items()
    }
    return {**values, **kept}, list(broken.values())


def _tell(problems: Sequence[str]) -> list[str]:
    """Return the first of the problems as errors of the case, and how many more there are."""
    told = [writable_text(f"the runtime reported ill-typed {one}") for one in problems[:MAX_TOLD]]
    more = len(problems) - len(told)
    return [*told, f"the runtime reported {more} more ill-typed events"] if more else told


def _path(location: tuple[int | str, ...]) -> str:
    return ".".join(str(step) for step in location)


def _answered(turns: Sequence[dict[str, Any]]) -> bool:
    return bool(turns) and bool(turns[-1]["responses"])


def _completion(turns: Sequence[dict[str, Any]]) -> tuple[CompletionReason, str | None]:
    if not turns:
        return CompletionReason.RUNTIME_STOPPED, "no turn was recorded"
    last = turns[-1]
    if last["reason"] is None:
        return CompletionReason.RUNTIME_STOPPED, f"the record ends inside turn {len(turns) - 1}"
    return last["reason"], last["detail"]
