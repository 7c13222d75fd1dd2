"""Who spoke to whom, in which order."""

from typing import Annotated, Any, ClassVar, cast

from annotated_types import MinLen
from pydantic import BeforeValidator
from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import EVALUATOR_CONFIG, CaseEvaluator, Finding, Layer
from audition.evaluators.view import EvidenceView


def _read_leg(value: Any) -> Any:
    """Return the pair that "@Manager>@Knowledge" is; pairs and anything else stay as they are."""
    if isinstance(value, str):
        parts = value.split(">")
        if len(parts) != 2 or not all(part.strip() for part in parts):
            msg = 'a leg of a route is ["sender", "recipient"] or "sender>recipient"'
            raise ValueError(msg)
        return tuple(part.strip() for part in parts)
    return cast("object", value)


type Name = Annotated[str, MinLen(1)]
type Leg = Annotated[tuple[Name, Name], BeforeValidator(_read_leg)]
"""One message on a route: its sender and its recipient."""


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class FollowedRoute(CaseEvaluator):
    """Messages went along a route, in its order; others may lie between.

    Attributes:
        expected_route: The legs in order.

    """

    layer: ClassVar[Layer] = Layer.ROUTE

    expected_route: Annotated[tuple[Leg, ...], MinLen(1)]

    def examine(self, view: EvidenceView) -> Finding:
        """Return the first leg that was not taken after those before it."""
        messages = view.messages()
        observed = [(record.sender or "?", record.recipient or "?") for record in messages]
        taken = _taken(self.expected_route, observed)
        if taken == len(self.expected_route):
            return Finding(True, f"observed {_tell(observed)}")
        sender, recipient = self.expected_route[taken]
        after = f" after leg {taken}" if taken else ""
        last = f"; the last message was sent by {observed[-1][0]}" if observed else ""
        return Finding(
            False,
            f"no message from {sender} to {recipient} was seen{after}{last}; "
            f"expected {_tell(self.expected_route)}; observed {_tell(observed)}",
            cause=f"no hand-off from {sender} to {recipient}",
        )


def _taken(route: tuple[Leg, ...], observed: list[tuple[str, str]]) -> int:
    """Return how many legs of the route were taken in order."""
    taken = 0
    for leg in observed:
        if taken < len(route) and leg == route[taken]:
            taken += 1
    return taken


def _tell(legs: tuple[Leg, ...] | list[tuple[str, str]]) -> str:
    shown = ", ".join(f"{sender}>{recipient}" for sender, recipient in legs[:30])
    more = f" and {len(legs) - 30} more" if len(legs) > 30 else ""
    return f"{shown}{more}" or "no message"
