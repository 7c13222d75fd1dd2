from datetime import date
from typing import Any

import pytest
from pydantic_evals.evaluators import EvaluatorFailure, EvaluatorSpec
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.datasets.formats import KnownFailure
from audition.diagnosis.layers import AssertionResult
from audition.evaluators.case_evaluator import Layer, Severity
from audition.evaluators.responses import HumanResponseContainsTerms
from audition.events import CompletionReason
from audition.experiment.exit_codes import ExitCode
from audition.experiment.status import Status, exit_code, not_asked, status_of, unmeasured
from audition.output import CaseOutput
from audition.testing import answer, output

TODAY = date(2031, 5, 1)
HOLDS = AssertionResult(name="a", ok=True, reason=None)


def fails(severity: Severity) -> AssertionResult:
    return AssertionResult(name="b", ok=False, reason="no", severity=severity, layer=Layer.ANSWER)


def case(out: object = None, *, failures: list[EvaluatorFailure] | None = None) -> Any:
    return ReportCase[Any, Any, Any](
        name="a", inputs=None, metadata=None, expected_output=None, metrics={}, attributes={},
        output=output(answer("yes")) if out is None else out, scores={}, labels={}, assertions={},
        task_duration=0, total_duration=0, evaluator_failures=failures or [],
    )  # fmt: skip


RAISED = EvaluatorFailure(
    name="judge",
    error_message="no key",
    error_stacktrace="",
    source=EvaluatorSpec(name="Judge", arguments=None),
)


def status(result: Any, *results: AssertionResult, until: date | None = None) -> Status:
    excuse = None if until is None else KnownFailure(reason="known", until=until)
    return status_of(result, results, known_failure=excuse, today=TODAY)


def test_a_case_whose_assertions_hold_has_passed() -> None:
    assert status(case(), HOLDS) is Status.PASSED


def test_only_an_assertion_that_must_hold_fails_a_case() -> None:
    assert status(case(), HOLDS, fails(Severity.SHOULD), fails(Severity.INFO)) is Status.PASSED
    assert status(case(), HOLDS, fails(Severity.MUST)) is Status.FAILED


def test_a_case_without_an_assertion_was_not_evaluated() -> None:
    assert status(case()) is Status.NOT_EVALUATED


def test_an_evaluator_that_was_not_asked_has_measured_nothing() -> None:
    left_out = not_asked(HumanResponseContainsTerms(("yes",), id="says yes"), "nobody knows")
    assert (left_out.name, unmeasured(left_out)) == ("says yes", "nobody knows")
    assert status(case(failures=[left_out]), HOLDS) is Status.NOT_EVALUATED
    assert status(case(failures=[left_out]), fails(Severity.MUST)) is Status.FAILED
    assert status(case(failures=[left_out, RAISED]), HOLDS) is Status.ERROR


def test_an_evaluator_that_could_not_run_is_no_pass() -> None:
    assert status(case(failures=[RAISED]), HOLDS) is Status.ERROR


@pytest.mark.parametrize("reason", ["timeout", "error", "start_failed", "deadline"])
def test_a_conversation_that_broke_is_an_error_whatever_holds(reason: str) -> None:
    assert status(case(output(reason=CompletionReason(reason))), HOLDS) is Status.ERROR


def test_a_task_that_raised_is_an_error() -> None:
    failed = ReportCaseFailure[Any, Any, Any](
        name="a",
        inputs=None,
        metadata=None,
        expected_output=None,
        error_message="x",
        error_stacktrace="",
    )
    assert status(failed) is Status.ERROR


def test_an_output_of_another_kind_is_judged_by_its_assertions() -> None:
    assert status(case("text"), HOLDS) is Status.PASSED


@pytest.mark.parametrize(
    ("until", "expected"),
    [
        (date(2031, 5, 1), Status.KNOWN_FAILURE),
        (date(2031, 4, 30), Status.FAILED),
        (None, Status.FAILED),
    ],
)
def test_a_known_failure_is_excused_until_its_last_day(
    until: date | None, expected: Status
) -> None:
    assert status(case(), fails(Severity.MUST), until=until) is expected


def test_a_known_failure_that_passes_has_passed_and_one_that_breaks_is_an_error() -> None:
    assert status(case(), HOLDS, until=TODAY) is Status.PASSED
    broken = case(CaseOutput(completion_reason=CompletionReason.TIMEOUT))
    assert status(broken, fails(Severity.MUST), until=TODAY) is Status.ERROR


P, F, K, E, N = (
    Status.PASSED,
    Status.FAILED,
    Status.KNOWN_FAILURE,
    Status.ERROR,
    Status.NOT_EVALUATED,
)


@pytest.mark.parametrize(
    ("statuses", "tolerated", "code"),
    [
        ([P, P], 0, ExitCode.OK),
        ([P, K], 0, ExitCode.OK),
        ([P, F], 0, ExitCode.FAILED),
        ([P, E], 0, ExitCode.INFRASTRUCTURE),
        ([F, E], 0, ExitCode.INFRASTRUCTURE),
        ([F, E], 0.5, ExitCode.FAILED),
        ([P, E], 0.5, ExitCode.OK),
        ([P, E, E], 0.5, ExitCode.INFRASTRUCTURE),
        ([E, E], 1, ExitCode.NOT_ENOUGH_EVIDENCE),
        ([P, N], 0, ExitCode.NOT_ENOUGH_EVIDENCE),
        ([F, N], 0, ExitCode.FAILED),
        ([], 0, ExitCode.NOT_ENOUGH_EVIDENCE),
        ([E] * 29 + [P] * 71, 0.29, ExitCode.OK),
        ([E] * 30 + [P] * 70, 0.29, ExitCode.INFRASTRUCTURE),
    ],
)
def test_the_exit_code_is_the_first_that_applies(
    statuses: list[Status], tolerated: float, code: ExitCode
) -> None:
    assert exit_code(statuses, tolerated_error_share=tolerated) is code
