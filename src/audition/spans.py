"""Spans with the GenAI attribute names, made of records, for runs that brought none.

A remote team or a recording leaves no spans, so span evaluators would find an empty tree, and some
of them would pass on it. Give `SpansFromRecords` to `Dataset.evaluate` as its lifecycle, as
`audition run` does by itself, and they see the agent runs, model requests and tool calls of the
records; where those show nothing either, the tree counts as not recorded, and they fail.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import ProxyTracerProvider, get_tracer_provider, set_tracer_provider
from pydantic_evals.evaluators import EvaluatorContext
from pydantic_evals.lifecycle import CaseLifecycle
from pydantic_evals.otel import SpanTreeRecordingError
from pydantic_evals.otel.span_tree import AttributeValue, SpanNode, SpanTree

from audition.invocations import InvocationOutcome, ToolInvocation
from audition.output import CaseOutput
from audition.records import LlmUsageRecord, MessageRecord

_TRACE = 1
_STEP = timedelta(microseconds=1)
_OPERATION = "gen_ai.operation.name"
_AGENT, _CHAT, _TOOL = "invoke_agent", "chat", "execute_tool"
_DEEPEST = 200
"""How deep agent runs are nested: readers of a tree walk it by recursion."""
_MOST_REQUESTS = 1000
"""Spans made of one record that stands for several requests of a model."""

type _Happened = MessageRecord | LlmUsageRecord | ToolInvocation
type _Handling = tuple[str | None, str | None, int | None]
"""An agent, the message that it handles, the turn."""


class SpansFromRecords(CaseLifecycle[Any, CaseOutput, Any]):
    """Puts spans made of the records where the run itself could not make any.

    A run that carried its own context keeps its spans; what it has none of at all, agent runs,
    model requests or tool calls, is made of the records, so that nothing is there twice.
    """

    async def prepare_context(
        self, ctx: EvaluatorContext[Any, CaseOutput, Any]
    ) -> EvaluatorContext[Any, CaseOutput, Any]:
        """Return the context with a span tree, or with the reason why there is none."""
        try:
            own = ctx.span_tree
        except SpanTreeRecordingError:
            own = SpanTree()
        return with_spans(ctx, _filled(own, ctx.output))


def with_spans[OutputT](
    ctx: EvaluatorContext[Any, OutputT, Any], tree: SpanTree | SpanTreeRecordingError
) -> EvaluatorContext[Any, OutputT, Any]:
    """Return a context whose evaluators see this tree, or are told why there is none."""
    # The only way to give them a tree of one's own; the field has no public name.
    return replace(ctx, _span_tree=tree)


def _filled(own: SpanTree, output: CaseOutput) -> SpanTree | SpanTreeRecordingError:
    """Return the spans of a run, and of the records what it has none of."""
    tree = own if output.capabilities.trace_context else SpanTree()
    there = {_operation(node) for node in tree}
    made = [node for node in _nodes(output) if _operation(node) not in there]
    if made and output.dropped_events:
        # A budget would hold on what is left.
        told = (
            f"no span tree: {output.dropped_events} event(s) were lost, and their spans with them"
        )
        return SpanTreeRecordingError(told)
    if not there and not _shows_work(output):
        return SpanTreeRecordingError(
            "no span tree: the run made no spans, and its records show neither a model request nor "
            "a tool call to make them of"
        )
    tree.add_spans(made)
    return tree


def _shows_work(output: CaseOutput) -> bool:
    """Return whether a tool call would have been seen: the runtime says so, or something was."""
    return output.capabilities.tool_evidence or any(
        (output.tool_calls, output.tool_returns, output.tool_evidence, output.llm_usage)
    )


def span_tree(output: CaseOutput) -> SpanTree:
    """Return the agent runs of an output, with their model requests and tool calls below them.

    An agent run stands below the run in which the message was sent that it handles.
    """
    tree = SpanTree()
    tree.add_spans(_nodes(output))
    return tree


def record_spans() -> None:
    """Let the spans of this process be recorded, where nothing was set up to do so."""
    if isinstance(get_tracer_provider(), ProxyTracerProvider):
        set_tracer_provider(TracerProvider())


def _operation(node: SpanNode) -> AttributeValue | None:
    """Return what kind of work a span stands for, None where for none that records know."""
    if "gen_ai.tool.name" in node.attributes:
        return _TOOL
    operation = node.attributes.get(_OPERATION)
    return operation if operation in {_AGENT, _CHAT} else None


def _nodes(output: CaseOutput) -> list[SpanNode]:
    """Return the spans of everything that agents did; those of one moment stand in its order."""
    runs = _Runs(output)
    nodes: list[SpanNode] = []
    times = {record.seq: record.at for record in (*output.tool_calls, *output.tool_returns)}
    moments = _moments(
        [times.get(one.seq) if isinstance(one, ToolInvocation) else one.at for one in runs.happened]
    )
    for one, start in zip(runs.happened, moments, strict=True):
        run = runs.of(one, start)
        run.start_timestamp = min(run.start_timestamp, start)
        run.end_timestamp = max(run.end_timestamp, start)
        if not isinstance(one, MessageRecord):
            for node in _work(one, runs, parent=run.span_id, start=start):
                run.end_timestamp = max(run.end_timestamp, node.end_timestamp)
                nodes.append(node)
    return sorted((*runs.made, *nodes), key=lambda node: node.span_id)


class _Runs:
    """The agent runs of an output, each made when something of it is met.

    Attributes:
        happened: What agents did, in order; what the human said is no work of an agent.
        made: The spans so far.

    """

    def __init__(self, output: CaseOutput) -> None:
        self.happened: list[_Happened] = sorted(
            [
                *[one for one in output.messages if one.agent != output.human],
                *output.llm_usage,
                *output.tool_invocations(internal=True),
            ],
            key=lambda one: one.seq,
        )
        self.made: list[SpanNode] = []
        self._human = output.human
        self._ids = count(1)
        self._sent = {one.message_id: one for one in output.messages if one.message_id is not None}
        self._of_run: dict[tuple[str | None, str], _Handling] = {}
        self._run_ids: defaultdict[_Handling, list[str]] = defaultdict(list)
        self._runs: dict[tuple[_Handling, str | None], SpanNode] = {}
        self._depths: dict[int, int] = {}
        for one in self.happened:
            self._note(one)

    def next_id(self) -> int:
        """Return an id that no other span has."""
        return next(self._ids)

    def of(self, one: _Happened, start: datetime) -> SpanNode:
        """Return the agent run that something belongs to."""
        run_id = None if isinstance(one, MessageRecord) else one.run_id
        return self._run(self._handling(one), run_id, start)

    def _note(self, one: _Happened) -> None:
        """Note which handling of a message a model run belongs to; not all of it may say so."""
        if isinstance(one, MessageRecord) or one.run_id is None:
            return
        if one.cause_id is not None:
            self._of_run.setdefault((one.agent, one.run_id), (one.agent, one.cause_id, one.turn))
        known = self._run_ids[self._handling(one)]
        if one.run_id not in known[-1:]:
            known.append(one.run_id)

    def _handling(self, one: _Happened) -> _Handling:
        handling = (one.agent, one.cause_id, one.turn)
        if isinstance(one, MessageRecord) or one.run_id is None or one.cause_id is not None:
            return handling
        return self._of_run.get((one.agent, one.run_id), handling)

    def _run(self, handling: _Handling, run_id: str | None, start: datetime) -> SpanNode:
        if run_id is None and self._run_ids[handling]:
            run_id = self._run_ids[handling][0]
        found = self._runs.get((handling, run_id))
        if found is None:
            agent, cause_id, _ = handling
            found = self._runs[handling, run_id] = _agent_run(agent, run_id, self.next_id(), start)
            parent = self._sender(cause_id)
            if parent is not None and self._depths[parent.span_id] < _DEEPEST:
                found.parent_span_id = parent.span_id
                self._depths[found.span_id] = self._depths[parent.span_id] + 1
            self._depths.setdefault(found.span_id, 0)
            self.made.append(found)
        return found

    def _sender(self, cause_id: str | None) -> SpanNode | None:
        """Return the run in which a message was sent, None where none is known."""
        cause = None if cause_id is None else self._sent.get(cause_id)
        if cause is None or cause.agent == self._human:
            return None
        handling = self._handling(cause)
        first = next(iter(self._run_ids[handling]), None)
        return self._runs.get((handling, first))


def _moments(times: Sequence[float | None]) -> Iterator[datetime]:
    """Yield when each of several things in order happened.

    Of what has no time the order alone is known: it happened a microsecond after what stands before
    it, and at the begin so long before the first time that is known.
    """
    known = ((place, at) for place, at in enumerate(times) if at is not None)
    place, first = next(known, (0, 0.0))
    last = datetime.fromtimestamp(first, UTC) - _STEP * (place + 1)
    for at in times:
        last = last + _STEP if at is None else datetime.fromtimestamp(at, UTC)
        yield last


def _agent_run(agent: str | None, run_id: str | None, span_id: int, start: datetime) -> SpanNode:
    name = agent or "unknown"
    attributes: dict[str, AttributeValue] = {
        _OPERATION: _AGENT,
        "gen_ai.agent.name": name,
        "gen_ai.agent.call.id": run_id or "",
    }
    return _span(
        f"{_AGENT} {name}", span_id, parent=None, times=(start, start), attributes=attributes
    )


def _work(
    one: LlmUsageRecord | ToolInvocation, runs: _Runs, *, parent: int, start: datetime
) -> Iterator[SpanNode]:
    """Yield the span of a tool call, or one for each request of a model."""
    if isinstance(one, LlmUsageRecord):
        model = one.model_name or "unknown"
        for number in range(min(max(one.requests, 1), _MOST_REQUESTS)):
            told = _chat(one, model) if not number else _bare_chat(one, model)
            yield _span(
                f"{_CHAT} {model}",
                runs.next_id(),
                parent=parent,
                times=(start, start),
                attributes=told,
            )
        return
    end = start + timedelta(seconds=max(one.seconds or 0, 0))
    node = _span(
        f"{_TOOL} {one.tool_name}",
        runs.next_id(),
        parent=parent,
        times=(start, end),
        attributes=_tool(one),
    )
    node.status = "ok" if one.outcome is InvocationOutcome.OK else "error"
    yield node


def _span(
    name: str,
    span_id: int,
    *,
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


def _bare_chat(usage: LlmUsageRecord, model: str) -> dict[str, AttributeValue]:
    return {
        _OPERATION: _CHAT,
        "gen_ai.request.model": model,
        "gen_ai.agent.name": usage.agent or "unknown",
    }


def _chat(usage: LlmUsageRecord, model: str) -> dict[str, AttributeValue]:
    attributes: dict[str, AttributeValue] = {
        **_bare_chat(usage, model),
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
    }
    return (
        attributes if usage.cost_usd is None else {**attributes, "operation.cost": usage.cost_usd}
    )


def _tool(call: ToolInvocation) -> dict[str, AttributeValue]:
    attributes: dict[str, AttributeValue] = {
        _OPERATION: _TOOL,
        "gen_ai.tool.name": call.tool_name,
        "gen_ai.tool.call.id": call.tool_call_id,
        "gen_ai.agent.name": call.agent or "unknown",
    }
    if call.internal:
        # As pydantic-ai marks them, so that evaluators do not take them for tools of the team.
        attributes["logfire.msg"] = f"running output function: {call.tool_name}"
    if call.outcome is not InvocationOutcome.OK:
        attributes["error.type"] = call.outcome.value
    if call.arguments_raw is not None:
        attributes["gen_ai.tool.call.arguments"] = call.arguments_raw
    if call.content is not None:
        attributes["gen_ai.tool.call.result"] = call.content
    return attributes
