"""Whether a team finishes what it begins: requests answered, messages handled, no endless talk.

By cause, and by what one agent did before its own next step; a clock proves nothing here either.
Where a source does not say what these need, they fail and say so.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, NamedTuple

from annotated_types import Ge
from pydantic.dataclasses import dataclass

from audition.assembly import ANSWERING
from audition.causality import Happening
from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    Reads,
    absence,
)
from audition.evaluators.exchanges import (
    Sent,
    back_and_forth,
    responses_to_requests,
    sent,
    to_agents,
    unhandled_messages,
)
from audition.evaluators.patterns import tell, tell_all
from audition.evaluators.reasons import few
from audition.evaluators.view import EvidenceView
from audition.events import MessageType
from audition.records import MessageRecord

_TEAM = "it is about the whole team"
_UNKNOWN = "order unknown"


def _requests(view: EvidenceView) -> list[Sent]:
    """Return the requests to agents in scope, the person's among them."""
    return [
        message for message in to_agents(view) if message.record.message_type is MessageType.REQUEST
    ]


def _unknown(told: str) -> Finding:
    return Finding(False, told, layer=Layer.RUN, cause=_UNKNOWN)


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class AnsweredEveryRequest(CaseEvaluator):
    """Every request to an agent got a response or a notification that it led to.

    The answer need not come from the agent that was asked: it may have handed the request over, and
    then that needs no answer of its own. An acknowledgment answers nothing.
    """

    layer: ClassVar[Layer] = Layer.RUN
    reads: ClassVar[Reads] = Reads.NAMES
    refuses_agent: ClassVar[str | None] = _TEAM

    def examine(self, view: EvidenceView) -> Finding:
        """Return the requests that nothing answers."""
        requests = _requests(view)
        if not requests:
            told = f"no request to an agent was seen{view.scope}"
            return Finding(False, told, cause="no request")
        answered = responses_to_requests(view)
        bad = [request for request, _ in requests if not answered.get(request)]
        if not bad:
            return absence(view, f"all {len(requests)} request(s) were answered{view.scope}")
        told = f"{len(bad)} of {len(requests)} request(s) unanswered{view.scope}: {tell_all(bad)}"
        stray = [
            message
            for message, record in sent(view)
            if record.sender != view.output.human and not message.knows_its_cause
        ]
        is_told = view.output.capabilities.causes
        if stray or not is_told or any(_message_id(request) is None for request in bad):
            names = f"; of unknown cause: {tell_all(stray)}" if stray else ""
            return _unknown(f"{told}, as far as causes are known{names}")
        return Finding(False, told, cause="unanswered request")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the requests, and how many answers each got."""
        answered = responses_to_requests(view)
        return [
            f"{tell(request)}: {len(answered.get(request, ()))} answer(s)"
            for request, _ in _requests(view)
        ]


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class SentNoOrphanMessages(CaseEvaluator):
    """No message names a cause that is not there: each was sent for something that was said."""

    layer: ClassVar[Layer] = Layer.RUN
    reads: ClassVar[Reads] = Reads.NAMES
    refuses_agent: ClassVar[str | None] = _TEAM

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments."""
        return True

    def examine(self, view: EvidenceView) -> Finding:
        """Return the messages that name an unknown cause, or whose cause is not told."""
        messages = sent(view)
        orphans = [message for message, _ in messages if message.is_orphan]
        if orphans:
            causes = list(dict.fromkeys(orphan.record.cause_id for orphan in orphans))
            names = few(causes, str, separator=", ")
            told = f"{len(orphans)} of {len(messages)} message(s) name a cause that is not there"
            return Finding(False, f"{told} ({names}): {tell_all(orphans)}", cause="orphan message")
        untold = [message for message, _ in messages if not message.knows_its_cause]
        if untold:
            told = f"the cause of {len(untold)} of {len(messages)} message(s) is not told"
            return _unknown(f"{told}: {tell_all(untold)}")
        return absence(view, f"{len(messages)} message(s){view.scope}, each of a known cause")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the messages and what each names as its cause."""
        return [f"{tell(message)} because of {record.cause_id}" for message, record in sent(view)]


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class DidNotPingPong(CaseEvaluator):
    """No two agents only sent each other messages, back and forth, without getting anywhere.

    Attributes:
        max_messages: How many may follow from each other, back and forth, while neither of the two
            calls a tool or says something to the person.

    """

    layer: ClassVar[Layer] = Layer.ROUTE
    reads: ClassVar[Reads] = Reads.NAMES
    refuses_agent: ClassVar[str | None] = _TEAM

    max_messages: Annotated[int, Ge(1)] = 8

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments."""
        return True

    def examine(self, view: EvidenceView) -> Finding:
        """Return the longest exchange without anything done."""
        messages = _between_agents(view)
        longest = max(back_and_forth(view, messages), key=lambda found: found[0], default=(0, None))
        count, last = longest
        if last is not None and count > self.max_messages:
            told = f"{count} messages back and forth without a tool call or an answer"
            return Finding(False, f"{told}; the last: {tell(last)}", cause="ping-pong")
        pairs = Counter(_pair(record) for _, record in messages)
        unsure = [
            message
            for message, record in messages
            if pairs[_pair(record)] > self.max_messages
            and not (message.knows_its_cause and view.output.capabilities.causes)
        ]
        if unsure:
            told = f"what the messages of a pair of agents followed from is not told{view.scope}"
            return _unknown(f"{told}: {tell_all(unsure)}")
        told = f"at most {count} message(s) back and forth{view.scope}, of {len(messages)}"
        return absence(view, told)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the messages between agents."""
        return [tell(message) for message, _ in _between_agents(view)]


def _between_agents(view: EvidenceView) -> list[Sent]:
    others = {None, view.output.human}
    return [message for message in to_agents(view) if message.record.sender not in others]


def _pair(record: MessageRecord) -> frozenset[str | None]:
    return frozenset({record.sender, record.recipient})


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class SettledRequestsBeforeAnswer(CaseEvaluator):
    """When the person got the last answer of a turn, no request between agents was still open.

    A request is settled where the answer is or follows from its response, or where the agent that
    gives the answer had handled that response before.
    """

    layer: ClassVar[Layer] = Layer.RUN
    reads: ClassVar[Reads] = Reads.NAMES
    refuses_agent: ClassVar[str | None] = _TEAM

    def examine(self, view: EvidenceView) -> Finding:
        """Return the requests that were open, and what became of them."""
        answers = _last_answers(view)
        if not answers:
            return Finding(False, f"nothing was said to the human{view.scope}", cause="no answer")
        human = view.output.human
        requests = [request for request in _requests(view) if request.record.sender != human]
        left = list(_open_requests(view, answers, requests))
        if not left:
            told = f"{len(requests)} request(s) between agents{view.scope}, none open"
            return absence(view, f"{told} at: {tell_all([answer for answer, _ in answers])}")
        told = f"{len(left)} request(s) not settled before the answer: {few(left)}"
        if all(request.is_known for request in left):
            return Finding(False, told, cause="answered too early")
        return _unknown(told)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the requests and the answers."""
        messages = (*_requests(view), *_last_answers(view))
        return [tell(message) for message, _ in messages]


