"""What is said of one finished unit, the same in every format: its layer, and why it is told."""

from collections.abc import Iterator

from audition.evaluators.case_evaluator import Severity
from audition.evaluators.reasons import shortened
from audition.experiment.journal import JournalLine
from audition.experiment.kept_rows import Row
from audition.experiment.status import Status
from audition.reports.told_run import unmeasured

MOST_PASSED = 200
"""Rows of cases that passed, above which a table for people lists no more."""

_MOST_REASONS = 50


def layer_of(line: JournalLine) -> str:
    """Return the first failing layer with its cause, empty where nothing failed."""
    return ": ".join(filter(None, (line.layer, line.cause)))


def held_of(line: JournalLine) -> str:
    """Return how many assertions hold, of how many."""
    return f"{sum(line.assertions.values())}/{len(line.assertions)}"


def seconds_of(line: JournalLine) -> str:
    """Return how long it took, empty where that is not known."""
    return "" if line.seconds is None else f"{line.seconds:.2f} s"


def has_reasons(row: Row) -> bool:
    """Return whether there is more to say than that it passed."""
    line = row.line
    all_hold = all(line.assertions.values())
    return line.status is not Status.PASSED or not all_hold or line.known_failure is not None


def reasons_of(row: Row) -> list[str]:
    """Return why it did not pass, or why something in it does not hold, a text for each."""
    every = list(_reasons(row))
    left = len(every) - _MOST_REASONS
    if left <= 0:
        return every
    return [*every[:_MOST_REASONS], f"and {left} more: `audition show RUN CASE` tells all"]


def _reasons(row: Row) -> Iterator[str]:
    line = row.line
    known = _known_failure(line)
    if known is not None:
        yield f"KNOWN {shortened(known, 400)}"
    if line.cut is not None:
        yield f"CUT {line.cut}"
    if line.error is not None:
        yield line.error
    for name in line.failed or [name for name, ok in line.assertions.items() if not ok]:
        severity = row.severities.get(name, Severity.MUST)
        shown = "" if severity is Severity.MUST else f" ({severity})"
        yield f"FAIL{shown} {name}: {line.reasons.get(name, 'no reason')}"
    for name, why in unmeasured(line).items():
        yield f"NOT EVALUATED {name}: {why}"
    if line.status is Status.NOT_EVALUATED and not (line.assertions or line.reasons or line.cut):
        yield "NOT EVALUATED: it has no assertion"
    for fact in line.lost_facts:
        yield f"LOST {fact}"


def _known_failure(line: JournalLine) -> str | None:
    """Return what the file says of a failure that was expected, None where it says nothing."""
    known = line.known_failure
    if known is None:
        return None
    match line.status:
        case Status.FAILED:
            return f"until {known.until}, which is over: {known.reason}"
        case Status.PASSED:
            return f"until {known.until}, and it passed: remove `known_failure` ({known.reason})"
        case _:
            return f"until {known.until}: {known.reason}"
