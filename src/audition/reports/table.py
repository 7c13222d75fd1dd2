"""All cases of a run: failures and their reasons first, then a line for each, then the counts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from audition.evaluators.case_evaluator import Severity
from audition.experiment.engine import UnitResult
from audition.experiment.status import ExitCode, Status
from audition.reports.terminal import one_line

_ORDER = (
    Status.ERROR,
    Status.FAILED,
    Status.NOT_EVALUATED,
    Status.KNOWN_FAILURE,
    Status.PASSED,
)
_VERDICT = {
    ExitCode.OK: "passed",
    ExitCode.FAILED: "failed: an assertion that must hold does not",
    ExitCode.INFRASTRUCTURE: "broken: more cases broke than are tolerated",
    ExitCode.NOT_ENOUGH_EVIDENCE: "not enough evidence: something was not evaluated",
    ExitCode.INTERRUPTED: "interrupted",
}


def table(results: Sequence[UnitResult], code: ExitCode, *, name: str) -> str:
    """Return the results of a run as text.

    Args:
        results: What became of each (case, repeat).
        code: The exit code of the run.
        name: The name of the dataset.

    """
    ordered = _in_order(results)
    lines = [*_reasons(ordered), "", one_line(name), *_rows(ordered), "", _summary(results, code)]
    return "\n".join(lines).lstrip("\n")


def _in_order(results: Sequence[UnitResult]) -> list[UnitResult]:
    """Return the results by status, the worst first, and within one as they stand in the file."""
    return sorted(results, key=lambda result: (_ORDER.index(result.status), result.unit.position))


def _reasons(results: Sequence[UnitResult]) -> Iterator[str]:
    for result in results:
        failed = [verdict for verdict in result.verdicts if not verdict.ok]
        if result.status is Status.PASSED and not failed:
            continue
        layer = f", first failing layer {result.diagnosis}" if result.diagnosis else ""
        yield one_line(f"{result.unit.name}: {result.status}{layer}", 400)
        if result.error is not None:
            yield f"  {one_line(result.error, 400)}"
        for verdict in failed:
            severity = "" if verdict.severity is Severity.MUST else f" ({verdict.severity})"
            told = one_line(f"{verdict.name}: {verdict.reason or 'no reason'}", 700)
            yield f"  FAIL{severity} {told}"


def _rows(results: Sequence[UnitResult]) -> Iterator[str]:
    rows = [
        (
            str(result.status),
            one_line(result.unit.name),
            f"{sum(verdict.ok for verdict in result.verdicts)}/{len(result.verdicts)}",
            f"{result.seconds:.2f} s",
            one_line(str(result.diagnosis or "")),
        )
        for result in results
    ]
    head = ("status", "case", "assertions", "time", "first failing layer")
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _summary(results: Sequence[UnitResult], code: ExitCode) -> str:
    counts = Counter(result.status for result in results)
    told = ", ".join(f"{counts[status]} {status}" for status in _ORDER if counts[status])
    return f"{told or 'no case'} of {len(results)}: {_VERDICT[code]} (exit {int(code)})"


def as_json(results: Sequence[UnitResult], code: ExitCode, *, name: str) -> dict[str, Any]:
    """Return the results of a run as JSON values, in the order of the table."""
    counts = Counter(result.status for result in results)
    return {
        "dataset": name,
        "exit_code": int(code),
        "verdict": _VERDICT[code],
        "counts": {str(status): counts[status] for status in _ORDER},
        "cases": [_case_json(result) for result in _in_order(results)],
    }


def _case_json(result: UnitResult) -> dict[str, Any]:
    diagnosis = result.diagnosis
    return {
        "case": result.unit.case.name,
        "repeat": result.unit.repeat,
        "status": str(result.status),
        "layer": str(diagnosis.layer) if diagnosis else None,
        "cause": diagnosis.cause if diagnosis else None,
        "seconds": result.seconds,
        "error": result.error,
        "assertions": [
            {
                "id": verdict.name,
                "ok": verdict.ok,
                "severity": str(verdict.severity),
                "layer": verdict.layer and str(verdict.layer),
                "cause": verdict.cause,
                "reason": verdict.reason,
            }
            for verdict in result.verdicts
        ],
    }
