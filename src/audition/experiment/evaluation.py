"""One (case, repeat): run, judged, and made into what the journal keeps. Writes no file."""

import hashlib
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from pydantic import JsonValue
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationResult, Evaluator, EvaluatorSpec
from pydantic_evals.lifecycle import CaseLifecycle
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.application import Application
from audition.daemon_threads import run_plain
from audition.datasets.loading import LoadedDataset
from audition.diagnosis.layers import Diagnosis, in_order_of_blame
from audition.errors import tell_error
from audition.evaluators.case_evaluator import LARGE_CHARACTERS, CaseEvaluator
from audition.evaluators.reasons import shortened
from audition.events import CompletionReason
from audition.experiment.journal import CaseResult, JournalLine, plain_json
from audition.experiment.kept_spans import RecordsAndSpans, SpanKeeper
from audition.experiment.pace import met_rate_limit
from audition.experiment.plan import name_id
from audition.experiment.results import UnitResult, assertions_of, output_of, unit_result
from audition.experiment.status import Status, status_of
from audition.experiment.task import Task, answered, with_limits
from audition.experiment.units import PlannedUnit
from audition.inputs import CaseInput
from audition.metrics import MetricsFromRecords, used
from audition.output import CaseOutput, RuntimeCapabilities
from audition.redaction.records import Redactor
from audition.running_case import running
from audition.values import canonical_json

LABEL = "first_failing_layer"
"""The label that tells other readers of the native report the first failing layer and its cause.

Audition itself works it out anew from assertions and output, wherever it shows it.
"""

