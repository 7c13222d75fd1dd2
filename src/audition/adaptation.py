"""What every adapter returns: a foreign record as our events, and what became of the rest."""

from dataclasses import dataclass

from audition.events import DroppedFrame, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapted:
    """What a foreign record comes to.

    Attributes:
        events: Ours, in the order of the record.
        dropped: Every frame that contributed no event, and why.
        human: The name of the person in the events.
        lost: How many of the dropped were broken, so that nobody knows what they said.

    """

    events: tuple[Event, ...]
    dropped: tuple[DroppedFrame, ...]
    human: str
    lost: int = 0
