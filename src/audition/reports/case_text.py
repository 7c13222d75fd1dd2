"""One case with everything it left behind: turns, messages, tools, state, metrics, assertions.

Each failed assertion stands beside what it looked at.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic_evals.evaluators import EvaluationResult
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.datasets.authoring import Authoring
from audition.diagnosis.fact_trace import FactTrace, trace_facts
from audition.diagnosis.layers import AssertionResult, assertion_results, diagnose
from audition.evaluators.view import EvidenceView
from audition.experiment.evaluation import LABEL
from audition.invocations import ToolInvocation
from audition.metrics import Metrics
from audition.output import CaseOutput
from audition.records import MessageRecord, StateChangeRecord, TurnRecord
from audition.reports.terminal import indented, long_line, one_line
from audition.values import json_line

_SHOWN = 4000
"""Characters shown of one piece of evidence."""


def case_text(case: ReportCase[Any, Any, Any], authoring: Authoring) -> str:
    """Return a case of a native report as text.

    Args:
        case: The case.
        authoring: What the application adds: the evaluators that can be made again from what the
            report says of them, and the stages of facts.

    """
    assertions = assertion_results(case, authoring.evaluator_types)
    output = case.output if isinstance(case.output, CaseOutput) else None
    diagnosis = diagnose(assertions, output)
    held = sum(one.ok for one in assertions)
    layer = f", first failing layer {one_line(str(diagnosis))}" if diagnosis else ""
    lines = [f"case {one_line(case.name)}: {held} of {len(assertions)} assertions hold{layer}", ""]
    lines += [*_conversation(output), ""] if output is not None else []
    lines += [*_metrics(case.metrics), ""] if case.metrics else []
    lines.append("assertions, those that fail first")
    for one in sorted(assertions, key=lambda one: one.ok):
        lines += _assertion(one, output)
    traces = trace_facts(
        output, authoring.fact_stages, assertions=assertions, metadata=case.metadata
    )
    lines += _facts(traces)
    lines += _other_results(case)
    return "\n".join(lines)


def failure_text(failure: ReportCaseFailure[Any, Any, Any]) -> str:
    """Return a case whose task raised as text, with where it did."""
    told = f"case {one_line(failure.name)}: the task raised {one_line(failure.error_message, 400)}"
    return f"{told}\n\n{indented(failure.error_stacktrace.rstrip(), '  ', _SHOWN)}"


def _conversation(output: CaseOutput) -> Iterator[str]:
    for position, turn in enumerate(output.turns):
        yield from _turn(position, turn, output)
    unplaced = list(_happened(None, output))
    if unplaced or not output.turns:
        yield "outside any turn"
        yield from unplaced
    yield f"ended with {output.completion_reason}" + (
        f": {one_line(output.completion_detail, 400)}" if output.completion_detail else ""
    )
    for error in dict.fromkeys(output.errors):
        if error == output.completion_detail:
            continue  # said above
        yield f"error: {one_line(error, 400)}"
    for frame in output.dropped:
        yield f"frame {frame.index} dropped: {one_line(frame.reason)}"


def _turn(position: int, turn: TurnRecord, output: CaseOutput) -> Iterator[str]:
    target = f" to {one_line(turn.target)}" if turn.target else ""
    seconds = "" if turn.seconds is None else f" after {turn.seconds:.2f} s"
    yield f"turn {position}{target} {turn.ending}{seconds}"
    yield indented(turn.message, "  asked: ", _SHOWN)
    yield from _happened(position, output)
    yield f"  answer: {long_line(turn.answer, _SHOWN)}" if turn.answer else "  answer: none"


def _happened(turn: int | None, output: CaseOutput) -> Iterator[str]:
    """Yield messages, tool calls and changes of the state in the order of their happening."""
    happened: list[MessageRecord | ToolInvocation | StateChangeRecord] = [
        *(record for record in output.messages if record.turn == turn),
        *(call for call in output.tool_invocations(internal=True) if call.turn == turn),
        *(change for change in output.state_changes if change.turn == turn),
    ]
    for one in sorted(happened, key=lambda record: record.seq):
        match one:
            case MessageRecord():
                yield from _message(one)
            case ToolInvocation():
                yield from _invocation(one)
            case StateChangeRecord():
                yield _state_change(one)


def _state_change(record: StateChangeRecord) -> str:
    who = one_line(record.agent or "?")
    return f"    {who} changes the state: {one_line(json_line(record.changes), 400)}"


def _message(record: MessageRecord) -> Iterator[str]:
    internal = " (internal)" if record.internal else ""
    legs = one_line(f"{record.sender or '?'} > {record.recipient or 'everybody'}")
    yield f"  {legs} [{record.message_type}]{internal}: {long_line(record.content, _SHOWN)}"


def _invocation(call: ToolInvocation) -> Iterator[str]:
    internal = " (internal)" if call.internal else ""
    arguments = "not recorded" if call.arguments_raw is None else call.arguments_raw
    who = one_line(f"{call.agent or '?'} calls {call.tool_name}")
    yield f"    {who}{internal}: {one_line(arguments, 400)}"
    seconds = "" if call.seconds is None else f" after {call.seconds:.2f} s"
    failure = f" ({one_line(call.failure)})" if call.failure else ""
    yield f"      {call.outcome}{seconds}{failure}"
    if call.content is not None:
        yield indented(call.content, "      | ", _SHOWN)


def _metrics(metrics: Metrics) -> Iterator[str]:
    """Yield the inventory, a line for all together and one for each agent."""
    amounts: defaultdict[str, list[str]] = defaultdict(list)
    for metric, amount in metrics.items():
        name, _, agent = metric.partition("/")
        amounts[agent].append(f"{name} {_amount(amount)}")
    yield "metrics"
    for agent in sorted(amounts):  # all together, which has no agent, comes first
        yield f"  {one_line(agent or 'all')}: {one_line(', '.join(amounts[agent]), 400)}"


def _amount(amount: float) -> str:
    """Return a number, rounded where it is none of things that are counted."""
    if isinstance(amount, int):
        return str(amount)
    return f"{amount:.4g}" if abs(amount) < 1000 else f"{amount:.0f}"


def _assertion(result: AssertionResult, output: CaseOutput | None) -> Iterator[str]:
    if result.ok:
        yield f"  pass {one_line(result.name)}"
        return
    layer = f"[{result.layer}{f': {result.cause}' if result.cause else ''}]"
    yield f"  FAIL {one_line(result.name)} ({result.severity}) {one_line(layer)}"
    yield indented(result.reason or "no reason", "       ", _SHOWN)
    evaluator = result.evaluator
    if evaluator is not None and output is not None:
        for text in evaluator.looked_at(EvidenceView(output, evaluator.scope)):
            yield f"       looked at: {long_line(text, _SHOWN)}"


def _facts(traces: Sequence[FactTrace]) -> Iterator[str]:
    if not traces:
        return
    yield "facts, and how far each came"
    for trace in sorted(traces, key=lambda one: one.lost is None):
        yield f"  {'LOST' if trace.lost else 'kept'} {one_line(str(trace), 400)}"


def _other_results(case: ReportCase[Any, Any, Any]) -> Iterator[str]:
    results: dict[str, EvaluationResult[Any]] = {**case.scores, **case.labels}
    results.pop(LABEL, None)  # the first line says it
    for result in results.values():
        yield f"  {one_line(result.name)}: {one_line(str(result.value))}"
    for failure in case.evaluator_failures:
        yield "  " + one_line(f"could not run {failure.name}: {failure.error_message}", 400)
