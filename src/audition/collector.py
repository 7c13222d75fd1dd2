"""Events in, one CaseOutput out. No I/O, no clock, no task.

An event becomes its record as it comes, in one or two microseconds: a busy team is not slowed by
being watched, and what a team changes afterwards does not change what it said.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypedDict, Unpack, get_args

from audition.assembly import TAKES, RecordLists
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
    StateChanged,
    ToolCalled,
    ToolEvidence,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.inputs import ConversationTurn
from audition.misfits import MAX_TOLD, misfit, output_without_misfits
from audition.output import CaseOutput, RuntimeCapabilities
from audition.tool_rules import ToolRule
from audition.values import MAX_EVENT_NODES, canonical_json, writable_json, writable_text

MAX_EVENTS = 200_000
"""Events kept of one case: hundreds of times a long real one, a tenth of a gigabyte at most."""

MAX_CHARACTERS = 256 * 1024 * 1024
"""Characters of text kept of one case, over all its events."""


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
        captured: What was taken out of turns, by name.

    """

    not_run: Sequence[ConversationTurn]
    dropped: Sequence[DroppedFrame]
    lost: int
    capabilities: RuntimeCapabilities | None
    source: str | None
    tool_rules: Sequence[ToolRule]
    completion: tuple[CompletionReason, str | None] | None
    captured: Mapping[str, str]


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
        self._records = RecordLists(human)
        self._on_event = on_event
        self._max_events = max_events
        self._characters_left = max_characters
        self._told: list[str] = []
        self._seq = 0
        self._beyond = 0
        self._unusable = 0
        self._current: int | None = None
        self._turn_of_message: dict[str, int] = {}
        self._turn_of_run: dict[str, int] = {}
        self._finished: set[int] = set()
        self._of_earlier_run: str | None = None
        self._calls_of_earlier_runs = 0

    @property
    def human(self) -> str:
        """The name of the person; may be told late, but before the events."""
        return self._human

    @human.setter
    def human(self, name: str) -> None:
        self._human = self._records.human = name

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
            TypeError: It is no event, or one of its ids cannot be one.

        """
        look = _LOOKS.get(type(event))
        if look is None:
            msg = f"no event: {tell_value(event)}"
            raise TypeError(msg)
        if look.is_mark:
            turn = self._turn_of_mark(event)  # the frame of the conversation is never dropped
        else:
            turn = self._turn_of(event, look)
            text = None if look.text is None else look.text(event)
            size = len(text) if isinstance(text, str) else 0
            if self._seq >= self._max_events or size > self._characters_left:
                self._beyond += 1
                return turn
            self._characters_left -= size
        if look.take is not None:
            try:
                look.take(self._records, self._seq, turn, event)
            except Exception as error:  # noqa: BLE001  # an event may hold an object of any kind
                is_told = len(self._told) < MAX_TOLD
                self._told.append(misfit(event, error) if is_told else type(event).__name__)
        self._seq += 1
        if self._on_event is not None:
            self._on_event(event)
        return turn

    def _turn_of_mark(self, event: Any) -> int:
        if isinstance(event, TurnStarted):
            self._current = event.turn
            return event.turn
        self._finished.add(event.turn)
        if event.reason in COMPLETED:
            self._current = None  # what nobody asked for any more must not replace the answer
        return event.turn

    def _turn_of(self, event: Any, look: "_Look") -> int | None:
        run_id = event.run_id if look.is_of_run else None
        cause = event.cause_id
        turn = None if cause is None else self._turn_of_message.get(cause)
        if turn is None and run_id is not None:
            turn = self._turn_of_run.get(run_id)
            if self._finished and look.is_call and self._is_over(turn):
                told = f"a tool call in turn {self._current}, of run {run_id!r} of turn {turn}"
                self._of_earlier_run = self._of_earlier_run or told
                self._calls_of_earlier_runs += 1
        # Whatever it replies to, what the person says belongs to the current turn.
        if turn is None or (self._current is not None and event.agent == self._human):
            turn = self._current
        if turn is None:
            return None
        if run_id is not None:
            self._turn_of_run.setdefault(run_id, turn)
        elif look.is_message and event.message_id is not None:
            self._turn_of_message[event.message_id] = turn  # ids may begin anew with each turn
        return turn

    def _is_over(self, turn: int | None) -> bool:
        """Return whether the turn is finished, and another one has begun."""
        return turn in self._finished and self._current not in {None, turn}

    def output(self, **known: Unpack[Known]) -> CaseOutput:
        """Return everything collected so far; can be called again after more events.

        Args:
            known: What is known of the case besides its events.

        """
        records = self._records
        capabilities = known.get("capabilities") or RuntimeCapabilities()
        turns = [records.turns[number] for number in sorted(records.turns)]
        reason, detail = known.get("completion") or _completion(turns)
        detail = "; ".join(filter(None, (detail, self._told_of_runs()))) or None
        source = known.get("source")
        errors = list(records.errors)
        if self.full:
            errors.append(f"{self._beyond} events beyond the bound of a case were dropped")
        return output_without_misfits(
            self._told,
            {
                "messages": records.messages,
                "tool_calls": records.tool_calls,
                "tool_returns": records.tool_returns,
                "tool_evidence": records.tool_evidence,
                "llm_usage": records.llm_usage,
                "handled": records.handled,
                "state_changes": records.state_changes,
                "turns": [
                    *turns,
                    *map(_not_run, known.get("not_run", ())),
                ],
                "human_responses": [text for turn in turns for text in turn["responses"]],
                "final_response": turns[-1]["responses"][-1:][0] if _answered(turns) else None,
                "completion_reason": reason,
                "completion_detail": None if detail is None else writable_text(detail),
                "errors": errors,
                "dropped": [_writable(frame) for frame in known.get("dropped", ())],
                "dropped_events": self._beyond + self._unusable + known.get("lost", 0),
                "contaminated": records.foreign and not capabilities.isolated_execution,
                "capabilities": capabilities,
                "provenance": {
                    "source": None if source is None else writable_text(source),
                    "model_ids": tuple(records.models),
                },
                "tool_rules": tuple(known.get("tool_rules", ())),
                "human": writable_text(self._human),
                "captured": dict(known.get("captured", {})),
            },
        )

    def _told_of_runs(self) -> str | None:
        """Return what cannot be told from a late call: a `run_id` that a runtime uses again."""
        if self._of_earlier_run is None:
            return None
        more = self._calls_of_earlier_runs - 1
        told = f"{self._of_earlier_run}{f' and {more} more' if more else ''}"
        return f"{told}: counted in the turn of its run; a run_id is of one turn alone"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What to do with an event of one kind.

    Attributes:
        take: Takes it into the records, None where it leaves nothing there.
        text: Reads its text, None where it has none.
        is_of_run: It names the model run it belongs to.
        is_call: It is a request for a tool.
        is_message: It names itself, so that others can say that they were caused by it.
        is_mark: It begins or ends a turn.

    """

    take: Callable[[RecordLists, int, int | None, Any], None] | None
    text: Callable[[Any], object] | None
    is_of_run: bool
    is_call: bool
    is_message: bool
    is_mark: bool


