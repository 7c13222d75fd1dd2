"""What became of a case, and what the statuses of all cases mean for the exit code."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import Any

from pydantic_evals.evaluators import Evaluator, EvaluatorFailure
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.datasets.formats import KnownFailure
from audition.diagnosis.layers import AssertionResult
from audition.evaluators.case_evaluator import Severity
from audition.events import CompletionReason
from audition.experiment.exit_codes import ExitCode
from audition.output import CaseOutput

_TEAMS_DOING = frozenset({CompletionReason.MISSING_VALUE, CompletionReason.BUDGET})
"""Where nothing broke: the answer lacks what the next message needs, or the team used too much."""


class Status(StrEnum):
    """What became of one (case, repeat). Errors, failures and "not evaluated" are three things."""

    PASSED = "passed"
    FAILED = "failed"
    KNOWN_FAILURE = "known_failure"
    ERROR = "error"
    NOT_EVALUATED = "not_evaluated"


WORST_FIRST = (
    Status.ERROR,
    Status.FAILED,
    Status.NOT_EVALUATED,
    Status.KNOWN_FAILURE,
    Status.PASSED,
)
"""The order in which the results of a run are told."""


def status_of(
    result: ReportCase[Any, Any, Any] | ReportCaseFailure[Any, Any, Any],
    assertions: Sequence[AssertionResult],
    *,
    known_failure: KnownFailure | None,
    today: date,
) -> Status:
    """Return what became of a case.

    It is an error where the task raised, the conversation broke, or an evaluator could not run:
    none of these says anything about how good the answers are. One that measured NaN did run, and
    measured nothing: where nothing fails beside it, the case is not evaluated.

    Args:
        result: The case in the native report.
        assertions: Its assertions.
        known_failure: That it is known to fail, None where it is not.
        today: Decides whether that is still an excuse.

    """
    if isinstance(result, ReportCaseFailure) or any(
        unmeasured(failure) is None for failure in result.evaluator_failures
    ):
        return Status.ERROR
    output = result.output if isinstance(result.output, CaseOutput) else None
    is_its_doing = output is not None and output.completion_reason in _TEAMS_DOING
    if output is not None and not output.completed and not is_its_doing:
        return Status.ERROR
    failed = [one for one in assertions if not one.ok and one.severity is Severity.MUST]
    if failed or is_its_doing:
        excused = known_failure is not None and today <= known_failure.until
        return Status.KNOWN_FAILURE if excused else Status.FAILED
    is_judged = assertions and not result.evaluator_failures
    return Status.PASSED if is_judged else Status.NOT_EVALUATED


def unmeasured(failure: EvaluatorFailure) -> str | None:
    """Return why an evaluator measured nothing, None where it could not run.

    NaN is the absence of a measurement, which Pydantic Evals takes for a fault of the evaluator.
    """
    if failure.error_type == _NOT_ASKED:
        return failure.error_message
    is_nan = _NAN.search(failure.error_message)
    return f"measured {is_nan[0]}" if is_nan and failure.error_type == "ValueError" else None


def not_asked(evaluator: Evaluator[Any, Any, Any], why: str) -> EvaluatorFailure:
    """Return that an evaluator measured nothing, since it was not asked."""
    return EvaluatorFailure(
        name=evaluator.get_default_evaluation_name(),
        error_message=why,
        error_stacktrace="",
        source=evaluator.as_spec(),
        error_type=_NOT_ASKED,
    )


_NOT_ASKED = "NotAsked"
_NAN = re.compile(r"(?<=returned a value of an invalid type: )nan(?=\.)|\bnan(?=[,}\]).])")


def exit_code(
    statuses: Iterable[Status], *, tolerated_error_share: float = 0, not_run: int = 0
) -> ExitCode:
    """Return the exit code of a run that came to its end.

    Args:
        statuses: One for each (case, repeat) that was run.
        tolerated_error_share: Share of errors from 0 to 1 up to which they are only counted.
        not_run: How many were not run, for a limit of the run.

    """
    counts = Counter(statuses)
    ran, errors = counts.total(), counts[Status.ERROR]
    if errors and errors / ran > tolerated_error_share:
        return ExitCode.INFRASTRUCTURE
    if counts[Status.FAILED]:
        return ExitCode.FAILED
    if not_run or errors == ran or counts[Status.NOT_EVALUATED]:
        return ExitCode.NOT_ENOUGH_EVIDENCE
    return ExitCode.OK
