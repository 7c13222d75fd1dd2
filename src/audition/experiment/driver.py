"""Runs what is missing of a run, a few units at a time, and keeps each result when it is there."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime
from functools import cached_property, partial
from pathlib import Path

from audition.application import Application
from audition.datasets.loading import LoadedDataset
from audition.errors import AuditionError, CallError
from audition.experiment.engine import Engine, LocalEngine
from audition.experiment.evaluation import Evaluation, FinishedUnit
from audition.experiment.exit_codes import ExitCode
from audition.experiment.interrupts import interruptible
from audition.experiment.journal import JOURNAL, JournalLine
from audition.experiment.journal_writer import Journal
from audition.experiment.kept import KeptReport, KeptRun, read_run
from audition.experiment.kept_lines import counts_in, read_journal
from audition.experiment.limits import Limits, Spent
from audition.experiment.lock import locked
from audition.experiment.manifest import (
    MANIFEST,
    Manifest,
    RescoredFrom,
    Selection,
    new_manifest,
    now,
    read_manifest,
)
from audition.experiment.native_report import report_of_run
from audition.experiment.plan import fingerprints, plan_head, planned_cases, write_plan
from audition.experiment.progress import Progress
from audition.experiment.recovery import recover
from audition.experiment.rescoring import Rescoring
from audition.experiment.results import UnitResult
from audition.experiment.resume import check_origin, check_team, go_on_with
from audition.experiment.status import Status, exit_code
from audition.experiment.task import Task
from audition.experiment.units import PlannedUnit, units_of
from audition.experiment.workers import INTERRUPTED, Workers
from audition.output import RuntimeCapabilities
from audition.redaction.records import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a dataset is run.

    Attributes:
        repeat: How often each case, None for what the file says, or once.
        max_concurrency: How many at a time.
        timeout_seconds: Longest wait for one turn, None for that of the cases.
        deadline_seconds: Longest time for a case, None for that of the cases.
        seed: What the seeds of all (case, repeat) are derived from.
        tolerated_error_share: Share of errors from 0 to 1 up to which they are only counted.
        limits: Bounds of the whole run.
        grace_seconds: How long what is in flight may take after the first interruption.
        retry: What is run again when a run is resumed, besides what is missing.
        keep_spans: Whether the spans that a run makes are kept with its results.

    """

    repeat: int | None = None
    max_concurrency: int = 8
    timeout_seconds: float | None = None
    deadline_seconds: float | None = None
    seed: int = 0
    tolerated_error_share: float = 0
    limits: Limits = field(default_factory=Limits)
    grace_seconds: float = 30
    retry: frozenset[Status] = frozenset()
    keep_spans: bool = False


