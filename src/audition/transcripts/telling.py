"""The parts of a conversation as events: its turns, its runs, and each result with its call.

A run is all that one agent does in one invocation, or in one turn where the record names none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from audition.adaptation import NO_FRAME, Adapted
from audition.events import (
    AgentFailed,
    DroppedFrame,
    Event,
    MessageSent,
    MessageType,
    ModelResponded,
    ToolOutcome,
    TurnFinished,
    TurnStarted,
)
from audition.output import RuntimeCapabilities
from audition.transcripts.calls import Call, Calls
from audition.transcripts.events import Identity, Origin, TurnState, called, came_back
from audition.transcripts.parts import (
    Answered,
    Asked,
    Broke,
    Called,
    Frame,
    HandedOver,
    Part,
    Responded,
    Said,
)

PERSON = "user"
"""The name of the person in the events."""

_CAPABILITIES = RuntimeCapabilities(
    request_correlation=True, isolated_execution=True, tool_evidence=True
)


def adapt_transcript(frames: Sequence[Frame]) -> Adapted:
    """Return the events of a conversation.

    What the person says opens a turn; what they say next, or the end of the record, closes it:
    `error` where the last thing in it is an error, `runtime_stopped` where a call is open, where it
    stops on a result that no agent took up or where no agent acted, `response` where an agent said
    something, else `quiescent`.
    """
    telling = _Telling(_next_agents(frames))
    for frame in frames:
        telling.take(frame)
    telling.close_turn("record")
    return Adapted(
        events=tuple(telling.events),
        origins=tuple(telling.origins),
        heads=tuple(frame.head for frame in frames),
        dropped=tuple(
            DroppedFrame(index=frame.head.index, author=frame.head.author, reason=frame.emptiness)
            for frame in frames
            if not frame.parts
        ),
        human=PERSON,
        lost=sum(frame.is_foreign for frame in frames),
        capabilities=_CAPABILITIES,
    )


def _next_agents(frames: Sequence[Frame]) -> dict[int, str | None]:
    """Return by index which agent acts after a frame, within the turn."""
    agents: dict[int, str | None] = {}
    agent: str | None = None
    for frame in reversed(frames):
        agents[frame.head.index] = agent
        agent = frame.agent or agent
        agent = None if frame.opens_turn else agent
    return agents


@dataclass(slots=True, kw_only=True)
class _Turn:
    number: int | None = None
    cause_id: str | None = None
    at: float | None = None
    acted: bool = False
    answered: bool = False
    error: str | None = None
    unread: str | None = None
    open_calls: list[Call] = field(default_factory=list[Call])

    def see(self, frame: Frame) -> None:
        """Note that an agent went on: what had come back was read, an error was not the end."""
        self.acted = True
        self.error = self.unread = None
        if not frame.uses_tools:  # its last word, whatever it leaves open
            self.open_calls = [call for call in self.open_calls if call.agent != frame.agent]

    def returned(self, call: Call, part: Answered) -> None:
        """Note what became of a call."""
        if call.answered:
            self.open_calls = [other for other in self.open_calls if other is not call]
            self.unread = None if part.is_last_word else call.name
        elif call not in self.open_calls:
            self.open_calls.append(call)

    def finished(self, number: int, scope: str) -> TurnFinished:
        state = TurnState(
            error=self.error,
            open_call=self.open_calls[0].name if self.open_calls else None,
            unread=self.unread,
            acted=self.acted,
            answered=self.answered,
        )
        return state.finished(number, scope, at=self.at)


class _Telling:
    """The events so far, and what the frames to come need of those before."""

    def __init__(self, next_agents: dict[int, str | None]) -> None:
        self.events: list[Event] = []
        self.origins: list[int] = []
        self._next_agents = next_agents
        self._turn = _Turn()
        self._turns = 0
        self._calls = Calls()

    def take(self, frame: Frame) -> None:
        if frame.agent is not None and frame.parts:
            self._turn.see(frame)
        for position, part in enumerate(frame.parts):
            self._add(frame, part, position)
        if frame.parts and frame.at is not None:
            self._turn.at = frame.at
        self.origins += [frame.head.index] * (len(self.events) - len(self.origins))

    def close_turn(self, scope: str) -> None:
        """End the turn that is open, if one is; the scope is what ends with it."""
        if self._turn.number is not None:
            self.events.append(self._turn.finished(self._turn.number, scope))
            self.origins.append(NO_FRAME)

    def _add(self, frame: Frame, part: Part, position: int) -> None:
        match part:
            case Asked():
                self._ask(frame, part)
            case Said():
                self._say(frame, part)
            case Responded():
                self._respond(frame, part)
            case Called():
                self._call(frame, part, position)
            case Answered():
                self._answer(frame, part, position)
            case HandedOver():
                self._hand_over(frame, part)
            case Broke():
                self._turn.error = part.error
                self.events.append(AgentFailed(**self._source(frame), error=part.error))

    def _source(self, frame: Frame) -> Origin:
        return {
            "at": frame.at,
            "agent": frame.agent,
            "event_id": frame.event_id,
            "cause_id": self._turn.cause_id,
        }

    def _run_id(self, frame: Frame) -> str | None:
        turn = None if self._turn.number is None else f"turn-{self._turn.number}"
        named = (frame.head.invocation or turn, frame.agent)
        return "/".join(name for name in named if name) or None

    def _ask(self, frame: Frame, part: Asked) -> None:
        self.close_turn("turn")
        number, self._turns = self._turns, self._turns + 1
        cause_id = frame.event_id or f"turn-{number}"
        self._turn = _Turn(number=number, cause_id=cause_id)
        self.events += [
            TurnStarted(at=frame.at, event_id=frame.event_id, turn=number, message=part.text),
            MessageSent(
                at=frame.at,
                agent=PERSON,
                event_id=frame.event_id,
                recipient=self._next_agents[frame.head.index],
                content=part.text,
                message_id=cause_id,
            ),
        ]

    def _say(self, frame: Frame, part: Said) -> None:
        self._turn.answered |= bool(part.text.strip()) and not part.internal
        said = MessageSent(
            **self._source(frame),
            recipient=PERSON,
            message_type=MessageType.RESPONSE,
            message_id=frame.event_id,
            content=part.text,
            internal=part.internal,
        )
        self.events.append(said)

    def _hand_over(self, frame: Frame, part: HandedOver) -> None:
        source = self._source(frame)
        source["agent"] = part.by
        handed = MessageSent(
            **source, recipient=part.to, message_type=MessageType.INSTRUCTION, content=""
        )
        self.events.append(handed)

    def _respond(self, frame: Frame, part: Responded) -> None:
        responded = ModelResponded(
            **self._source(frame),
            run_id=self._run_id(frame),
            model_name=part.model_name,
            provider_name=part.provider_name,
            input_tokens=part.input_tokens,
            output_tokens=part.output_tokens,
            cache_read_tokens=part.cache_read_tokens,
            cache_write_tokens=part.cache_write_tokens,
            cost_usd=part.cost_usd,
            finish_reason=part.finish_reason,
        )
        self.events.append(responded)

    def _call(self, frame: Frame, part: Called, position: int) -> None:
        call = self._made(frame, part.name, part.call_id, position)
        call.internal = part.internal
        self._turn.open_calls.append(call)
        self.events.append(called(self._source(frame), _identity(call), part.arguments))

    def _made(self, frame: Frame, name: str, call_id: str | None, position: int) -> Call:
        call = Call(
            name=name,
            call_id=call_id or f"{frame.event_id or frame.head.index}:{position}",
            run_id=self._run_id(frame),
            agent=frame.agent,
            frame=frame.head.index,
            has_id=call_id is not None,
        )
        self._calls.add(call, call_id)
        return call

    def _answer(self, frame: Frame, part: Answered, position: int) -> None:
        call = self._calls.of(part)
        if call is None:  # its call was not recorded
            call = self._made(frame, part.name or "unknown", part.call_id, position)
        outcome = part.returned.outcome
        call.answered = call.answered or outcome is not ToolOutcome.PENDING
        self._turn.returned(call, part)
        source = self._source(frame)
        source["agent"] = call.agent
        self.events += came_back(source, _identity(call), part.returned, outcome=outcome)


def _identity(call: Call) -> Identity:
    return {
        "run_id": call.run_id,
        "tool_call_id": call.call_id,
        "tool_name": call.name,
        "internal": call.internal,
    }
