"""Google ADK events, as ADK itself and kagent store them, to ours. No I/O, no ADK, no exception.

The kind of a part decides who speaks, never `content.role`: there every function response has the
role "user". A run is all that one agent does in one invocation, its id is "INVOCATION/AGENT"; "#2"
follows where the run uses a call id for a second call. A return has the run of its call, wherever
it is stored. What a credential request asks and is told is withheld.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from pydantic import JsonValue

from audition.adaptation import NO_FRAME, Adapted, FrameHead
from audition.adapters.adk.frames import (
    NOT_ADK,
    USER,
    AdkFrame,
    AdkPart,
    read_frames,
    void_frames,
)
from audition.events import (
    AgentFailed,
    CompletionReason,
    DroppedFrame,
    Event,
    MessageSent,
    MessageType,
    ModelResponded,
    ToolCalled,
    ToolEvidence,
    ToolOutcome,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.output import RuntimeCapabilities
from audition.tool_payloads import Arguments, Returned, read_arguments, read_returned

_CREDENTIAL = "adk_request_credential"
_TRANSFER = "transfer_to_agent"
_PLUMBING = {
    _CREDENTIAL,
    "adk_request_confirmation",
    "adk_request_input",
    _TRANSFER,
    "exit_loop",
    "set_model_response",
    "finish_task",
}


_CAPABILITIES = RuntimeCapabilities(
    request_correlation=True, isolated_execution=True, tool_evidence=True
)


def adapt_adk(frames: Iterable[JsonValue]) -> Adapted:
    """Return the events of decoded ADK events, in stored order; never raises on any JSON.

    Each message of the person opens a turn, the next one or the end of the record closes it:
    `error` where the last thing in it is an error, `runtime_stopped` where a call is open, where
    it stops on a return that no agent took up or where no agent acted, `response` where an agent
    said something, else `quiescent`. A record without such a message, as a run yields it, has no
    turn.
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


@dataclass(slots=True, kw_only=True, eq=False)
class _Call:
    name: str
    call_id: str
    run_id: str | None
    agent: str | None
    home: tuple[str | None, str | None]
    has_id: bool = True
    long_running: bool = False
    target: str | None = None
    answered: bool = False


@dataclass(slots=True, kw_only=True)
class _Turn:
    number: int | None = None
    cause_id: str | None = None
    at: float | None = None
    acted: bool = False
    answered: bool = False
    error: str | None = None
    unread: str | None = None
    open_calls: list[_Call] = field(default_factory=list[_Call])

    def see(self, frame: AdkFrame) -> None:
        """Note that an agent went on: what had come back was read, an error was not the end."""
        self.acted = True
        self.unread = None
        if not frame.uses_tools:  # its last word, whatever it leaves open
            self.open_calls = [call for call in self.open_calls if call.agent != frame.agent]
        if frame.acts:
            self.error = None

    def returned(self, call: _Call, frame: AdkFrame) -> None:
        """Note what became of a call."""
        if call.answered:
            self.open_calls = [other for other in self.open_calls if other is not call]
            self.unread = None if frame.skip_summarization else call.name
        elif call not in self.open_calls:
            self.open_calls.append(call)

    def finished(self, number: int, scope: str) -> TurnFinished:
        reason, detail = CompletionReason.RUNTIME_STOPPED, None
        if self.error is not None:
            reason, detail = CompletionReason.ERROR, self.error
        elif self.open_calls:
            detail = f"the {scope} ends with an open call: {self.open_calls[0].name}"
        elif self.unread is not None:
            detail = f"the {scope} ends on the return of {self.unread}"
        elif not self.acted:
            detail = f"the {scope} ends with the user's message"
        else:
            reason = CompletionReason.RESPONSE if self.answered else CompletionReason.QUIESCENT
        return TurnFinished(at=self.at, turn=number, reason=reason, detail=detail)


class _Origin(TypedDict):
    at: float | None
    agent: str | None
    event_id: str | None
    cause_id: str | None