def _last_answers(view: EvidenceView) -> list[Sent]:
    """Return the last answer of each turn."""
    human = view.output.human
    last = {
        message.record.turn: message
        for message in sent(view)
        if message.record.recipient == human
        and message.record.sender != human
        and message.record.message_type in ANSWERING
        and message.record.content.strip()
    }
    return list(last.values())


class _OpenRequest(NamedTuple):
    """A request that was not settled at the answer of its turn.

    Attributes:
        happening: The request.
        fate: What became of it.
        is_known: Whether that is all there is to know: nothing is missing that could settle it.

    """

    happening: Happening
    fate: str
    is_known: bool

    def __str__(self) -> str:
        return f"{tell(self.happening)} {self.fate}"


def _open_requests(
    view: EvidenceView, answers: Sequence[Sent], requests: Sequence[Sent]
) -> Iterator[_OpenRequest]:
    """Yield the requests that were open at the answer of their turn."""
    causal = view.output.causal_order
    settled_by = responses_to_requests(view)
    for answer, said in answers:
        before, after = causal.before_any([answer]), causal.after_any([answer])
        handled = {
            mark.message_id
            for mark in view.output.handled
            if mark.agent == said.sender and mark.seq < said.seq
        }
        for request, record in requests:
            if record.turn != said.turn or request in after:
                continue
            responses = settled_by.get(request, ())
            if any(r is answer or r in before or _message_id(r) in handled for r in responses):
                continue
            is_known = causal.knows_what_is_before(answer) and record.message_id is not None
            yield _OpenRequest(request, _fate(responses, after), is_known)


def _message_id(message: Happening) -> str | None:
    record = message.record
    return record.message_id if isinstance(record, MessageRecord) else None


def _fate(responses: Sequence[Happening], after: set[Happening]) -> str:
    if not responses:
        return "got no response that is known"
    if all(response in after for response in responses):
        return f"got its response after it: {tell_all(responses)}"
    return f"got a response that the answer did not wait for: {tell_all(responses)}"


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class HandledEveryMessage(CaseEvaluator):
    """Every message to an agent was handled to its end: the team is quiet."""

    layer: ClassVar[Layer] = Layer.RUN
    reads: ClassVar[Reads] = Reads.NAMES
    refuses_agent: ClassVar[str | None] = _TEAM

    def examine(self, view: EvidenceView) -> Finding:
        """Return the messages that were never handled to their end."""
        messages = to_agents(view)
        if not messages:
            return Finding(
                False, f"no message to an agent was seen{view.scope}", cause="no message"
            )
        if not view.output.handled:
            return _unknown(f"the source does not tell when one of {len(messages)} was handled")
        unhandled = unhandled_messages(view)
        bad = [message for message, _ in messages if message in unhandled]
        if not bad:
            return absence(view, f"all {len(messages)} message(s) were handled{view.scope}")
        told = f"{len(bad)} of {len(messages)} message(s) never handled{view.scope}"
        return Finding(False, f"{told}: {tell_all(bad)}", cause="not quiet")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the messages to agents, and whether each was handled."""
        unhandled = unhandled_messages(view)
        return [
            f"{tell(message)}: {'not handled' if message in unhandled else 'handled'}"
            for message, _ in to_agents(view)
        ]
