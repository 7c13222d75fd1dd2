"""Spans with the GenAI attribute names, made of records, for runs that brought none.

A remote team or a recording leaves no spans, so span evaluators would find an empty tree, and some
of them would pass on it. Give `SpansFromRecords` to `Dataset.evaluate` as its lifecycle, and they
see the agent runs, model requests and tool calls of the records.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from pydantic_evals.evaluators import EvaluatorContext
from pydantic_evals.lifecycle import CaseLifecycle
from pydantic_evals.otel.span_tree import AttributeValue, SpanNode, SpanTree

from audition.invocations import InvocationOutcome, ToolInvocation
from audition.output import CaseOutput
from audition.records import LlmUsageRecord

_TRACE = 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class SpansFromRecords(CaseLifecycle[Any, CaseOutput, Any]):
    """Puts spans made of the records where the run itself could not make any."""

    async def prepare_context(
        self, ctx: EvaluatorContext[Any, CaseOutput, Any]
    ) -> EvaluatorContext[Any, CaseOutput, Any]:
        """Return the context with a span tree, as it is where the run carried its own context."""
        if ctx.output.capabilities.trace_context:
            return ctx
        # The only way to give evaluators a tree of one's own; the field has no public name.
        return replace(ctx, _span_tree=span_tree(ctx.output))


def span_tree(output: CaseOutput) -> SpanTree:
    """Return the agent runs of an output, with their model requests and tool calls below them."""
    tree = SpanTree()
    tree.add_spans(list(_nodes(output)))
    return tree


def _nodes(output: CaseOutput) -> Iterator[SpanNode]:
    ids = count(1)
    runs: dict[tuple[str | None, str | None], SpanNode] = {}
    happened: list[LlmUsageRecord | ToolInvocation] = [
        *output.llm_usage,
        *output.tool_invocations(internal=True),
    ]
    times = {record.seq: record.at for record in (*output.tool_calls, *output.tool_returns)}
    for one in sorted(happened, key=lambda record: record.seq):
        key = (one.run_id, one.agent)
        at = one.at if isinstance(one, LlmUsageRecord) else times.get(one.seq)
        start = _moment(at, one.seq)
        if key not in runs:
            runs[key] = _agent_run(one.agent, one.run_id, next(ids), start)
            yield runs[key]
        node = _node(one, next(ids), runs[key].span_id, start)
        runs[key].end_timestamp = max(runs[key].end_timestamp, node.end_timestamp)
        yield node


def _moment(at: float | None, seq: int) -> datetime:
    """Return when something happened; without a time, the order alone, a microsecond each."""
    moment = _EPOCH if at is None else datetime.fromtimestamp(at, UTC)
    return moment + timedelta(microseconds=seq)


def _agent_run(agent: str | None, run_id: str | None, span_id: int, start: datetime) -> SpanNode:
    name = agent or "unknown"
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": name,
        "gen_ai.agent.call.id": run_id or "",
    }
    return _span(f"invoke_agent {name}", span_id, None, (start, start), attributes)


def _node(
    one: LlmUsageRecord | ToolInvocation, span_id: int, parent: int, start: datetime
) -> SpanNode:
    if isinstance(one, LlmUsageRecord):
        model = one.model_name or "unknown"
        return _span(f"chat {model}", span_id, parent, (start, start), _chat(one, model))
    end = start + timedelta(seconds=max(one.seconds or 0, 0))
    node = _span(f"execute_tool {one.tool_name}", span_id, parent, (start, end), _tool(one))
    node.status = "ok" if one.outcome is InvocationOutcome.OK else "error"
    return node


def _span(
    name: str,
    span_id: int,
    parent: int | None,
    times: tuple[datetime, datetime],
    attributes: dict[str, AttributeValue],
) -> SpanNode:
    return SpanNode(
        name=name,
        trace_id=_TRACE,
        span_id=span_id,
        parent_span_id=parent,
        start_timestamp=times[0],
        end_timestamp=times[1],
        attributes=attributes,
    )


def _chat(usage: LlmUsageRecord, model: str) -> dict[str, AttributeValue]:
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": model,
        "gen_ai.agent.name": usage.agent or "unknown",
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
    }
    return (
        attributes if usage.cost_usd is None else {**attributes, "operation.cost": usage.cost_usd}
    )


def _tool(call: ToolInvocation) -> dict[str, AttributeValue]:
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.tool_name,
        "gen_ai.tool.call.id": call.tool_call_id,
        "gen_ai.agent.name": call.agent or "unknown",
    }
    if call.arguments_raw is not None:
        attributes["gen_ai.tool.call.arguments"] = call.arguments_raw
    if call.content is not None:
        attributes["gen_ai.tool.call.result"] = call.content
    return attributes
