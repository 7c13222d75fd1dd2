"""The messages of an Akgentic team to ours. No I/O, no framework, no exception.

The person is the user proxy that speaks first. What the orchestrator tells comes in any order of
agents, but each frame names the message that its sender was handling, so that everything goes back
to a message of the person. Notices and cancellations are kept as internal messages.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pydantic import JsonValue

from audition.adaptation import NO_FRAME, Adapted, FrameHead
from audition.adapters.akgentic.frames import (
    UNREADABLE,
    AkgenticFrame,
    JsonObject,
    address_of,
    in_sequence,
    kind_of,
    read_frames,
    void_frames,
    word,
)
from audition.adapters.akgentic.model_runs import MODEL_EVENTS, ModelRuns
from audition.adapters.akgentic.turns import Turn, Turns
from audition.events import (
    HUMAN,
    AgentFailed,
    AgentStarted,
    AgentStopped,
    DroppedFrame,
    Event,
    MessageHandled,
    MessageSent,
    MessageType,
)
from audition.output import RuntimeCapabilities
from audition.values import text_of, writable_json

_CAPABILITIES = RuntimeCapabilities(
    request_correlation=True, isolated_execution=True, tool_evidence=True, causes=True
)
_SILENT = {
    "ReceivedMessage": "taken up: that it is handled is told later",
    "StateChangedMessage": "state of an agent",
}
_SILENT_EVENTS = {
    "ClosedNotification": "a notice was dismissed",
    "CommandsAnnouncedEvent": "commands of an agent",
    "LlmContextClearedEvent": "the context of an agent was cleared",
    "LlmContextCompactedEvent": "compaction",
    "LlmSystemPromptEvent": "prompt of an agent",
    "ToolStateEvent": "state of a tool",
}
_TYPES = {
    "CancelMessage": MessageType.INSTRUCTION,
    "ResultMessage": MessageType.RESPONSE,
    "WelcomeMessage": MessageType.NOTIFICATION,
}
_NO_ANSWER_AWAITED = {"CancelMessage", "WelcomeMessage"}
_ENVELOPE = frozenset(
    {
        *("id", "parent_id", "team_id", "timestamp", "sender", "recipient", "display_type"),
        *("__model__", "type", "content", "content_type", "current_message"),
    }
)


def adapt_akgentic(frames: Iterable[JsonValue]) -> Adapted:
    """Return the events of decoded Akgentic messages; never raises on any JSON.

    They come in the order of their sequence where all have one, else in that of the record. Which
    message opens a turn and how one ends is told in `turns`. A turn that the record leaves open has
    an end that no frame says.
    """
    read = read_frames(frames)
    ordered = in_sequence(read)
    void = void_frames(ordered)
    counted = [frame for frame in ordered if frame.index not in void]
    human = _human(counted)
    team = _Team(counted)
    turns = Turns(human, _absorbed(counted))
    told: list[tuple[AkgenticFrame, list[Event]]] = []
    for place, frame in enumerate(counted):
        events = team.events(frame)
        if isinstance(events, str):
            void[frame.index] = events
            events = []
        for event in events:
            turns.see(event, place)
        told.append((frame, events))
    marked = list(_marked(told, turns.all))
    return Adapted(
        events=tuple(event for event, _ in marked),
        origins=tuple(origin for _, origin in marked),
        heads=tuple(_head(frame, turns) for frame in read),
        dropped=tuple(_dropped(frame, void[frame.index]) for frame in read if frame.index in void),
        human=human,
        lost=sum(frame.is_lost or void.get(frame.index) == UNREADABLE for frame in read),
        capabilities=_CAPABILITIES,
    )


def _human(frames: Sequence[AkgenticFrame]) -> str:
    """Return the name of the user proxy that says something first, else of the first there is."""
    spoke = [frame.sender for frame in frames if frame.kind == "SentMessage"]
    addressed = [address_of(frame.body.get("recipient")) for frame in frames]
    there = [*spoke, *(frame.sender for frame in frames), *addressed]
    return next((one.name for one in there if one.is_person and one.name), HUMAN)


def _absorbed(frames: Iterable[AkgenticFrame]) -> dict[str, str]:
    """Return the messages that a run in progress took out of the mailbox, each with its message."""
    absorbed: dict[str, str] = {}
    for frame in frames:
        message_id = word(frame.body, "message_id")
        if frame.kind == "HandledMessage" and message_id and frame.cause_id:
            absorbed[message_id] = frame.cause_id
    return absorbed


def _marked(
    told: Sequence[tuple[AkgenticFrame, list[Event]]], turns: Sequence[Turn]
) -> Iterable[tuple[Event, int]]:
    """Yield every event and its origin, with the begins and ends of turns in their places."""
    begins = {turn.begins: turn for turn in turns}
    ends: dict[int, list[Turn]] = {}
    for turn in turns:
        ends.setdefault(turn.ends, []).append(turn)
    for place, (frame, events) in enumerate(told):
        if place in begins:
            yield begins[place].started(), frame.index
        yield from ((event, frame.index) for event in events)
        for turn in ends.get(place, ()):
            yield turn.finished(), NO_FRAME if turn.is_left_open else frame.index


def _head(frame: AkgenticFrame, turns: Turns) -> FrameHead:
    turn = turns.of(word(frame.inner, "id") or frame.cause_id or word(frame.body, "message_id"))
    return FrameHead(
        index=frame.index,
        author=frame.sender.name,
        role=frame.sender.role,
        invocation=turn.opened.message_id if turn else None,
    )


def _dropped(frame: AkgenticFrame, reason: str) -> DroppedFrame:
    return DroppedFrame(index=frame.index, author=frame.sender.name, reason=reason)


class _Team:
    """Makes the events of a team's frames, one frame after the other."""

    def __init__(self, frames: Sequence[AkgenticFrame]) -> None:
        self._runs = ModelRuns(frames)
        self._up: dict[str | None, None] = {}

    def events(self, frame: AkgenticFrame) -> list[Event] | str:
        """Return what a frame tells, or why that is nothing."""
        match frame.kind:
            case "StartMessage" | "StopMessage":
                return [self._of_roster(frame)]
            case "EventMessage":
                return self._of_payload(frame)
            case kind if kind in _SILENT:
                return _SILENT[kind]
            case kind:
                return _TELLING.get(kind or "", _published)(frame)

    def _of_roster(self, frame: AkgenticFrame) -> Event:
        if frame.kind == "StartMessage":
            self._up[frame.sender.name] = None
            return _of(frame, AgentStarted())
        self._up.pop(frame.sender.name, None)
        return _of(frame, AgentStopped())

    def _of_payload(self, frame: AkgenticFrame) -> list[Event] | str:
        kind = kind_of(frame.payload)
        if kind in MODEL_EVENTS:
            return self._runs.events(frame)
        if kind == "TeamStoppingEvent":
            up, self._up = self._up, {}
            stopped = [replace(_of(frame, AgentStopped()), agent=name) for name in up]
            return [*stopped] or "the team stops"
        return UNREADABLE if kind is None else _SILENT_EVENTS.get(kind, f"event of its own: {kind}")


