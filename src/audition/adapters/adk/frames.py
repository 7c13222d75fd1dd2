"""One ADK event read into a plain value, whatever its spelling. No event of ours is made here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite

from pydantic import JsonValue

from audition.adapters.adk.casing import JsonObject, decoded, named, word
from audition.adapters.adk.parts import CALL, RETURN, AdkPart, read_part
from audition.adapters.adk.rows import unwrapped
from audition.values import seconds_of, text_of, writable_json, writable_text

USER = "user"
"""The author of what the person says, and of the answers to what a run asked the person."""

_WELL_ENDED = {"STOP", "FINISH_REASON_UNSPECIFIED"}
_SELDOM = frozenset({"branch", "partial", "interrupted", "long_running_tool_ids", "output"})
_NOTHING: JsonObject = {}
_GO_HAS_NO_TIME = "0001-01-01T"


# Not frozen: a frozen one takes three times as long to make, and nobody changes one.
@dataclass(slots=True, kw_only=True)
class AdkFrame:
    """An event, or what stands in its place.

    Attributes:
        index: Position in the record, where a session counts as its events.
        author: Who wrote it, None where the frame is no ADK event.
        agent: The author, None where that is the person.
        role: That of its content, None where it has none: shown, and never believed.
        event_id: Its id, None where it has none; partial events have the id of the final one.
        invocation: The id of its invocation, None where it has none.
        at: Seconds since the epoch, None where unknown.
        parts: Its content.
        says: It holds words or a file.
        uses_tools: It holds a call or a return.
        error: Code and message in one line, None where it is no error.
        usage: The tokens of the model's answer, empty where there are none.
        model: The model that answered, None where none did or it is unknown.
        finish_reason: Why the model stopped, None where none did.
        branch: The branch of a parallel run that it is of, None where it is of none.
        partial: A preview of an event that follows.
        interrupted: The person cut the agent off.
        output: What a workflow node gives, as text; None where it gives nothing.
        is_result: The output is that of the whole run.
        long_running: The ids of those of its calls that return later.
        awaited: The ids of calls for which it asks the person to approve or to sign in.
        skip_summarization: Its returns are the last word, the model does not see them.
        end_of_agent: Its author is done.
        compaction: It sums up earlier events for the model.
        transfer_to: The agent that goes on, None where nobody was handed the conversation.
        rewind_to: The first invocation that is taken back, None where none is.
        state: What it changes in the state of the session, as it is stored.

    """

    index: int
    author: str | None
    agent: str | None
    role: str | None
    event_id: str | None
    invocation: str | None
    at: float | None
    parts: list[AdkPart]
    says: bool
    uses_tools: bool
    error: str | None
    usage: JsonObject
    model: str | None
    finish_reason: str | None
    branch: str | None = None
    partial: bool = False
    interrupted: bool = False
    output: str | None = None
    is_result: bool = False
    long_running: frozenset[str] = frozenset()
    awaited: frozenset[str] = frozenset()
    skip_summarization: bool = False
    end_of_agent: bool = False
    compaction: bool = False
    transfer_to: str | None = None
    rewind_to: str | None = None
    state: JsonObject = field(default_factory=dict[str, JsonValue])

    @property
    def run_id(self) -> str | None:
        """All that one agent does in one invocation is one run."""
        if self.invocation is None or self.agent is None:
            return self.invocation or self.agent
        return f"{self.invocation}/{self.agent}"

    @property
    def opens_turn(self) -> bool:
        """Whether the person says something new, in words or with a file."""
        return self.says and self.author == USER and not self.uses_tools

    @property
    def is_of_model(self) -> bool:
        """Whether a model answered an agent."""
        return bool(self.usage or self.model or self.finish_reason) and self.agent is not None

    @property
    def acts(self) -> bool:
        """Whether an agent did something in it, readable or not."""
        if self.agent is None:
            return False
        return bool(self.parts or self.error) or self.output is not None or self.is_of_model

    @property
    def emptiness(self) -> str:
        """Why no event comes of it, where none does."""
        if self.compaction:
            return "compaction"
        if self.end_of_agent:
            return "end of agent"
        if self.parts:
            kinds = sorted({part.kind for part in self.parts})
            return f"nothing readable: {', '.join(kinds)}"
        return "interruption" if self.interrupted else "no content"

    def tokens(self, name: str) -> int:
        """Return a token count of the usage, 0 where it has none."""
        count = self.usage.get(name)
        return count if type(count) is int and count > 0 else 0


NOT_ADK = "not an ADK event"
"""Why a frame was dropped of which nobody can tell what it said."""


def read_frames(frames: Iterable[JsonValue]) -> list[AdkFrame]:
    """Return every frame read, a session as its events; those that are none have no author."""
    return [_frame(index, named(raw)) for index, raw in enumerate(unwrapped(frames))]


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
    author = word(event, "author")
    content = decoded(event.get("content") or _NOTHING)
    if not isinstance(content, dict):
        author, content = None, _NOTHING  # a torn column: nobody knows what it said
    elif "parts" not in content:  # in PascalCase
        content = named(content)
    agent = None if author == USER else author
    parts = _parts(content.get("parts"), event, agent)
    kinds = [part.kind for part in parts]
    finish_reason = word(event, "finish_reason")
    frame = AdkFrame(
        index=index,
        author=author,
        agent=agent,
        role=word(content, "role"),
        event_id=word(event, "id"),
        invocation=word(event, "invocation_id"),
        at=_seconds(event.get("timestamp")),
        parts=parts,
        says="text" in kinds or "file" in kinds,
        uses_tools=CALL in kinds or RETURN in kinds,
        error=_error(event),
        usage=named(decoded(event.get("usage_metadata"))) if "usage_metadata" in event else {},
        model=word(event, "model_version"),
        finish_reason=finish_reason,
    )
    is_cut_short = finish_reason is not None and finish_reason.upper() not in _WELL_ENDED
    if is_cut_short and not parts and agent is not None:  # before its first word
        frame.error = frame.error or finish_reason
    if not _SELDOM.isdisjoint(event):
        _add_seldom(frame, event)
    actions = decoded(event.get("actions"))
    if isinstance(actions, dict) and any(actions.values()):  # most do nothing, and list it all
        _add_actions(frame, named(actions))
    return frame


def _add_seldom(frame: AdkFrame, event: JsonObject) -> None:
    frame.branch = word(event, "branch")
    frame.partial = event.get("partial") == 1  # a column of a table has no true
    frame.interrupted = event.get("interrupted") == 1
    frame.long_running = _names(decoded(event.get("long_running_tool_ids")))
    output = event.get("output")
    if output is not None and not frame.parts:  # what a node says is its output as well
        frame.output = text_of(writable_json(output))
        frame.is_result = _is_result(named(event.get("node_info")))


def _add_actions(frame: AdkFrame, actions: JsonObject) -> None:
    asked = (actions.get(f"requested_{what}") for what in ("tool_confirmations", "auth_configs"))
    frame.awaited = frozenset[str]().union(*map(_names, asked))
    frame.skip_summarization = actions.get("skip_summarization") is True
    frame.end_of_agent = actions.get("end_of_agent") is True
    frame.compaction = "compaction" in actions
    frame.transfer_to = word(actions, "transfer_to_agent")
    frame.rewind_to = word(actions, "rewind_before_invocation_id")
    state = actions.get("state_delta")
    if isinstance(state, dict):
        frame.state = state


def _parts(parts: JsonValue, event: JsonObject, agent: str | None) -> list[AdkPart]:
    """Return the parts of the content, or what was heard where there is none."""
    if isinstance(parts, list) and parts:
        return [read_part(part) for part in parts]
    for name in ("input_transcription", "output_transcription"):
        heard = word(named(decoded(event.get(name))), "text") if name in event else None
        if heard is not None:
            is_own = (agent is None) == (name == "input_transcription")
            return [AdkPart("text", heard) if is_own else AdkPart(name)]
    return []


def _is_result(node: JsonObject) -> bool:
    """Return whether an output is for a node that is in no other; else another node takes it."""
    paths = node.get("output_for")
    known = paths if isinstance(paths, list) and paths else [node.get("path")]
    return any(not isinstance(path, str) or "/" not in path for path in known)


def _names(value: JsonValue) -> frozenset[str]:
    """Return the strings of a list, or the keys of an object: never what stands under them."""
    names = value if isinstance(value, list | dict) else ()
    return frozenset([writable_text(name) for name in names if isinstance(name, str)])


def _error(event: JsonObject) -> str | None:
    if "error_code" not in event and "error_message" not in event:
        return None
    told = [
        " ".join(text_of(writable_json(event[name])).split())
        for name in ("error_code", "error_message")
        if event.get(name)
    ]
    return ": ".join(filter(None, told)) or None


def _seconds(timestamp: JsonValue) -> float | None:
    if type(timestamp) is float and isfinite(timestamp):
        return timestamp
    if isinstance(timestamp, str) and timestamp.startswith(_GO_HAS_NO_TIME):
        return None
    return seconds_of(timestamp)
