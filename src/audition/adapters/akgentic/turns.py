"""Which turn each event of a team belongs to, and how the turn ended. Events alone, no frame.

Every message of the person opens a turn, also one that answers what an agent asked. Three do not:

* one that a run in progress takes out of the mailbox: the framework gives it no turn of its own,
  and what answers it answers both;
* the same words to a further agent before anybody has said something: one message to the team;
* a cancellation, which says nothing to the team.

A turn ends with the last thing that goes back to its message, so turns may overlap.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from audition.assembly import is_answer
from audition.events import (
    AgentFailed,
    CompletionReason,
    Event,
    MessageHandled,
    MessageSent,
    MessageType,
    TurnFinished,
    TurnStarted,
)


@dataclass(slots=True, kw_only=True, eq=False)
class Turn:
    """One message of the person and all that goes back to it.

    Attributes:
        number: Its position in the record, from 0.
        opened: The message.
        begins: The place of the frame that opens it.
        ends: The place of the last frame of it.
        at: When the last thing of it happened, None where unknown.
        recipients: Whom the message went to.

    """

    number: int
    opened: MessageSent
    begins: int
    ends: int
    at: float | None = None
    recipients: list[str | None] = field(default_factory=list[str | None])
    _is_under_way: bool = field(default=False, init=False)
    _answered: bool = field(default=False, init=False)
    _error: str | None = field(default=None, init=False)
    _cancelled: str | None = field(default=None, init=False)
    _open: dict[tuple[str | None, str | None], str] = field(
        default_factory=dict[tuple[str | None, str | None], str], init=False
    )

    @property
    def is_left_open(self) -> bool:
        """Whether the record ends before the turn does."""
        return bool(self._open) and self._error is None

    def says_the_same(self, event: MessageSent) -> bool:
        """Whether a message is this turn's own to one more agent, before anybody replied."""
        is_same = event.content == self.opened.content and event.cause_id == self.opened.cause_id
        return is_same and event.recipient not in self.recipients and not self._is_under_way

    def see(self, event: Event, human: str) -> None:
        """Take an event of the turn into its ledger."""
        self.at = self.at if event.at is None else event.at
        match event:
            case MessageSent(internal=True):
                if event.message_type is MessageType.INSTRUCTION and self._open:
                    self._cancelled = f"cancelled: {event.content}".removesuffix(": ")
            case MessageSent():
                self._is_under_way |= event.agent != human
                if event.recipient != human:
                    parties = f"{event.agent} to {event.recipient or 'everybody'}"
                    self._open[event.message_id, event.recipient] = parties
                elif is_answer(event, human):
                    self._answered, self._error = True, None
            case MessageHandled():
                by_name = (event.message_id, event.agent)
                self._open.pop(by_name if by_name in self._open else (event.message_id, None), None)
            case AgentFailed():
                self._error = f"{event.agent}: {event.error}" if event.agent else event.error
            case _:
                pass

    def started(self) -> TurnStarted:
        """Return the mark of its begin."""
        return TurnStarted(
            at=self.opened.at,
            event_id=self.opened.event_id,
            turn=self.number,
            message=self.opened.content,
            target=self.recipients[0] if len(self.recipients) == 1 else None,
        )

    def finished(self) -> TurnFinished:
        """Return the mark of its end.

        `error` where an agent broke and the person got no answer after it, `runtime_stopped` where
        a message was never handled, `response` with an answer, else `quiescent`.
        """
        detail = self._cancelled
        if self._error is not None:
            reason, detail = CompletionReason.ERROR, self._error
        elif self._open:
            reason = CompletionReason.RUNTIME_STOPPED
            told = ", ".join([*self._open.values()][:5])
            detail = f"the record ends with open messages: {told}"
        else:
            reason = CompletionReason.RESPONSE if self._answered else CompletionReason.QUIESCENT
        return TurnFinished(at=self.at, turn=self.number, reason=reason, detail=detail)


class Turns:
    """The turns of a record, made of its events one by one.

    Args:
        human: The name of the person.
        absorbed: What was handled when a message was taken out of the mailbox, by that message.

    """

    def __init__(self, human: str, absorbed: Mapping[str, str]) -> None:
        self.all: list[Turn] = []
        self._human = human
        self._absorbed = absorbed
        self._of_message: dict[str, Turn] = {}

    def see(self, event: Event, place: int) -> None:
        """Take the next event; the place is that of its frame."""
        turn = self._turn(event, place)
        if turn is None:
            return
        if isinstance(event, MessageSent) and event.message_id is not None:
            self._of_message.setdefault(event.message_id, turn)
        turn.ends = place
        turn.see(event, self._human)

    def of(self, message_id: str | None) -> Turn | None:
        """Return the turn of a message, None where it is in none."""
        return None if message_id is None else self._of_message.get(message_id)

    def _turn(self, event: Event, place: int) -> Turn | None:
        latest = self.all[-1] if self.all else None
        match event:
            case MessageSent() if event.agent == self._human:
                return latest if event.internal else self._of_person(event, place)
            case MessageHandled():
                return self.of(event.message_id) or self.of(event.cause_id)
            case MessageSent(internal=False) | AgentFailed():
                return self.of(event.cause_id) or latest  # a timer and a task name no cause
            case _:
                return self.of(event.cause_id)

    def _of_person(self, event: MessageSent, place: int) -> Turn:
        absorbing = self.of(self._absorbed.get(event.message_id or ""))
        if absorbing is not None:
            return absorbing
        turn = self.of(event.message_id)
        if turn is None and self.all and self.all[-1].says_the_same(event):
            turn = self.all[-1]
        if turn is None:
            turn = Turn(number=len(self.all), opened=event, begins=place, ends=place)
            self.all.append(turn)
        turn.recipients.append(event.recipient)
        return turn
