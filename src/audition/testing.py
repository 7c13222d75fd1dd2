"""Short ways to write events, outputs and scripted teams in tests. Plain values, no mocks."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from itertools import count

from pydantic import JsonValue

from audition.collector import collect
from audition.events import (
    HUMAN,
    CompletionReason,
    Event,
    MessageSent,
    MessageType,
    ToolCalled,
    ToolEvidence,
    ToolOutcome,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.inputs import CaseInput
from audition.output import CaseOutput, RuntimeCapabilities
from audition.runtime import TeamRuntime
from audition.runtimes.scripted import ScriptedRuntime, Step
from audition.tool_rules import ToolRule
from audition.values import canonical_json, structure_of, text_of

_ids = count(1)


def message(
    sender: str,
    recipient: str,
    content: str,
    *,
    message_type: MessageType = MessageType.REQUEST,
    at: float | None = None,
) -> MessageSent:
    """Return a message between two members of a team."""
    return MessageSent(
        agent=sender, recipient=recipient, content=content, message_type=message_type, at=at
    )


def question(content: str, to: str = "@Manager") -> MessageSent:
    """Return what the human asks."""
    return message(HUMAN, to, content)


def answer(content: str, sender: str = "@Manager") -> MessageSent:
    """Return an answer to the human."""
    return message(sender, HUMAN, content, message_type=MessageType.RESPONSE)


def tool_call(
    agent: str,
    tool_name: str,
    *,
    arguments: dict[str, JsonValue] | None = None,
    call_id: str = "1",
    run_id: str = "run-1",
    at: float | None = None,
) -> ToolCalled:
    """Return a request for a tool."""
    given = {} if arguments is None else arguments
    return ToolCalled(
        agent=agent,
        tool_name=tool_name,
        tool_call_id=call_id,
        run_id=run_id,
        arguments_raw=canonical_json(given),
        arguments=given,
        at=at,
    )


def tool_result(
    agent: str,
    tool_name: str,
    content: JsonValue,
    *,
    outcome: ToolOutcome = ToolOutcome.OK,
    call_id: str = "1",
    run_id: str = "run-1",
) -> list[Event]:
    """Return the end of an invocation and what it gave back."""
    text = text_of(content)
    returned = ToolReturned(
        agent=agent, tool_name=tool_name, tool_call_id=call_id, run_id=run_id, outcome=outcome
    )
    evidence = ToolEvidence(
        agent=agent,
        tool_name=tool_name,
        tool_call_id=call_id,
        run_id=run_id,
        content=text,
        structure=structure_of(text),
        outcome=outcome,
    )
    return [returned, evidence]


def tool_use(
    agent: str,
    tool_name: str,
    content: JsonValue,
    *,
    arguments: dict[str, JsonValue] | None = None,
    outcome: ToolOutcome = ToolOutcome.OK,
) -> list[Event]:
    """Return a call, its return and its evidence, under an identity of their own."""
    call_id = f"call-{next(_ids)}"
    return [
        tool_call(agent, tool_name, arguments=arguments, call_id=call_id),
        *tool_result(agent, tool_name, content, outcome=outcome, call_id=call_id),
    ]


def caused(cause_id: str, *events: Event) -> list[Event]:
    """Return the events as what the handling of the message with this id led to."""
    return [replace(event, cause_id=cause_id) for event in events]


def named(message_id: str, sent: MessageSent) -> MessageSent:
    """Return the message under an id of its own, by which it can be the cause of others."""
    return replace(sent, message_id=message_id)


def turn(
    asked: str,
    events: Sequence[Event],
    *,
    number: int = 0,
    reason: CompletionReason = CompletionReason.RESPONSE,
) -> list[Event]:
    """Return the events of one whole turn, marked as `run_case` marks it."""
    return [
        TurnStarted(turn=number, message=asked),
        *events,
        TurnFinished(turn=number, reason=reason),
    ]


def output(
    *events: Event,
    asked: str = "What is it?",
    reason: CompletionReason = CompletionReason.RESPONSE,
    tool_rules: Sequence[ToolRule] = (),
) -> CaseOutput:
    """Return the output of a case of one turn with these events."""
    return collect(
        turn(asked, events, reason=reason),
        capabilities=RuntimeCapabilities(isolated_execution=True, tool_evidence=True, causes=True),
        source="testing",
        tool_rules=tool_rules,
    )


class ScriptedFactory:
    """Makes a scripted team for every case.

    Args:
        script: From the inputs of a case to the steps of its turns.

    """

    def __init__(self, script: Callable[[CaseInput], Sequence[Sequence[Step]]]) -> None:
        self._script = script

    def runtime(self, inputs: CaseInput) -> AbstractAsyncContextManager[TeamRuntime]:
        """Return what yields the scripted team of the case."""
        return _Stage(self._script, inputs)


class _Stage(AbstractAsyncContextManager[TeamRuntime]):
    """Where one scripted team plays; written out, since a generator takes longer than the play."""

    def __init__(
        self, script: Callable[[CaseInput], Sequence[Sequence[Step]]], inputs: CaseInput
    ) -> None:
        self._script = script
        self._inputs = inputs

    async def __aenter__(self) -> TeamRuntime:
        return ScriptedRuntime(self._script(self._inputs))

    async def __aexit__(self, *_: object) -> None:
        pass
