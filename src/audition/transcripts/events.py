"""What the records of every runtime have: the events of a tool call, and the end of a turn."""

from dataclasses import dataclass
from typing import TypedDict

from audition.events import (
    CompletionReason,
    ToolCalled,
    ToolEvidence,
    ToolOutcome,
    ToolReturned,
    TurnFinished,
)
from audition.tool_payloads import Arguments, Returned


class Origin(TypedDict):
    """Where an event comes from, as the fields of every event have it."""

    at: float | None
    agent: str | None
    event_id: str | None
    cause_id: str | None


class Identity(TypedDict):
    """What names a call, in each of its events."""

    run_id: str | None
    tool_call_id: str
    tool_name: str
    internal: bool


def called(origin: Origin, identity: Identity, arguments: Arguments) -> ToolCalled:
    """Return a request for a tool."""
    return ToolCalled(
        **origin,
        **identity,
        arguments_raw=arguments.raw,
        arguments=arguments.value,
        parse_error=arguments.parse_error,
    )


def came_back(
    origin: Origin, identity: Identity, returned: Returned, *, outcome: ToolOutcome
) -> tuple[ToolReturned, ToolEvidence]:
    """Return the end of an invocation, and what the model was given back."""
    evidence = ToolEvidence(
        **origin,
        **identity,
        content=returned.content,
        structure=returned.structure,
        outcome=outcome,
    )
    return ToolReturned(**origin, **identity, outcome=outcome), evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """How a turn stands where the record, or the person, goes on to something else.

    Attributes:
        error: What broke last, None where an agent went on.
        open_call: The tool of a call of which something may still come, None without one.
        unread: The tool whose return no agent took up, None where there is none.
        interrupted: The person cut the last answer off.
        acted: An agent did something.
        answered: An agent said something to the person.

    """

    error: str | None
    open_call: str | None
    unread: str | None
    interrupted: bool = False
    acted: bool
    answered: bool

    def finished(self, number: int, scope: str, *, at: float | None) -> TurnFinished:
        """Return the end of the turn.

        Args:
            number: The position of the turn.
            scope: What ends with it, for the text: the turn, or the whole record.
            at: When the last thing in it happened.

        """
        reason, detail = CompletionReason.RUNTIME_STOPPED, None
        if self.error is not None:
            reason, detail = CompletionReason.ERROR, self.error
        elif self.open_call is not None:
            detail = f"the {scope} ends with an open call: {self.open_call}"
        elif self.unread is not None:
            detail = f"the {scope} ends on the return of {self.unread}"
        elif self.interrupted:
            detail = f"the {scope} ends with an answer that was interrupted"
        elif not self.acted:
            detail = f"the {scope} ends with the user's message"
        else:
            reason = CompletionReason.RESPONSE if self.answered else CompletionReason.QUIESCENT
        return TurnFinished(at=at, turn=number, reason=reason, detail=detail)
