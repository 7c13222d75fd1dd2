"""The trajectory of an output as OpenAI chat messages. No verdict, no I/O.

A tool message stands right after the assistant message with its call, whenever it came: so the
branches of a team that works in parallel make a valid chat, and each of them keeps its order. How
a tool ended is a prefix of what it gave back. The recipient of a message and what broke have no
place in this form.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from pydantic import JsonValue

from audition.events import ToolOutcome
from audition.invocations import InvocationOutcome, ToolInvocation
from audition.output import CaseOutput
from audition.records import LlmUsageRecord, MessageRecord, ToolEvidenceRecord, ToolReturnRecord
from audition.values import canonical_json

ASSISTANT = "assistant"
"""The name of an agent of which a record says no more than that it is the assistant."""

OUTCOME_PREFIXES: dict[ToolOutcome, str] = {
    ToolOutcome.REJECTED: "[tool error] [rejected] ",
    ToolOutcome.INFRASTRUCTURE_ERROR: "[tool error] [infrastructure] ",
    ToolOutcome.TOOL_ERROR: "[tool error] ",
    ToolOutcome.PENDING: "[pending] ",
}
"""What a tool message begins with where its tool did not return; each before its own beginning."""

type ChatMessage = dict[str, JsonValue]

type _Step = MessageRecord | ToolInvocation | LlmUsageRecord | ToolReturnRecord | ToolEvidenceRecord

_BEFORE_ALL_TURNS = -1


def chat_messages(
    output: CaseOutput,
    *,
    agent: str | None = None,
    turn: int | None = None,
    include_internal: bool = False,
    drop_tools: Collection[str] = (),
) -> list[ChatMessage]:
    """Return what was said and called, as OpenAI chat messages in the order of the turns.

    What one answer of a model holds, its text and all its calls, is one assistant message, as far
    as the record tells: it ends where a result comes back to its agent, where the agent says
    something else, or where another answer of its model begins. Only the last result of a call is
    told. An assistant message has the `name` of its agent. Arguments that were not recorded are
    null, those that do not parse are the text of them.

    Args:
        output: What a case or a recorded session left behind.
        agent: Only what this agent says and calls, beside what the person says; None for all.
        turn: Only this turn, None for all.
        include_internal: Also the plumbing of the runtime.
        drop_tools: Tools to leave out, by name.

    """
    steps = _steps_by_turn(output)
    messages: list[ChatMessage] = []
    for number in sorted({*steps, *range(len(output.turns))}):
        if turn is None or number == turn:
            writing = _Writing(output, number)
            for step in steps.get(number, ()):
                if agent is None or _agent_of(step) in {agent, output.human}:
                    writing.take(step, include_internal=include_internal, drop_tools=drop_tools)
            messages += writing.messages()
    return messages


def _steps_by_turn(output: CaseOutput) -> defaultdict[int, list[_Step]]:
    """Return what happened by its turn; what names none is of the same turn as what came before."""
    every: list[_Step] = [
        *output.llm_usage,
        *output.messages,
        *output.tool_invocations(internal=True),
        *output.tool_returns,
        *output.tool_evidence,
    ]
    by_turn: defaultdict[int, list[_Step]] = defaultdict(list)
    current = _BEFORE_ALL_TURNS
    for step in sorted(every, key=lambda step: step.seq):
        current = current if step.turn is None else step.turn
        by_turn[current].append(step)
    return by_turn


def _agent_of(step: _Step) -> str | None:
    return step.sender if isinstance(step, MessageRecord) else step.agent


@dataclass(slots=True, kw_only=True, eq=False)
class _Said:
    """One answer of a model, or what the person says.

    Attributes:
        agent: Who, None where that is unknown.
        by_person: It is the person.
        text: None where nothing was said.
        calls: The calls in it.

    """

    agent: str | None
    by_person: bool = False
    text: str | None = None
    calls: list[ToolInvocation] = field(default_factory=list[ToolInvocation])


class _Writing:
    """The messages of one turn, and which answers may still go on."""

    def __init__(self, output: CaseOutput, number: int) -> None:
        self._human = output.human
        self._asked: str | None = None
        self._said: list[_Said] = []
        self._open: dict[str | None, _Said] = {}
        if 0 <= number < len(output.turns) and not output.turns[number].not_run:
            self._asked = output.turns[number].message
            self._said.append(_Said(agent=None, by_person=True, text=self._asked))

    def take(self, step: _Step, *, include_internal: bool, drop_tools: Collection[str]) -> None:
        """Take the next thing that happened."""
        match step:
            case MessageRecord():
                if include_internal or not step.internal:
                    self._take_message(step)
            case ToolInvocation():
                if (include_internal or not step.internal) and step.tool_name not in drop_tools:
                    self._take_call(step)
            case _:  # a result came back to the agent, or its model answers anew
                self._open.pop(step.agent, None)

    def messages(self) -> Iterator[ChatMessage]:
        """Yield what there is so far."""
        for said in self._said:
            if said.by_person:
                yield {"role": "user", "content": said.text}
            else:
                yield from _answered(said)

    def _take_message(self, record: MessageRecord) -> None:
        if record.sender == self._human:
            if self._asked is None or record.content.strip() != self._asked.strip():
                self._said.append(_Said(agent=None, by_person=True, text=record.content))
            return
        is_answer = record.recipient in {None, self._human}
        if not is_answer and not record.content.strip():
            return  # it hands over to another agent and says nothing
        said = _Said(agent=record.sender, text=record.content)
        self._said.append(said)
        self._open.pop(record.sender, None)
        if is_answer:  # its model may have called tools in the same breath
            self._open[record.sender] = said

    def _take_call(self, invocation: ToolInvocation) -> None:
        said = self._open.get(invocation.agent)
        if said is None or any(call.run_id != invocation.run_id for call in said.calls):
            said = self._open[invocation.agent] = _Said(agent=invocation.agent)
            self._said.append(said)
        said.calls.append(invocation)


def _answered(said: _Said) -> Iterator[ChatMessage]:
    """Yield an assistant message, and what came back of the calls in it."""
    who: ChatMessage = {"role": "assistant"}
    if said.agent not in {None, ASSISTANT}:
        who["name"] = said.agent
    if not said.calls:
        yield {**who, "content": said.text}
        return
    calls = list(zip(said.calls, _ids(said.calls), strict=True))
    yield {**who, "content": said.text or None, "tool_calls": [_call(*call) for call in calls]}
    for invocation, call_id in calls:
        if invocation.outcome is not InvocationOutcome.UNANSWERED:
            yield {
                "role": "tool",
                "tool_call_id": call_id,
                "name": invocation.tool_name,
                "content": _content(invocation),
            }


def _ids(calls: list[ToolInvocation]) -> list[str]:
    """Return an id for each call that no other call of the message has."""
    ids: list[str] = []
    for call in calls:
        call_id, uses = call.tool_call_id, 1
        while call_id in ids:
            uses += 1
            call_id = f"{call.tool_call_id}#{uses}"
        ids.append(call_id)
    return ids


def _call(invocation: ToolInvocation, call_id: str) -> JsonValue:
    raw, value = invocation.arguments_raw, invocation.arguments
    if value is None and raw is not None and not raw.strip():
        value = {}  # some models send nothing for "no arguments"
    arguments = raw if value is None else canonical_json(value)
    function: JsonValue = {"name": invocation.tool_name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def _content(invocation: ToolInvocation) -> str:
    known = {outcome.value: prefix for outcome, prefix in OUTCOME_PREFIXES.items()}
    return known.get(invocation.outcome.value, "") + (invocation.content or "")
