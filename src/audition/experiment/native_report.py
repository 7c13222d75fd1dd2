"""Pydantic Evals' own report: saved, loaded, and streamed from the results of a run."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_evals.reporting import EvaluationReport, ReportCase, ReportCaseFailure

from audition.datasets.pointers import first_wrong
from audition.errors import RecordError
from audition.experiment.journal import (
    CaseResult,
    careful_json,
    plain_json,
)
from audition.experiment.kept_lines import KeptResult, read_places, standing_lines
from audition.experiment.manifest import Manifest
from audition.experiment.status import Status
from audition.files import naming
from audition.output import CaseOutput
from audition.recording import read_record
from audition.redaction.records import Redactor

REPORT = "report.json"
KNOWN_FAILURES = "known_failures"
"""In the metadata of a run's report, the names of what failed and is excused: it has no status."""

_MAX_BYTES = 4 * 1024**3

type Report = EvaluationReport[Any, CaseOutput, Any]
_report_adapter: TypeAdapter[Any] = TypeAdapter(EvaluationReport[Any, CaseOutput, Any])
_any_adapter: TypeAdapter[Any] = TypeAdapter(EvaluationReport[Any, Any, Any])
_case_adapter: TypeAdapter[Any] = TypeAdapter(ReportCase[Any, CaseOutput, Any])
_failure_adapter: TypeAdapter[Any] = TypeAdapter(ReportCaseFailure[Any, CaseOutput, Any])


def save_report(
    report: EvaluationReport[Any, Any, Any], path: str | Path, *, redact: bool = True
) -> None:
    """Write a native report to a file, in folders that are made; values that JSON lacks as text.

    Args:
        report: The report.
        path: The file, which is replaced.
        redact: False to keep secrets as they are.

    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    head = {
        "name": report.name,
        "dataset_name": report.dataset_name,
        "experiment_metadata": report.experiment_metadata,
        "analyses": report.analyses,
        "report_evaluator_failures": report.report_evaluator_failures,
        "trace_id": report.trace_id,
        "span_id": report.span_id,
    }
    written = redacted_json if redact else plain_json
    cases, failures = map(written, report.cases), map(written, report.failures)
    _write(target, head, cases, failures, redact=redact)


def report_of_run(folder: Path, manifest: Manifest) -> Path:
    """Write the native report of a run from its journal, one result in memory at a time.

    Args:
        folder: The folder of the run.
        manifest: What it says of itself, its exit code included.

    """
    known, places = list[str](), list[tuple[int, int]]()
    for line in standing_lines(folder):
        places.append((line.offset, line.length))
        known += [line.name] if line.status is Status.KNOWN_FAILURE else []
    head = {
        "name": manifest.experiment,
        "dataset_name": manifest.dataset_name,
        "experiment_metadata": {
            "application": manifest.application,
            "team": manifest.team,
            "units": manifest.units,
            "capabilities": manifest.capabilities and manifest.capabilities.model_dump(),
            "model_ids": manifest.model_ids,
            "exit_code": manifest.exit_code,
            KNOWN_FAILURES: sorted(known),
        },
    }
    cases, failures = (_results(folder, places, failures=kind) for kind in (False, True))
    _write(folder / REPORT, head, cases, failures, redact=manifest.redacted)
    return folder / REPORT


_HEAD: dict[str, Any] = {
    "analyses": [],
    "report_evaluator_failures": [],
    "trace_id": None,
    "span_id": None,
}


def _write(
    target: Path,
    head: dict[str, Any],
    cases: Iterable[bytes],
    failures: Iterable[bytes],
    *,
    redact: bool,
) -> None:
    """Write a report, whole or not at all."""
    part = target.with_name(f"{target.name}.part")
    about = careful_json(_HEAD | head)
    with naming(part), part.open("wb") as stream:
        stream.write((Redactor().json(about) if redact else about)[:-1])
        for field, results in (("cases", cases), ("failures", failures)):
            stream.write(f',"{field}":['.encode())
            for position, result in enumerate(results):
                stream.write(b"," + result if position else result)
            stream.write(b"]")
        stream.write(b"}")
    part.replace(target)


def redacted_json(result: object) -> bytes:
    """Return a result as JSON without its secrets."""
    return Redactor().json(plain_json(result))


def redacted_result(result: CaseResult) -> CaseResult:
    """Return a result without its secrets, to be told."""
    adapter = _case_adapter if isinstance(result, ReportCase) else _failure_adapter
    return adapter.validate_json(redacted_json(result))


def _results(folder: Path, places: Sequence[tuple[int, int]], *, failures: bool) -> Iterator[bytes]:
    """Yield the results that are failures of the task, or those that are not."""
    every = read_places(folder, places)
    return (text for is_failure, text in every if is_failure == failures)


def load_report(path: str | Path) -> Report:
    """Return a native report with our outputs, also by the names that older reports use.

    Raises:
        RecordError: The file cannot be read, or is no such report.

    """
    return _loaded(path, _report_adapter)


def load_any_report(path: str | Path) -> EvaluationReport[Any, Any, Any]:
    """Return a native report whatever its outputs are, these as they stand in it.

    Raises:
        RecordError: As `load_report`.

    """
    return _loaded(path, _any_adapter)


def _loaded(path: str | Path, adapter: TypeAdapter[Any]) -> Any:
    content = read_record(Path(path), _MAX_BYTES)
    try:
        return adapter.validate_json(content)
    except ValidationError as error:
        raise RecordError(str(path), f"no native report: {first_wrong(error)}") from None


def load_result(kept: KeptResult) -> CaseResult:
    """Return a full result that a run has kept, as it stands in the native report.

    Raises:
        ValidationError: It was not written by a run.

    """
    return (_failure_adapter if kept.is_failure else _case_adapter).validate_json(kept.text)
