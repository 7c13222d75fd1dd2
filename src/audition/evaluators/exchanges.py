"""What was said to agents, what answered it, who only talked, and what was handled. No verdict.

It is read off the causes of messages, and the marks that their handling has ended.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from audition.causality import Happening
from audition.evaluators.view import EvidenceView
from audition.events import MessageType
from audition.records import HandledRecord, MessageRecord

SETTLING = frozenset({MessageType.RESPONSE, MessageType.NOTIFICATION})
"""The message types that can settle a request; an acknowledgment only says that it arrived."""


class Sent(NamedTuple):
    """A message and its place in the order.

    Attributes:
        happening: Its place.
        record: What was said.

    """

    happening: Happening
    record: MessageRecord


def sent(view: EvidenceView) -> list[Sent]:
    """Return the messages of the trajectory in the turn in scope."""
    turn = view.scope.turn
    return [
        Sent(happening, record)
        for happening in view.output.causal_order.happenings
        if isinstance(record := happening.record, MessageRecord)
        and not record.internal
        and turn in {None, record.turn}
    ]


def to_agents(view: EvidenceView) -> list[Sent]:
    """Return those that are for one agent, not for the person or for everybody."""
    others = {None, view.output.human}
    return [message for message in sent(view) if message.record.recipient not in others]


def causes_first(happenings: Iterable[Happening]) -> Iterator[Happening]:
    """Yield each once, its cause before it; in a circle of causes, wherever that is entered."""
    seen: set[Happening] = set()
    for happening in happenings:
        chain: list[Happening] = []
        at: Happening | None = happening
        while at is not None and at not in seen:
            seen.add(at)
            chain.append(at)
            at = at.cause
        yield from reversed(chain)


def responses_to_requests(view: EvidenceView) -> Mapping[Happening, Sequence[Happening]]:
    """Return what settles each request that is settled.

    A response or a notification settles the nearest request, up its chain of causes, of the one
    whom it goes to: whoever sends it, since a request may be handed over. A request between the two
    that gets no response of its own is settled with it: it was how the other was handed over.
    """
    found: defaultdict[Happening, list[Happening]] = defaultdict(list)
    handed_over: defaultdict[Happening, list[Happening]] = defaultdict(list)
    # For each message the last request of each sender, from it up its chain of causes.
    asked: dict[Happening, Mapping[str, Happening]] = {}
    for message in causes_first(view.output.causal_order.happenings):
        record = message.record
        if not isinstance(record, MessageRecord):
            continue
        above: Mapping[str, Happening] = {}
        if message.cause is not None:
            above = asked.get(message.cause, above)
        request = above.get(record.recipient or "")
        if request is not None and record.message_type in SETTLING:
            found[request].append(message)
            for between in _requests_between(request, message):
                handed_over[between].append(message)
        if record.message_type is MessageType.REQUEST and record.sender is not None:
            above = {**above, record.sender: message}
        asked[message] = above
    return {**handed_over, **found}


def _requests_between(request: Happening, response: Happening) -> Iterator[Happening]:
    at = response.cause
    while at is not None and at is not request:
        record = at.record
        if isinstance(record, MessageRecord) and record.message_type is MessageType.REQUEST:
            yield at
        at = at.cause


def back_and_forth(view: EvidenceView, messages: Iterable[Sent]) -> Iterator[tuple[int, Happening]]:
    """Yield how long the exchange is that ends with each of the messages, and that message.

    An exchange is of two agents: each message follows from the one before, and neither of the two
    called a tool or said something to the person meanwhile.
    """
    records = dict(messages)
    done = _handlings_with_work(view)
    lengths: dict[Happening, int] = {}
    for message in causes_first(records):
        record = records.get(message)
        if record is None:
            continue
        cause = None if message.cause is None else records.get(message.cause)
        is_reply = cause is not None and (cause.sender, cause.recipient) == (
            record.recipient,
            record.sender,
        )
        before = lengths.get(message.cause, 0) if message.cause is not None and is_reply else 0
        lengths[message] = 1 if (record.sender, message.cause) in done else before + 1
        yield lengths[message], message


def _handlings_with_work(view: EvidenceView) -> set[tuple[str | None, Happening | None]]:
    """Return who, while handling which message, called a tool or said something to the person."""
    human = view.output.human
    return {
        (record.agent, happening.cause)
        for happening in view.output.causal_order.happenings
        if not (record := happening.record).internal
        and (not isinstance(record, MessageRecord) or record.recipient == human)
    }


def unhandled_messages(view: EvidenceView) -> set[Happening]:
    """Return the messages to agents, of all turns, that none of the marks is left for.

    A mark stands for one message of its id, to its agent, of its turn or, where no message of its
    own turn needs it, of an earlier one: an agent may be slow, and ids may begin anew with a turn.
    """
    marks: defaultdict[str, list[HandledRecord]] = defaultdict(list)
    for mark in view.output.handled:
        marks[mark.message_id].append(mark)
    left = to_agents(EvidenceView(view.output))
    for fits in (_is_of_its_turn, _may_be_of):
        left = [
            Sent(message, record)
            for message, record in left
            if not _take_mark(marks.get(record.message_id or "", []), record, fits)
        ]
    return {message for message, _ in left}


def _is_of_its_turn(mark: HandledRecord, record: MessageRecord) -> bool:
    return mark.turn == record.turn and mark.agent is not None


def _may_be_of(mark: HandledRecord, record: MessageRecord) -> bool:
    return mark.turn is None or record.turn is None or mark.turn >= record.turn


def _take_mark(
    marks: list[HandledRecord],
    record: MessageRecord,
    fits: Callable[[HandledRecord, MessageRecord], bool],
) -> bool:
    """Take the first mark that fits and is of nobody else, and return whether there was one."""
    for place, mark in enumerate(marks):
        if fits(mark, record) and (mark.agent is None or record.recipient in {None, mark.agent}):
            del marks[place]
            return True
    return False
