"""One ADK event read into a plain value, whatever its spelling. No event of ours is made here.

snake_case and camelCase, with and without nulls, and the session wrapper come to the same value.
`actions.state_delta` holds headers and tokens: it is never read.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache

from pydantic import JsonValue

from audition.values import text_of, writable_json, writable_text

USER = "user"
"""The author of what the person says, and of the answers to what a run asked the person."""

_SAID = {"text", "inline_data", "file_data"}

type JsonObject = dict[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdkPart:
    """A part of an event's content.

    Attributes:
        kind: `text`, `thought`, `function_call`, `function_response`, else what it holds.
        text: Of a text or thought, else empty.
        name: The tool of a call or response, else empty.
        call_id: Its id, None where it has none.
        body: The call or response as recorded, else empty.

    """

    kind: str
    text: str = ""
    name: str = ""
    call_id: str | None = None
    body: JsonObject = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, slots=True, kw_only=True)
class AdkFrame:
    """An event, or what stands in its place.

    Attributes:
        index: Position in the record, where a session counts as its events.
        author: Who wrote it, None where the frame is no ADK event.
        role: That of its content, None where it has none: shown, and never believed.
        event_id: Its id, None where it has none; partial events have the id of the final one.
        invocation: The id of its invocation, None where it has none.
        at: Seconds since the epoch, None where unknown.
        parts: Its content.
        partial: A preview of an event that follows.
        error: Code and message in one line, None where it is no error.
        usage: The tokens of the model's answer, empty where there are none.
        model: The model that answered, None where none did or it is unknown.
        finish_reason: Why the model stopped, None where none did.
        output: It carries the result of a workflow node.
        long_running: The ids of those of its calls that return later.
        awaited: The ids of calls for which it asks the person to approve or to sign in.
        skip_summarization: Its returns are the last word, the model does not see them.
        end_of_agent: Its author is done.
        compaction: It sums up earlier events for the model.
        transfer_to: The agent that goes on, None where nobody was handed the conversation.
        rewind_to: The first invocation that is taken back, None where none is.

    """

    index: int
    author: str | None
    role: str | None
    event_id: str | None
    invocation: str | None
    at: float | None
    parts: tuple[AdkPart, ...]
    partial: bool
    error: str | None
    usage: JsonObject
    model: str | None
    finish_reason: str | None
    output: bool
    long_running: frozenset[str]
    awaited: frozenset[str]
    skip_summarization: bool
    end_of_agent: bool
    compaction: bool
    transfer_to: str | None
    rewind_to: str | None

    @property
    def agent(self) -> str | None:
        """The author, None where that is the person."""
        return None if self.author == USER else self.author

    @property
    def run_id(self) -> str | None:
        """All that one agent does in one invocation is one run."""
        return "/".join(name for name in (self.invocation, self.agent) if name) or None

    @property
    def texts(self) -> tuple[str, ...]:
        """The text parts that are no thoughts."""
        return tuple(part.text for part in self.parts if part.kind == "text")

    @property
    def uses_tools(self) -> bool:
        """Whether it holds a call or a response."""
        return any(part.kind in {"function_call", "function_response"} for part in self.parts)

    @property
    def opens_turn(self) -> bool:
        """Whether the person says something new, in words or with a file."""
        said = any(part.kind in _SAID for part in self.parts)
        return said and self.author == USER and not self.uses_tools

    @property
    def is_of_model(self) -> bool:
        """Whether a model answered an agent."""
        return self.agent is not None and bool(self.usage or self.model or self.finish_reason)

    @property
    def acts(self) -> bool:
        """Whether an agent did something in it, readable or not."""
        done = bool(self.parts or self.error) or self.output or self.is_of_model
        return done and self.agent is not None

    @property
    def emptiness(self) -> str:
        """Why no event comes of it, where none does."""
        if self.end_of_agent:
            return "end of agent"
        if self.parts:
            kinds = sorted({part.kind for part in self.parts})
            return f"nothing readable: {', '.join(kinds)}"
        return "output of a node" if self.output else "no content"

    def tokens(self, name: str) -> int:
        """Return a token count of the usage, 0 where it has none."""
        count = _pick(self.usage, name)
        return count if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0


NOT_ADK = "not an ADK event"
"""Why a frame was dropped of which nobody can tell what it said."""


def read_frames(frames: Iterable[JsonValue]) -> list[AdkFrame]:
    """Return every frame read, a session as its events; those that are none have no author."""
    return [_frame(index, _object(raw)) for index, raw in enumerate(unwrapped(frames))]


def void_frames(frames: Sequence[AdkFrame]) -> dict[int, str]:
    """Return the reason by index, for the frames that count for nothing whatever they hold."""
    void: dict[int, str] = {}
    seen: set[str] = set()
    for frame in frames:
        if frame.author is None:
            void[frame.index] = NOT_ADK
        elif frame.partial:
            void[frame.index] = "partial"
        elif frame.event_id in seen:
            void[frame.index] = "seen before"
        elif frame.event_id is not None:
            seen.add(frame.event_id)
    return void | _rewound([frame for frame in frames if frame.index not in void])


def unwrapped(frames: Iterable[JsonValue]) -> Iterator[JsonValue]:
    """Yield every frame, a session as its events, however often it is wrapped."""
    waiting = [iter(frames)]
    while waiting:
        for frame in waiting[-1]:
            events = _events_of(frame)
            if events:
                waiting.append(iter(events))
                break
            yield frame
        else:
            waiting.pop()


def _events_of(frame: JsonValue) -> list[JsonValue]:
    """Return the events that a frame wraps, none where it is one."""
    events = frame.get("events") if isinstance(frame, dict) and "author" not in frame else None
    return events if isinstance(events, list) else []


def invocation_of(frame: JsonValue) -> str | None:
    """Return the id of the invocation that a frame belongs to, None where it has none."""
    return _word(_object(frame), "invocation_id")


def _rewound(frames: Sequence[AdkFrame]) -> dict[int, str]:
    """Return what rewinds took back, the last one first: it may have taken back a rewind."""
    void: dict[int, str] = {}
    position = len(frames)
    while position:
        position -= 1
        target = frames[position].rewind_to
        if target is not None:
            void[frames[position].index] = "rewind"
            earlier = (i for i in range(position) if frames[i].invocation == target)
            first = next(earlier, position)
            void |= {frame.index: "rewound" for frame in frames[first:position]}
            position = first
    return void


def _frame(index: int, event: JsonObject) -> AdkFrame:
    actions = _object(_pick(event, "actions"))
    content = _object(_pick(event, "content"))
    parts = _pick(content, "parts")
    asked = (_pick(actions, f"requested_{what}") for what in ("tool_confirmations", "auth_configs"))
    return AdkFrame(
        index=index,
        author=_word(event, "author"),
        role=_word(content, "role"),
        event_id=_word(event, "id"),
        invocation=invocation_of(event),
        at=_seconds(_pick(event, "timestamp")),
        parts=tuple(_part(_object(part)) for part in parts) if isinstance(parts, list) else (),
        partial=_pick(event, "partial") is True,
        error=_error(_pick(event, "error_code"), _pick(event, "error_message")),
        usage=_object(_pick(event, "usage_metadata")),
        model=_word(event, "model_version"),
        finish_reason=_word(event, "finish_reason"),
        output=_pick(event, "output") is not None,
        long_running=_names(_pick(event, "long_running_tool_ids")),
        awaited=frozenset[str]().union(*map(_names, asked)),
        skip_summarization=_pick(actions, "skip_summarization") is True,
        end_of_agent=_pick(actions, "end_of_agent") is True,
        compaction=_pick(actions, "compaction") is not None,
        transfer_to=_word(actions, "transfer_to_agent"),
        rewind_to=_word(actions, "rewind_before_invocation_id"),
    )


def _part(part: JsonObject) -> AdkPart:
    for kind in ("function_call", "function_response"):
        body = _pick(part, kind)
        if isinstance(body, dict):
            name = _word(body, "name")
            if name is None:
                return AdkPart(kind=f"{kind} without a name")
            return AdkPart(kind=kind, name=name, call_id=_word(body, "id"), body=body)
    text = _pick(part, "text")
    if isinstance(text, str):
        kind = "thought" if _pick(part, "thought") is True else "text"
        return AdkPart(kind=kind, text=writable_text(text))
    held = (_snake(key) for key, value in part.items() if value is not None)
    return AdkPart(kind=next(held, "empty part"))


def _pick(record: JsonObject, name: str) -> JsonValue:
    value = record.get(name)
    return record.get(_camel(name)) if value is None else value


@cache
def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _snake(key: str) -> str:
    text = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key[:40])
    return writable_text(text)


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _word(record: JsonObject, name: str) -> str | None:
    value = _pick(record, name)
    return writable_text(value) if isinstance(value, str) and value else None


def _names(value: JsonValue) -> frozenset[str]:
    """Return the strings of a list, or the keys of an object: never what stands under them."""
    names = value if isinstance(value, list | dict) else ()
    return frozenset(writable_text(name) for name in names if isinstance(name, str))


def _error(code: JsonValue, message: JsonValue) -> str | None:
    told = [" ".join(text_of(writable_json(word)).split()) for word in (code, message) if word]
    return ": ".join(word for word in told if word) or None


def _seconds(value: JsonValue) -> float | None:
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return moment.timestamp()
        number = float(value) if isinstance(value, int | float) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and not isinstance(value, bool) else None


def is_adk(frame: JsonValue) -> bool:
    """Return whether a frame has the marks of an ADK event, or of what wraps some."""
    if not isinstance(frame, dict):
        return False
    if "author" in frame:
        return "kind" not in frame  # which an event of ours has
    return any(map(is_adk, _events_of(frame)[:3]))


def session_of_adk(frame: JsonValue) -> str | None:
    """Return the session that a frame, or what wraps its events, names; None where none is."""
    record = _object(frame)
    if isinstance(record.get("events"), list):
        return _word(record, "id")
    return _word(record, "session_id")