def _state_text(event: StateChanged) -> str:
    return canonical_json(writable_json(event.changes, nodes=MAX_EVENT_NODES))


_TEXT_OF: dict[type[Event], Callable[[Any], object]] = {
    MessageSent: attrgetter("content"),
    ToolCalled: attrgetter("arguments_raw"),
    ToolEvidence: attrgetter("content"),
    AgentFailed: attrgetter("error"),
    StateChanged: _state_text,
}
_LOOKS: dict[type[Event], _Look] = {
    kind: _Look(
        take=TAKES.get(kind),
        text=_TEXT_OF.get(kind),
        is_of_run=kind in {ToolCalled, ToolReturned, ToolEvidence, ModelResponded},
        is_call=kind is ToolCalled,
        is_message=kind is MessageSent,
        is_mark=kind in {TurnStarted, TurnFinished},
    )
    for kind in get_args(Event.__value__)
}


def _not_run(turn: ConversationTurn) -> dict[str, Any]:
    return {"message": turn.message, "target": turn.target, "not_run": True}


def _writable(frame: DroppedFrame) -> DroppedFrame:
    author = None if frame.author is None else writable_text(frame.author)
    return DroppedFrame(index=frame.index, author=author, reason=writable_text(frame.reason))


def _answered(turns: Sequence[dict[str, Any]]) -> bool:
    return bool(turns) and bool(turns[-1]["responses"])


def _completion(turns: Sequence[dict[str, Any]]) -> tuple[CompletionReason, str | None]:
    if not turns:
        return CompletionReason.RUNTIME_STOPPED, "no turn was recorded"
    last = turns[-1]
    if last["reason"] is None:
        return CompletionReason.RUNTIME_STOPPED, f"the record ends inside turn {len(turns) - 1}"
    return last["reason"], last["detail"]
