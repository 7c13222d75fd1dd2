"""The events of a turn, put in the order of time whatever order they are made in."""

from dataclasses import dataclass

from audition.adapters.otlp.turns import Step
from audition.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    at: int
    rank: int
    is_own: bool
    closes: bool
    number: int
    frame: int
    event: Event


class Timeline:
    """Events with the frames that they come of.

    Where times are equal, what belongs to the step that started first comes first, but for the
    end of a run; what a model was told comes before what it says; else what was added first.
    """

    def __init__(self) -> None:
        self._placed: list[_Placed] = []

    def add(
        self,
        event: Event,
        step: Step,
        at: int,
        *,
        frame: int | None = None,
        is_told: bool = False,
        closes: bool = False,
    ) -> None:
        """Put in an event.

        Args:
            event: The event.
            step: What it belongs to.
            at: When it was, in nanoseconds.
            frame: The index of the frame that it comes of, None for that of the step.
            is_told: The step only tells of it: it happened before.
            closes: It ends the step, and comes after all that was inside of it.

        """
        placed = _Placed(
            at=at,
            rank=step.rank,
            is_own=not is_told,
            closes=closes,
            number=len(self._placed),
            frame=step.span.index if frame is None else frame,
            event=event,
        )
        self._placed.append(placed)

    def in_order(self) -> list[tuple[int, Event]]:
        """Return the index of the frame and the event, for each, in the order of time."""
        return [(one.frame, one.event) for one in sorted(self._placed, key=_order)]


def _order(one: _Placed) -> tuple[int, bool, int, bool, int]:
    rank = -one.rank if one.closes else one.rank  # an inner run ends before the outer one
    return (one.at, one.closes, rank, one.is_own, one.number)


def seconds(step: Step, at: int) -> float | None:
    """Return a time for people, None where the step does not say when it was."""
    return (
        None if step.span.start is None else at / 1_000_000_000
    )  # of two whole numbers, so that nothing is rounded twice