_REASON_CHARACTERS = 300
_TIME_IS_OVER = "the time of the run was over"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedUnit:
    """A finished (case, repeat), as it is kept; it can be sent to another process.

    Attributes:
        line: Its line in the journal, without its place.
        text: Its native result as JSON.
        is_failure: The task raised, so that it is a failure of the native report and no case.
        capabilities: What its evidence can be relied on for, None where there is none.
        met_rate_limit: Whether it broke because a model was asked too often.

    """

    line: JournalLine
    text: bytes
    is_failure: bool
    capabilities: RuntimeCapabilities | None
    met_rate_limit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """How each unit of a run is run and judged.

    Attributes:
        loaded: The dataset.
        application: What it is for.
        task: What answers its cases.
        timeout_seconds: Longest wait for one turn, None for that of the cases.
        deadline_seconds: Longest time for a case, None for that of the cases.
        today: Decides whether a known failure is still excused, for the whole of the run.
        redact: Whether secrets are taken out of all that is kept and told; what is judged has them.
        run_seed: What the seeds of all (case, repeat) are derived from.
        keep_spans: Whether the spans that a run makes are kept with its results.

    """

    loaded: LoadedDataset
    application: Application
    task: Task
    timeout_seconds: float | None = None
    deadline_seconds: float | None = None
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    redact: bool = True
    run_seed: int = 0
    keep_spans: bool = False

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self.loaded.dataset.name or self.loaded.path.stem

    @property
    def may_look_at_spans(self) -> bool:
        """Whether some evaluator is none of ours: those read records alone."""
        dataset = self.loaded.dataset
        return needs_spans(dataset.evaluators) or any(
            needs_spans(case.evaluators) for case in dataset.cases
        )

    @property
    def records_spans(self) -> bool:
        """Whether spans are looked at, or kept."""
        return self.keep_spans or self.may_look_at_spans

    async def finish(
        self, planned: PlannedUnit, *, seconds_left: float | None = None
    ) -> FinishedUnit:
        """Run a unit and judge it; what breaks in that is what became of it.

        Args:
            planned: The unit.
            seconds_left: What is left of the time of the run, None where that has no bound. A case
                that this cuts short has measured nothing.

        """
        limit = _deadline_of(planned.case.inputs, self.deadline_seconds, seconds_left)
        try:
            result = await self._result(planned, limit.seconds)
        except Exception as error:  # noqa: BLE001  # of one unit, and no reason to lose the others
            result = failure_of(planned, error)
        return await self.judged(planned, result, cut=limit.cut(result))

    async def broken(self, planned: PlannedUnit, error: Exception) -> FinishedUnit:
        """Return a unit that was run elsewhere, and that nobody can bring to an end."""
        return await self.judged(planned, failure_of(planned, error), cut=None)

    async def cut_short(self, planned: PlannedUnit) -> FinishedUnit:
        """Return a unit that the time of the run left no time for."""
        result = failure_of(planned, TimeoutError(_TIME_IS_OVER))
        return await self.judged(planned, result, cut=_TIME_IS_OVER)

    async def _result(self, planned: PlannedUnit, deadline_seconds: float | None) -> CaseResult:
        unit = planned.unit
        has_spans = needs_spans((*planned.case.evaluators, *self.loaded.dataset.evaluators))
        keeper = SpanKeeper() if self.keep_spans else None
        with running(unit.case, unit.repeat, run_seed=self.run_seed) as case_running:
            result = await self.evaluated(
                planned,
                partial(answered, self._task(deadline_seconds), case_running),
                lifecycle=keeper or (RecordsAndSpans if has_spans else MetricsFromRecords),
            )
        if keeper is not None:
            keeper.keep(result)
        return result

    async def evaluated(
        self,
        planned: PlannedUnit,
        task: Task,
        *,
        lifecycle: Callable[[Case[Any, Any, Any]], CaseLifecycle[Any, Any, Any]],
        unless: Callable[[Evaluator[Any, Any, Any]], bool] = lambda _: False,
    ) -> CaseResult:
        """Return what Pydantic Evals makes of a unit.

        Args:
            planned: The unit.
            task: What answers it.
            lifecycle: Makes what prepares it for its evaluators.
            unless: Which evaluators are left out.

        """
        unit, native = planned.unit, planned.case
        case: Case[Any, Any, Any] = Case(
            name=native.name,
            inputs=native.inputs,
            metadata=native.metadata,
            expected_output=native.expected_output,
            evaluators=tuple(one for one in native.evaluators if not unless(one)),
        )
        shared = [one for one in self.loaded.dataset.evaluators if not unless(one)]
        one: Dataset[Any, Any, Any] = Dataset(name=self.name, cases=[case], evaluators=shared)
        report = await one.evaluate(
            task,
            name=self.name,
            max_concurrency=1,
            progress=False,
            task_name="team",
            lifecycle=lifecycle,
        )
        result: CaseResult = report.cases[0] if report.cases else report.failures[0]
        if unit.repeats > 1:
            result.source_case_name = result.name
            result.name = unit.name
        return result

    def _task(self, deadline_seconds: float | None) -> Task:
        """Return the task under the bounds of the call: those that are kept are the file's."""
        timeout_seconds, task = self.timeout_seconds, self.task
        if timeout_seconds is None and deadline_seconds is None:
            return task

        async def bounded(inputs: Any) -> CaseOutput:
            return await task(
                with_limits(
                    inputs, timeout_seconds=timeout_seconds, deadline_seconds=deadline_seconds
                )
            )

        return bounded

    async def judged(
        self, planned: PlannedUnit, result: CaseResult, *, cut: str | None
    ) -> FinishedUnit:
        """Return what is kept of a result.

        Args:
            planned: The unit.
            result: Its native result, which gets a label where something failed.
            cut: Why the run ended it, None where it came to its own end.

        """
        authoring = self.application.authoring
        assertions = assertions_of(result, authoring.evaluator_types)
        status = status_of(
            result, assertions, known_failure=planned.unit.known_failure, today=self.today
        )
        told = unit_result(
            planned.unit,
            result,
            assertions=assertions,
            status=Status.NOT_EVALUATED if cut else status,
            fact_stages=authoring.fact_stages,
        )
        if told.diagnosis is not None and isinstance(result, ReportCase):
            _label(result, told.diagnosis)
        text = plain_json(result)
        scores, output = scores_of(result), output_of(result)
        renamed = dict[str, str]()
        if self.redact:
            redactor = Redactor()
            text = await _without_secrets(text, redactor)
            told = told.redacted(redactor)
            names = {redactor.text(one.name): one.name for one in assertions}
            renamed = {shown: name_id(name) for shown, name in names.items() if shown != name}
            scores = {redactor.text(name): score for name, score in scores.items()}
        return FinishedUnit(
            line=journal_line(told, output, cut=cut).model_copy(
                update={"scores": scores, "renamed": renamed}
            ),
            text=text,
            is_failure=not isinstance(result, ReportCase),
            capabilities=output and output.capabilities,
            met_rate_limit=told.status is Status.ERROR and met_rate_limit(_errors(result)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deadline:
    """How long a case may take.

    Attributes:
        seconds: The bound that the call puts on it, None where it puts none.
        is_of_run: Whether that is what is left of the time of the run, and nothing else is less.

    """

    seconds: float | None
    is_of_run: bool

    def cut(self, result: CaseResult) -> str | None:
        """Return why the run ended the case, None where it came to its own end."""
        output = output_of(result)
        ended = output is not None and output.completion_reason is CompletionReason.DEADLINE
        return _TIME_IS_OVER if ended and self.is_of_run else None


def _deadline_of(inputs: object, given: float | None, seconds_left: float | None) -> _Deadline:
    if seconds_left is None:
        return _Deadline(seconds=given, is_of_run=False)
    left = max(seconds_left, 0.001)
    own = given or (inputs.deadline_seconds if isinstance(inputs, CaseInput) else None)
    is_of_run = own is None or left < own
    return _Deadline(seconds=left if is_of_run else given, is_of_run=is_of_run)


def failure_of(planned: PlannedUnit, error: Exception) -> CaseResult:
    """Return a unit that Pydantic Evals itself could not bring to an end, as a failure."""
    unit, case = planned.unit, planned.case
    return ReportCaseFailure(
        name=unit.name,
        inputs=case.inputs,
        metadata=case.metadata,
        expected_output=case.expected_output,
        error_message=tell_error(error),
        error_stacktrace="".join(traceback.format_exception(error)),
        source_case_name=unit.case if unit.repeats > 1 else None,
    )


def needs_spans(evaluators: Iterable[Evaluator[Any, Any, Any]]) -> bool:
    """Return whether any of the evaluators may look at spans: ours read records alone."""
    return not all(isinstance(evaluator, CaseEvaluator) for evaluator in evaluators)


async def _without_secrets(text: bytes, redactor: Redactor) -> bytes:
    """Return a result without its secrets; of a large one in a thread, so that others go on."""
    if len(text) <= LARGE_CHARACTERS:
        return redactor.json(text)
    return await run_plain(partial(redactor.json, text))


def _label(result: ReportCase[Any, Any, Any], diagnosis: Diagnosis) -> None:
    result.labels[LABEL] = EvaluationResult(
        name=LABEL,
        value=str(diagnosis),
        reason=diagnosis.assertion,
        source=EvaluatorSpec(name="diagnosis", arguments=None),
    )


def _errors(result: CaseResult) -> Iterable[str]:
    if isinstance(result, ReportCaseFailure):
        return (result.error_message,)
    output = output_of(result)
    return () if output is None else filter(None, (output.completion_detail, *output.errors))


def scores_of(result: CaseResult) -> dict[str, float]:
    """Return the scores of a result by name; none where its task raised."""
    if not isinstance(result, ReportCase):
        return {}
    return {name: float(score.value) for name, score in result.scores.items()}


def journal_line(
    told: UnitResult, output: CaseOutput | None, *, cut: str | None = None
) -> JournalLine:
    """Return what the journal says of a unit, but for its scores and its place.

    Args:
        told: What became of it, without its secrets where they are taken out.
        output: What it left behind, None where there is none.
        cut: Why the run ended it before it was over, None where it was not.

    """
    usage = used(output.llm_usage if output is not None else ())
    unit = told.unit
    return JournalLine(
        case=unit.case,
        case_id=unit.case_id,
        repeat=unit.repeat,
        repeats=unit.repeats,
        attempt=unit.attempt,
        fingerprint=unit.fingerprint,
        position=unit.position,
        must_pass=unit.must_pass,
        known_failure=unit.known_failure,
        status=told.status,
        cut=cut,
        assertions={one.name: one.ok for one in told.assertions},
        reasons=_reasons(told),
        failed=tuple(one.name for one in in_order_of_blame(told.assertions)),
        layer=told.diagnosis.layer if told.diagnosis else None,
        cause=told.diagnosis.cause if told.diagnosis else None,
        agent=told.diagnosis.agent if told.diagnosis else None,
        error=told.error and shortened(told.error, _REASON_CHARACTERS),
        lost_facts=tuple(str(fact) for fact in told.facts if fact.lost is not None),
        seconds=told.seconds,
        cost_usd=usage.cost_usd,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        tool_calls=_calls(output),
        model_ids=() if output is None else output.provenance.model_ids,
        route=output and _route(output),
        tools=output and _tools(output),
    )


def _reasons(told: UnitResult) -> dict[str, str]:
    """Return why each assertion failed, and why something could not be measured, in short."""
    failed = {one.name: one.reason or "no reason" for one in told.assertions if not one.ok}
    every = failed | dict(told.unmeasured)
    return {name: shortened(reason, _REASON_CHARACTERS) for name, reason in every.items()}


def _calls(output: CaseOutput | None) -> int:
    return 0 if output is None else len(output.tool_invocations())


def _route(output: CaseOutput) -> str:
    return _digest([[message.sender, message.recipient] for message in output.spoken])


def _tools(output: CaseOutput) -> str:
    return _digest([[call.agent, call.tool_name] for call in output.tool_invocations()])


def _digest(steps: JsonValue) -> str:
    return hashlib.sha256(canonical_json(steps).encode()).hexdigest()[:8]
