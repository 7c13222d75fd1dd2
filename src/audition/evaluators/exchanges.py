"""Who asked whom, and what answered it: read off the causes of messages. No verdict."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from audition.causality import Happening
from audition.evaluators.view import EvidenceView
from audition.events import MessageType
from audition.records import MessageRecord

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


def is_to_an_agent(record: MessageRecord, human: str) -> bool:
    """Return whether one agent is meant: not the person, and not everybody."""
    return record.recipient is not None and record.recipient != human


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