class _Identity(TypedDict):
    run_id: str | None
    tool_call_id: str
    tool_name: str
    internal: bool


class _Calls:
    """The calls of a record, so that a return finds its own."""

    def __init__(self) -> None:
        self._by_id: defaultdict[str, list[_Call]] = defaultdict(list)
        self._by_name: defaultdict[tuple[str | None, str], list[_Call]] = defaultdict(list)
        self._uses: Counter[tuple[str, str | None, str | None]] = Counter()

    def add(self, frame: AdkFrame, part: AdkPart, position: int, target: str | None) -> _Call:
        call_id = part.call_id or f"{frame.event_id or frame.index}:{position}"
        home = (frame.invocation, frame.agent)
        self._uses[call_id, *home] += 1
        uses = self._uses[call_id, *home]
        call = _Call(
            name=part.name,
            call_id=call_id,
            run_id=frame.run_id if uses == 1 else f"{frame.run_id or ''}#{uses}",
            agent=frame.agent,
            home=home,
            has_id=part.call_id is not None,
            long_running=call_id in frame.long_running,
            target=target,
        )
        same_id, same_name = self._by_id[call_id], self._by_name[frame.invocation, part.name]
        same_id[:] = [old for old in same_id if not old.answered or old.home != home] + [call]
        same_name[:] = [old for old in same_name if not old.answered] + [call]
        return call

    def of(self, frame: AdkFrame, part: AdkPart, position: int) -> _Call:
        """Return the call that a response answers; one whose call was not recorded has its own."""
        known = self._by_id.get(part.call_id or "", [])
        if known:
            near = max(_nearness(call, frame) for call in known)
            nearest = [call for call in known if _nearness(call, frame) == near]
            return next((call for call in nearest if not call.answered), nearest[-1])
        for call in self._by_name.get((frame.invocation, part.name), []):
            if not call.answered and not (part.call_id and call.has_id):
                return call
        return self.add(frame, part, position, None)


def _nearness(call: _Call, frame: AdkFrame) -> tuple[bool, bool]:
    return (call.home == (frame.invocation, frame.agent), call.home[0] == frame.invocation)


