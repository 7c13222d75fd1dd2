"""Runs every (case, repeat) of a dataset, a few at a time, and keeps each result when it is there.

Each unit is a native dataset of one case: `Dataset.evaluate` over all of them would keep every case
until it returns, and lose everything when it dies.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import JsonValue
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationResult, Evaluator, EvaluatorSpec
from pydantic_evals.reporting import ReportCase

from audition.application import Application
from audition.daemon_threads import run_plain
from audition.datasets.loading import LoadedDataset
from audition.diagnosis.layers import Diagnosis, in_order_of_blame
from audition.evaluators.case_evaluator import LARGE_CHARACTERS, CaseEvaluator
from audition.experiment.exit_codes import ExitCode
from audition.experiment.journal import CaseResult, Journal, JournalLine, plain_json
from audition.experiment.manifest import (
    Manifest,
    dataset_fingerprints,
    git_state,
    now,
    package_versions,
    python_version,
)
from audition.experiment.native_report import KNOWN_FAILURES, stream_report
from audition.experiment.results import UnitResult, assertions_of, output_of, unit_result
from audition.experiment.status import Status, exit_code, status_of
from audition.experiment.task import Task, with_limits
from audition.experiment.units import PlannedUnit, units_of
from audition.metrics import MetricsFromRecords, used
from audition.output import CaseOutput, RuntimeCapabilities
from audition.redaction.records import Redactor
from audition.spans import SpansFromRecords

LABEL = "first_failing_layer"
"""The label that tells other readers of the native report the first failing layer and its cause.

