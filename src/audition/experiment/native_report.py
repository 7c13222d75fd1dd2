"""Pydantic Evals' own report: saved, loaded, and streamed from the results of a run."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_evals.reporting import EvaluationReport

from audition.errors import RecordError
from audition.experiment.journal import read_results, result_json
from audition.output import CaseOutput

REPORT = "report.json"

type Report = EvaluationReport[Any, CaseOutput, Any]
_report_adapter: TypeAdapter[Any] = TypeAdapter(
    EvaluationReport[dict[str, Any], CaseOutput, dict[str, Any]]
)


def save_report(report: EvaluationReport[Any, Any, Any], path: str | Path) -> None:
    """Write a native report to a file, in folders that are made; values that JSON lacks as text."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as stream:
        head = {"name": report.name, "experiment_metadata": report.experiment_metadata}
        stream.write(_opening(head, dataset_name=report.dataset_name))
        _write_all(stream.write, (result_json(case) for case in report.cases))
        stream.write(b'],"failures":[')
        _write_all(stream.write, (result_json(failure) for failure in report.failures))
        stream.write(b"]}")


def stream_report(
    folder: Path,
    *,
    name: str,
    dataset_name: str,
    metadata: dict[str, JsonValue],
) -> Path:
    """Write the native report of a run from its journal, one result in memory at a time.

    Args:
        folder: The folder of the run.
        name: The name of the experiment.
        dataset_name: The name of the dataset.
        metadata: About the experiment.

    """
    target = folder / REPORT
    with target.open("wb") as stream:
        head = {"name": name, "experiment_metadata": metadata}
        stream.write(_opening(head, dataset_name=dataset_name))
        _write_all(stream.write, _results(folder, failures=False))
        stream.write(b'],"failures":[')
        _write_all(stream.write, _results(folder, failures=True))
        stream.write(b"]}")
    return target


def _opening(head: dict[str, Any], *, dataset_name: str | None) -> bytes:
    fields: dict[str, Any] = {
        **head,
        "dataset_name": dataset_name,
        "analyses": [],
        "report_evaluator_failures": [],
        "trace_id": None,
        "span_id": None,
    }
    return json.dumps(fields, ensure_ascii=False, default=repr)[:-1].encode() + b',"cases":['


def _write_all(write: Any, results: Iterator[bytes]) -> None:
    for position, result in enumerate(results):
        write(b"," + result if position else result)


def _results(folder: Path, *, failures: bool) -> Iterator[bytes]:
    """Yield the results that are failures of the task, or those that are not."""
    return (kept.text for kept in read_results(folder) if kept.is_failure == failures)


def load_report(path: str | Path) -> Report:
    """Return a native report with our outputs, also one that names them as the seed does.

    Raises:
        RecordError: The file cannot be read, or is no such report.

    """
    try:
        return _report_adapter.validate_json(Path(path).read_bytes())
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "/".join(str(part) for part in first["loc"])
        raise RecordError(str(path), f"no native report: /{place}: {first['msg']}") from None
