"""What one case left behind, and its views. No I/O, no verdict."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from audition.causality import CausalOrder
from audition.events import COMPLETED, HUMAN, CompletionReason, DroppedFrame
from audition.invocations import InvocationOutcome, ToolInvocation, join_invocations
from audition.matching.text import NormalText
from audition.records import (
    HandledRecord,
    LlmUsageRecord,
    MessageRecord,
    StateChangeRecord,
    ToolCallRecord,
    ToolEvidenceRecord,
    ToolReturnRecord,
    TurnRecord,
)
from audition.tool_rules import ToolRule

_RECORD_FIELDS = (
    *("messages", "tool_calls", "tool_returns", "tool_evidence", "llm_usage", "handled"),
    "state_changes",
)


class Provenance(BaseModel):
    """Where the evidence comes from.

    Attributes:
        source: The runtime or the file.
        team_id: The running team, None where it has no identity.
        application_version: The version of what was evaluated, None where unknown.
        model_ids: The models that answered, in order of appearance.

    """

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    source: str | None = None
    team_id: str | None = None
    application_version: str | None = None
    model_ids: tuple[str, ...] = ()


class RuntimeCapabilities(BaseModel):
    """What the evidence of a runtime can be relied on for.

    Attributes:
        request_correlation: Every event is known to belong to its case and turn.
        isolated_execution: No other client and no other case shares the team.
        trace_context: Spans made by agents and tools belong to the case that caused them.
        actor_quiescence: It can be told when nothing more will happen.
        tool_evidence: What tools gave back is seen, not only that they were called.
        causes: Every message and tool call names the message that was being handled.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    request_correlation: bool = False
    isolated_execution: bool = False
    trace_context: bool = False
    actor_quiescence: bool = False
    tool_evidence: bool = False
    causes: bool = False


