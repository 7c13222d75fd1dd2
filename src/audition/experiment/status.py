"""What became of a case, and what the statuses of all cases mean for the exit code."""

from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import Any

from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.datasets.formats import KnownFailure
from audition.diagnosis.layers import AssertionResult
from audition.evaluators.case_evaluator import Severity
from audition.events import CompletionReason
from audition.experiment.exit_codes import ExitCode
from audition.output import CaseOutput

_MISSING = CompletionReason.MISSING_VALUE
"""The team is well, and its answer lacks what the next message needs."""


class Status(StrEnum):
    """What became of one (case, repeat). Errors, failures and "not evaluated" are three things."""

    PASSED = "passed"
    FAILED = "failed"
    KNOWN_FAILURE = "known_failure"
    ERROR = "error"
    NOT_EVALUATED = "not_evaluated"


def status_of(
    result: ReportCase[Any, Any, Any] | ReportCaseFailure[Any, Any, Any],
    assertions: Sequence[AssertionResult],
    *,
    known_failure: KnownFailure | None,
    today: date,
) -> Status:
    """Return what became of a case.

    It is an error where the task raised, the conversation broke, or an evaluator could not run:
    none of these says anything about how good the answers are.

    Args:
        result: The case in the native report.
        assertions: Its assertions.
        known_failure: That it is known to fail, None where it is not.
        today: Decides whether that is still an excuse.

    """
    if isinstance(result, ReportCaseFailure) or result.evaluator_failures:
        return Status.ERROR
    output = result.output if isinstance(result.output, CaseOutput) else None
    lacks_value = output is not None and output.completion_reason is _MISSING
    if output is not None and not output.completed and not lacks_value:
        return Status.ERROR
    failed = [one for one in assertions if not one.ok and one.severity is Severity.MUST]
    if failed or lacks_value:
        excused = known_failure is not None and today <= known_failure.until
        return Status.KNOWN_FAILURE if excused else Status.FAILED
    return Status.PASSED if assertions else Status.NOT_EVALUATED


def exit_code(statuses: Iterable[Status], *, tolerated_error_share: float = 0) -> ExitCode:
    """Return the exit code of a run that came to its end.

    Args:
        statuses: One for each (case, repeat).
        tolerated_error_share: Share of errors from 0 to 1 up to which they are only counted.

    """
    every = list(statuses)
    errors = every.count(Status.ERROR)
    if errors and errors / len(every) > tolerated_error_share:
        return ExitCode.INFRASTRUCTURE
    if Status.FAILED in every:
        return ExitCode.FAILED
    if not every or Status.NOT_EVALUATED in every or errors == len(every):
        return ExitCode.NOT_ENOUGH_EVIDENCE
    return ExitCode.OK
