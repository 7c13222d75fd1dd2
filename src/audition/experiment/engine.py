"""Runs every (case, repeat) of a dataset, a few at a time, and keeps each result when it is there.

Each unit is a native dataset of one case: `Dataset.evaluate` over all of them would keep every case
until it returns, and lose everything when it dies.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import JsonValue
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationResult, EvaluatorSpec
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.application import Application
from audition.datasets.loading import LoadedDataset
from audition.diagnosis.layers import Diagnosis, Verdict, diagnose, verdicts_of
from audition.evaluators.case_evaluator import CaseEvaluator, Severity
from audition.experiment.journal import CaseResult, Journal, JournalLine
from audition.experiment.manifest import (
    Manifest,
    dataset_fingerprints,
    git_state,
    now,
    package_versions,
    python_version,
)
from audition.experiment.native_report import stream_report
from audition.experiment.status import ExitCode, Status, exit_code, status_of
from audition.experiment.task import Task, with_limits
from audition.experiment.units import Unit, units_of
from audition.output import CaseOutput, RuntimeCapabilities

LABEL = "first_failing_layer"
"""The label in the native report that names the first failing layer and its cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a dataset is run.

    Attributes:
        repeat: How often each case, None for what the file says, or once.
        max_concurrency: How many at a time.
        timeout_seconds: Longest wait for one turn, None for that of the cases.
        deadline_seconds: Longest time for a case, None for that of the cases.
        tolerated_error_share: Share of errors from 0 to 1 up to which they are only counted.

    """

    repeat: int | None = None
    max_concurrency: int = 8
    timeout_seconds: float | None = None
    deadline_seconds: float | None = None
    tolerated_error_share: float = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """What became of one (case, repeat).

    Attributes:
        unit: What was run.
        status: What became of it.
        verdicts: Its assertions.
        diagnosis: The first failing layer, None where nothing failed.
        seconds: Time the task took.
        error: What broke outside the team, None where nothing did.

    """

    unit: Unit
    status: Status
    verdicts: Sequence[Verdict]
    diagnosis: Diagnosis | None
    seconds: float
    error: str | None


@dataclass(slots=True, kw_only=True)
class Experiment:
    """A run of a dataset and its folder.

    Attributes:
        loaded: The dataset.
        application: What it is for.
        task: What answers its cases.
        folder: Where the results go; exists and is empty.
        settings: How it is run.
        team: The team that is evaluated, None where there is none.
        on_result: Told of each result when it is there.
        results: What became of each unit, in the order in which they were finished.
        code: The exit code, as far as is known now.

    """

    loaded: LoadedDataset
    application: Application
    task: Task
    folder: Path
    settings: Settings = Settings()
    team: str | None = None
    on_result: Callable[[UnitResult], None] | None = None
    results: list[UnitResult] = field(default_factory=list[UnitResult])
    code: ExitCode = ExitCode.INTERRUPTED
    _capabilities: RuntimeCapabilities | None = None
    _model_ids: dict[str, None] = field(default_factory=dict[str, None])

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self.loaded.dataset.name or self.loaded.path.stem

    async def run(self) -> ExitCode:
        """Run every unit; what is finished is kept, whatever happens.

        Returns nothing of the results themselves: asyncio.run takes the repr of what it is given.
        """
        manifest = self._manifest()
        manifest.write(self.folder)
        try:
            with Journal(self.folder) as journal:
                units = units_of(self.loaded, repeat=self.settings.repeat)
                async with asyncio.TaskGroup() as workers:
                    for _ in range(self.settings.max_concurrency):
                        workers.create_task(self._work(units, journal))
            statuses = [result.status for result in self.results]
            self.code = exit_code(
                statuses, tolerated_error_share=self.settings.tolerated_error_share
            )
        finally:
            self._finish(manifest)
        return self.code

    async def _work(self, units: Iterator[Unit], journal: Journal) -> None:
        for unit in units:
            result = await self._evaluate(unit)
            self._keep(unit, result, journal)

    async def _evaluate(self, unit: Unit) -> CaseResult:
        inputs = with_limits(
            unit.case.inputs,
            timeout_seconds=self.settings.timeout_seconds,
            deadline_seconds=self.settings.deadline_seconds,
        )
        case: Case[Any, Any, Any] = Case(
            name=unit.case.name,
            inputs=inputs,
            metadata=unit.case.metadata,
            expected_output=unit.case.expected_output,
            evaluators=tuple(unit.case.evaluators),
        )
        one: Dataset[Any, Any, Any] = Dataset(
            name=self.name, cases=[case], evaluators=self.loaded.dataset.evaluators
        )
        report = await one.evaluate(
            self.task, name=self.name, max_concurrency=1, progress=False, task_name="team"
        )
        result: CaseResult = report.cases[0] if report.cases else report.failures[0]
        if unit.repeats > 1:
            result.source_case_name = result.name
            result.name = unit.name
        return result

    def _keep(self, unit: Unit, result: CaseResult, journal: Journal) -> None:
        output = _output(result)
        verdicts = (
            verdicts_of(result, _types(self.application)) if isinstance(result, ReportCase) else []
        )
        diagnosis = diagnose(verdicts, output)
        if diagnosis is not None and isinstance(result, ReportCase):
            _label(result, diagnosis)
        status = status_of(
            result,
            verdicts,
            known_failure=unit.plan.known_failure,
            today=datetime.now(UTC).date(),
        )
        kept = UnitResult(
            unit=unit,
            status=status,
            verdicts=verdicts,
            diagnosis=diagnosis,
            seconds=result.task_duration if isinstance(result, ReportCase) else 0,
            error=_error(result),
        )
        journal.write(_line(kept, output), result)
        self._note(output)
        self.results.append(kept)
        if self.on_result is not None:
            self.on_result(kept)

    def _note(self, output: CaseOutput | None) -> None:
        if output is not None:
            self._capabilities = self._capabilities or output.capabilities
            self._model_ids.update(dict.fromkeys(output.provenance.model_ids))

    def _manifest(self) -> Manifest:
        dataset, evaluators = dataset_fingerprints(self.loaded)
        commit, dirty = git_state()
        return Manifest(
            experiment=self.name,
            dataset_name=self.loaded.dataset.name or "",
            dataset_path=str(self.loaded.path),
            dataset_fingerprint=dataset,
            evaluators_fingerprint=evaluators,
            application=self.application.name,
            application_version=self.application.version,
            team=self.team,
            model_ids=[],
            packages=package_versions(),
            python=python_version(),
            git_commit=commit,
            git_dirty=dirty,
            limits=self._limits(),
            started_at=now(),
        )

    def _limits(self) -> dict[str, JsonValue]:
        settings = self.settings
        return {
            "repeat": settings.repeat,
            "max_concurrency": settings.max_concurrency,
            "timeout_seconds": settings.timeout_seconds,
            "deadline_seconds": settings.deadline_seconds,
            "tolerated_error_share": settings.tolerated_error_share,
        }

    def _finish(self, manifest: Manifest) -> None:
        manifest.model_ids = list(self._model_ids)
        manifest.capabilities = self._capabilities
        manifest.finished_at = now()
        manifest.exit_code = int(self.code)
        manifest.write(self.folder)
        stream_report(
            self.folder,
            name=self.name,
            dataset_name=manifest.dataset_name,
            metadata={
                "application": manifest.application,
                "team": manifest.team,
                "capabilities": self._capabilities and self._capabilities.model_dump(),
                "model_ids": list(manifest.model_ids),
                "exit_code": int(self.code),
            },
        )


def _types(application: Application) -> Sequence[type[CaseEvaluator]]:
    return application.authoring.evaluator_types


def _output(result: CaseResult) -> CaseOutput | None:
    if isinstance(result, ReportCase) and isinstance(result.output, CaseOutput):
        return result.output
    return None


def _error(result: CaseResult) -> str | None:
    """Return what broke, in a line, where it was not the team that answered badly."""
    if isinstance(result, ReportCaseFailure):
        return f"the task raised {result.error_message}"
    if result.evaluator_failures:
        failure = result.evaluator_failures[0]
        return f"the evaluator {failure.name} could not run: {failure.error_message}"
    output = _output(result)
    if output is not None and not output.completed:
        told = "; ".join(filter(None, (output.completion_detail, *output.errors)))
        return f"{output.completion_reason}{f': {told}' if told else ''}"
    return None


def _label(result: ReportCase[Any, Any, Any], diagnosis: Diagnosis) -> None:
    result.labels[LABEL] = EvaluationResult(
        name=LABEL,
        value=str(diagnosis),
        reason=diagnosis.assertion,
        source=EvaluatorSpec(name="diagnosis", arguments=None),
    )


def _line(kept: UnitResult, output: CaseOutput | None) -> JournalLine:
    usage = output.llm_usage if output is not None else ()
    costs = [record.cost_usd for record in usage if record.cost_usd is not None]
    must_first = sorted(
        (verdict for verdict in kept.verdicts if not verdict.ok),
        key=lambda verdict: verdict.severity is not Severity.MUST,
    )
    return JournalLine(
        case=kept.unit.case.name or "case",
        repeat=kept.unit.repeat,
        repeats=kept.unit.repeats,
        status=kept.status,
        assertions={verdict.name: verdict.ok for verdict in kept.verdicts},
        failed=tuple(verdict.name for verdict in must_first),
        layer=kept.diagnosis.layer if kept.diagnosis else None,
        cause=kept.diagnosis.cause if kept.diagnosis else None,
        seconds=kept.seconds,
        cost_usd=sum(costs) if costs else None,
        input_tokens=sum(record.input_tokens for record in usage),
        output_tokens=sum(record.output_tokens for record in usage),
    )
