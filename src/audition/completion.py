"""When a turn is over: folds over its events. No clock, no task: `run_case` does the waiting."""

from collections.abc import Iterable
from typing import Protocol

from audition.assembly import ANSWERING, is_answer
from audition.events import (
    HUMAN,
    CompletionReason,
    Event,
    MessageHandled,
    MessageSent,
    MessageType,
    ToolCalled,
    ToolEvidence,
    ToolReturned,
)

SETTLE_SECONDS = 0.05
"""How long nothing new may come, unless told: an error may follow the last message by some
milliseconds (8 ms is the longest seen on Akgentic)."""


class CompletionPolicy(Protocol):
    """Decides from the events of the current turn whether it is over.

    Attributes:
        settle_seconds: How long nothing new may come before its reason counts, where the runtime
            cannot prove that it is quiet.

    """

    settle_seconds: float

    def begin_turn(self, turn: int) -> None:
        """Forget the turn before; from here on this one counts."""
        ...

    def feed(self, turn: int | None, event: Event) -> None:
        """Take an event and the turn it belongs to, which may be an earlier one."""
        ...

    def quiet(self) -> None:
        """Take note that the runtime proved it: nothing more will happen in this turn."""
        ...

    def reason(self) -> CompletionReason | None:
        """Return why the turn is over, None while it is not."""
        ...

    def waiting_for(self) -> str:
        """Return in a few words what is still missing, for the text of a timeout."""
        ...


class MessageResponse:
    """Over when the human was answered so many times. Quiet without an answer is over as well.

    Args:
        recipient: Who must be answered.
        senders: Whose messages count, None for everybody's but the recipient's own.
        message_types: The types that count; acknowledgements and notifications do not.
        count: How many answers a turn needs.
        settle_seconds: How long nothing new may come after the last of them.

    """

    def __init__(
        self,
        recipient: str = HUMAN,
        *,
        senders: Iterable[str] | None = None,
        message_types: Iterable[MessageType] = ANSWERING,
        count: int = 1,
        settle_seconds: float = SETTLE_SECONDS,
    ) -> None:
        self._recipient = recipient
        self._senders = None if senders is None else frozenset(senders)
        self._types = frozenset(message_types)
        self._count = count
        self.settle_seconds = settle_seconds
        self.begin_turn(0)

    def begin_turn(self, turn: int) -> None:
        """Forget the answers of the turn before."""
        self._turn = turn
        self._answers = 0
        self._is_quiet = False

    def feed(self, turn: int | None, event: Event) -> None:
        """Count the event where it answers the current turn."""
        if (
            turn == self._turn
            and isinstance(event, MessageSent)
            and is_answer(event, self._recipient, senders=self._senders, types=self._types)
        ):
            self._answers += 1

    def quiet(self) -> None:
        """Take note that no further answer can come."""
        self._is_quiet = True

    def reason(self) -> CompletionReason | None:
        """Return `response` with enough answers, `quiescent` when no more can come."""
        if self._answers >= self._count:
            return CompletionReason.RESPONSE
        return CompletionReason.QUIESCENT if self._is_quiet else None

    def waiting_for(self) -> str:
        """Return how many answers are missing, and from whom."""
        senders = f" from {', '.join(sorted(self._senders))}" if self._senders else ""
        return f"{self._count - self._answers} more answer(s) to {self._recipient}{senders}"