def _sent(frame: AkgenticFrame) -> list[Event] | str:
    """Return the message that was sent; that of a class without a content has its own fields."""
    inner = frame.inner
    if not inner:
        return UNREADABLE
    sent = MessageSent(
        recipient=address_of(frame.body.get("recipient")).name,
        content=_content(inner),
        message_id=word(inner, "id"),
        message_type=_type(inner),
        internal=kind_of(inner) in _NO_ANSWER_AWAITED,
    )
    return [_of(frame, sent)]


def _published(frame: AkgenticFrame) -> list[Event] | str:
    """Return what was only shown to those who watch the team."""
    message = MessageSent(
        content=_content(frame.body),
        message_id=frame.frame_id,
        message_type=MessageType.NOTIFICATION,
        internal=True,
    )
    return [_of(frame, message)]


def _handled(frame: AkgenticFrame) -> list[Event] | str:
    message_id = word(frame.body, "message_id")
    if message_id is None:
        return UNREADABLE
    return [_of(frame, MessageHandled(message_id=message_id))]


def _failed(frame: AkgenticFrame) -> list[Event] | str:
    """Return what broke: class and text in one line; its traceback stays where it is."""
    told = [word(frame.body, "content_type"), word(frame.body, "content")]
    error = ": ".join(" ".join(one.split()) for one in told if one) or "an error without a text"
    return [_of(frame, AgentFailed(error=error))]


_TELLING: dict[str, Callable[[AkgenticFrame], list[Event] | str]] = {
    "SentMessage": _sent,
    "ProcessedMessage": _handled,
    "HandledMessage": _handled,
    "ErrorMessage": _failed,
    "WarningMessage": _failed,
}


def _of[E: Event](frame: AkgenticFrame, event: E) -> E:
    return replace(
        event,
        at=frame.at,
        agent=frame.sender.name,
        event_id=frame.frame_id,
        cause_id=frame.cause_id,
    )


def _type(inner: JsonObject) -> MessageType:
    kind = kind_of(inner)
    if kind in _TYPES:
        return _TYPES[kind]
    try:
        return MessageType(word(inner, "type") or MessageType.REQUEST)
    except ValueError:
        return MessageType.REQUEST


def _content(message: JsonObject) -> str:
    """Return the text of a message, or what it has besides the fields of every message."""
    content = message.get("reason" if kind_of(message) == "CancelMessage" else "content")
    if content is None:
        content = {name: value for name, value in message.items() if name not in _ENVELOPE}
    return text_of(writable_json(content))
