"""What every adapter returns: a foreign record as our events, and what became of each frame."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from audition.events import DroppedFrame, Event
from audition.output import RuntimeCapabilities

NO_FRAME = -1
"""The origin of an event that no frame says, as the end of a turn that the record leaves open."""


def innermost[T](outer: Iterable[T], inside: Callable[[T], Sequence[T]]) -> Iterator[T]:
    """Yield what wraps nothing, in order, however often it is wrapped itself.

    Args:
        outer: What may wrap something.
        inside: Returns what one value wraps, nothing where it wraps none.

    """
    waiting = [iter(outer)]
    while waiting:
        for one in waiting[-1]:
            inner = inside(one)
            if inner:
                waiting.append(iter(inner))
                break
            yield one
        else:
            waiting.pop()


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameHead:
    """What a frame says of itself, for the account of a record; nothing is decided by it.

    Attributes:
        index: Position in the record, where a session counts as its events.
        author: Who wrote it, None where it does not say.
        role: What it calls the part that the author plays, None where it does not say.
        invocation: The id of the invocation, run or trace that it belongs to, None where unknown.

    """

    index: int
    author: str | None = None
    role: str | None = None
    invocation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapted:
    """What a foreign record comes to.

    Attributes:
        events: Ours, in the order of the record.
        origins: The index of the frame that each event comes of, `NO_FRAME` where none says it;
            as many as there are events.
        heads: One for every frame, in the order of the record.
        dropped: Every frame that contributed no event, and why.
        human: The name of the person in the events.
        lost: How many of the dropped were broken, so that nobody knows what they said.
        capabilities: What the evidence can be relied on for.

    """

    events: tuple[Event, ...]
    origins: tuple[int, ...] = ()
    heads: tuple[FrameHead, ...] = ()
    dropped: tuple[DroppedFrame, ...] = ()
    human: str
    lost: int = 0
    capabilities: RuntimeCapabilities = field(default_factory=RuntimeCapabilities)
