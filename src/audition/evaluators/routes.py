"""Who spoke to whom, in which order, and who had no part in it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, cast

from annotated_types import MinLen
from pydantic import BeforeValidator, Field
from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    Reads,
    absence,
)
from audition.evaluators.reasons import few
from audition.evaluators.view import EvidenceView


def _read_leg(value: Any) -> Any:
    """Return the pair that "@Manager>@Knowledge" is; pairs and anything else stay as they are."""
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(">")]
        if len(parts) != 2 or not all(parts) or parts[0].endswith(("-", "=")):
            msg = 'a leg of a route is ["sender", "recipient"] or "sender>recipient"'
            raise ValueError(msg)
        return tuple(parts)
    # What runs before Pydantic's own check is given a list of Python's, which no strict tuple is.
    return tuple(cast("list[object]", value)) if isinstance(value, list) else value


type Name = Annotated[str, MinLen(1)]
type Arrow = Annotated[str, Field(pattern="^[^>]*[^>\\s=-]\\s*>[^>]*[^>\\s][^>]*$")]
"""A leg as one writes it: "sender>recipient"; no "->" or "=>", which would name another sender."""
type Leg = Annotated[
    tuple[Name, Name],
    BeforeValidator(_read_leg, json_schema_input_type=tuple[Name, Name] | Arrow),
]
"""One message on a route: its sender and its recipient."""


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class FollowedRoute(CaseEvaluator):
    """Messages went along a route, in its order; others may lie between.

    Attributes:
        expected_route: The legs in order.

    """

    layer: ClassVar[Layer] = Layer.ROUTE
    reads: ClassVar[Reads] = Reads.NAMES

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

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return who spoke to whom."""
        return [f"{record.sender} > {record.recipient}" for record in view.messages()]


def _taken(route: tuple[Leg, ...], observed: list[tuple[str, str]]) -> int:
    """Return how many legs of the route were taken in order."""
    taken = 0
    for leg in observed:
        if taken < len(route) and leg == route[taken]:
            taken += 1
    return taken


def _tell(legs: tuple[Leg, ...] | list[tuple[str, str]]) -> str:
    return few(legs, ">".join, most=30, separator=", ") or "no message"


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class DidNotInvolveAgents(CaseEvaluator):
    """None of the agents had a part in it.

    An agent has a part where it sent or received a message, called a tool or answered as a model,
    also where the runtime alone wanted that.

    Attributes:
        agent_names: None of them may have had a part.

    """

    layer: ClassVar[Layer] = Layer.ROUTE
    reads: ClassVar[Reads] = Reads.NAMES
    key: ClassVar[tuple[str, ...]] = ("agent_names",)
    refuses_agent: ClassVar[str | None] = "agent_names says who is meant"

    agent_names: Annotated[tuple[Name, ...], MinLen(1)]

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments."""
        return True

    def examine(self, view: EvidenceView) -> Finding:
        """Return what the agents did, and how often."""
        done = self.looked_at(view)
        if done:
            counts = Counter(done)
            told = "; ".join(f"{what} x{n}" if n > 1 else what for what, n in counts.items())
            return Finding(False, f"had a part: {told}", cause="agent involved")
        return absence(view, f"had no part{view.scope}: {', '.join(self.agent_names)}")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return what the agents did."""
        names = set(self.agent_names)
        return [what for agents, what in _parts(view) if agents & names]


def _parts(view: EvidenceView) -> Iterator[tuple[set[str | None], str]]:
    """Yield who had which part in the turn in scope, those of the runtime itself included."""
    output, turn = view.output, view.scope.turn
    for number, asked in enumerate(output.turns):
        if turn in {None, number} and asked.target is not None and not asked.not_run:
            yield {asked.target}, f"turn {number} went to {asked.target}"
    for record in output.messages:
        if turn in {None, record.turn}:
            told = f"{record.sender or '?'} > {record.recipient or 'everybody'}"
            yield {record.sender, record.recipient}, told
    for call in output.tool_invocations(turn=turn, internal=True):
        yield {call.agent}, f"{call.agent} called {call.tool_name}"
    for usage in output.llm_usage:
        if turn in {None, usage.turn}:
            yield {usage.agent}, f"{usage.agent} answered as a model"
