"""All cases of a run: failures and their reasons first, then a line for each, then the counts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audition.evaluators.case_evaluator import Severity
from audition.experiment.exit_codes import ExitCode
from audition.experiment.results import UnitResult
from audition.experiment.status import Status
from audition.reports.terminal import one_line
from audition.reports.trajectory_text import trajectory_lines
from audition.trajectory import ChatMessage
from audition.values import writable_json

_ORDER = (
    Status.ERROR,
    Status.FAILED,
    Status.NOT_EVALUATED,
    Status.KNOWN_FAILURE,
    Status.PASSED,
)
_OUTCOME = {
    ExitCode.OK: "passed",
    ExitCode.FAILED: "failed: an assertion that must hold does not",
    ExitCode.INFRASTRUCTURE: "broken: more cases than are tolerated, or the run itself",
    ExitCode.NOT_ENOUGH_EVIDENCE: "not enough evidence: something was not evaluated",
    ExitCode.INTERRUPTED: "interrupted",
    None: "did not come to its end",
}


type Trajectories = Mapping[int, Sequence[ChatMessage]]
"""Chat messages by the position of their unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a run is about.

    Attributes:
        name: The name of the dataset.
        application: The application that was evaluated, None where there is none.
        team: The team of it, None where there is none.
        planned: How many (case, repeat) were to be run, None where that is not known.

    """

    name: str
    application: str | None = None
    team: str | None = None
    planned: int | None = None

    def not_run(self, results: Sequence[UnitResult]) -> int:
        """Return how many were not run."""
        return max((self.planned or 0) - len(results), 0)

    def __str__(self) -> str:
        told = (("application", self.application), ("team", self.team))
        return ", ".join([self.name, *(f"{what} {name}" for what, name in told if name)])


def table(
    results: Sequence[UnitResult],
    code: ExitCode | None,
    subject: Subject,
    trajectories: Trajectories | None = None,
) -> str:
    """Return the results of a run as text.

    Args:
        results: What became of each (case, repeat).
        code: The exit code of the run, None where it did not come to its end.
        subject: What the run is about.
        trajectories: Told under the lines of their units, None to tell none.

    """
    ordered = _in_order(results)
    summary = _summary(results, code, subject.not_run(results))
    rows = _rows(ordered, trajectories or {})
    lines = [*_reasons(ordered), "", one_line(str(subject), 400), *rows, "", summary]
    return "\n".join(lines).lstrip("\n")


def _in_order(results: Sequence[UnitResult]) -> list[UnitResult]:
    """Return the results by status, the worst first, and within one as they stand in the file."""
    return sorted(results, key=lambda result: (_ORDER.index(result.status), result.unit.position))


def _reasons(results: Sequence[UnitResult]) -> Iterator[str]:
    for result in results:
        failed = [one for one in result.assertions if not one.ok]
        known = _known_failure(result)
        if result.status is Status.PASSED and not failed and known is None:
            continue
        layer = f", first failing layer {result.diagnosis}" if result.diagnosis else ""
        yield one_line(f"{result.unit.name}: {result.status}{layer}", 400)
        if known is not None:
            yield f"  KNOWN {one_line(known, 400)}"
        if result.error is not None:
            yield f"  {one_line(result.error, 1000)}"
        for one in failed:
            severity = "" if one.severity is Severity.MUST else f" ({one.severity})"
            told = one_line(f"{one.name}: {one.reason or 'no reason'}", 700)
            yield f"  FAIL{severity} {told}"
        for fact in result.facts:
            if fact.lost is not None:
                yield f"  LOST {one_line(str(fact), 400)}"


def _known_failure(result: UnitResult) -> str | None:
    """Return what the file says of a failure that was expected, None where it says nothing."""
    known = result.unit.known_failure
    if known is None:
        return None
    match result.status:
        case Status.FAILED:
            return f"until {known.until}, which is over: {known.reason}"
        case Status.PASSED:
            return f"until {known.until}, and it passed: remove `known_failure` ({known.reason})"
        case _:
            return f"until {known.until}: {known.reason}"


def _rows(results: Sequence[UnitResult], trajectories: Trajectories) -> Iterator[str]:
    rows = [
        (
            str(result.status),
            one_line(result.unit.name),
            f"{sum(one.ok for one in result.assertions)}/{len(result.assertions)}",
            "" if result.seconds is None else f"{result.seconds:.2f} s",
            one_line(str(result.diagnosis or "")),
        )
        for result in results
    ]
    head = ("status", "case", "assertions", "time", "first failing layer")
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    yield _row(head, widths)
    for result, row in zip(results, rows, strict=True):
        yield _row(row, widths)
        for line in trajectory_lines(trajectories.get(result.unit.position, ())):
            yield f"    {line}"


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()


def _summary(results: Sequence[UnitResult], code: ExitCode | None, not_run: int) -> str:
    counts = Counter(result.status for result in results)
    told = ", ".join(f"{counts[status]} {status}" for status in _ORDER if counts[status])
    told = ", ".join(filter(None, (told or "no case", f"{not_run} not run" if not_run else "")))
    ended = "" if code is None else f" (exit {int(code)})"
    return f"{told} of {len(results) + not_run}: {_OUTCOME[code]}{ended}"


def as_json(
    results: Sequence[UnitResult],
    code: ExitCode | None,
    subject: Subject,
    trajectories: Trajectories | None = None,
) -> dict[str, Any]:
    """Return the results of a run as JSON values, in the order of the table; as `table`."""
    counts = Counter(result.status for result in results)
    return {
        "dataset": subject.name,
        "application": subject.application,
        "team": subject.team,
        "exit_code": None if code is None else int(code),
        "outcome": _OUTCOME[code],
        "counts": {str(status): counts[status] for status in _ORDER},
        "not_run": subject.not_run(results),
        "cases": [_case_json(result, trajectories) for result in _in_order(results)],
    }


def _case_json(result: UnitResult, trajectories: Trajectories | None) -> dict[str, Any]:
    diagnosis, known = result.diagnosis, result.unit.known_failure
    told = {}
    if trajectories is not None:
        told["trajectory"] = list(trajectories.get(result.unit.position, ()))
    return {
        "case": result.unit.case,
        "repeat": result.unit.repeat,
        "must_pass": result.unit.must_pass,
        "known_failure": known.model_dump(mode="json") if known is not None else None,
        "status": str(result.status),
        "layer": str(diagnosis.layer) if diagnosis else None,
        "cause": diagnosis.cause if diagnosis else None,
        "seconds": result.seconds,
        "error": result.error,
        "facts": [
            {"fact": one.fact, "stages": dict(one.stages), "lost": one.lost} for one in result.facts
        ],
        "metrics": {name: writable_json(amount) for name, amount in result.metrics.items()},
        "assertions": [
            {
                "id": one.name,
                "ok": one.ok,
                "severity": str(one.severity),
                "layer": one.layer and str(one.layer),
                "cause": one.cause,
                "reason": one.reason,
            }
            for one in result.assertions
        ],
        **told,
    }