class Quiescence:
    """Over when no message and no tool call is open, and nothing new came for a while.

    Args:
        settle_seconds: How long nothing new may come.
        human: The name of the person: what is sent to them is not waited for.

    """

    def __init__(self, settle_seconds: float = SETTLE_SECONDS, *, human: str = HUMAN) -> None:
        self.settle_seconds = settle_seconds
        self._human = human
        self.begin_turn(0)

    def begin_turn(self, turn: int) -> None:
        """Forget the turn before; what it left open is not waited for."""
        self._turn = turn
        self._open: dict[object, str] = {}
        self._handled: set[str] = set()
        self._seen = False
        self._is_quiet = False

    def feed(self, turn: int | None, event: Event) -> None:
        """Open and settle messages and tool calls of the current turn."""
        if turn != self._turn:
            return
        match event:
            case MessageSent(message_id=str(message_id), recipient=recipient):
                self._seen = True
                # Another thread may report that it handled a message before its sender
                # comes to report that it sent it.
                if recipient != self._human and message_id not in self._handled:
                    self._open[message_id] = f"a message to {recipient or 'everybody'}"
            case MessageSent(recipient=recipient):
                self._seen |= recipient == self._human  # without an id no other can be settled
            case MessageHandled(message_id=message_id):
                self._handled.add(message_id)
                self._open.pop(message_id, None)
            case ToolCalled(run_id=run_id, tool_call_id=call_id, tool_name=name):
                self._seen = True
                self._open[run_id, call_id] = f"a return of {name}"
            case (
                ToolReturned(run_id=run_id, tool_call_id=call_id)
                | ToolEvidence(run_id=run_id, tool_call_id=call_id)
            ):
                self._open.pop((run_id, call_id), None)
            case _:
                pass

    def quiet(self) -> None:
        """Take note that the runtime knows better: nothing is open."""
        self._is_quiet = True

    def reason(self) -> CompletionReason | None:
        """Return `quiescent` once something was sent and nothing is open any more."""
        quiet = self._is_quiet or (self._seen and not self._open)
        return CompletionReason.QUIESCENT if quiet else None

    def waiting_for(self) -> str:
        """Return what is open."""
        if not self._seen:
            return "a first message"
        if not self._open:
            return "nothing that is known to be open"
        return f"{len(self._open)} open: {', '.join(list(self._open.values())[:5])}"


class ResponseThenQuiet:
    """Over when the team is quiet: `response` where it answered before that, else `quiescent`.

    Args:
        settle_seconds: As in `Quiescence`.
        human: The name of the person.

    """

    def __init__(self, settle_seconds: float = SETTLE_SECONDS, *, human: str = HUMAN) -> None:
        self.settle_seconds = settle_seconds
        self._response = MessageResponse(human)
        self._quiescence = Quiescence(settle_seconds, human=human)

    def begin_turn(self, turn: int) -> None:
        """Forget the turn before."""
        self._response.begin_turn(turn)
        self._quiescence.begin_turn(turn)

    def feed(self, turn: int | None, event: Event) -> None:
        """Take the event into both folds."""
        self._response.feed(turn, event)
        self._quiescence.feed(turn, event)

    def quiet(self) -> None:
        """Take note that nothing more will happen."""
        self._response.quiet()
        self._quiescence.quiet()

    def reason(self) -> CompletionReason | None:
        """Return None while something is open."""
        if self._quiescence.reason() is None:
            return None
        return self._response.reason() or CompletionReason.QUIESCENT

    def waiting_for(self) -> str:
        """Return what is open."""
        return self._quiescence.waiting_for()


class AnswerOrProof:
    """Over when the runtime proves that its team is quiet: `response` where it answered before.

    The policy for runtimes that have `settled()`: an answer alone ends nothing, since the team may
    go on, and no ledger is needed beside the proof.

    Args:
        human: The name of the person.

    """

    settle_seconds = 0.0

    def __init__(self, human: str = HUMAN) -> None:
        self._human = human
        self.begin_turn(0)

    def begin_turn(self, turn: int) -> None:
        """Forget the turn before."""
        self._turn = turn
        self._is_quiet = False
        self._heard: list[Event] = []

    def feed(self, turn: int | None, event: Event) -> None:
        """Keep the event where it is of the current turn: nothing ends before the proof."""
        if turn == self._turn:
            self._heard.append(event)

    def quiet(self) -> None:
        """Take note of the proof."""
        self._is_quiet = True

    def reason(self) -> CompletionReason | None:
        """Return None until there is the proof."""
        if not self._is_quiet:
            return None
        for event in reversed(self._heard):  # the answer is nearly always the last event
            if isinstance(event, MessageSent) and is_answer(event, self._human):
                return CompletionReason.RESPONSE
        return CompletionReason.QUIESCENT

    def waiting_for(self) -> str:
        """Return that it is the proof that is missing, and what is open by the events."""
        ledger = Quiescence(human=self._human)
        ledger.begin_turn(self._turn)
        for event in self._heard:
            ledger.feed(self._turn, event)
        return f"proof that the team is quiet; {ledger.waiting_for()}"
