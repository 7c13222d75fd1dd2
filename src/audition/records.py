"""The records that events become: what was said, called, paid, changed. No joins, no verdict.

The names are those of the reports that people already have, so that such a report loads; what
those lack has a default.
"""

import math

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, JsonValue
from pydantic.dataclasses import dataclass

from audition.events import COMPLETED, CompletionReason, MessageType, ToolOutcome

# Pydantic dataclasses with slots, not models: a model is three objects for Python's garbage
# collector, and a run holds thousands of records; with models a case cost a fifth more. Without a
# base class, since the assembly makes them faster so; what all of them have is
#   seq: position among all events of the case, from 0
#   at: seconds since the epoch by the source's clock, None where unknown
#   turn: the turn it belongs to, from 0; None before the first or where unknown
#   agent: who did it, None where unknown
_CONFIG = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class MessageRecord:
    """A message between two members of the team, the human among them.

    Attributes:
        sender: Who sent it, None where unknown; the same as `agent`.
        recipient: Who it is for, None for everybody or unknown.
        message_type: What it is for.
        content: Its text.
        message_id: Its id, None where the source has none.
        cause_id: The message that was being handled when it was sent, None where unknown.
        internal: Plumbing of the runtime, out of the trajectory.

    """

    seq: int = 0
    at: float | None = None
    turn: int | None = None
    agent: str | None = None
    sender: str | None = None
    recipient: str | None = None
    message_type: MessageType = MessageType.REQUEST
    content: str
    message_id: str | None = None
    cause_id: str | None = None
    internal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class ToolCallRecord:
    """A request of a model for a tool; the fields are those of `ToolCalled`."""

    seq: int = 0
    at: float | None = None
    turn: int | None = None
    agent: str | None = None
    run_id: str | None = None
    tool_name: str
    tool_call_id: str
    arguments_raw: str | None = None
    arguments: JsonValue = None
    parse_error: str | None = None
    cause_id: str | None = None
    internal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class ToolReturnRecord:
    """The end of an invocation; the fields are those of `ToolReturned`."""

    seq: int = 0
    at: float | None = None
    turn: int | None = None
    agent: str | None = None
    run_id: str | None = None
    tool_name: str
    tool_call_id: str
    outcome: ToolOutcome = Field(
        default=ToolOutcome.OK, validation_alias=AliasChoices("outcome", "success")
    )
    internal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class ToolEvidenceRecord:
    """What a model was given back; the fields are those of `ToolEvidence`."""

    seq: int = 0
    at: float | None = None
    turn: int | None = None
    agent: str | None = None
    run_id: str | None = None
    tool_name: str
    tool_call_id: str
    content: str
    structure: JsonValue = None
    outcome: ToolOutcome = ToolOutcome.OK
    internal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class LlmUsageRecord:
    """One answer of a model; the fields are those of `ModelResponded`."""

    seq: int = 0
    at: float | None = None
    turn: int | None = None
    agent: str | None = None
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
    cause_id: str | None = None

    @property
    def known_cost_usd(self) -> float | None:
        """What the answer cost in US dollars, None where that is not known."""
        cost = self.cost_usd
        return cost if cost is not None and 0 <= cost < math.inf else None

    @property
    def known_tokens(self) -> int | None:
        """Tokens read and written, None where they were not reported.

        No model reads nothing and writes nothing: a source that says so does not count.
        """
        counts = (self.input_tokens, self.output_tokens)
        cached = self.cache_read_tokens + self.cache_write_tokens
        if min(counts) < 0 or (self.requests and not any((*counts, cached))):
            return None
        return sum(counts)


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class HandledRecord:
    """The end of the handling of a message; the fields are those of `MessageHandled`."""

    seq: int = 0
    at: float | None = None
    turn: int | None = None
    agent: str | None = None
    message_id: str


@dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)
class StateChangeRecord:
    """A change of the state of the session; the fields are those of `StateChanged`."""

    seq: int = 0
    at: float | None = None
    turn: int | None = None
    agent: str | None = None
    changes: dict[str, JsonValue]


class TurnRecord(BaseModel):
    """One turn of the conversation.

    Attributes:
        message: What the human said.
        target: The agent it went to, None for the team's entry.
        responses: The non-empty requests and responses to the human in it, in order.
        reason: Why it is over, None where it was not run.
        detail: More about the reason, None where there is no more.
        seconds: From the message to the end of the turn, None where unknown.
        not_run: An earlier turn ended the conversation, so this one was never sent.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    message: str
    target: str | None = None
    responses: tuple[str, ...] = ()
    reason: CompletionReason | None = None
    detail: str | None = None
    seconds: float | None = None
    not_run: bool = False

    @property
    def completed(self) -> bool:
        """Whether the turn was answered, or fell quiet by itself."""
        return self.reason in COMPLETED

    @property
    def ending(self) -> str:
        """How it came to its end, in words that follow the name of the turn."""
        if self.not_run:
            return "was not run"
        if self.reason is None:
            return "was cut off"
        if self.reason is CompletionReason.QUIESCENT:
            return "fell quiet" if self.responses else "fell quiet without an answer"
        return f"ended with {self.reason}"

    @property
    def answer(self) -> str | None:
        """The last thing said to the human in this turn, None where nothing was said."""
        return self.responses[-1] if self.responses else None
