"""What a view shows as the steps of a trajectory: as a chat tells it, whatever runtime it was.

The calls of one message are those of one agent, in one model run, between which no model answered
and none of their results came. Agents whose calls were open at the same time worked side by side:
what one did is in no order to what another did. Everything else is in the order of the record.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from audition.assembly import ANSWERING
from audition.evaluators.view import EvidenceView
from audition.events import MessageType
from audition.invocations import InvocationOutcome, ToolInvocation
from audition.matching.tool_calls import ToolCall, unparsed
from audition.matching.trajectories import Role, Step
from audition.records import MessageRecord


def made_call(invocation: ToolInvocation) -> ToolCall:
    """Return an invocation as the call that was made."""
    tool, raw, value = invocation.tool_name, invocation.arguments_raw, invocation.arguments
    if value is not None:
        return ToolCall(tool, value, text=raw)
    if raw is not None and raw.strip() in {"", "null"}:
        return ToolCall(tool, {})
    if invocation.parse_error is not None:
        return ToolCall(tool, problem=unparsed(raw or "", invocation.parse_error))
    return ToolCall(tool, problem="the arguments were not recorded")


def steps_in(view: EvidenceView, calls: Sequence[ToolInvocation]) -> list[Step]:
    """Return the steps that a view shows, with these of its calls."""
    texts = [record for record in view.messages() if _is_said(record, view)]
    is_apart = _is_apart(view)
    drafts = _apart(calls, texts) if is_apart else _drafts(view, calls, texts)
    beside = _side_by_side(() if is_apart else drafts)
    asked = _asked(view, {draft.turn for draft in drafts})
    return [
        Step(
            draft.role,
            tuple([made_call(call) for call in draft.calls]),
            answered=draft.answered,
            lane=draft.agent or "",
            beside=frozenset(beside[draft.turn, draft.agent]) if beside else _NOBODY,
        )
        for draft in sorted((*asked, *drafts), key=_place)
    ]


_NOBODY: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class _Draft:
    """A step that is being made.

    Attributes:
        turn: Its turn, -1 before the first.
        rank: Where it stands within the turn, before `seq` says it.
        seq: Its position among all events.
        role: Who speaks.
        agent: Which agent, None where unknown.
        calls: The calls in it.
        first_end: Position of the first result, None where there is none.
        last_end: Position of the last result, None where there is none.
        answered: How many of the calls have a result.

    """

    turn: int
    rank: int
    seq: int
    role: Role
    agent: str | None = None
    calls: list[ToolInvocation] = field(default_factory=list[ToolInvocation])
    first_end: int | None = None
    last_end: int | None = None
    answered: int = 0

    def add(self, call: ToolInvocation) -> None:
        """Add one more call of the same message."""
        self.calls.append(call)
        end = call.ended_seq
        if end is not None:
            self.first_end = end if self.first_end is None else min(self.first_end, end)
            self.last_end = end if self.last_end is None else max(self.last_end, end)
        self.answered += call.outcome is not InvocationOutcome.UNANSWERED


_seq = attrgetter("seq")
_place = attrgetter("turn", "rank", "seq")


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
            yield _Draft(number, -1, -1, "user")
    if not output.turns:
        said = [one for one in output.spoken if one.sender == output.human]
        yield from (_Draft(_turn(one), -1, one.seq, "user") for one in said)


def _drafts(
    view: EvidenceView, calls: Sequence[ToolInvocation], texts: Sequence[MessageRecord]
) -> list[_Draft]:
    made: list[_Draft] = []
    latest: dict[str | None, _Draft] = {}
    answers = _model_answers(view)
    records = sorted((*texts, *calls), key=_seq)
    if len(view.output.turns) > 1:
        records.sort(key=_turn)  # what came late stays with its turn
    for one in records:
        call = one if isinstance(one, ToolInvocation) else None
        draft = latest.get(one.agent)
        if draft is None or call is None or not _is_of(draft, call, answers):
            draft = latest[one.agent] = _Draft(_turn(one), 0, one.seq, "assistant", one.agent)
            made.append(draft)
        if call is not None:
            draft.add(call)
    return made


def _apart(calls: Sequence[ToolInvocation], texts: Sequence[MessageRecord]) -> list[_Draft]:
    """Return a step for each call, then one for each text: how they lie is not known."""
    made: list[_Draft] = []
    for call in calls:
        made.append(_Draft(_turn(call), 0, call.seq, "assistant", call.agent))
        made[-1].add(call)
    return made + [_Draft(_turn(one), 1, one.seq, "assistant", one.sender) for one in texts]


def _is_apart(view: EvidenceView) -> bool:
    """Return whether each list has positions of its own, as in the report of another tool."""
    output = view.output
    seqs = [one.seq for one in (*output.messages, *output.tool_calls, *output.tool_returns)]
    return len(set(seqs)) < len(seqs)


def _model_answers(view: EvidenceView) -> dict[str | None, list[int]]:
    """Return the positions at which a model answered each agent."""
    found: dict[str | None, list[int]] = {}
    for record in view.output.llm_usage:
        found.setdefault(record.agent, []).append(record.seq)
    return found


def _is_of(draft: _Draft, call: ToolInvocation, answers: dict[str | None, list[int]]) -> bool:
    """Return whether a call is in the same message as those of the draft."""
    if not draft.calls or (draft.first_end is not None and draft.first_end < call.seq):
        return False
    last = draft.calls[-1]
    if last.run_id != call.run_id or draft.turn != _turn(call):
        return False
    seqs = answers.get(call.agent, [])
    return bisect_left(seqs, last.seq) == bisect_left(seqs, call.seq)


def _side_by_side(drafts: Sequence[_Draft]) -> defaultdict[tuple[int, str | None], set[str]]:
    """Return for each turn and agent the agents that had calls open at the same time as it."""
    found: defaultdict[tuple[int, str | None], set[str]] = defaultdict(set)
    if len({draft.agent for draft in drafts}) < 2:
        return found
    still_open: list[_Draft] = []
    for draft in drafts:
        if draft.last_end is None:
            continue
        still_open = [
            one
            for one in still_open
            if one.turn == draft.turn and one.last_end is not None and one.last_end > draft.seq
        ]
        for one in still_open:
            if one.agent != draft.agent:
                found[draft.turn, draft.agent].add(one.agent or "")
                found[draft.turn, one.agent].add(draft.agent or "")
        still_open.append(draft)
    return found
