"""The first failing layer of a case, from its assertions and its output."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_evals.evaluators import EvaluationResult
from pydantic_evals.reporting import ReportCase

from audition.evaluators.builtin import BUILTIN, by_class_name
from audition.evaluators.case_evaluator import CaseEvaluator, Finding, Layer, Severity
from audition.evaluators.completion import broken_layer
from audition.evaluators.view import EvidenceView
from audition.output import CaseOutput

_JUDGES = frozenset({"LLMJudge", "GEval"})
_LAYERS, _SEVERITIES = tuple(Layer), tuple(Severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class AssertionResult:
    """One assertion of a case.

    Attributes:
        name: Its name in the report.
        ok: Whether it holds.
        reason: Why, None where the evaluator gives no reason.
        severity: What it means when it fails.
        layer: The layer that is to blame, None where it holds.
        cause: What went wrong there, None where it holds or is not known.
        evaluator: What made it, None where it holds or cannot be made again.

    """

    name: str
    ok: bool
    reason: str | None
    severity: Severity = Severity.MUST
    layer: Layer | None = None
    cause: str | None = None
    evaluator: CaseEvaluator | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What lost the answer of a case.

    Attributes:
        layer: The first failing layer.
        cause: What went wrong there, None where it is not known.
        assertion: The assertion that says so, None where the run itself broke.
        agent: The agent whose doing that assertion looked at, None where it is the whole team's.

    """

    layer: Layer
    cause: str | None
    assertion: str | None
    agent: str | None = None

    def __str__(self) -> str:
        return f"{self.layer}: {self.cause}" if self.cause else str(self.layer)


def assertion_results(
    case: ReportCase[Any, Any, Any], evaluator_types: Iterable[type[CaseEvaluator]] = BUILTIN
) -> list[AssertionResult]:
    """Return the assertions of a case, each failed one with its layer and cause.

    Args:
        case: A case of a native report, fresh or loaded.
        evaluator_types: The evaluators that can be made again from what the report says of them.

    """
    types = by_class_name(evaluator_types)
    return [
        _assertion_result(name, result, output=case.output, types=types)
        for name, result in case.assertions.items()
    ]


def _assertion_result(
    name: str,
    result: EvaluationResult[bool],
    *,
    output: Any,
    types: Mapping[str, type[CaseEvaluator]],
) -> AssertionResult:
    if result.value:
        return AssertionResult(name=name, ok=True, reason=result.reason)
    evaluator = evaluator_of(result, types)
    if evaluator is None:
        layer = Layer.JUDGE if result.source.name in _JUDGES else Layer.ANSWER
        return AssertionResult(name=name, ok=False, reason=result.reason, layer=layer)
    finding = _examined(evaluator, output)
    return AssertionResult(
        name=name,
        ok=False,
        reason=result.reason,
        severity=evaluator.severity,
        layer=(finding and finding.layer) or type(evaluator).layer,
        cause=finding and finding.cause,
        evaluator=evaluator,
    )


def evaluator_of(
    result: EvaluationResult[bool], types: Mapping[str, type[CaseEvaluator]]
) -> CaseEvaluator | None:
    """Return the evaluator that a result came from, None where it cannot be made again.

    A report of another tool or version may name evaluators as ours are named, with arguments that
    ours do not take.

    Args:
        result: An assertion of a native report.
        types: The evaluators that can be made again, by class name.

    """
    evaluator_type = types.get(result.source.name)
    if evaluator_type is None:
        return None
    try:
        return evaluator_type(*result.source.args, **result.source.kwargs)
    except (ValidationError, TypeError):
        return None


def _examined(evaluator: CaseEvaluator, output: Any) -> Finding | None:
    """Return what an evaluator finds, None where the output is not there to be looked at again."""
    if not isinstance(output, CaseOutput):
        return None
    finding = evaluator.examine(EvidenceView(output, evaluator.scope))
    return None if finding.ok else finding


def diagnose(results: Iterable[AssertionResult], output: CaseOutput | None) -> Diagnosis | None:
    """Return the first failing layer, None where nothing failed that must hold.

    A run that broke is to blame before any assertion: what was not done cannot have been done
    badly. Among assertions the order of the layers decides, then their own.

    Args:
        results: The assertions of a case.
        output: What the case left behind, None where there is none.

    """
    candidates = list(_broken(output))
    candidates += [
        Diagnosis(
            layer=result.layer,
            cause=result.cause,
            assertion=result.name,
            agent=result.evaluator and result.evaluator.scope.agent,
        )
        for result in results
        if not result.ok
        and result.severity is Severity.MUST
        and result.layer is not None
        and not _is_of_unrun_turn(result, output)
    ]
    return min(candidates, key=lambda found: _LAYERS.index(found.layer), default=None)


def _is_of_unrun_turn(result: AssertionResult, output: CaseOutput | None) -> bool:
    """Return whether it speaks of a turn that was never sent: what ended the case is to blame."""
    turn = None if result.evaluator is None else result.evaluator.scope.turn
    if output is None or turn is None or turn >= len(output.turns):
        return False
    return output.turns[turn].not_run


def in_order_of_blame(results: Iterable[AssertionResult]) -> list[AssertionResult]:
    """Return the assertions that fail, by severity, and within one in the order of the layers."""
    failed = [result for result in results if not result.ok]
    return sorted(failed, key=lambda one: (_SEVERITIES.index(one.severity), _position(one.layer)))


def _position(layer: Layer | None) -> int:
    return len(_LAYERS) if layer is None else _LAYERS.index(layer)


def _broken(output: CaseOutput | None) -> Iterator[Diagnosis]:
    if output is not None and not output.completed:
        reason = output.completion_reason
        yield Diagnosis(layer=broken_layer(reason), cause=str(reason), assertion=None)
