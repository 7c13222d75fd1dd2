"""Call, return and evidence of a tool joined into one invocation with one outcome."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from pydantic import JsonValue

from audition.events import ToolOutcome
from audition.records import ToolCallRecord, ToolEvidenceRecord, ToolReturnRecord
from audition.tool_rules import ToolRule, domain_failure
from audition.values import structure_of


class InvocationOutcome(StrEnum):
    """How a tool invocation ended, all that is known taken together."""

    OK = "ok"
    TOOL_ERROR = "tool_error"
    REJECTED = "rejected"
    DOMAIN_FAILURE = "domain_failure"
    INFRASTRUCTURE_ERROR = "infrastructure_error"
    UNANSWERED = "unanswered"
    PENDING = "pending"


_OPEN = frozenset({InvocationOutcome.UNANSWERED, InvocationOutcome.PENDING})


@dataclass(slots=True)  # a frozen one takes four times as long to make; nobody changes one
class ToolInvocation:
    """Call, return and evidence of one (run_id, tool_call_id), joined.

    Attributes:
        run_id: One model run of one agent, None where the source does not say.
        tool_call_id: The id within the run.
        tool_name: The tool.
        agent: Who called, None where unknown.
        turn: The turn of the call, None where unknown.
        seq: Position of the call, or of what is there of it, among all events.
        arguments_raw: Text of the arguments, None where they were not recorded.
        arguments: The arguments parsed, None where not recorded or not parseable.
        parse_error: Why they do not parse, None where they do.
        content: What the model was given back, None where nothing was seen.
        recorded_structure: The JSON object or array of the content where the source told it apart
            from the text, else None.
        outcome: How it ended.
        failure: Why a returned content is a domain failure, None where it is none.
        superseded: Earlier contents for the same call, such as a placeholder for an approval.
        seconds: From call to return, None where either is missing or has no time.
        internal: Plumbing of the runtime, out of the trajectory.
        cause_id: The message that was being handled at the call, None where unknown.
        ended_seq: Position of its end among all events, None where none was seen.

    """

    run_id: str | None
    tool_call_id: str
    tool_name: str
    agent: str | None
    turn: int | None
    seq: int
    arguments_raw: str | None
    arguments: JsonValue
    parse_error: str | None
    content: str | None
    recorded_structure: JsonValue
    outcome: InvocationOutcome
    failure: str | None
    superseded: tuple[str, ...]
    seconds: float | None
    internal: bool
    cause_id: str | None
    ended_seq: int | None

    @property
    def structure(self) -> JsonValue:
        """The JSON object or array of the content, None where it is text."""
        if self.recorded_structure is not None or self.content is None:
            return self.recorded_structure
        return structure_of(self.content)

    @property
    def has_ended(self) -> bool:
        """Whether its end was seen, be it good or bad; to wait for an approval is none."""
        return self.outcome not in _OPEN


type _Result = ToolReturnRecord | ToolEvidenceRecord
type _Identity = tuple[str | None, str, str]
type _Owner = int | _Identity
"""The position of a call, or of a result without one what identifies it."""


def join_invocations(
    calls: Sequence[ToolCallRecord],
    returns: Sequence[ToolReturnRecord],
    evidence: Sequence[ToolEvidenceRecord],
    rules: Sequence[ToolRule],
) -> Iterator[ToolInvocation]:
    """Yield an invocation for each call, then one for each result whose call was not seen.

    A result belongs to the call of the same run, id and tool. Where a source uses an identity
    again, it is the last such call before the result, and its own agent's where runs are unknown.
    Where only one of the two names its run, they belong together if no other call has that id.
    """
    identities = _identities(calls)
    in_order = identities == _identities(returns) == _identities(evidence)
    if in_order and len(set(identities)) == len(identities):  # nearly always, and much faster
        for call, returned, backing in zip(calls, returns, evidence, strict=True):
            yield _invocation(call, returned, backing, rules)
        return
    owners = _Owners(calls)
    returns_of = _by_owner(returns, owners)
    evidence_of = _by_owner(evidence, owners)
    for call in calls:
        yield _joined(call, returns_of.pop(call.seq, ()), evidence_of.pop(call.seq, ()), rules)
    for owner in dict.fromkeys((*returns_of, *evidence_of)):
        given, backing = returns_of.get(owner, ()), evidence_of.get(owner, ())
        yield _joined((*given, *backing)[0], given, backing, rules)


def _identities(
    records: Sequence[ToolCallRecord | ToolReturnRecord | ToolEvidenceRecord],
) -> list[_Identity]:
    return [(one.run_id, one.tool_call_id, one.tool_name) for one in records]


class _Owners:
    """Finds the call that a result belongs to."""

    def __init__(self, calls: Sequence[ToolCallRecord]) -> None:
        self._calls = calls
        self._of: defaultdict[_Identity, list[ToolCallRecord]] = defaultdict(list)
        for call in calls:
            self._of[call.run_id, call.tool_call_id, call.tool_name].append(call)

    def owner(self, result: _Result) -> _Owner:
        identity = (result.run_id, result.tool_call_id, result.tool_name)
        calls = self._of.get(identity)
        if calls is None:
            calls = self._of_unnamed_run(result)
        if len(calls) > 1:
            calls = [call for call in calls if call.agent == result.agent] or calls
            calls = [call for call in calls if call.seq <= result.seq] or calls[:1]
        return calls[-1].seq if calls else identity

    def _of_unnamed_run(self, result: _Result) -> list[ToolCallRecord]:
        found = self._of_any_run.get(result.tool_call_id, ())
        calls = [call for call in found if None in {call.run_id, result.run_id}]
        is_sure = len(found) == 1 and all(call.tool_name == result.tool_name for call in calls)
        return calls if is_sure else []

    @cached_property
    def _of_any_run(self) -> dict[str, list[ToolCallRecord]]:
        found: defaultdict[str, list[ToolCallRecord]] = defaultdict(list)
        for call in self._calls:
            found[call.tool_call_id].append(call)
        return found


def _by_owner[Result: (ToolReturnRecord, ToolEvidenceRecord)](
    results: Iterable[Result], owners: _Owners
) -> defaultdict[_Owner, list[Result]]:
    grouped: defaultdict[_Owner, list[Result]] = defaultdict(list)
    for result in results:
        grouped[owners.owner(result)].append(result)
    return grouped


def _joined(
    start: ToolCallRecord | _Result,
    returns: Sequence[ToolReturnRecord],
    evidence: Sequence[ToolEvidenceRecord],
    rules: Sequence[ToolRule],
) -> ToolInvocation:
    """Return the invocation of which there may be several results: the last ones count."""
    made = _invocation(
        start, returns[-1] if returns else None, evidence[-1] if evidence else None, rules
    )
    agents = [one.agent for one in (start, *returns, *evidence) if one.agent]
    earlier = tuple([record.content for record in evidence[:-1]])
    return replace(made, agent=agents[0] if agents else made.agent, superseded=earlier)


def _invocation(
    start: ToolCallRecord | _Result,
    returned: ToolReturnRecord | None,
    evidence: ToolEvidenceRecord | None,
    rules: Sequence[ToolRule],
) -> ToolInvocation:
    call = start if isinstance(start, ToolCallRecord) else None
    if _is_plainly_ok(returned, evidence) and not rules:  # nearly always, in a fifth of the time
        outcome, failure = InvocationOutcome.OK, None
    else:
        outcome, failure = _outcome(start.tool_name, returned, evidence, rules)
    end = returned or evidence
    # By position, in the order of the fields: by name, it takes three times as long.
    return ToolInvocation(
        start.run_id,
        start.tool_call_id,
        start.tool_name,
        start.agent or _agent(returned, evidence),
        start.turn,
        start.seq,
        call.arguments_raw if call else None,
        call.arguments if call else None,
        call.parse_error if call else None,
        evidence.content if evidence else None,
        evidence.structure if evidence else None,
        outcome,
        failure,
        (),
        _seconds(call, end),
        start.internal,
        call.cause_id if call else None,
        end.seq if end else None,
    )


def _seconds(call: ToolCallRecord | None, end: _Result | None) -> float | None:
    if call is None or end is None or call.at is None or end.at is None:
        return None
    try:
        return end.at - call.at
    except OverflowError:  # a time that is no time: a whole number of hundreds of digits
        return None


def _agent(*results: _Result | None) -> str | None:
    return next((one.agent for one in results if one is not None and one.agent), None)


def _is_plainly_ok(returned: ToolReturnRecord | None, evidence: ToolEvidenceRecord | None) -> bool:
    return (
        evidence is not None
        and evidence.outcome is ToolOutcome.OK
        and (returned is None or returned.outcome is ToolOutcome.OK)
    )


def _outcome(
    tool_name: str,
    returned: ToolReturnRecord | None,
    evidence: ToolEvidenceRecord | None,
    rules: Sequence[ToolRule],
) -> tuple[InvocationOutcome, str | None]:
    """Return the outcome and, for a domain failure, its reason.

    What the model was given back tells more than the flag of the return: Akgentic reports
    success for failed calls from pydantic-ai 2.60 on. So the worse of the two counts.
    """
    results = [result for result in (returned, evidence) if result is not None]
    if not results:
        return InvocationOutcome.UNANSWERED, None
    worse = [result for result in results if result.outcome is not ToolOutcome.OK]
    if worse:
        last = max(results, key=lambda result: result.seq)
        # A pending result that another one followed was a placeholder, and is no outcome.
        told = [one for one in worse if one is last or one.outcome is not ToolOutcome.PENDING]
        if told:
            return InvocationOutcome(told[-1].outcome.value), None
    return _of_content(tool_name, evidence, rules)


def _of_content(
    tool_name: str,
    evidence: ToolEvidenceRecord | None,
    rules: Sequence[ToolRule],
) -> tuple[InvocationOutcome, str | None]:
    """Return what the rules say of an invocation that returned."""
    if evidence is not None and rules:
        content = evidence.content
        structure = structure_of(content) if evidence.structure is None else evidence.structure
        failure = domain_failure(rules, tool_name, structure=structure, content=content)
        if failure is not None:
            return InvocationOutcome.DOMAIN_FAILURE, failure
    return InvocationOutcome.OK, None