@dataclass(kw_only=True)
class Experiment:
    """A run of a dataset and its folder.

    Attributes:
        loaded: The dataset.
        application: What it is for.
        task: What answers its cases.
        folder: Where the results go; exists, and is empty or holds a run to be gone on with.
        settings: How it is run.
        team: The team that is evaluated, None where there is none.
        today: Decides whether a known failure is still excused, for the whole of the run.
        redact: Whether secrets are taken out of all that is kept and told; what is judged has them.
        selection: Which cases of the dataset were chosen, as the manifest says it.
        rescoring: Judges what a run has kept, in the place of a team; None where one is asked.
        common_only: Whether a run is gone on with though cases have changed, without these.
        on_result: Told of each result when it is there.
        on_note: Told what is doubtful about going on with a run.
        engine: Makes what its units are worked off with.
        code: The exit code, as far as is known now.
        stopped_by: Why units were left unrun, None while none was.

    """

    loaded: LoadedDataset
    application: Application
    task: Task
    folder: Path
    settings: Settings = Settings()
    team: str | None = None
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    redact: bool = True
    selection: Selection = field(default_factory=Selection)
    rescoring: Rescoring | None = None
    common_only: bool = False
    on_result: Callable[[JournalLine], None] | None = None
    on_note: Callable[[str], None] = print
    engine: Callable[[Evaluation], Engine] = LocalEngine
    code: ExitCode = ExitCode.INTERRUPTED
    stopped_by: str | None = None
    _capabilities: RuntimeCapabilities | None = None

    @cached_property
    def evaluation(self) -> Evaluation:
        """How each unit is run and judged."""
        return Evaluation(
            loaded=self.loaded,
            application=self.application,
            task=self.task,
            timeout_seconds=self.settings.timeout_seconds,
            deadline_seconds=self.settings.deadline_seconds,
            today=self.today,
            redact=self.redact,
            run_seed=self.settings.seed,
            keep_spans=self.settings.keep_spans,
        )

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self.evaluation.name

    async def run(self) -> ExitCode:
        """Run every unit that is missing; what is finished is kept, whatever happens.

        Returns nothing of the results themselves: asyncio.run takes the repr of what it is given.

        Raises:
            CallError: Another process writes to the folder.
            RecordError: What the folder holds cannot be read.

        """
        try:
            with locked(self.folder):
                await self._run_all()
        except Exception as error:
            self.code = _code_of(error)
            raise
        return self.code

    async def _run_all(self) -> None:
        manifest = self._begin()
        progress = Progress(Spent(limits=self.settings.limits))
        try:
            await self._run_units(progress)
            self.code = self._code(progress)
        except Exception as error:  # the manifest says what the process will say
            self.code = _code_of(error)
            raise
        finally:
            self._finish(manifest, progress)

    @cached_property
    def planned(self) -> int:
        """How many (case, repeat) the run has; asked once it has begun."""
        of_cases = fingerprints(self.folder)
        every = units_of(self.loaded, repeat=self.settings.repeat, fingerprints=of_cases)
        return sum(1 for _ in every)

    def kept(self) -> KeptRun:
        """Return what is kept so far, with the exit code as it is known now."""
        if (self.folder / MANIFEST).exists():
            return replace(read_run(self.folder), code=self.code, planned=self.planned)
        return KeptRun(  # not even that could be written
            name=Redactor().text(self.name) if self.redact else self.name,
            dataset=self.loaded.path,
            application=self.application.name,
            team=self.team,
            planned=self.planned,
            code=self.code,
            kept=KeptReport(),
        )

    def results(self) -> Iterator[UnitResult]:
        """Yield what became of each unit so far, the worst first, read back one by one."""
        authoring = self.application.authoring
        return (told.unit for told in self.kept().unit_results(authoring, redact=False))

    def _begin(self) -> Manifest:
        """Write down what is to be run; of a run that is gone on with, make whole what it left."""
        if (self.folder / MANIFEST).exists():
            recover(self.folder)
            manifest = read_manifest(self.folder)
            check_origin(self.folder, manifest, self._origin)
            if self.rescoring is None:
                check_team(self.folder, manifest, self.application)
            self._keep_secrets_as(manifest)
            notes = go_on_with(self.folder, manifest, self.loaded, common_only=self.common_only)
            for note in notes:
                self.on_note(note)
            manifest.resumed_at.append(now())
            manifest.finished_at = manifest.exit_code = None
        else:
            cases = planned_cases(self.loaded, repeat=self.settings.repeat)
            told = write_plan(self.folder, plan_head(self.loaded), cases)
            manifest = new_manifest(
                self.loaded,
                self.application,
                team=self.team,
                selection=self.selection,
                plan=told,
                limits=asdict(self.settings),
            )
            manifest.redacted = self.redact
            if self.rescoring is not None:
                manifest = self.rescoring.described(manifest)
        manifest.write(self.folder, redact=self.redact)
        return manifest

    def _keep_secrets_as(self, manifest: Manifest) -> None:
        """Take secrets out of what is kept, or keep them, as the run did when it began."""
        self.redact = manifest.redacted
        self.evaluation = replace(self.evaluation, redact=self.redact)
        if self.rescoring is not None:
            self.rescoring.evaluation = self.evaluation

    @property
    def _origin(self) -> RescoredFrom | None:
        return None if self.rescoring is None else self.rescoring.origin()

    async def _run_units(self, progress: Progress) -> None:
        of_cases = fingerprints(self.folder) or {}
        if (self.folder / JOURNAL).exists():
            earlier = read_journal(self.folder)
            progress.add_earlier(line for line in earlier if counts_in(line, of_cases))
        engine = self.rescoring or self.engine(self.evaluation)
        with Journal(self.folder) as journal:
            workers = Workers(
                units=self._wanted(progress, of_cases),
                engine=engine,
                keep=partial(self._keep, journal, progress),
                spent=progress.spent,
                count=self.settings.max_concurrency,
                grace_seconds=self.settings.grace_seconds,
            )
            with interruptible(workers.interrupt, told=self._interrupted()):
                try:
                    await workers.run()
                finally:
                    self.stopped_by = workers.stopped_by
                    for finished in workers.unkept:  # it is all that will be known of it
                        self._tell(finished.line)
                    await engine.close()

    def _wanted(self, progress: Progress, of_cases: Mapping[str, str]) -> Iterator[PlannedUnit]:
        every = units_of(self.loaded, repeat=self.settings.repeat, fingerprints=of_cases)
        for planned in every:
            if self.rescoring is not None and not self.rescoring.has(planned.unit):
                continue
            attempt = progress.next_attempt(planned.unit, self.settings.retry)
            if attempt is not None:
                yield replace(planned, unit=replace(planned.unit, attempt=attempt))

    def _keep(self, journal: Journal, progress: Progress, finished: FinishedUnit) -> None:
        line = finished.line
        others = progress.earlier_models and {*line.model_ids} - progress.earlier_models
        if others:
            raise CallError(
                ", ".join(sorted(others)),
                what=f"{self.folder}: the models that answered",
                wanted=f"wanted {', '.join(sorted(progress.earlier_models))}, which the run began "
                "with: one run is of one team, so begin another",
            )
        placed = journal.write(line, finished.text, is_failure=finished.is_failure)
        progress.add(placed)
        self._capabilities = self._capabilities or finished.capabilities
        self._tell(placed)

    def _tell(self, line: JournalLine) -> None:
        if self.on_result is not None:
            self.on_result(line)

    def _interrupted(self) -> str:
        return (
            f"interrupted; what is in flight may take {self.settings.grace_seconds:g} s more, "
            "a second signal ends it at once"
        )

    def _code(self, progress: Progress) -> ExitCode:
        if self.stopped_by == INTERRUPTED:
            return ExitCode.INTERRUPTED
        planned = self.planned
        if not planned and self.selection.shard is not None:
            self.on_note(f"part {self.selection.shard} holds none of the cases")
            return ExitCode.OK
        return exit_code(
            progress.statuses(),
            tolerated_error_share=self.settings.tolerated_error_share,
            not_run=planned - progress.finished,
        )

    def _finish(self, manifest: Manifest, progress: Progress) -> None:
        manifest.model_ids = progress.model_ids
        manifest.capabilities = self._capabilities or manifest.capabilities
        manifest.stopped_by = self.stopped_by
        manifest.exit_code = int(self.code)
        report_of_run(self.folder, manifest)
        # Last, so that a report that could not be written leaves no exit code behind.
        manifest.finished_at = now()
        manifest.write(self.folder, redact=self.redact)


def _code_of(error: Exception) -> ExitCode:
    """Return what the process says of an error: what is refused by name is no fault of our own."""
    return ExitCode.USAGE if isinstance(error, AuditionError) else ExitCode.INFRASTRUCTURE
