"""Events that happened before, told again turn by turn."""

from collections.abc import Iterable, Mapping

from audition.completion import CompletionPolicy
from audition.events import (
    COMPLETED,
    HUMAN,
    CompletionReason,
    Event,
    EventHandler,
    TurnFinished,
    TurnStarted,
)
from audition.inputs import CaseInput, ConversationTurn
from audition.output import RuntimeCapabilities


class ReplayRuntime:
    """Tells the recorded events of each turn when the turn is sent.

    Args:
        events: A whole recording, its turns marked; what came before the first turn is told at
            the start. A turn beyond the recording stays silent.
        human: The name of the person in them.
        capabilities: What the recorded runtime declared, None for nothing.

    """

    def __init__(
        self,
        events: Iterable[Event],
        *,
        human: str = HUMAN,
        capabilities: RuntimeCapabilities | None = None,
    ) -> None:
        self.human = human
        self.source = "replay"
        self._capabilities = capabilities or RuntimeCapabilities()
        told = tuple(events)
        self._before, self._turns, self._after = _split(told)
        self._reasons = {
            event.turn: event.reason for event in told if isinstance(event, TurnFinished)
        }
        self._next = 0
        self._handler: EventHandler | None = None

    @property
    def capabilities(self) -> RuntimeCapabilities:
        """What the recorded runtime declared."""
        return self._capabilities

    def completion_policy(self) -> CompletionPolicy:
        """Return what ends each turn for the reason for which it ended when it was recorded."""
        return _AsRecorded(self._reasons, len(self._turns))

    async def start(self, event_handler: EventHandler) -> None:
        """Tell what came before the first turn."""
        self._handler = event_handler
        for event in self._before:
            event_handler(event)

    async def send(self, turn: ConversationTurn) -> None:
        """Tell the events of the next recorded turn, whatever the message now is."""
        del turn
        position, self._next = self._next, self._next + 1
        if self._handler is not None and position < len(self._turns):
            for event in self._turns[position]:
                self._handler(event)

    async def settled(self) -> None:
        """Return at once: a recording has nothing more to say when `send` returns."""

    async def shutdown(self) -> None:
        """Tell what came after a turn was completed: within one it would pass for its answer."""
        after, self._after = self._after, []
        if self._handler is not None:
            for event in after:
                self._handler(event)


class _AsRecorded:
    """Ends each turn as it once ended: a turn that timed out then is no better when told again."""

    settle_seconds = 0.0

    def __init__(self, reasons: Mapping[int, CompletionReason], turns: int) -> None:
        self._reasons = reasons
        self._turns = turns
        self.begin_turn(0)

    def begin_turn(self, turn: int) -> None:
        self._turn = turn
        self._is_quiet = False

    def feed(self, turn: int | None, event: Event) -> None:
        del turn, event

    def quiet(self) -> None:
        self._is_quiet = True

    def reason(self) -> CompletionReason | None:
        if not self._is_quiet:
            return None
        beyond = self._turn >= self._turns
        silent = CompletionReason.QUIESCENT if beyond else CompletionReason.RUNTIME_STOPPED
        return self._reasons.get(self._turn, silent)

    def waiting_for(self) -> str:
        return "the recording to be told"


def _split(events: Iterable[Event]) -> tuple[list[Event], list[list[Event]], list[Event]]:
    """Return the events before the first turn, of each turn, and after any, without the marks.

    `run_case` marks the turns itself, so that both marks would count the turn twice.
    """
    before: list[Event] = []
    turns: list[list[Event]] = []
    after: list[Event] = []
    current = before
    for event in events:
        match event:
            case TurnStarted():
                turns.append([])
                current = turns[-1]
            case TurnFinished():
                current = after if event.reason in COMPLETED else current
            case _:
                current.append(event)
    return before, turns, after


def recorded_inputs(events: Iterable[Event]) -> CaseInput:
    """Return the inputs under which a recording can be replayed: its own turns.

    Raises:
        ValueError: The recording has no turn.

    """
    turns = [
        ConversationTurn(message=event.message, target=event.target)
        for event in events
        if isinstance(event, TurnStarted)
    ]
    return CaseInput(turns=turns)
