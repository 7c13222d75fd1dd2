"""What a run, or a native report, has kept: read back to be told again.

The folder of a run is read from its journal, so a run that was killed can be told too. Of it no
more than one result is in memory at a time, however many it has.
"""

import errno
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Protocol

from audition.datasets.authoring import Authoring
from audition.datasets.reading import as_list, as_object
from audition.errors import RecordError
from audition.evaluators.reasons import few
from audition.experiment.exit_codes import ExitCode
from audition.experiment.folder import runs_below
from audition.experiment.journal import FORMATS, JOURNAL, CaseResult, JournalLine
from audition.experiment.kept_lines import lines_at, read_results, standing_places
from audition.experiment.kept_rows import (
    PlanNotes,
    Row,
    Told,
    row_of,
    told_result,
    unit_of,
    worst_first,
)
from audition.experiment.manifest import MANIFEST, read_manifest
from audition.experiment.native_report import KNOWN_FAILURES, load_report, load_result
from audition.experiment.plan import PLAN
from audition.experiment.results import assertions_of
from audition.experiment.status import Status, status_of
from audition.experiment.units import Unit


class KeptResults(Protocol):
    """The results of a run, of which as few as can be are in memory."""

    @property
    def redacted(self) -> bool:
        """Whether they were kept without their secrets."""
        ...

    def rows(self, authoring: Authoring, *, redact: bool) -> Iterator[Row]:
        """Yield a row for each finished unit, the worst first.

        Args:
            authoring: What the application adds, for what has to be worked out anew.
            redact: False to keep secrets as they are.

        """
        ...

    def results(self, rows: Iterable[Row]) -> Iterator[tuple[Row, CaseResult]]:
        """Yield the full results of some rows, each beside its row, one after the other."""
        ...

    def missing(self) -> Iterator[Unit]:
        """Yield the units that were planned and are not finished, as far as they are known."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRun:
    """A run as it was kept.

    Attributes:
        name: The name of the experiment.
        dataset: The dataset file as it was named, None where that is not known.
        application: The application that was evaluated, None where that is not known.
        team: The team that was evaluated, None where there is none or that is not known.
        planned: How many units were to be run, None where that is not known.
        code: The exit code of the run, None where it did not come to its end or is not known.
        kept: Its results.

    """

    name: str
    dataset: Path | None
    application: str | None
    team: str | None
    planned: int | None
    code: ExitCode | None
    kept: KeptResults

    def rows(self, authoring: Authoring, *, redact: bool = True) -> Iterator[Row]:
        """Yield a row for each finished unit, the worst first; as `KeptResults.rows`."""
        return self.kept.rows(authoring, redact=redact)

    def unit_results(self, authoring: Authoring, *, redact: bool = True) -> Iterator[Told]:
        """Yield what became of each unit with all its evidence, the worst first.

        Args:
            authoring: What the application adds: the evaluators that can be made again from what
                the results say of them, and the stages of facts.
            redact: False to keep secrets as they are.

        """
        anew = redact and not self.kept.redacted
        rows = self.rows(authoring, redact=redact)
        for row, result in self.kept.results(rows):
            status, unit = row.line.status, unit_of(row.line)
            told = told_result(unit, result, authoring, status=status, redact=anew)
            yield Told(unit=told, row=row, result=result)


@dataclass(frozen=True, kw_only=True)
class KeptFolder:
    """The results in the folder of a run, which are read whenever they are asked for.

    Attributes:
        folder: The folder.
        redacted: Whether they were kept without their secrets.

    """

    folder: Path
    redacted: bool

    @cached_property
    def _notes(self) -> PlanNotes:
        return PlanNotes(self.folder)

    @cached_property
    def _places(self) -> list[int]:
        return standing_places(self.folder, worst_first)

    def rows(self, authoring: Authoring, *, redact: bool) -> Iterator[Row]:
        """Yield the lines that count; those with secrets are made anew from their full results."""
        rows = map(self._notes.row, lines_at(self.folder, self._places))
        if self.redacted or not redact:
            yield from rows
            return
        for row, result in self.results(rows):
            line = row.line
            told = told_result(unit_of(line), result, authoring, status=line.status, redact=True)
            anew = row_of(told, result, tags=row.tags, redact=True)
            same = {"cut": line.cut, "offset": line.offset, "length": line.length}
            yield Row(
                line=anew.line.model_copy(update=same), tags=anew.tags, severities=anew.severities
            )

    def results(self, rows: Iterable[Row]) -> Iterator[tuple[Row, CaseResult]]:
        """Yield full results, each read from its place."""
        waiting: list[Row] = []

        def lines() -> Iterator[JournalLine]:
            for row in rows:
                waiting.append(row)
                yield row.line

        for kept in read_results(self.folder, lines()):
            yield waiting.pop(), load_result(kept)

    def missing(self) -> Iterator[Unit]:
        """Yield what is in the plan and not in the journal."""
        finished = {line.key for line in lines_at(self.folder, self._places)}
        return self._notes.missing(finished)


@dataclass(frozen=True, kw_only=True)
class KeptReport:
    """The results in a native report, which is in memory as a whole.

    Attributes:
        cases: The results.
        excused: The names of those that failed and are excused: a report knows no other status.

    """

    cases: Sequence[CaseResult] = ()
    excused: Sequence[object] = ()
    redacted: bool = False

    def rows(self, authoring: Authoring, *, redact: bool) -> Iterator[Row]:
        """Yield rows that are worked out from the results."""
        rows = [
            self._row(position, authoring, redact=redact) for position in range(len(self.cases))
        ]
        yield from sorted(rows, key=lambda row: worst_first(row.line))

    def _row(self, position: int, authoring: Authoring, *, redact: bool) -> Row:
        result = self.cases[position]
        status = Status.KNOWN_FAILURE if result.name in self.excused else _status(result, authoring)
        unit = _unit(position, result)
        told = told_result(unit, result, authoring, status=status, redact=redact)
        tags = as_list(as_object(result.metadata).get("tags"))
        return row_of(told, result, tags=[str(tag) for tag in tags], redact=redact)

    def results(self, rows: Iterable[Row]) -> Iterator[tuple[Row, CaseResult]]:
        """Yield full results by their positions."""
        return ((row, self.cases[row.line.position]) for row in rows)

    def missing(self) -> Iterator[Unit]:
        """Yield nothing: a report does not say what was planned."""
        return iter(())


_REPEAT = re.compile(r" \[([0-9]{1,9})/([0-9]{1,9})\]\Z")


def _unit(position: int, result: CaseResult) -> Unit:
    """Return the unit that a result in a native report is of."""
    case, said = result.source_case_name, _REPEAT.search(result.name)
    if not case or said is None or int(said[1]) < 1:
        return Unit(case=result.name, position=position)
    return Unit(case=case, repeat=int(said[1]), repeats=int(said[2]), position=position)


def _status(result: CaseResult, authoring: Authoring) -> Status:
    assertions = assertions_of(result, authoring.evaluator_types)
    today = datetime.now(UTC).date()
    return status_of(result, assertions, known_failure=None, today=today)


def read_run(path: Path) -> KeptRun:
    """Return what the folder of a run, or a native report, holds.

    Raises:
        RecordError: It cannot be read, or is neither.
        NewerFormat: It was written in a newer format.

    """
    return _read_folder(path) if is_run(path) else _read_report(path)


def is_run(path: Path) -> bool:
    """Return whether this is the folder of a run: else it is a file, and may be a native report.

    Raises:
        RecordError: It is a folder of something else, or a file of a run.

    """
    if path.is_dir():
        check_is_run(path)
        return True
    if path.name in {MANIFEST, PLAN, *FORMATS}:
        raise RecordError(str(path), f"a file of a run; name its folder: {path.parent}")
    return False


def check_is_run(folder: Path) -> None:
    """Refuse a folder that is none of a run, with the runs below it.

    One that has a journal has lost its manifest, which is said where that is read.
    """
    if any((folder / name).exists() for name in (MANIFEST, JOURNAL)):
        return
    runs = few(runs_below(folder), separator=", ")
    problem = f"no run but a folder with runs; name one: {runs}" if runs else "no run is in it"
    raise RecordError(str(folder), problem)


def _read_folder(folder: Path) -> KeptRun:
    manifest = read_manifest(folder)
    for name in FORMATS:  # told now, and not when half of the run is told
        if not (folder / name).exists():
            raise RecordError(str(folder / name), os.strerror(errno.ENOENT))
    return KeptRun(
        name=manifest.experiment,
        dataset=Path(manifest.dataset_path),
        application=manifest.application,
        team=manifest.team,
        planned=manifest.units,
        code=_code(manifest.exit_code),
        kept=KeptFolder(folder=folder, redacted=manifest.redacted),
    )


def _read_report(path: Path) -> KeptRun:
    report = load_report(path)
    about = report.experiment_metadata or {}
    planned = about.get("units")
    return KeptRun(
        name=report.name,
        dataset=None,
        application=str(about["application"]) if about.get("application") else None,
        team=str(about["team"]) if about.get("team") else None,
        planned=planned if isinstance(planned, int) else None,
        code=_code(about.get("exit_code")),
        kept=KeptReport(
            cases=[*report.cases, *report.failures], excused=as_list(about.get(KNOWN_FAILURES))
        ),
    )


def _code(value: object) -> ExitCode | None:
    return ExitCode(value) if value in set(ExitCode) else None
