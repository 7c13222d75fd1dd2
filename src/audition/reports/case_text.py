"""One case with everything it left behind: turns, messages, tools, evidence, and its assertions.

Each failed assertion stands beside what it looked at.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic_evals.evaluators import EvaluationResult
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.diagnosis.layers import Verdict, diagnose, evaluator_of, verdicts_of
from audition.evaluators.case_evaluator import CaseEvaluator, Layer
from audition.evaluators.view import EvidenceView
from audition.invocations import ToolInvocation
from audition.output import CaseOutput
from audition.records import MessageRecord, TurnRecord
from audition.reports.terminal import indented, one_line

_SHOWN = 1200


def case_text(
    case: ReportCase[Any, Any, Any], evaluator_types: Sequence[type[CaseEvaluator]]
) -> str:
    """Return a case of a native report as text.

    Args:
        case: The case.
        evaluator_types: The evaluators that can be made again from what the report says of them.

    """
    verdicts = verdicts_of(case, evaluator_types)
    output = case.output if isinstance(case.output, CaseOutput) else None
    diagnosis = diagnose(verdicts, output)
    held = sum(verdict.ok for verdict in verdicts)
    layer = f", first failing layer {one_line(str(diagnosis))}" if diagnosis else ""
    lines = [f"case {one_line(case.name)}: {held} of {len(verdicts)} assertions hold{layer}", ""]
    lines += [*_conversation(output), ""] if output is not None else []
    types = {known.get_serialization_name(): known for known in evaluator_types}
    lines.append("assertions, those that fail first")
    for verdict in sorted(verdicts, key=lambda verdict: verdict.ok):
        evaluator = None if verdict.ok else evaluator_of(case.assertions[verdict.name], types)
        lines += _assertion(verdict, evaluator, output)
    lines += _other_results(case)
    return "\n".join(lines)


def failure_text(failure: ReportCaseFailure[Any, Any, Any]) -> str:
    """Return a case whose task raised as text, with where it did."""
    told = f"case {one_line(failure.name)}: the task raised {one_line(failure.error_message, 400)}"
    return f"{told}\n\n{indented(failure.error_stacktrace.rstrip(), '  ', 4 * _SHOWN)}"


def _conversation(output: CaseOutput) -> Iterator[str]:
    for position, turn in enumerate(output.turns):
        yield from _turn(position, turn, output)
    unplaced = [record for record in output.messages if record.turn is None]
    if unplaced or not output.turns:
        yield "outside any turn"
        yield from _happened(None, output)
    yield f"ended with {output.completion_reason}" + (
        f": {one_line(output.completion_detail, 400)}" if output.completion_detail else ""
    )
    for error in output.errors:
        yield f"error: {one_line(error, 400)}"
    for frame in output.dropped:
        yield f"frame {frame.index} dropped: {one_line(frame.reason)}"


def _turn(position: int, turn: TurnRecord, output: CaseOutput) -> Iterator[str]:
    target = f" to {one_line(turn.target)}" if turn.target else ""
    end = "was not run" if turn.not_run else f"ended with {turn.reason}"
    seconds = "" if turn.seconds is None else f" after {turn.seconds:.2f} s"
    yield f"turn {position}{target} {end}{seconds}"
    yield indented(turn.message, "  asked: ", _SHOWN)
    yield from _happened(position, output)
    yield f"  answer: {one_line(turn.answer, _SHOWN)}" if turn.answer else "  answer: none"


def _happened(turn: int | None, output: CaseOutput) -> Iterator[str]:
    """Yield messages and tool calls in the order in which they happened."""
    happened: list[MessageRecord | ToolInvocation] = [
        *(record for record in output.messages if record.turn == turn),
        *(call for call in output.tool_invocations(internal=True) if call.turn == turn),
    ]
    for one in sorted(happened, key=lambda record: record.seq):
        yield from _message(one) if isinstance(one, MessageRecord) else _invocation(one)


def _message(record: MessageRecord) -> Iterator[str]:
    internal = " (internal)" if record.internal else ""
    legs = one_line(f"{record.sender or '?'} > {record.recipient or 'everybody'}")
    yield f"  {legs} [{record.message_type}]{internal}: {one_line(record.content, _SHOWN)}"


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


def _assertion(
    verdict: Verdict, evaluator: CaseEvaluator | None, output: CaseOutput | None
) -> Iterator[str]:
    if verdict.ok:
        yield f"  pass {one_line(verdict.name)}"
        return
    layer = f"[{verdict.layer}{f': {verdict.cause}' if verdict.cause else ''}]"
    yield f"  FAIL {one_line(verdict.name)} ({verdict.severity}) {one_line(layer)}"
    yield indented(verdict.reason or "no reason", "       ", _SHOWN)
    if evaluator is not None and output is not None:
        for text in _looked_at(evaluator, EvidenceView(output, evaluator.scope)):
            yield f"       looked at: {one_line(text, _SHOWN)}"


def _looked_at(evaluator: CaseEvaluator, view: EvidenceView) -> Sequence[str]:
    """Return what an evaluator of this kind reads."""
    tool = getattr(evaluator, "tool_name", None)
    match type(evaluator).layer:
        case Layer.EVIDENCE:
            return [text.raw for text in view.evidence(tool)] if tool else []
        case Layer.TOOL | Layer.BUDGET:
            return [
                f"{call.tool_name} {call.arguments_raw} -> {call.outcome}"
                for call in view.invocations(tool)
            ]
        case Layer.ROUTE:
            return [f"{record.sender} > {record.recipient}" for record in view.messages()]
        case Layer.ANSWER:
            return [text.raw for text in view.responses()]
        case _:
            return []


def _other_results(case: ReportCase[Any, Any, Any]) -> Iterator[str]:
    results: list[EvaluationResult[Any]] = [*case.scores.values(), *case.labels.values()]
    for result in results:
        yield f"  {one_line(result.name)}: {one_line(str(result.value))}"
    for failure in case.evaluator_failures:
        yield "  " + one_line(f"could not run {failure.name}: {failure.error_message}", 400)