Audition itself works it out anew from assertions and output, wherever it shows it.
"""


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
        today: Decides whether a known failure is still excused, for the whole of the run.
        redact: Whether secrets are taken out of all that is kept and told; what is judged has them.
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
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    redact: bool = True
    on_result: Callable[[UnitResult], None] | None = None
    results: list[UnitResult] = field(default_factory=list[UnitResult])
    code: ExitCode = ExitCode.INTERRUPTED
    _capabilities: RuntimeCapabilities | None = None
    _model_ids: dict[str, None] = field(default_factory=dict[str, None])

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self.loaded.dataset.name or self.loaded.path.stem

    @property
    def planned(self) -> int:
        """How many (case, repeat) are to be run."""
        return sum(1 for _ in units_of(self.loaded, repeat=self.settings.repeat))

    @property
    def may_look_at_spans(self) -> bool:
        """Whether some evaluator is none of ours: those read records alone."""
        dataset = self.loaded.dataset
        return _needs_spans(dataset.evaluators) or any(
            _needs_spans(case.evaluators) for case in dataset.cases
        )

    async def run(self) -> ExitCode:
        """Run every unit; what is finished is kept, whatever happens.

        Returns nothing of the results themselves: asyncio.run takes the repr of what it is given.
        """
        manifest = self._manifest()
        try:
            manifest.write(self.folder, redact=self.redact)
            with Journal(self.folder) as journal:
                units = units_of(self.loaded, repeat=self.settings.repeat)
                async with asyncio.TaskGroup() as workers:
                    for _ in range(self.settings.max_concurrency):
                        workers.create_task(self._work(units, journal))
            statuses = [result.status for result in self.results]
            self.code = exit_code(
                statuses, tolerated_error_share=self.settings.tolerated_error_share
            )
        except Exception:  # our own fault: the process says so, and so must the manifest
            self.code = ExitCode.INFRASTRUCTURE
            raise
        finally:
            self._close(manifest)
        return self.code

    async def _work(self, units: Iterator[PlannedUnit], journal: Journal) -> None:
        for planned in units:
            result = await self._evaluate(planned)
            await self._keep(planned, result, journal)

    async def _evaluate(self, planned: PlannedUnit) -> CaseResult:
        unit, native = planned.unit, planned.case
        inputs = with_limits(
            native.inputs,
            timeout_seconds=self.settings.timeout_seconds,
            deadline_seconds=self.settings.deadline_seconds,
        )
        case: Case[Any, Any, Any] = Case(
            name=native.name,
            inputs=inputs,
            metadata=native.metadata,
            expected_output=native.expected_output,
            evaluators=tuple(native.evaluators),
        )
        one: Dataset[Any, Any, Any] = Dataset(
            name=self.name, cases=[case], evaluators=self.loaded.dataset.evaluators
        )
        report = await one.evaluate(
            self.task,
            name=self.name,
            max_concurrency=1,
            progress=False,
            task_name="team",
            lifecycle=_WithSpans
            if _needs_spans((*case.evaluators, *one.evaluators))
            else MetricsFromRecords,
        )
        result: CaseResult = report.cases[0] if report.cases else report.failures[0]
        if unit.repeats > 1:
            result.source_case_name = result.name
            result.name = unit.name
        return result

    async def _keep(self, planned: PlannedUnit, result: CaseResult, journal: Journal) -> None:
        authoring = self.application.authoring
        assertions = assertions_of(result, authoring.evaluator_types)
        status = status_of(
            result, assertions, known_failure=planned.known_failure, today=self.today
        )
        kept = unit_result(
            planned.unit,
            result,
            assertions=assertions,
            status=status,
            fact_stages=authoring.fact_stages,
        )
        if kept.diagnosis is not None and isinstance(result, ReportCase):
            _label(result, kept.diagnosis)
        text = plain_json(result)
        if self.redact:
            redactor = Redactor()
            text = await _without_secrets(text, redactor)
            kept = kept.redacted(redactor)
        output = output_of(result)
        self.results.append(kept)  # first, so that it is told also where it cannot be kept
        is_failure = not isinstance(result, ReportCase)
        journal.write(_line(kept, output), text, is_failure=is_failure)
        self._note(output)
        if self.on_result is not None:
            self.on_result(kept)

    def _note(self, output: CaseOutput | None) -> None:
        if output is not None:
            self._capabilities = self._capabilities or output.capabilities
            self._model_ids.update(dict.fromkeys(output.provenance.model_ids))

    def _known_failures(self) -> list[JsonValue]:
        every = [one.unit.name for one in self.results if one.status is Status.KNOWN_FAILURE]
        return [*sorted(every)]

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
            units=self.planned,
            model_ids=[],
            packages=package_versions(),
            python=python_version(),
            git_commit=commit,
            git_dirty=dirty,
            limits=asdict(self.settings),
            started_at=now(),
        )

    def _close(self, manifest: Manifest) -> None:
        try:
            self._finish(manifest)
        except OSError:
            self.code = ExitCode.INFRASTRUCTURE
            raise

    def _finish(self, manifest: Manifest) -> None:
        manifest.model_ids = list(self._model_ids)
        manifest.capabilities = self._capabilities
        stream_report(
            self.folder,
            name=self.name,
            dataset_name=manifest.dataset_name,
            metadata={
                "application": manifest.application,
                "team": manifest.team,
                "units": manifest.units,
                "capabilities": self._capabilities and self._capabilities.model_dump(),
                "model_ids": list(manifest.model_ids),
                "exit_code": int(self.code),
                KNOWN_FAILURES: self._known_failures(),
            },
            redact=self.redact,
        )
        # Last, so that a report that could not be written leaves no exit code behind.
        manifest.finished_at = now()
        manifest.exit_code = int(self.code)
        manifest.write(self.folder, redact=self.redact)


class _WithSpans(MetricsFromRecords, SpansFromRecords):
    """What a case gets where an evaluator may look at spans."""


def _needs_spans(evaluators: Iterable[Evaluator[Any, Any, Any]]) -> bool:
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


def _line(kept: UnitResult, output: CaseOutput | None) -> JournalLine:
    usage = used(output.llm_usage if output is not None else ())
    return JournalLine(
        case=kept.unit.case,
        repeat=kept.unit.repeat,
        repeats=kept.unit.repeats,
        position=kept.unit.position,
        must_pass=kept.unit.must_pass,
        status=kept.status,
        assertions={one.name: one.ok for one in kept.assertions},
        failed=tuple(one.name for one in in_order_of_blame(kept.assertions)),
        layer=kept.diagnosis.layer if kept.diagnosis else None,
        cause=kept.diagnosis.cause if kept.diagnosis else None,
        lost_facts=tuple(str(fact) for fact in kept.facts if fact.lost is not None),
        seconds=kept.seconds,
        cost_usd=usage.cost_usd,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
    )
