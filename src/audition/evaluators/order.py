"""What happened before what, after what, and beside what: by cause, never by the clock."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar, Literal

from pydantic.dataclasses import dataclass

from audition.causality import CausalOrder, Happening, Order
from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    absence,
)
from audition.evaluators.patterns import Pattern, meant, tell, tell_all
from audition.evaluators.view import EvidenceView, Scope

type Quantifier = Literal["every", "any"]

_PATTERNS = "the patterns say who is meant"

_TOLD = 3
"""Of how many failures, and against how many others each, a reason tells the order."""

_WORDS = {
    Order.BEFORE: "came before",
    Order.AFTER: "came after",
    Order.CONCURRENT: "is concurrent with",
    Order.UNKNOWN: "is in an unknown order to",
}
_CAUSES = {
    Order.BEFORE: "wrong order",
    Order.AFTER: "wrong order",
    Order.CONCURRENT: "concurrent",
    Order.UNKNOWN: "order unknown",
}


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class HappenedBefore(CaseEvaluator):
    """What is meant by `then` happened after something that is meant by `first`, by cause.

    Attributes:
        first: What must have happened before, and ended.
        then: What must have begun after it; there must be some.
        quantifier: `every`: before each of them; `any`: before one of them is enough.

    """

    layer: ClassVar[Layer] = Layer.ROUTE
    key: ClassVar[tuple[str, ...]] = ("first", "then")
    refuses_agent: ClassVar[str | None] = _PATTERNS

    first: Pattern
    then: Pattern
    quantifier: Quantifier = "every"

    def examine(self, view: EvidenceView) -> Finding:
        """Return what did not come after any of the first, and how it stands to them."""
        firsts, thens = meant(self.first, view), meant(self.then, view)
        missing = _not_there(view.scope, (self.first, firsts), (self.then, thens))
        if missing is not None:
            return missing
        after = view.output.causal_order.after_any(firsts)
        good = [then for then in thens if then in after]
        if len(good) == len(thens) or (good and self.quantifier == "any"):
            told = f"{len(good)} of {len(thens)} came after {self.first}: {tell_all(good)}"
            return Finding(True, told)
        bad = [then for then in thens if then not in after]
        looked = f"{len(bad)} of {len(thens)} did not come after {self.first}"
        return _wrong(view.output.causal_order, looked, bad, firsts)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return what is meant by either."""
        return _tell_each(view, self.first, self.then)


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class EventuallyHappened(CaseEvaluator):
    """Something that is meant happened: at all, or after everything that is meant by `after`.

    Attributes:
        event: What must have happened.
        after: What it must follow, by cause, each of them; there must be some. None for nothing.

    """

    layer: ClassVar[Layer] = Layer.ROUTE
    key: ClassVar[tuple[str, ...]] = ("event", "after")
    refuses_agent: ClassVar[str | None] = _PATTERNS

    event: Pattern
    after: Pattern | None = None

    def examine(self, view: EvidenceView) -> Finding:
        """Return what it did not follow, and how it stands to that."""
        events = meant(self.event, view)
        befores = _meant_if_given(self.after, view)
        wanted = [] if self.after is None else [(self.after, befores)]
        missing = _not_there(view.scope, *wanted, (self.event, events))
        if missing is not None:
            return missing
        if self.after is None:
            return Finding(True, f"happened{view.scope}: {tell_all(events)}")
        causal = view.output.causal_order
        followed = causal.before_any(events)
        bad = [before for before in befores if before not in followed]
        if bad:
            looked = f"{len(bad)} of {len(befores)} were not followed by {self.event}"
            return _wrong(causal, looked, bad, events)
        told = f"{self.event} followed all {len(befores)}: {tell_all(befores)}"
        return Finding(True, told)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return what is meant by either."""
        return _tell_each(view, self.event, *([] if self.after is None else [self.after]))


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class NeverHappened(CaseEvaluator):
    """Nothing that is meant happened: at all, after something, before something, or between.

    What is concurrent with that did not happen after it, nor before it.

    Attributes:
        event: What must not have happened.
        after: Only what follows one of these counts, by cause; None for whenever.
        before: Only what is followed by one of these counts, by cause; None for whenever.

    """

    layer: ClassVar[Layer] = Layer.ROUTE
    key: ClassVar[tuple[str, ...]] = ("event", "after", "before")
    refuses_agent: ClassVar[str | None] = _PATTERNS

    event: Pattern
    after: Pattern | None = None
    before: Pattern | None = None

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments."""
        return True

    def examine(self, view: EvidenceView) -> Finding:
        """Return what happened all the same, or what of it has no order that is known."""
        causal = view.output.causal_order
        events = meant(self.event, view)
        firsts = _meant_if_given(self.after, view)
        lasts = _meant_if_given(self.before, view)
        later = set(events) if self.after is None else causal.after_any(firsts)
        earlier = set(events) if self.before is None else causal.before_any(lasts)
        bad = [event for event in events if event in later and event in earlier]
        if bad:
            told = f"happened{view.scope}{self._where()}: {tell_all(bad)}"
            return Finding(False, told, cause="it happened")
        not_after = _surely_not_after(causal, events, firsts) if self.after else set[Happening]()
        not_before = _surely_not_before(causal, events, lasts) if self.before else set[Happening]()
        unsure = [event for event in events if event not in not_after | not_before]
        if unsure:
            told = f"the order cannot be known{view.scope}{self._where()}: {tell_all(unsure)}"
            return Finding(False, told, layer=Layer.RUN, cause="order unknown")
        return absence(view, self._told(view.scope, events, firsts, lasts))

    def _where(self) -> str:
        after = "" if self.after is None else f" after {self.after}"
        before = "" if self.before is None else f" before {self.before}"
        return f"{after}{before}"

    def _told(
        self,
        scope: Scope,
        events: Sequence[Happening],
        firsts: Sequence[Happening],
        lasts: Sequence[Happening],
    ) -> str:
        told = f"{self.event} did not happen{scope}{self._where()}"
        if events:
            told += f"; elsewhere: {tell_all(events)}"
        bounds = [(self.after, firsts), (self.before, lasts)]
        none = [str(pattern) for pattern, found in bounds if pattern is not None and not found]
        return f"{told}; nothing was there of: {', '.join(none)}" if none else told

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return what is meant by any of the patterns."""
        bounds = [pattern for pattern in (self.after, self.before) if pattern is not None]
        return _tell_each(view, self.event, *bounds)


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class HappenedConcurrently(CaseEvaluator):
    """Something of the one kind and something of the other are tied together by no cause.

    It says that neither had to wait for the other, not that both were done at the same moment.

    Attributes:
        one: The one kind; there must be some.
        other: The other kind; there must be some.
        quantifier: `any`: one pair is enough; `every`: each of the one with each of the other.

    """

    layer: ClassVar[Layer] = Layer.ROUTE
    key: ClassVar[tuple[str, ...]] = ("one", "other")
    refuses_agent: ClassVar[str | None] = _PATTERNS

    one: Pattern
    other: Pattern
    quantifier: Quantifier = "any"

    def examine(self, view: EvidenceView) -> Finding:
        """Return a pair that is concurrent, or pairs that are not and how they stand."""
        ones, others = meant(self.one, view), meant(self.other, view)
        missing = _not_there(view.scope, (self.one, ones), (self.other, others))
        if missing is not None:
            return missing
        causal = view.output.causal_order
        bad = list(islice(causal.pairs(ones, others, concurrent=False), _TOLD))
        good = next(causal.pairs(ones, others, concurrent=True), None)
        if good is not None and (self.quantifier == "any" or not bad):
            return Finding(True, f"concurrent: {tell(good[0])} with {tell(good[1])}")
        if not bad:
            told = f"{self.one} and {self.other} mean the same one: {tell_all(ones)}"
            return Finding(False, told, cause="not there")
        orders = [causal.order(one, other) for one, other in bad]
        pairs = [
            f"{tell(one)} {_WORDS[order]} {tell(other)}"
            for (one, other), order in zip(bad, orders, strict=True)
        ]
        return _failed(f"not concurrent: {'; '.join(pairs)}", orders)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return what is meant by either."""
        return _tell_each(view, self.one, self.other)


