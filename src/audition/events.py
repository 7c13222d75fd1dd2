"""The vocabulary: everything a team can be seen to do, as a closed union of frozen values.

Adapters and runtimes make events; the collector reads them. An event says what happened and
carries no verdict. Standard dataclasses, not Pydantic models: a model takes ten times the
memory, and a Pydantic union reads these validated all the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, JsonValue, TypeAdapter

HUMAN = "@Human"
"""The name under which the person is a member of a team, unless its runtime declares another."""


class MessageType(StrEnum):
    """What a message is for; only a request or a response to the human can be an answer."""

    REQUEST = "request"
    RESPONSE = "response"
    NOTIFICATION = "notification"
    INSTRUCTION = "instruction"
    ACKNOWLEDGMENT = "acknowledgment"


class ToolOutcome(StrEnum):
    """How one invocation of a tool ended, as its source recorded it."""

    OK = "ok"
    TOOL_ERROR = "tool_error"
    REJECTED = "rejected"
    INFRASTRUCTURE_ERROR = "infrastructure_error"
    PENDING = "pending"

    @classmethod
    def _missing_(cls, value: object) -> "ToolOutcome | None":
        """Return what a word, or the flag `success`, of reports that people have means here."""
        match value:
            case "success" | True:
                return cls.OK
            case "failed" | "retried" | False:
                return cls.TOOL_ERROR
            case "denied":
                return cls.REJECTED
            case "interrupted":
                return cls.INFRASTRUCTURE_ERROR
            case _:
                return None


class CompletionReason(StrEnum):
    """Why a turn or a case ended. Only the first two mean that the turn was completed."""

    RESPONSE = "response"
    QUIESCENT = "quiescent"
    ERROR = "error"
    RUNTIME_STOPPED = "runtime_stopped"
    TIMEOUT = "timeout"
    DEADLINE = "deadline"
    START_FAILED = "start_failed"
    TRANSPORT_CLOSED = "transport_closed"
    MISSING_VALUE = "missing_value"
    BUDGET = "budget"

    @classmethod
    def _missing_(cls, value: object) -> "CompletionReason | None":
        """Return what a word of reports that people have means here."""
        words = {"human_response": cls.RESPONSE, "team_stopped": cls.RUNTIME_STOPPED}
        return words.get(value) if isinstance(value, str) else None


COMPLETED = frozenset({CompletionReason.RESPONSE, CompletionReason.QUIESCENT})
"""The reasons of a completed turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    """What every event has.

    Attributes:
        at: Seconds since the epoch by the source's clock, None where unknown.
        agent: Who did it, None where it was nobody in the team or is unknown.
        event_id: The source's own id of this event, None where it has none.
        cause_id: The `message_id` of the message that was being handled, None where unknown.

    """

    at: float | None = None
    agent: str | None = None
    event_id: str | None = None
    cause_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(_Event):
    """The message of a turn is about to be sent.

    Attributes:
        turn: Position of the turn in its case, from 0.
        message: What the human says.
        target: The agent it goes to, None for the team's entry.

    """

    turn: int
    message: str
    target: str | None = None
    kind: Literal["turn_started"] = "turn_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFinished(_Event):
    """A turn is over.

    Attributes:
        turn: Position of the turn in its case, from 0.
        reason: Why it is over.
        detail: More about the reason for a reader, None where there is no more.

    """

    turn: int
    reason: CompletionReason
    detail: str | None = None
    kind: Literal["turn_finished"] = "turn_finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSent(_Event):
    """A message left its sender, who is the event's `agent`.

    Attributes:
        message_id: Names this message in every `cause_id`; None where the source has no ids.
        recipient: Who it is for, None for everybody or unknown.
        message_type: What it is for.
        content: Its text; structured content as canonical JSON.
        internal: Plumbing of the runtime: kept as evidence, out of the trajectory.

    """

    recipient: str | None = None
    content: str
    message_id: str | None = None
    message_type: MessageType = MessageType.REQUEST
    internal: bool = False
    kind: Literal["message_sent"] = "message_sent"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageHandled(_Event):
    """The event's `agent` has finished with a message it received.

    Attributes:
        message_id: The message that is now settled.

    """

    message_id: str
    kind: Literal["message_handled"] = "message_handled"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled(_Event):
    """A model asked for a tool. (`run_id`, `tool_call_id`) identifies the invocation.

    Attributes:
        run_id: One model run of one agent, None where the source does not say.
        tool_call_id: The id of the call within its run.
        tool_name: The tool.
        arguments_raw: The text of the arguments, None where the source did not record them.
        arguments: The arguments parsed, None where they were not recorded or do not parse.
        parse_error: Why the arguments do not parse, None where they do or were not recorded.
        internal: Plumbing of the runtime: kept as evidence, out of the trajectory.

    """

    tool_name: str
    tool_call_id: str
    run_id: str | None = None
    arguments_raw: str | None = None
    arguments: JsonValue = None
    parse_error: str | None = None
    internal: bool = False
    kind: Literal["tool_called"] = "tool_called"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReturned(_Event):
    """An invocation ended; what came back to the model is a `ToolEvidence`.

    Attributes:
        run_id: As in the call.
        tool_call_id: As in the call.
        tool_name: The tool.
        outcome: How it ended.
        internal: As in the call.

    """

    tool_name: str
    tool_call_id: str
    run_id: str | None = None
    outcome: ToolOutcome = ToolOutcome.OK
    internal: bool = False
    kind: Literal["tool_returned"] = "tool_returned"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolEvidence(_Event):
    """What the model was given back by an invocation.

    Attributes:
        run_id: As in the call.
        tool_call_id: As in the call.
        tool_name: The tool.
        content: The text; structured content as canonical JSON.
        structure: The JSON object or array of the content, None where it is plain text.
        outcome: How the invocation ended.
        internal: As in the call.

    """

    tool_name: str
    tool_call_id: str
    content: str
    run_id: str | None = None
    structure: JsonValue = None
    outcome: ToolOutcome = ToolOutcome.OK
    internal: bool = False
    kind: Literal["tool_evidence"] = "tool_evidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelResponded(_Event):
    """A model answered one request of one agent.

    Attributes:
        run_id: The run it belongs to, None where the source does not say.
        model_name: The model, None where unknown.
        provider_name: Its provider, None where unknown.
        input_tokens: Tokens read.
        output_tokens: Tokens written.
        cache_read_tokens: Tokens read from the provider's cache.
        cache_write_tokens: Tokens written to the provider's cache.
        requests: Requests this stands for.
        cost_usd: US dollars, None where the price is unknown.
        finish_reason: Why the model stopped, in its source's word; None where unknown.

    """

    run_id: str | None = None
    model_name: str | None = None
    provider_name: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    requests: int = 1
    cost_usd: float | None = None
    finish_reason: str | None = None
    kind: Literal["model_responded"] = "model_responded"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStarted(_Event):
    """The event's `agent` is up."""

    kind: Literal["agent_started"] = "agent_started"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStopped(_Event):
    """The event's `agent` is down."""

    kind: Literal["agent_stopped"] = "agent_stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFailed(_Event):
    """The event's `agent`, or the runtime where that is None, broke.

    Attributes:
        error: What went wrong, one line.

    """

    error: str
    kind: Literal["agent_failed"] = "agent_failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeStopped(_Event):
    """The team is gone: no more events will come.

    Attributes:
        transport_closed: It was the connection that ended, not the team.
        detail: What the source says of it, None where it says nothing.

    """

    transport_closed: bool = False
    detail: str | None = None
    kind: Literal["runtime_stopped"] = "runtime_stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChanged(_Event):
    """The state that a runtime keeps beside the conversation was changed: evidence, and no step.

    Attributes:
        changes: What stands under which name from here on.

    """

    changes: dict[str, JsonValue]
    kind: Literal["state_changed"] = "state_changed"


type Event = (
    TurnStarted
    | TurnFinished
    | MessageSent
    | MessageHandled
    | ToolCalled
    | ToolReturned
    | ToolEvidence
    | ModelResponded
    | AgentStarted
    | AgentStopped
    | AgentFailed
    | RuntimeStopped
    | StateChanged
)

type EventHandler = Callable[[Event], None]
"""Takes an event from any thread; never blocks, never raises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedFrame:
    """A foreign frame that contributed no event, and why.

    Attributes:
        index: Position of the frame in its source, from 0.
        author: Who wrote it by its own word, None where it does not say.
        reason: Why it was dropped.

    """

    index: int
    author: str | None
    reason: str


@cache
def event_adapter() -> TypeAdapter[Event]:
    """Return the one reader and writer of events, made when it is first needed."""
    return TypeAdapter(
        Annotated[Event, Field(discriminator="kind")], config=ConfigDict(extra="forbid")
    )


def read_event(frame: dict[str, Any]) -> Event:
    """Return the event that a decoded JSON object is.

    Raises:
        pydantic.ValidationError: It is none of the vocabulary, or has a field that is not ours.

    """
    return event_adapter().validate_python(frame)
