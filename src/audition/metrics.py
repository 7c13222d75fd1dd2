"""Inventories of a run as metrics: what was said, called and paid, all together and by agent.

Numbers to compare runs by, no verdicts. What is not known has no metric: a cost of 0 is a price,
no metric is none. Give `MetricsFromRecords` to `Dataset.evaluate` as its lifecycle, and each case
of the native report has them; `audition run` does so.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic_evals.evaluators import EvaluatorContext
from pydantic_evals.lifecycle import CaseLifecycle

from audition.invocations import InvocationOutcome, ToolInvocation
from audition.output import CaseOutput
from audition.records import LlmUsageRecord, MessageRecord

type Metrics = Mapping[str, int | float]

_COUNTS = frozenset({"messages", "tool_calls", "tool_returns", "tool_failures", "requests"})
"""Of one agent, a count of 0 is left out; a cost, a time or tokens of 0 are known, and told."""


class MetricsFromRecords(CaseLifecycle[Any, Any, Any]):
    """Puts the inventory of each output among the metrics of its case.

    To have spans made of records as well: `class Both(MetricsFromRecords, SpansFromRecords)`.
    """

    async def prepare_context(
        self, ctx: EvaluatorContext[Any, Any, Any]
    ) -> EvaluatorContext[Any, Any, Any]:
        """Return the context with the metrics beside those that the task set itself."""
        prepared = await super().prepare_context(ctx)
        if isinstance(prepared.output, CaseOutput):
            prepared.metrics.update(metrics_of(prepared.output))
        return prepared


def metrics_of(output: CaseOutput) -> Metrics:
    """Return the inventory of an output by name; `tool_calls/@Knowledge` is that of one agent.

    * `messages`: sent, the human's included
    * `tool_calls`, `tool_returns`, `tool_failures`: invocations, those of them that ended, and
      those that ended badly; without the runtime's own
    * `tool_seconds`: from calls to their returns, where the time of each is known
    * `requests`: to models; `input_tokens`, `output_tokens`, where a source counts them in each
      answer; `cost_usd`, where the price of each is known; none of them where no usage was reported
    * `seconds`: of all turns, where the time of each is known
    """
    metrics = dict(_inventory(output.spoken, output.tool_invocations(), output.llm_usage))
    seconds = [turn.seconds for turn in output.turns if not turn.not_run]
    metrics.update(_known({"seconds": _whole_sum(seconds)}))
    by_agent = _by_agent(output)
    for agent in sorted(by_agent):
        inventory = _inventory(*by_agent[agent])
        metrics |= {
            f"{name}/{agent}": amount for name, amount in inventory if amount or name not in _COUNTS
        }
    return metrics


class Used(NamedTuple):
    """What models were asked and used, each None where it is not known.

    Attributes:
        requests: Requests to models.
        input_tokens: Tokens that they read.
        output_tokens: Tokens that they wrote.
        cost_usd: What they cost in US dollars.

    """

    requests: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


def used(usage: Sequence[LlmUsageRecord]) -> Used:
    """Return what answers of models add up to; what is not known of each has no sum."""
    if not usage:
        return Used()
    is_counted = all(record.known_tokens is not None for record in usage)
    return Used(
        requests=sum(record.requests for record in usage),
        input_tokens=sum(record.input_tokens for record in usage) if is_counted else None,
        output_tokens=sum(record.output_tokens for record in usage) if is_counted else None,
        cost_usd=_whole_sum([record.known_cost_usd for record in usage]),
    )


type _Parts = tuple[list[MessageRecord], list[ToolInvocation], list[LlmUsageRecord]]


def _by_agent(output: CaseOutput) -> dict[str, _Parts]:
    """Return what each agent that is known by name sent, called and asked of models."""
    found: defaultdict[str, _Parts] = defaultdict(lambda: ([], [], []))
    for message in output.spoken:
        if message.sender is not None and message.sender != output.human:
            found[message.sender][0].append(message)
    for call in output.tool_invocations():
        if call.agent is not None:
            found[call.agent][1].append(call)
    for usage in output.llm_usage:
        if usage.agent is not None:
            found[usage.agent][2].append(usage)
    return found


def _inventory(
    messages: Sequence[MessageRecord],
    calls: Sequence[ToolInvocation],
    usage: Sequence[LlmUsageRecord],
) -> Iterator[tuple[str, int | float]]:
    ended = [call for call in calls if call.has_ended]
    yield "messages", len(messages)
    yield "tool_calls", len(calls)
    yield "tool_returns", len(ended)
    yield "tool_failures", sum(call.outcome is not InvocationOutcome.OK for call in ended)
    yield from _known({"tool_seconds": _whole_sum([call.seconds for call in ended])})
    yield from _known(used(usage)._asdict())


def _known(amounts: Mapping[str, float | None]) -> Iterator[tuple[str, int | float]]:
    yield from ((name, amount) for name, amount in amounts.items() if amount is not None)


def _whole_sum(amounts: Sequence[float | None]) -> float | None:
    """Return a sum; None where a part of it is not known, or there is none."""
    known = [amount for amount in amounts if amount is not None and 0 <= amount < math.inf]
    return math.fsum(known) if known and len(known) == len(amounts) else None