class _Adaptation:
    """The events so far, and what the frames to come need of those before."""

    def __init__(self, next_agents: dict[int, str | None]) -> None:
        self.events: list[Event] = []
        self._next_agents = next_agents
        self._turns = 0
        self._turn = self._latest = _Turn()
        self._turn_of: dict[str | None, _Turn] = {}
        self._calls = _Calls()

    def take(self, frame: AdkFrame) -> str | None:
        """Add the events of a frame; return why it has none, None where it has some."""
        if frame.compaction:
            return "compaction"
        # What one invocation still says after the next question stays with its own.
        self._turn = self._turn_of.get(frame.invocation, self._latest)
        made = len(self.events)
        if frame.opens_turn:
            self._open_turn(frame)
        elif frame.acts or frame.end_of_agent:
            self._turn.see(frame)
        self._add_model(frame)
        self._add_message(frame)
        self._add_tools(frame)
        if frame.error is not None:
            self._turn.error = frame.error
            self.events.append(AgentFailed(**self._origin(frame), error=frame.error))
        if len(self.events) == made:
            return frame.emptiness
        self._turn.at = self._turn.at if frame.at is None else frame.at
        return None

    def close_turn(self, scope: str) -> None:
        """End the turn that is open, if one is; the scope is what ends with it."""
        if self._latest.number is not None:
            self.events.append(self._latest.finished(self._latest.number, scope))

    def _open_turn(self, frame: AdkFrame) -> None:
        self.close_turn("turn")
        number, self._turns = self._turns, self._turns + 1
        self._turn = self._latest = _Turn(
            number=number, cause_id=frame.event_id or f"turn-{number}"
        )
        if frame.invocation is not None:
            self._turn_of[frame.invocation] = self._turn
        message = "".join(frame.texts)
        started = TurnStarted(at=frame.at, event_id=frame.event_id, turn=number, message=message)
        self.events.append(started)

    def _origin(self, frame: AdkFrame) -> _Origin:
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

    def _add_message(self, frame: AdkFrame) -> None:
        content = "".join(frame.texts)
        if frame.agent is None:
            self._add_request(frame, content)
        elif content.strip() or (frame.texts and not frame.uses_tools):
            self._turn.answered |= bool(content.strip())
            said = MessageSent(
                **self._origin(frame),
                recipient=USER,
                message_type=MessageType.RESPONSE,
                message_id=frame.event_id,
                content=content,
            )
            self.events.append(said)

    def _add_request(self, frame: AdkFrame, content: str) -> None:
        """Add what the person says; words beside an answer to the runtime open no turn."""
        if frame.opens_turn or frame.texts:
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

    def _add_tools(self, frame: AdkFrame) -> None:
        target = frame.transfer_to
        for position, part in enumerate(frame.parts):
            if part.kind == "function_call":
                self._add_call(frame, part, position)
            elif part.kind == "function_response":
                target = self._add_return(frame, part, position) or target
        if target is not None and frame.agent is not None:
            handed = MessageSent(
                **self._origin(frame),
                recipient=target,
                message_type=MessageType.INSTRUCTION,
                content="",
            )
            self.events.append(handed)

    def _add_call(self, frame: AdkFrame, part: AdkPart, position: int) -> None:
        withheld = part.name == _CREDENTIAL
        arguments = Arguments() if withheld else read_arguments(part.body.get("args"))
        call = self._calls.add(frame, part, position, _target(part.name, arguments))
        self._turn.open_calls.append(call)
        called = ToolCalled(
            **self._origin(frame),
            **_identity(call),
            arguments_raw=arguments.raw,
            arguments=arguments.value,
            parse_error=arguments.parse_error,
        )
        self.events.append(called)

    def _add_return(self, frame: AdkFrame, part: AdkPart, position: int) -> str | None:
        """Add what came back of a call; return whom it handed the conversation to, if anybody."""
        call = self._calls.of(frame, part, position)
        withheld = _CREDENTIAL in {call.name, part.name}
        response = part.body.get("response")
        returned = Returned(content="[withheld]") if withheld else read_returned(response)
        outcome = _outcome(call, frame, returned)
        call.answered = call.answered or outcome is not ToolOutcome.PENDING
        self._turn.returned(call, frame)
        origin = self._origin(frame)
        origin["agent"] = call.agent
        identity = _identity(call)
        self.events.append(ToolReturned(**origin, **identity, outcome=outcome))
        evidence = ToolEvidence(
            **origin,
            **identity,
            content=returned.content,
            structure=returned.structure,
            outcome=outcome,
        )
        self.events.append(evidence)
        return call.target if outcome is ToolOutcome.OK else None


def _identity(call: _Call) -> _Identity:
    return {
        "run_id": call.run_id,
        "tool_call_id": call.call_id,
        "tool_name": call.name,
        "internal": call.name in _PLUMBING,
    }


def _target(name: str, arguments: Arguments) -> str | None:
    """Return whom a transfer names."""
    if name != _TRANSFER or not isinstance(arguments.value, dict):
        return None
    target = arguments.value.get("agent_name", arguments.value.get("agentName"))
    return target if isinstance(target, str) and target else None


def _outcome(call: _Call, frame: AdkFrame, returned: Returned) -> ToolOutcome:
    """Return how a call ended; what an agent itself gives back of a long one is a placeholder."""
    if call.call_id in frame.awaited:
        return ToolOutcome.PENDING
    if call.long_running and not call.answered and returned.outcome is ToolOutcome.OK:
        fields = returned.structure if isinstance(returned.structure, dict) else {}
        if frame.agent is not None or fields.get("status") == "pending":
            return ToolOutcome.PENDING
    return returned.outcome
