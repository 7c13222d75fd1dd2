"""What a view shows as the steps of a trajectory: as a chat tells it, whatever runtime it was.

The calls of one message are those of one agent, in one model run, between which no model answered
and none of their results came. Agents whose calls were open at the same time worked side by side:
what one did is in no order to what another did. Everything else is in the order of the record.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from audition.assembly import ANSWERING
from audition.evaluators.view import EvidenceView
from audition.events import MessageType
from audition.invocations import InvocationOutcome, ToolInvocation
from audition.matching.tool_calls import ToolCall, unparsed
from audition.matching.trajectories import Role, Step
from audition.records import MessageRecord


def calls_in(view: EvidenceView, named: Collection[str]) -> list[ToolInvocation]:
    """Return the invocations in scope in order; the runtime's own only where they are named."""
    own = [call for name in sorted(named) for call in view.invocations(name) if call.internal]
    return sorted((*view.invocations(), *own), key=lambda call: (_turn(call), call.seq))


def made_call(invocation: ToolInvocation) -> ToolCall:
    """Return an invocation as the call that was made."""
    tool, raw = invocation.tool_name, invocation.arguments_raw
    if raw is not None and raw.strip() in {"", "null"}:
        return ToolCall(tool, {})
    if invocation.parse_error is not None:
        return ToolCall(tool, problem=unparsed(raw or "", invocation.parse_error))
    if invocation.arguments is None:
        return ToolCall(tool, problem="the arguments were not recorded")
    return ToolCall(tool, invocation.arguments)


def steps_in(view: EvidenceView, named: Collection[str]) -> list[Step]:
    """Return the steps that a view shows, with those calls of the runtime that are named."""
    calls = calls_in(view, named)
    texts = [record for record in view.messages() if _is_said(record, view)]
    is_apart = _is_apart(view)
    drafts = _apart(calls, texts) if is_apart else _drafts(view, calls, texts)
    beside = {} if is_apart else _side_by_side(drafts)
    asked = _asked(view, {draft.turn for draft in drafts})
    return [
        Step(
            draft.role,
            tuple(map(made_call, draft.calls)),
            sum(call.outcome is not InvocationOutcome.UNANSWERED for call in draft.calls),
            draft.agent or "",
            frozenset(beside.get((draft.turn, draft.agent), ())),
        )
        for draft in sorted((*asked, *drafts), key=lambda draft: (draft.turn, draft.place))
    ]


@dataclass(slots=True, eq=False)
class _Draft:
    """A step that is being made.

    Attributes:
        turn: Its turn, -1 before the first.
        place: Where it stands within the turn.
        role: Who speaks.
        agent: Which agent, None where unknown.
        calls: The calls in it.

    """

    turn: int
    place: tuple[int, int]
    role: Role
    agent: str | None = None
    calls: list[ToolInvocation] = field(default_factory=list[ToolInvocation])

    @property
    def first_end(self) -> int | None:
        """Position of the first result, None where there is none."""
        return min([c.ended_seq for c in self.calls if c.ended_seq is not None], default=None)

    @property
    def last_end(self) -> int:
        """Position of the last result, of the step itself where there is none."""
        return max([c.seq if c.ended_seq is None else c.ended_seq for c in self.calls])


def _turn(record: MessageRecord | ToolInvocation) -> int:
    return -1 if record.turn is None else record.turn


def _is_said(record: MessageRecord, view: EvidenceView) -> bool:
    """Return whether it is what an agent says to the person, or answers in its own scope."""
    human = view.output.human
    if record.sender == human or record.message_type not in ANSWERING or not record.content.strip():
        return False
    answers = view.scope.agent is not None and record.message_type is MessageType.RESPONSE
    return record.recipient == human or answers


def _asked(view: EvidenceView, acted: Collection[int]) -> Iterator[_Draft]:
    """Yield what the person says: to one agent, in the turns in which that agent did something."""
    output, scope = view.output, view.scope
    for number, turn in enumerate(output.turns):
        heard = scope.agent is None or number in acted
        if scope.turn in {None, number} and heard and not turn.not_run:
            yield _Draft(number, (-1, -1), "user")
    if not output.turns:
        said = [one for one in output.spoken if one.sender == output.human]
        yield from (_Draft(_turn(one), (-1, one.seq), "user") for one in said)


def _drafts(
    view: EvidenceView, calls: Sequence[ToolInvocation], texts: Sequence[MessageRecord]
) -> list[_Draft]:
    made: list[_Draft] = []
    latest: dict[str | None, _Draft] = {}
    answers = _model_answers(view)
    for one in sorted((*texts, *calls), key=lambda record: (_turn(record), record.seq)):
        draft = latest.get(one.agent)
        call = one if isinstance(one, ToolInvocation) else None
        if draft is not None and call is not None and _is_of(draft, call, answers):
            draft.calls.append(call)
            continue
        draft = _Draft(_turn(one), (0, one.seq), "assistant", one.agent, [call] if call else [])
        latest[one.agent] = draft
        made.append(draft)
    return made


def _apart(calls: Sequence[ToolInvocation], texts: Sequence[MessageRecord]) -> list[_Draft]:
    """Return a step for each call, then one for each text: how they lie is not known."""
    return [
        *(_Draft(_turn(call), (0, call.seq), "assistant", call.agent, [call]) for call in calls),
        *(_Draft(_turn(text), (1, text.seq), "assistant", text.sender) for text in texts),
    ]


def _is_apart(view: EvidenceView) -> bool:
    """Return whether each list has positions of its own, as in the report of another tool."""
    output = view.output
    records = (*output.messages, *output.tool_calls, *output.tool_returns)
    return len({record.seq for record in records}) < len(records)


def _model_answers(view: EvidenceView) -> dict[str | None, list[int]]:
    """Return the positions at which a model answered each agent."""
    found: dict[str | None, list[int]] = {}
    for record in view.output.llm_usage:
        found.setdefault(record.agent, []).append(record.seq)
    return found


def _is_of(draft: _Draft, call: ToolInvocation, answers: dict[str | None, list[int]]) -> bool:
    """Return whether a call is in the same message as those of the draft."""
    if not draft.calls:
        return False
    last = draft.calls[-1]
    if (last.run_id, draft.turn) != (call.run_id, _turn(call)):
        return False
    if draft.first_end is not None and draft.first_end < call.seq:
        return False
    seqs = answers.get(call.agent, [])
    return bisect_left(seqs, last.seq) == bisect_left(seqs, call.seq)


def _side_by_side(drafts: Sequence[_Draft]) -> dict[tuple[int, str | None], set[str]]:
    """Return for each turn and agent the agents that had calls open at the same time as it."""
    found: dict[tuple[int, str | None], set[str]] = {}
    open_steps: list[_Draft] = []
    for draft in drafts:
        if not draft.calls:
            continue
        start = draft.calls[0].seq
        open_steps = [one for one in open_steps if one.turn == draft.turn and one.last_end > start]
        for one in open_steps:
            if one.agent != draft.agent:
                found.setdefault((draft.turn, draft.agent), set()).add(one.agent or "")
                found.setdefault((draft.turn, one.agent), set()).add(draft.agent or "")
        open_steps.append(draft)
    return found
