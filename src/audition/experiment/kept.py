"""What a run, or a native report, has kept: read back to be told again.

The folder of a run is read from its journal, so a run that was killed can be told too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from audition.datasets.authoring import Authoring
from audition.datasets.reading import as_list
from audition.errors import RecordError
from audition.evaluators.reasons import few
from audition.experiment.exit_codes import ExitCode
from audition.experiment.folder import runs_below
from audition.experiment.journal import FORMATS, JOURNAL, CaseResult, plain_json
from audition.experiment.kept_lines import standing_results
from audition.experiment.manifest import MANIFEST, read_manifest
from audition.experiment.native_report import KNOWN_FAILURES, load_report, load_result
from audition.experiment.plan import PLAN
from audition.experiment.results import UnitResult, assertions_of, output_of, unit_result
from audition.experiment.status import Status, status_of
from audition.experiment.units import Unit
from audition.output import CaseOutput
from audition.redaction.records import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptUnit:
    """A kept (case, repeat).

    Attributes:
        unit: What was run.
        result: Its native result.
        status: What became of it, None where that was not kept: a native report knows only of
            excused failures.

    """

    unit: Unit
    result: CaseResult
    status: Status | None


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
        units: What is kept of each, in the order in which they were finished.

    """

    name: str
    dataset: Path | None
    application: str | None
    team: str | None
    planned: int | None
    code: ExitCode | None
    units: Sequence[KeptUnit]


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
        _check_is_run(path)
        return True
    if path.name in {MANIFEST, PLAN, *FORMATS}:
        raise RecordError(str(path), f"a file of a run; name its folder: {path.parent}")
    return False


def _check_is_run(folder: Path) -> None:
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
    return KeptRun(
        name=manifest.experiment,
        dataset=Path(manifest.dataset_path),
        application=manifest.application,
        team=manifest.team,
        planned=manifest.units,
        code=_code(manifest.exit_code),
        units=list(_units(folder)),
    )


def kept_outputs(folder: Path) -> Iterator[tuple[int, CaseOutput]]:
    """Yield the position of each unit of a run and what it left behind, where there is that."""
    for kept in standing_results(folder):
        output = output_of(load_result(kept))
        if output is not None:
            yield kept.line.position, output


def _units(folder: Path) -> Iterator[KeptUnit]:
    for kept in standing_results(folder):
        line = kept.line
        unit = Unit(
            case=line.case,
            repeat=line.repeat,
            repeats=line.repeats,
            position=line.position,
            must_pass=line.must_pass,
            known_failure=line.known_failure,
            case_id=line.case_id,
            attempt=line.attempt,
            fingerprint=line.fingerprint,
        )
        yield KeptUnit(unit=unit, result=load_result(kept), status=line.status)


def _read_report(path: Path) -> KeptRun:
    report = load_report(path)
    about = report.experiment_metadata or {}
    planned = about.get("units")
    excused = as_list(about.get(KNOWN_FAILURES))
    results: list[CaseResult] = [*report.cases, *report.failures]
    return KeptRun(
        name=report.name,
        dataset=None,
        application=str(about["application"]) if about.get("application") else None,
        team=str(about["team"]) if about.get("team") else None,
        planned=planned if isinstance(planned, int) else None,
        code=_code(about.get("exit_code")),
        units=[
            KeptUnit(
                unit=Unit(case=result.name, position=position),
                result=result,
                status=Status.KNOWN_FAILURE if result.name in excused else None,
            )
            for position, result in enumerate(results)
        ],
    )


def _code(value: object) -> ExitCode | None:
    return ExitCode(value) if value in set(ExitCode) else None


def unit_results(run: KeptRun, authoring: Authoring, *, redact: bool = True) -> list[UnitResult]:
    """Return what became of each unit of a kept run.

    Where no status was kept, it is worked out anew.

    Args:
        run: The run.
        authoring: What the application adds: the evaluators that can be made again from what the
            results say of them, and the stages of facts.
        redact: False to keep secrets as they are.

    """
    results = [_unit_result(kept, authoring) for kept in run.units]
    if not redact:
        return results
    return [_redacted(one, kept.result) for one, kept in zip(results, run.units, strict=True)]


def _redacted(unit: UnitResult, result: CaseResult) -> UnitResult:
    redactor = Redactor()
    redactor.json(plain_json(result))  # only to learn the secrets that reasons and errors repeat
    return unit.redacted(redactor)


def _unit_result(kept: KeptUnit, authoring: Authoring) -> UnitResult:
    assertions = assertions_of(kept.result, authoring.evaluator_types)
    status = kept.status or status_of(
        kept.result, assertions, known_failure=None, today=datetime.now(UTC).date()
    )
    return unit_result(
        kept.unit,
        kept.result,
        assertions=assertions,
        status=status,
        fact_stages=authoring.fact_stages,
    )
