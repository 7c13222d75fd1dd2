"""Which messages and tool invocations are meant, as it can be written down in a dataset file.

    {"sender": "@Manager", "recipient": "@Human", "contains": "Berth 7"}    messages
    {"tool": "search_graph", "agent": "@Knowledge", "outcome": "ok"}        invocations of a tool

Everything that a pattern says must hold; the runtime's own messages are never meant, and its own
calls are where their tool is named, as everywhere.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Self, cast

from pydantic import ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic.dataclasses import dataclass

from audition.causality import Happening
from audition.evaluators.arguments import Expectation
from audition.evaluators.reasons import few
from audition.evaluators.view import EvidenceView
from audition.events import MessageType
from audition.invocations import InvocationOutcome
from audition.matching.json_values import matches
from audition.matching.terms import Term, contains, describe
from audition.records import MessageRecord
from audition.values import canonical_json

type _Name = Annotated[str, Field(min_length=1)]

_CONFIG = ConfigDict(extra="forbid")


@dataclass(frozen=True, config=_CONFIG, kw_only=True)
class MessagePattern:
    """Messages; at least one of the fields must be given.

    Attributes:
        sender: Who sent it, None for anybody.
        recipient: Who it is for, None for anybody.
        contains: A term in it, None for any content.
        message_type: What it is for, None for anything.

    """

    sender: _Name | None = None
    recipient: _Name | None = None
    contains: Term | None = None
    message_type: MessageType | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        given = (self.sender, self.recipient, self.contains, self.message_type)
        if all(value is None for value in given):
            msg = "it means every message: give a sender, a recipient, a term or a type"
            raise ValueError(msg)
        return self

    def __str__(self) -> str:
        kind = "" if self.message_type is None else f" {self.message_type}"
        text = "" if self.contains is None else f" with {describe(self.contains)}"
        return f"{self.sender or '*'}>{self.recipient or '*'}{kind}{text}"

    def is_met_by(self, happening: Happening, view: EvidenceView) -> bool:
        """Return whether a message is meant."""
        record = happening.record
        return (
            isinstance(record, MessageRecord)
            and not record.internal
            and self.sender in {None, record.sender}
            and self.recipient in {None, record.recipient}
            and self.message_type in {None, record.message_type}
            and (
                self.contains is None
                or contains(view.output.normal_text(record.content), self.contains)
            )
        )


@dataclass(frozen=True, config=_CONFIG, kw_only=True)
class ToolPattern:
    """Invocations of a tool.

    Attributes:
        tool: The tool.
        agent: Who called it, None for anybody.
        arguments: What the call has among its arguments, matchers inside; None for anything.
        outcome: How it ended, None for any way.

    """

    tool: _Name
    agent: _Name | None = None
    arguments: Expectation | None = None
    outcome: InvocationOutcome | None = None

    def __str__(self) -> str:
        agent = "" if self.agent is None else f" by {self.agent}"
        given = "" if self.arguments is None else f" {canonical_json(self.arguments)}"
        end = "" if self.outcome is None else f" -> {self.outcome}"
        return f"{self.tool}{given}{agent}{end}"

    def is_met_by(self, happening: Happening, view: EvidenceView) -> bool:
        """Return whether an invocation is meant."""
        del view
        record = happening.record
        return (
            not isinstance(record, MessageRecord)
            and record.tool_name == self.tool
            and self.agent in {None, record.agent}
            and self.outcome in {None, record.outcome}
            and (
                self.arguments is None
                or matches(self.arguments, record.arguments, "superset") is None
            )
        )


def _kind(pattern: object) -> str:
    """Return the tag of the kind of pattern: only that of a tool has the key `tool`."""
    if isinstance(pattern, Mapping):
        return "tool" if "tool" in cast("Mapping[object, object]", pattern) else "message"
    return "tool" if isinstance(pattern, ToolPattern) else "message"


type Pattern = Annotated[
    Annotated[MessagePattern, Tag("message")] | Annotated[ToolPattern, Tag("tool")],
    Discriminator(_kind),
]
"""What happened: a message, or a tool invocation."""


def meant(pattern: Pattern, view: EvidenceView) -> Sequence[Happening]:
    """Return what a pattern means in the turn in scope, messages or invocations in their order."""
    turn = view.scope.turn
    return [
        happening
        for happening in view.output.causal_order.happenings
        if (turn is None or happening.record.turn == turn) and pattern.is_met_by(happening, view)
    ]


def tell(happening: Happening) -> str:
    """Return a message or an invocation in a few words."""
    record = happening.record
    if not isinstance(record, MessageRecord):
        agent = f" by {record.agent}" if record.agent else ""
        return f"{record.tool_name}{agent} (call {record.tool_call_id}, {record.outcome})"
    text = " ".join(record.content[:80].split())
    more = "..." if len(record.content) > 80 else ""
    return f"{record.sender or '?'}>{record.recipient or 'everybody'} {text + more!r}"


def tell_all(happenings: Sequence[Happening]) -> str:
    """Return the first of them, and how many more there are."""
    return few(happenings, tell)
