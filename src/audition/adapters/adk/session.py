"""Google ADK events, as ADK itself and kagent store them, to ours. No I/O, no ADK, no exception.

The kind of a part decides who speaks, never `content.role`: there every function response has the
role "user". A run is all that one agent does in one invocation, its id is "INVOCATION/AGENT"; "#2"
follows where the run uses a call id for a second call. A return has the run of its call, wherever
it is stored. What a credential request asks and is told is withheld, and so is a credential in the
state. What becomes of which part and event stands in docs/reference/sessions.md.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from pydantic import JsonValue

from audition.adaptation import NO_FRAME, Adapted, FrameHead
from audition.adapters.adk.calls import (
    CREDENTIAL,
    INTERNAL,
    Call,
    Calls,
    note_answer,
    outcome_of,
)
from audition.adapters.adk.casing import JsonObject
from audition.adapters.adk.frames import NOT_ADK, USER, AdkFrame, read_frames, void_frames
from audition.adapters.adk.parts import CALL, RETURN, SAID, AdkPart, said
from audition.adapters.adk.turns import Turn
from audition.events import (
    AgentFailed,
    DroppedFrame,
    Event,
    MessageSent,
    MessageType,
    ModelResponded,
    StateChanged,
    ToolOutcome,
    ToolReturned,
    TurnStarted,
)
from audition.output import RuntimeCapabilities
from audition.tool_payloads import Arguments, Returned, read_arguments, read_returned
from audition.transcripts.events import Identity, Origin, called, came_back
from audition.values import MAX_EVENT_NODES, writable_json

_WITHHELD = "[withheld]"
_CAPABILITIES = RuntimeCapabilities(
    request_correlation=True, isolated_execution=True, tool_evidence=True
)


def adapt_adk(frames: Iterable[JsonValue]) -> Adapted:
    """Return the events of decoded ADK events, in stored order; never raises on any JSON.

    Each message of the person opens a turn, the next one or the end of the record closes it:
    `error` where the last thing in it is an error, `runtime_stopped` where a call is open, where
    it stops on a return that no agent took up, where the person cut the answer off or where no
    agent acted, `response` where an agent said something, else `quiescent`. A record without such
    a message, as a run yields it, has no turn. A call that returns later, and of which nothing
    came, is pending when its turn ends, or rejected where the person did not approve it.
    """
    read = read_frames(frames)
    void = void_frames(read)
    adaptation = _Adaptation(_next_agents([frame for frame in read if frame.index not in void]))
    dropped: list[DroppedFrame] = []
    origins: list[int] = []
    for frame in read:
        reason = void.get(frame.index) or adaptation.take(frame)
        if reason is not None:
            dropped.append(DroppedFrame(index=frame.index, author=frame.author, reason=reason))
        origins += [frame.index] * (len(adaptation.events) - len(origins))
    adaptation.close_turn("record")
    origins += [NO_FRAME] * (len(adaptation.events) - len(origins))
    return Adapted(
        events=tuple(adaptation.events),
        origins=tuple(origins),
        heads=tuple(map(_head, read)),
        dropped=tuple(dropped),
        human=USER,
        lost=sum(frame.reason == NOT_ADK for frame in dropped),
        capabilities=_CAPABILITIES,
    )


def _head(frame: AdkFrame) -> FrameHead:
    return FrameHead(
        index=frame.index, author=frame.author, role=frame.role, invocation=frame.invocation
    )


def _next_agents(frames: Sequence[AdkFrame]) -> dict[int, str | None]:
    """Return by index which agent acts from there on, within the turn."""
    agents: dict[int, str | None] = {}
    agent: str | None = None
    for frame in reversed(frames):
        agent = frame.agent if frame.acts else agent
        agents[frame.index] = agent
        agent = None if frame.opens_turn else agent
    return agents


class _Step(NamedTuple):
    """What a model says and calls at once, and what comes back of it within the frame.

    Attributes:
        start: The position of its first part.
        parts: Its parts.

    """

    start: int
    parts: list[AdkPart]


class _Adaptation:
    """The events so far, and what the frames to come need of those before."""

    def __init__(self, next_agents: dict[int, str | None]) -> None:
        self.events: list[Event] = []
        self._next_agents = next_agents
        self._turns = 0
        self._turn = self._latest = Turn()
        self._turn_of: dict[str | None, Turn] = {}
        self._calls = Calls()

    def take(self, frame: AdkFrame) -> str | None:
        """Add the events of a frame; return why it has none, None where it has some."""
        # What one invocation still says after the next question stays with its own.
        self._turn = self._turn_of.get(frame.invocation, self._latest)
        made = len(self.events)
        if not frame.compaction:
            self._add_content(frame)
        if len(self.events) > made and frame.at is not None:
            self._turn.at = frame.at
        self._add_state(frame)  # it is no step of the turn, which may be over
        return None if len(self.events) > made else frame.emptiness

    def _add_content(self, frame: AdkFrame) -> None:
        if frame.opens_turn:
            self._open_turn(frame)
        elif frame.acts or frame.end_of_agent:
            self._turn.see(frame)
        elif frame.agent is None and frame.invocation is not None:  # an answer, it may go on anew
            self._turn_of.setdefault(frame.invocation, self._turn)
        self._add_model(frame)
        target = frame.transfer_to
        for number, step in enumerate(_steps(frame)):
            self._add_message(frame, step, number)
            target = self._add_tools(frame, step) or target
        self._add_output(frame)
        self._add_hand_over(frame, target)
        self._add_end(frame)

    def close_turn(self, scope: str) -> None:
        """End the turn that is open, if one is; the scope is what ends with it."""
        turn = self._latest
        for call in turn.waiting():
            waits = ToolReturned(
                at=turn.at,
                agent=call.agent,
                cause_id=turn.cause_id,
                **_identity(call),
                outcome=ToolOutcome.REJECTED if call.is_refused else ToolOutcome.PENDING,
            )
            self.events.append(waits)
        if turn.number is not None:
            self.events.append(turn.finished(turn.number, scope))

    def _open_turn(self, frame: AdkFrame) -> None:
        self.close_turn("turn")
        number, self._turns = self._turns, self._turns + 1
        self._turn = self._latest = Turn(number=number, cause_id=frame.event_id or f"turn-{number}")
        if frame.invocation is not None:
            self._turn_of[frame.invocation] = self._turn
        message = said(frame.parts)
        started = TurnStarted(at=frame.at, event_id=frame.event_id, turn=number, message=message)
        self.events.append(started)

    def _origin(self, frame: AdkFrame) -> Origin:
        return {
            "at": frame.at,
            "agent": frame.agent,
            "event_id": frame.event_id,
            "cause_id": self._turn.cause_id,
        }

    def _add_model(self, frame: AdkFrame) -> None:
        if not frame.is_of_model:
            return
        thought = frame.tokens("thoughts_token_count")
        responded = ModelResponded(
            **self._origin(frame),
            run_id=frame.run_id,
            model_name=frame.model,
            input_tokens=frame.tokens("prompt_token_count"),
            output_tokens=frame.tokens("candidates_token_count") + thought,
            cache_read_tokens=frame.tokens("cached_content_token_count"),
            finish_reason=frame.finish_reason,
        )
        self.events.append(responded)

    def _add_message(self, frame: AdkFrame, step: _Step, number: int) -> None:
        """Add what is said in a step; an empty text is said where it is the last word."""
        if not (frame.says and any(part.kind in SAID for part in step.parts)):
            return
        content = said(step.parts)
        if frame.agent is None:
            self._add_request(frame, content)
        elif content.strip() or not frame.uses_tools:
            self._say(frame, content, number)

    def _say(self, frame: AdkFrame, content: str, number: int = 0) -> None:
        self._turn.answered |= bool(content.strip())
        name = frame.event_id
        answered = MessageSent(
            **self._origin(frame),
            recipient=USER,
            message_type=MessageType.RESPONSE,
            message_id=f"{name}#{number + 1}" if name and number else name,
            content=content,
        )
        self.events.append(answered)

    def _add_request(self, frame: AdkFrame, content: str) -> None:
        """Add what the person says; words beside an answer to the runtime open no turn."""
        asked = MessageSent(
            at=frame.at,
            agent=USER,
            event_id=frame.event_id,
            cause_id=None if frame.opens_turn else self._turn.cause_id,
            recipient=self._next_agents[frame.index],
            content=content,
            message_id=self._turn.cause_id if frame.opens_turn else frame.event_id,
            internal=not frame.opens_turn,
        )
        self.events.append(asked)

    def _add_output(self, frame: AdkFrame) -> None:
        """Add what a workflow node gives: an answer, or plumbing where another node takes it."""
        if frame.output is None or frame.agent is None:
            return
        if frame.is_result:
            self._say(frame, frame.output)
            return
        given = MessageSent(
            **self._origin(frame),
            message_type=MessageType.NOTIFICATION,
            message_id=frame.event_id,
            content=frame.output,
            internal=True,
        )
        self.events.append(given)

    def _add_end(self, frame: AdkFrame) -> None:
        """Add what broke, and note an answer that was cut off."""
        self._turn.interrupted |= frame.interrupted and frame.agent is not None
        if frame.error is not None:
            self._turn.error = frame.error
            self.events.append(AgentFailed(**self._origin(frame), error=frame.error))

    def _add_state(self, frame: AdkFrame) -> None:
        """Add what is changed in the state, by whoever wrote the frame."""
        if not frame.state:
            return
        kept = {
            name: _WITHHELD if _is_credential(value) else value
            for name, value in frame.state.items()
        }
        changes = cast("JsonObject", writable_json(kept, nodes=MAX_EVENT_NODES))  # it stays one
        origin = self._origin(frame)
        origin["agent"] = frame.author
        self.events.append(StateChanged(**origin, changes=changes))

    def _add_hand_over(self, frame: AdkFrame, target: str | None) -> None:
        if target is None or frame.agent is None:
            return
        handed = MessageSent(
            **self._origin(frame),
            recipient=target,
            message_type=MessageType.INSTRUCTION,
            content="",
        )
        self.events.append(handed)

    def _add_tools(self, frame: AdkFrame, step: _Step) -> str | None:
        """Add calls and returns; return whom they handed the conversation to, if anybody."""
        target: str | None = None
        for position, part in enumerate(step.parts, step.start):
            if part.kind == CALL:
                self._add_call(frame, part, position)
            elif part.kind == RETURN:
                target = self._add_return(frame, part, position) or target
        return target

    def _add_call(self, frame: AdkFrame, part: AdkPart, position: int) -> None:
        withheld = part.name == CREDENTIAL
        arguments = Arguments() if withheld else read_arguments(part.body)
        call = self._calls.add(frame, part, position, arguments)
        self._turn.calls.append(call)
        self.events.append(called(self._origin(frame), _identity(call), arguments))

    def _add_return(self, frame: AdkFrame, part: AdkPart, position: int) -> str | None:
        """Add what came back of a call; return whom it handed the conversation to, if anybody."""
        call = self._calls.of(frame, part, position)
        withheld = CREDENTIAL in {call.name, part.name}
        returned = Returned(content=_WITHHELD) if withheld else read_returned(part.body)
        note_answer(call, returned)
        outcome = outcome_of(call, frame, part, returned)
        call.returned = True
        call.answered = call.answered or outcome is not ToolOutcome.PENDING
        self._turn.returned(call, frame)
        origin = self._origin(frame)
        origin["agent"] = call.agent
        self.events += came_back(origin, _identity(call), returned, outcome=outcome)
        return call.target if outcome is ToolOutcome.OK else None


def _steps(frame: AdkFrame) -> list[_Step]:
    """Return the steps of a frame: a model that ran code or a tool itself goes on talking after."""
    if not (frame.uses_tools and frame.says):
        return [_Step(0, frame.parts)]
    starts, has_returned = [0], False
    for position, part in enumerate(frame.parts):
        if has_returned and part.kind in SAID:
            starts.append(position)
        has_returned = part.kind == RETURN or (has_returned and part.kind not in SAID)
    ends = [*starts[1:], len(frame.parts)]
    return [_Step(start, frame.parts[start:end]) for start, end in zip(starts, ends, strict=True)]


def _is_credential(value: JsonValue) -> bool:
    """Return whether a value of the state is a credential, as ADK keeps them there."""
    return isinstance(value, dict) and ("auth_type" in value or "authType" in value)


def _identity(call: Call) -> Identity:
    return {
        "run_id": call.run_id,
        "tool_call_id": call.call_id,
        "tool_name": call.name,
        "internal": call.name in INTERNAL,
    }
