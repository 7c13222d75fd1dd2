"""Which of the things that happened came before which, by cause alone. No clock is read.

A message comes before everything that its handling led to; a tool is called before it ends; what
one agent does while it handles one message, or in one model run, is in its own order; and a turn
comes after what was seen before it began. Nothing else orders two things: that one was recorded
or began earlier proves nothing about agents that work beside each other.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import batched, pairwise

from audition.invocations import ToolInvocation
from audition.records import MessageRecord

_BLOCK = 2048
"""Sources whose descendants are told apart in one pass: one bit each for every point."""


class _Kind(IntEnum):
    """What a point is, in the order in which those of one position stand."""

    TURN = 0
    MESSAGE = 1
    CALL = 2
    END = 3


class Order(StrEnum):
    """How one thing stands to another."""

    BEFORE = "before"
    AFTER = "after"
    CONCURRENT = "concurrent"
    UNKNOWN = "unknown"


@dataclass(slots=True, eq=False)  # one is itself alone, and is found in sets by that
class Happening:
    """A message or a tool invocation, and its place in the order.

    Attributes:
        record: What happened.
        cause: The message whose handling led to it, None where there is none or it is unknown.
        is_orphan: It names a cause that is not there.
        is_root: It needs no cause: the person said it.
        begins: The point at which it begins, None where its begin was not seen.
        ends: The point at which it ends, that of its begin for a message; None where it did not.

    """

    record: MessageRecord | ToolInvocation
    cause: "Happening | None" = None
    is_orphan: bool = False
    is_root: bool = False
    begins: int | None = None
    ends: int | None = None

    @property
    def knows_its_cause(self) -> bool:
        """Whether it is known why it happened."""
        return self.is_root or self.cause is not None


@dataclass(slots=True)
class _Point:
    """A moment: a message is sent, a tool is called or ends, a turn begins.

    Attributes:
        seq: Its position among all events.
        happening: What it belongs to, None for the begin of a turn.
        kind: Which of them it is.
        turn: The turn it belongs to, None where unknown.

    """

    seq: int
    happening: Happening | None
    kind: _Kind
    turn: int | None


class CausalOrder:
    """The order of the messages and the tool invocations of one output.

    Args:
        messages: In the order of the output.
        invocations: In the order of the output, those of the runtime itself included.
        called: The positions of the calls that were seen: the other invocations are results alone.
        human: The name of the person, who needs no cause to say something.
        is_told: The source names every cause, so that what no cause ties together is concurrent.

    Attributes:
        happenings: The messages, then the invocations.

    """

    def __init__(
        self,
        messages: Sequence[MessageRecord],
        invocations: Sequence[ToolInvocation],
        *,
        called: Collection[int],
        human: str,
        is_told: bool,
    ) -> None:
        said = [Happening(record, is_root=record.sender == human) for record in messages]
        done = [Happening(record) for record in invocations]
        self.happenings: tuple[Happening, ...] = (*said, *done)
        _find_causes(self.happenings, said)
        points = _points(said, done, called)
        self._previous = _edges(points)
        self._sequence = _sorted(self._previous)
        self._is_complete = self._complete(points) if is_told else [False] * len(points)

    def after_any(self, firsts: Iterable[Happening]) -> set[Happening]:
        """Return what begins after one of these has ended."""
        into = self._spread({one.ends: 1 for one in firsts if one.ends is not None})
        return {one for one in self.happenings if one.begins is not None and into[one.begins]}

    def before_any(self, lasts: Iterable[Happening]) -> set[Happening]:
        """Return what has ended before one of these begins."""
        sources = {one.begins: 1 for one in lasts if one.begins is not None}
        from_ = self._spread(sources, backwards=True)
        return {one for one in self.happenings if one.ends is not None and from_[one.ends]}

    def after_begin_of_any(self, firsts: Iterable[Happening]) -> set[Happening]:
        """Return what begins after one of these has begun, whether that has ended or not."""
        into = self._spread({one.begins: 1 for one in firsts if one.begins is not None})
        return {one for one in self.happenings if one.begins is not None and into[one.begins]}

    def knows_what_is_before(self, one: Happening) -> bool:
        """Return whether all that came before it is known, so that what is not there did not."""
        return one.begins is not None and self._is_complete[one.begins]

    def order(self, one: Happening, other: Happening) -> Order:
        """Return how the one stands to the other; takes the time of a walk over everything."""
        if other in self.after_any([one]):
            return Order.BEFORE
        if other in self.before_any([one]):
            return Order.AFTER
        is_sure = self._is_sure(one) and self._is_sure(other)
        return Order.CONCURRENT if is_sure else Order.UNKNOWN

    def pairs(
        self, ones: Sequence[Happening], others: Sequence[Happening], *, concurrent: bool
    ) -> Iterator[tuple[Happening, Happening]]:
        """Yield the pairs, one of each, that are known to be concurrent, or those that are not.

        By one bit for each of the ones at every point: a walk takes a thousand of them along.
        """
        for block in batched(ones, _BLOCK):
            before, after, sure = self._masks(block)
            places = {one: 1 << place for place, one in enumerate(block)}
            every = (1 << len(block)) - 1
            for other in others:
                wanted = every & ~places.get(other, 0)
                found = 0
                begins, ends = other.begins, other.ends
                if begins is not None and ends is not None and self._is_sure(other):
                    found = wanted & sure & ~(before[begins] | after[ends])
                for place in _bits(found if concurrent else wanted & ~found):
                    yield block[place], other

    def _masks(self, block: Sequence[Happening]) -> tuple[list[int], list[int], int]:
        """Return for each point which of the block lie before and behind it; which are sure."""
        ends = {one.ends: 1 << place for place, one in enumerate(block) if one.ends is not None}
        begins = {
            one.begins: 1 << place for place, one in enumerate(block) if one.begins is not None
        }
        sure = sum(1 << place for place, one in enumerate(block) if self._is_sure(one))
        return self._spread(ends), self._spread(begins, backwards=True), sure

    def _is_sure(self, one: Happening) -> bool:
        """Return whether it would be seen if something that is sure as well were tied to it."""
        return one.ends is not None and self.knows_what_is_before(one)

    def _spread(self, sources: dict[int, int], *, backwards: bool = False) -> list[int]:
        """Return for each point the bits of the sources that lie before it, or behind it."""
        into = [0] * len(self._previous)
        own = sources.get
        if backwards:
            for point in reversed(self._sequence):
                bits = into[point] | own(point, 0)
                if bits:
                    for earlier in self._previous[point]:
                        into[earlier] |= bits
            return into
        outof = [0] * len(self._previous)
        for point in self._sequence:
            bits = 0
            for earlier in self._previous[point]:
                bits |= outof[earlier]
            into[point] = bits
            outof[point] = bits | own(point, 0)
        return into

    def _complete(self, points: Sequence[_Point]) -> list[bool]:
        """Return for each point whether every cause of it is known, back to what a person said.

        Not beyond the begin of its turn: nothing of a turn can have led to what was before it.
        """
        complete = [False] * len(points)
        for place in self._sequence:
            one = points[place].happening
            behind = [
                earlier
                for earlier in self._previous[place]
                if not complete[earlier] and points[earlier].happening is not None
            ]
            complete[place] = not behind and (one is None or one.knows_its_cause)
        return complete


def _find_causes(happenings: Iterable[Happening], said: Sequence[Happening]) -> None:
    """Tie each to the message that it names as its cause."""
    named: defaultdict[str, list[Happening]] = defaultdict(list)
    for one in said:
        message_id = one.record.message_id if isinstance(one.record, MessageRecord) else None
        if message_id is not None:
            named[message_id].append(one)
    for one in happenings:
        if one.record.cause_id is not None:
            one.cause = _nearest(one.record, named.get(one.record.cause_id, ()))
            one.is_orphan = one.cause is None
            one.is_root = False if one.is_orphan else one.is_root
    for one in _in_circles(said):
        one.cause = None  # what caused itself has a cause that is not known


def _in_circles(said: Sequence[Happening]) -> list[Happening]:
    """Return the messages that are, by what they name, causes of themselves."""
    found: list[Happening] = []
    seen: set[Happening] = set()
    for one in said:
        chain: dict[Happening, None] = {}
        at: Happening | None = one
        while at is not None and at not in seen:
            seen.add(at)
            chain[at] = None
            at = at.cause
        if at in chain:
            behind = list(chain)
            found += behind[behind.index(at) :]
    return found


def _nearest(
    record: MessageRecord | ToolInvocation, there: Sequence[Happening]
) -> Happening | None:
    """Return which of the messages with an id is meant: ids may begin anew with each turn."""
    if len(there) < 2:
        return there[0] if there else None
    same = [one for one in there if one.record.turn == record.turn] or there
    # What was sent to several under one id led, at each of them, to what that one did.
    same = [one for one in same if _recipient(one) == record.agent] or same
    earlier = [one for one in same if one.record.seq < record.seq]
    return earlier[-1] if earlier else same[0] if len(same) == 1 else None


def _recipient(one: Happening) -> str | None:
    return one.record.recipient if isinstance(one.record, MessageRecord) else None


def _points(
    said: Sequence[Happening], done: Sequence[Happening], called: Collection[int]
) -> list[_Point]:
    """Return the points in the order of their positions, and give each happening its own."""
    points = [_Point(one.record.seq, one, _Kind.MESSAGE, one.record.turn) for one in said]
    for one in done:
        record = one.record
        if not isinstance(record, ToolInvocation):
            continue
        if record.seq in called:
            points.append(_Point(record.seq, one, _Kind.CALL, record.turn))
        if record.ended_seq is not None and record.has_ended:
            points.append(_Point(record.ended_seq, one, _Kind.END, record.turn))
    begun: dict[int, int] = {}
    for point in points:
        if point.turn is not None:
            begun[point.turn] = min(point.seq, begun.get(point.turn, point.seq))
    first = min(begun, default=0)
    points += [_Point(seq, None, _Kind.TURN, turn) for turn, seq in begun.items() if turn != first]
    points.sort(key=lambda point: (point.seq, point.kind))
    for place, point in enumerate(points):
        _place(point, place)
    return points


def _place(point: _Point, place: int) -> None:
    one = point.happening
    if one is None:
        return
    if point.kind is not _Kind.END:
        one.begins = place
    if point.kind is not _Kind.CALL:
        one.ends = place


def _edges(points: Sequence[_Point]) -> list[list[int]]:
    """Return for each point those that come directly before it."""
    previous: list[list[int]] = [[] for _ in points]
    # In the report of another tool each list may have positions of its own, which do not compare.
    positions = [point.seq for point in points if point.happening is not None]
    apart = len(set(positions)) < len(positions)
    last: dict[tuple[object, ...], int] = {}
    for place, point in enumerate(points):
        one = point.happening
        if one is None:
            continue
        before = previous[place]
        if point.kind is _Kind.END and one.begins is not None:
            before.append(one.begins)
        elif one.cause is not None and one.cause.begins is not None:
            before.append(one.cause.begins)
        for line in _lines(one, point.kind if apart else None):
            if line in last:
                before.append(last[line])
            last[line] = place
    _add_turns(points, previous)
    return previous


def _lines(one: Happening, kind: _Kind | None) -> Iterator[tuple[object, ...]]:
    """Yield what the steps of one agent are in order within: a message it handles, a model run."""
    record = one.record
    if record.agent is not None and record.cause_id is not None:
        handled = id(one.cause) if one.cause is not None else (record.cause_id, record.turn)
        yield kind, record.agent, handled
    if isinstance(record, ToolInvocation) and record.run_id is not None:
        yield kind, record.agent, "run", record.run_id


def _add_turns(points: Sequence[_Point], previous: list[list[int]]) -> None:
    """Put the begin of each turn after what was seen before it, and before what belongs to it."""
    begun = {point.turn: place for place, point in enumerate(points) if point.happening is None}
    turns = sorted(turn for turn in begun if turn is not None)
    for earlier, later in pairwise(turns):
        previous[begun[later]].append(begun[earlier])
    for place, point in enumerate(points):
        if point.happening is None or point.turn is None:
            continue
        if point.turn in begun:
            previous[place].append(begun[point.turn])
        for turn in turns[bisect_right(turns, point.turn) :]:
            # What a turn brings late, after the next began, is not before that one.
            if begun[turn] > place:
                previous[begun[turn]].append(place)
                break


def _bits(mask: int) -> Iterator[int]:
    """Yield the places of the bits of a number that are set, from the lowest."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _sorted(previous: Sequence[Sequence[int]]) -> list[int]:
    """Return the points so that each stands behind those before it.

    Where causes go round in a circle, what is in the circle or behind it is left out: nothing is
    known of its order.
    """
    if all(earlier < place for place, before in enumerate(previous) for earlier in before):
        return list(range(len(previous)))  # nearly always: causes were recorded before effects
    waiting = [len(before) for before in previous]
    following: list[list[int]] = [[] for _ in previous]
    for place, before in enumerate(previous):
        for earlier in before:
            following[earlier].append(place)
    ready = [place for place, count in enumerate(waiting) if not count]
    for place in ready:  # grows while it is read
        for later in following[place]:
            waiting[later] -= 1
            if not waiting[later]:
                ready.append(later)
    return ready