def _meant_if_given(pattern: Pattern | None, view: EvidenceView) -> Sequence[Happening]:
    return () if pattern is None else meant(pattern, view)


def _not_there(scope: Scope, *wanted: tuple[Pattern, Sequence[Happening]]) -> Finding | None:
    """Return that something of which there must be some is not there, None where all is."""
    none = [str(pattern) for pattern, found in wanted if not found]
    if not none:
        return None
    there = [f"{pattern}: {tell_all(found)}" for pattern, found in wanted if found]
    seen = f"; there was {'; '.join(there)}" if there else ""
    return Finding(False, f"not seen{scope}: {', '.join(none)}{seen}", cause="not seen")


def _wrong(
    causal: CausalOrder, looked: str, bad: Sequence[Happening], others: Sequence[Happening]
) -> Finding:
    """Return how the first of what is wrong stands to the first of the others."""
    told = list(_stand(causal, bad, others))
    text = "; ".join(f"{tell(wrong)} {_WORDS[order]} {tell(other)}" for wrong, other, order in told)
    return _failed(f"{looked}: {text}", [order for _, _, order in told])


def _stand(
    causal: CausalOrder, bad: Sequence[Happening], others: Sequence[Happening]
) -> Iterator[tuple[Happening, Happening, Order]]:
    for wrong in bad[:_TOLD]:
        for other in [other for other in others if other is not wrong][:_TOLD]:
            yield wrong, other, causal.order(wrong, other)


def _failed(told: str, orders: Sequence[Order]) -> Finding:
    """Return the failure; where an order is unknown it is the evidence that fails, not the team."""
    if Order.UNKNOWN in orders:
        reason = f"{told} (the source does not say what caused it, or not all of it was seen)"
        return Finding(False, reason, layer=Layer.RUN, cause=_CAUSES[Order.UNKNOWN])
    return Finding(False, told, cause=_CAUSES[orders[0]] if orders else "not there")


def _surely_not_after(
    causal: CausalOrder, events: Sequence[Happening], firsts: Sequence[Happening]
) -> set[Happening]:
    """Return which of the events cannot have come after one of the first.

    One that never ended, as far as was seen, may have ended after all once it has begun.
    """
    if not firsts:
        return set(events)  # nothing comes after what never was
    if any(first.begins is None and first.ends is None for first in firsts):
        return set()
    perhaps = causal.after_any(firsts)
    perhaps |= causal.after_begin_of_any([first for first in firsts if first.ends is None])
    return {
        event for event in events if causal.knows_what_is_before(event) and event not in perhaps
    }


def _surely_not_before(
    causal: CausalOrder, events: Sequence[Happening], lasts: Sequence[Happening]
) -> set[Happening]:
    """Return which of the events cannot have ended before one of the last began."""
    if not lasts:
        return set(events)
    if not all(map(causal.knows_what_is_before, lasts)):
        return set()
    before = causal.before_any(lasts)
    return {event for event in events if event.ends is not None and event not in before}


def _tell_each(view: EvidenceView, *patterns: Pattern) -> Sequence[str]:
    found = [happening for pattern in patterns for happening in meant(pattern, view)]
    return [tell(happening) for happening in dict.fromkeys(found)]
