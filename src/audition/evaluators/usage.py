"""What the models read, wrote and cost, against limits."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, ClassVar, NamedTuple, Self

from annotated_types import Ge
from pydantic import Field, model_validator
from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    Reads,
    absence,
)
from audition.evaluators.view import EvidenceView
from audition.records import LlmUsageRecord

type Count = Annotated[int, Ge(0)]
type Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _input(record: LlmUsageRecord) -> int | None:
    return None if record.known_tokens is None else record.input_tokens


def _output(record: LlmUsageRecord) -> int | None:
    return None if record.known_tokens is None else record.output_tokens


def _requests(record: LlmUsageRecord) -> int | None:
    return record.requests if record.requests >= 0 else None


_AMOUNTS: dict[str, tuple[str, Callable[[LlmUsageRecord], float | None]]] = {
    "input_tokens": ("input tokens", _input),
    "output_tokens": ("output tokens", _output),
    "total_tokens": ("tokens", lambda record: record.known_tokens),
    "requests": ("requests", _requests),
    "cost_usd": ("US dollars", lambda record: record.known_cost_usd),
}
"""What each limit is a limit of, and how much of it an answer of a model has."""


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class UsageWithin(CaseEvaluator):
    """The models used no more than this; what is not known to be within a limit is not.

    Attributes:
        input_tokens: Most tokens read, None for any number.
        output_tokens: Most tokens written, None for any number.
        total_tokens: Most tokens read and written together, None for any number.
        requests: Most requests to models, None for any number.
        cost_usd: Most US dollars, None for any cost.

    """

    layer: ClassVar[Layer] = Layer.BUDGET
    reads: ClassVar[Reads] = Reads.NAMES

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    total_tokens: Count | None = None
    requests: Count | None = None
    cost_usd: Dollars | None = None

    @model_validator(mode="after")
    def _can_fail(self) -> Self:
        if not any(True for _ in self._limits()):
            msg = f"nothing is limited: give at least one of {', '.join(_AMOUNTS)}"
            raise ValueError(msg)
        return self

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments: who does nothing uses nothing."""
        return True

    def key_text(self) -> str:
        """Return the limits."""
        return ",".join(f"{name}={_shown(limit)}" for name, limit in self._limits())

    def examine(self, view: EvidenceView) -> Finding:
        """Return each amount beside its limit, and what is over it or not known."""
        amounts = [_amount(name, limit, self._parts(view)) for name, limit in self._limits()]
        told = f"used{view.scope}: {'; '.join(amount.told for amount in amounts)}"
        over = [amount.name for amount in amounts if amount.is_over]
        if over:
            return Finding(False, told, cause=f"over the limit: {', '.join(over)}")
        observed = absence(view, told)
        if not observed.ok:
            return observed
        # An agent may ask no model, but where nobody is seen to ask one, usage is not told.
        turn = view.scope.turn
        if not any(turn is None or one.turn in {None, turn} for one in view.output.llm_usage):
            told = "no usage of a model was reported, so that nothing is known to be within limits"
            return Finding(False, told, cause="usage not known")
        unknown = [amount.name for amount in amounts if not amount.is_known]
        if unknown:
            return Finding(False, told, cause=f"not known: {', '.join(unknown)}")
        return observed

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return each answer of a model with what it used."""
        return [
            f"{one.agent or '?'} {one.model_name or 'a model'}: {one.input_tokens} in, "
            f"{one.output_tokens} out, {'cost not known' if cost is None else f'{cost:g} USD'}"
            for one, cost in ((one, one.known_cost_usd) for one in self._records(view))
        ]

    def _limits(self) -> Iterator[tuple[str, float]]:
        for name in _AMOUNTS:
            limit: float | None = getattr(self, name)
            if limit is not None:
                yield name, limit

    def _records(self, view: EvidenceView) -> Sequence[LlmUsageRecord]:
        """Return the answers of models in scope, also those of nobody knows whom or when."""
        agent, turn = view.scope.agent, view.scope.turn
        return [
            record
            for record in view.output.llm_usage
            if (turn is None or record.turn in {None, turn})
            and (agent is None or record.agent in {None, agent})
        ]

    def _parts(self, view: EvidenceView) -> Sequence[tuple[LlmUsageRecord, bool]]:
        """Return the answers of models in scope, each with whether it is sure that it is."""
        agent, turn = view.scope.agent, view.scope.turn
        return [
            (one, agent in {None, one.agent} and turn in {None, one.turn})
            for one in self._records(view)
        ]


class _Amount(NamedTuple):
    """An amount beside its limit.

    Attributes:
        name: Which one.
        told: Both, as a reason shows them.
        is_over: What is known of it is beyond the limit.
        is_known: All of it is known.

    """

    name: str
    told: str
    is_over: bool
    is_known: bool


def _amount(name: str, limit: float, parts: Sequence[tuple[LlmUsageRecord, bool]]) -> _Amount:
    unit, of_record = _AMOUNTS[name]
    amounts = [of_record(record) if is_sure else None for record, is_sure in parts]
    known = [amount for amount in amounts if amount is not None]
    used = _total(known)
    told = (
        f"{_shown(used)} {unit}, wanted at most {_shown(limit)}"
        if known
        else f"no {unit} that are known"
    )
    left = len(amounts) - len(known)
    if left:
        told = f"{unit} not known of {left} of {len(amounts)} answer(s); {told}"
    is_over = used > limit
    if is_over and isinstance(used, float):  # a sum of cents is rarely exact: 0.1 + 0.2 is no 0.3
        is_over = not math.isclose(used, limit, rel_tol=1e-9)
    return _Amount(name=name, told=told, is_over=is_over, is_known=not left)


def _total(amounts: Sequence[float]) -> float:
    """Return the sum: exact where all are counts, however large."""
    counts = [amount for amount in amounts if isinstance(amount, int)]
    return sum(counts) if len(counts) == len(amounts) else math.fsum(amounts)


def _shown(amount: float) -> str:
    """Return a count with all its digits, anything else with as many as matter."""
    return str(amount) if isinstance(amount, int) else f"{amount:g}"
