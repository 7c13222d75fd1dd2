"""What became of one (case, repeat): a native result with its status and its diagnosis."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.diagnosis.fact_trace import FactTrace, trace_facts
from audition.diagnosis.layers import AssertionResult, Diagnosis, assertion_results, diagnose
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.experiment.journal import CaseResult
from audition.experiment.status import Status, unmeasured
from audition.experiment.units import Unit
from audition.fact_stages import FactStage
from audition.metrics import Metrics
from audition.output import CaseOutput
from audition.redaction.records import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """What became of one (case, repeat).

    Attributes:
        unit: What was run.
        status: What became of it.
        assertions: Its assertions.
        diagnosis: The first failing layer, None where nothing failed.
        seconds: Time the task took, None where it raised.
        error: What broke outside the team, None where nothing did.
        facts: How far each expected fact came, where the application declares stages for that.
        metrics: What was said, called and paid, by name; empty where the task raised.
        unmeasured: Why an evaluator measured nothing, by its name.

    """

    unit: Unit
    status: Status
    assertions: Sequence[AssertionResult]
    diagnosis: Diagnosis | None
    seconds: float | None
    error: str | None
    facts: Sequence[FactTrace] = ()
    metrics: Metrics = field(default_factory=dict[str, int | float])
    unmeasured: Mapping[str, str] = field(default_factory=dict[str, str])

    def redacted(self, redactor: Redactor) -> "UnitResult":
        """Return what is told of it to people and kept in files, without the secrets of its case.

        Args:
            redactor: Knows the secrets of the case.

        """
        text = redactor.text
        known = self.unit.known_failure
        return replace(
            self,
            unit=replace(
                self.unit,
                case=text(self.unit.case),
                known_failure=known and known.model_copy(update={"reason": text(known.reason)}),
            ),
            assertions=[
                replace(
                    one,
                    name=text(one.name),
                    reason=one.reason and text(one.reason),
                    cause=one.cause and text(one.cause),
                )
                for one in self.assertions
            ],
            diagnosis=self.diagnosis
            and replace(
                self.diagnosis,
                cause=self.diagnosis.cause and text(self.diagnosis.cause),
                agent=self.diagnosis.agent and text(self.diagnosis.agent),
                assertion=self.diagnosis.assertion and text(self.diagnosis.assertion),
            ),
            error=self.error and text(self.error),
            facts=[replace(one, fact=text(one.fact)) for one in self.facts],
            metrics={text(name): amount for name, amount in self.metrics.items()},
            unmeasured={text(name): text(why) for name, why in self.unmeasured.items()},
        )


def assertions_of(
    result: CaseResult, evaluator_types: Iterable[type[CaseEvaluator]]
) -> Sequence[AssertionResult]:
    """Return the assertions of a native result; none where its task raised."""
    return assertion_results(result, evaluator_types) if isinstance(result, ReportCase) else []


def unit_result(
    unit: Unit,
    result: CaseResult,
    *,
    assertions: Sequence[AssertionResult],
    status: Status,
    fact_stages: Sequence[FactStage] = (),
) -> UnitResult:
    """Return what became of a unit.

    Args:
        unit: What was run.
        result: Its native result.
        assertions: The assertions of that.
        status: What became of it.
        fact_stages: What a fact passes on its way to the answer.

    """
    output = output_of(result)
    return UnitResult(
        unit=unit,
        status=status,
        assertions=assertions,
        diagnosis=diagnose(assertions, output),
        seconds=result.task_duration if isinstance(result, ReportCase) else None,
        error=_error(result),
        facts=trace_facts(output, fact_stages, assertions=assertions, metadata=result.metadata),
        metrics=result.metrics if isinstance(result, ReportCase) else {},
        unmeasured=_unmeasured(result),
    )


def _unmeasured(result: CaseResult) -> dict[str, str]:
    if not isinstance(result, ReportCase):
        return {}
    each = {failure.name: unmeasured(failure) for failure in result.evaluator_failures}
    return {name: why for name, why in each.items() if why is not None}


def output_of(result: CaseResult) -> CaseOutput | None:
    """Return what the case left behind, None where its task raised or gave something else."""
    if isinstance(result, ReportCase) and isinstance(result.output, CaseOutput):
        return result.output
    return None


def _error(result: CaseResult) -> str | None:
    """Return what broke, in a line, where it was not the team that answered badly."""
    if isinstance(result, ReportCaseFailure):
        return f"the task raised {result.error_message}"
    broken = [one for one in result.evaluator_failures if unmeasured(one) is None]
    if broken:
        return "; ".join(
            f"the evaluator {failure.name} could not run: {failure.error_message}"
            for failure in broken
        )
    output = output_of(result)
    if output is not None and not output.completed:
        each = dict.fromkeys(filter(None, (output.completion_detail, *output.errors)))
        told = "; ".join(each)
        return f"{output.completion_reason}{f': {told}' if told else ''}"
    return None