class CaseOutput(BaseModel):
    """Everything one case left behind.

    Attributes:
        final_response: The answer of the last turn, None where it got none.
        human_responses: Every non-empty request or response to the human, in order.
        completion_reason: Why the case ended: the reason of the last turn that was run.
        completion_detail: More about it, None where there is no more.
        messages: Every message, in order.
        tool_calls: Every request for a tool, in order.
        tool_returns: Every end of an invocation, in order.
        tool_evidence: Everything given back to a model, in order.
        llm_usage: Every answer of a model, in order.
        errors: What broke, one line each.
        turns: The conversation, the turns that were not run included.
        dropped: Foreign frames that became no event, and why.
        dropped_events: Events beyond the bound of a case, not kept.
        contaminated: Events were seen that no turn of this case caused.
        capabilities: What the evidence can be relied on for.
        provenance: Where it comes from.
        tool_rules: When a returned content is a domain failure.
        human: The name of the person in `messages`.
        captured: What was taken out of turns for later messages, by name.
        handled: Every end of the handling of a message, in order; nothing where the source does not
            tell of them.
        state_changes: Every change of the state that the runtime keeps, in order: no part of the
            trajectory. What came before the first turn is of none.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    final_response: str | None = None
    human_responses: tuple[str, ...] = ()
    completion_reason: CompletionReason
    completion_detail: str | None = None
    messages: tuple[MessageRecord, ...] = ()
    tool_calls: tuple[ToolCallRecord, ...] = ()
    tool_returns: tuple[ToolReturnRecord, ...] = ()
    tool_evidence: tuple[ToolEvidenceRecord, ...] = ()
    llm_usage: tuple[LlmUsageRecord, ...] = ()
    errors: tuple[str, ...] = ()
    turns: tuple[TurnRecord, ...] = ()
    dropped: tuple[DroppedFrame, ...] = ()
    dropped_events: int = 0
    contaminated: bool = False
    capabilities: RuntimeCapabilities = Field(default_factory=RuntimeCapabilities)
    provenance: Provenance = Field(default_factory=Provenance)
    tool_rules: tuple[ToolRule, ...] = ()
    human: str = HUMAN
    captured: dict[str, str] = Field(default_factory=dict[str, str])
    handled: tuple[HandledRecord, ...] = ()
    state_changes: tuple[StateChangeRecord, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _number_records(cls, values: Any) -> Any:
        """Give records that have no `seq`, as in a report of another tool, their position."""
        if not isinstance(values, dict):
            return values
        given: dict[str, Any] = values  # pyright: ignore[reportUnknownVariableType]
        bare = [name for name in _RECORD_FIELDS if (it := given.get(name)) and _is_bare(it)]
        return {**given, **{name: _numbered(given[name]) for name in bare}} if bare else given

    def __repr__(self) -> str:
        """Return one line of constant size: `asyncio.run` takes the repr of what it returns."""
        return (
            f"CaseOutput({self.completion_reason}, turns={len(self.turns)}, "
            f"messages={len(self.messages)}, tool_calls={len(self.tool_calls)})"
        )

    __str__ = __repr__

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy whose views are made anew, so that new rules count in it."""
        copied = super().model_copy(update=update, deep=deep)
        for view in vars(copied).keys() - type(self).model_fields.keys():
            del vars(copied)[view]
        return copied

    @property
    def completed(self) -> bool:
        """Whether the whole conversation was held: no turn broke and none was left out."""
        return self.completion_reason in COMPLETED and not any(turn.not_run for turn in self.turns)

    @cached_property
    def characters(self) -> int:
        """How much text there is to look at, in characters."""
        return sum([len(record.content) for record in (*self.messages, *self.tool_evidence)])

    @cached_property
    def spoken(self) -> tuple[MessageRecord, ...]:
        """The messages without those that are plumbing of the runtime."""
        return tuple([record for record in self.messages if not record.internal])

    @cached_property
    def _invocations(self) -> tuple[ToolInvocation, ...]:
        return tuple(
            join_invocations(
                self.tool_calls, self.tool_returns, self.tool_evidence, self.tool_rules
            )
        )

    @cached_property
    def _selected(
        self,
    ) -> dict[tuple[str | None, int | None, bool], tuple[ToolInvocation, ...]]:
        return {}

    def tool_invocations(
        self, tool_name: str | None = None, *, turn: int | None = None, internal: bool = False
    ) -> tuple[ToolInvocation, ...]:
        """Return the invocations in the order of their calls.

        Args:
            tool_name: Only of this tool, None for all.
            turn: Only of this turn, None for all.
            internal: Also the plumbing of the runtime.

        """
        selection = (tool_name, turn, internal)
        found = self._selected.get(selection)
        if found is None:
            found = self._invocations
            if tool_name is not None:
                found = tuple([one for one in found if one.tool_name == tool_name])
            if turn is not None:
                found = tuple([one for one in found if one.turn == turn])
            if not internal:
                found = tuple([one for one in found if not one.internal])
            self._selected[selection] = found
        return found

    @cached_property
    def causal_order(self) -> CausalOrder:
        """What of the messages and the tool invocations came before what, by cause."""
        return CausalOrder(
            self.messages,
            self._invocations,
            called={call.seq for call in self.tool_calls},
            human=self.human,
            is_told=self.capabilities.causes,
        )

    def successful_tool_evidence(
        self, tool_name: str, turn: int | None = None
    ) -> tuple[ToolInvocation, ...]:
        """Return the invocations of a tool whose content counts as evidence.

        The invocation returned, its content was seen, and no declared rule calls it a failure.

        Args:
            tool_name: The tool.
            turn: Only of this turn, None for all.

        """
        return tuple(
            [
                invocation
                for invocation in self.tool_invocations(tool_name, turn=turn)
                if invocation.outcome is InvocationOutcome.OK and invocation.content is not None
            ]
        )

    @cached_property
    def _normal_texts(self) -> dict[str, NormalText]:
        return {}

    def normal_text(self, text: str) -> NormalText:
        """Return a text of this output normalised for matching, once for all evaluators."""
        found = self._normal_texts.get(text)
        if found is None:
            found = self._normal_texts[text] = NormalText(text)
        return found


def _is_bare(records: Any) -> bool:
    """Return whether these are records without a position; all of a list are alike in that."""
    first = records[0] if isinstance(records, (list, tuple)) else None  # pyright: ignore[reportUnknownVariableType]
    return isinstance(first, dict) and "seq" not in first


def _numbered(records: Any) -> list[Any]:
    return [
        {"seq": position, **record} if isinstance(record, dict) else record
        for position, record in enumerate(records)
    ]
