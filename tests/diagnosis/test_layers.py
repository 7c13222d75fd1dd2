from typing import Any

import pytest
from pydantic_evals.evaluators import EvaluationResult, EvaluatorSpec
from pydantic_evals.reporting import ReportCase

from audition.diagnosis.layers import (
    AssertionResult,
    Diagnosis,
    assertion_results,
    diagnose,
    evaluator_of,
    in_order_of_blame,
)
from audition.evaluators.builtin import BUILTIN
from audition.evaluators.case_evaluator import CaseEvaluator, Layer, Severity
from audition.evaluators.completion import Completed
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.responses import HumanResponseContainsTerms
from audition.evaluators.routes import FollowedRoute
from audition.evaluators.tools import CalledRequiredTools, ToolCallCount
from audition.evaluators.view import EvidenceView
from audition.events import CompletionReason
from audition.output import CaseOutput
from audition.testing import answer, output, tool_use

TYPES = {one.get_serialization_name(): one for one in BUILTIN}


def case(out: Any, *evaluators: CaseEvaluator, **results: EvaluationResult[bool]) -> Any:
    """Return the case of a report in which these evaluators judged the output."""
    assertions = dict(results)
    for one in evaluators:
        found = one.examine(EvidenceView(out, one.scope))
        name = one.get_default_evaluation_name()
        assertions[name] = EvaluationResult(
            name=name, value=found.ok, reason=found.reason, source=one.as_spec()
        )
    return ReportCase[Any, Any, Any](
        name="one", inputs=None, metadata=None, expected_output=None, output=out, metrics={},
        attributes={}, scores={}, labels={}, assertions=assertions, task_duration=0,
        total_duration=0,
    )  # fmt: skip


def foreign(name: str, arguments: Any = None, *, value: bool = False) -> EvaluationResult[bool]:
    source = EvaluatorSpec(name=name, arguments=arguments)
    return EvaluationResult(name=name, value=value, reason="because", source=source)


def diagnosed(out: CaseOutput, *evaluators: CaseEvaluator) -> str:
    return str(diagnose(assertion_results(case(out, *evaluators)), out))


SEARCH = CalledRequiredTools(("search",))
EVIDENCE = ToolEvidenceContainsTerms("search", ("Mara Ilves",))
SEARCH_TWICE = ToolCallCount("search", minimum=2)
SAYS = HumanResponseContainsTerms(("Mara Ilves",))
FOUND = tool_use("@K", "search", "Mara Ilves")


@pytest.mark.parametrize(
    ("out", "told"),
    [
        (output(*FOUND, answer("Mara Ilves")), "None"),
        (output(answer("Nobody.")), "tool: not called"),
        (output(*tool_use("@K", "search", ""), answer("Nobody.")), "evidence: empty"),
        (output(*FOUND, answer("It is Mara Ilvez.")), "answer: wording"),
        (output(*FOUND, answer("I will not say.")), "answer: omitted"),
        (output(reason=CompletionReason.TIMEOUT), "run: timeout"),
        (output(reason=CompletionReason.START_FAILED), "transport: start_failed"),
    ],
)
def test_the_earliest_layer_that_lost_the_answer_is_named(out: CaseOutput, told: str) -> None:
    assert diagnosed(out, SAYS, EVIDENCE, SEARCH, Completed()) == told


def test_a_route_comes_before_a_tool_and_a_budget_after_the_answer() -> None:
    out = output(*FOUND, *FOUND, answer("Mara Ilves"))
    assert diagnosed(out, SEARCH, FollowedRoute((("a", "b"),))) == "route: no hand-off from a to b"
    budget = ToolCallCount("search", maximum=1)
    assert diagnosed(out, budget) == "budget: called too often"
    assert diagnosed(out, budget, HumanResponseContainsTerms(("Oren",))).startswith("answer")


def test_only_what_must_hold_is_to_blame() -> None:
    should = HumanResponseContainsTerms(("Oren",), severity=Severity.SHOULD)
    assert diagnosed(output(*FOUND, answer("Mara Ilves")), should) == "None"


def test_a_run_that_broke_is_to_blame_though_no_assertion_says_so() -> None:
    broken = output(*FOUND, answer("Mara Ilves"), reason=CompletionReason.ERROR)
    found = diagnose(assertion_results(case(broken, SAYS)), broken)
    assert found == Diagnosis(layer=Layer.RUN, cause="error", assertion=None)


def test_an_assertion_has_severity_layer_and_cause() -> None:
    out = output(answer("Nobody."))
    evaluator = CalledRequiredTools(("search",), severity=Severity.INFO)
    (result,) = assertion_results(case(out, evaluator))
    assert result == AssertionResult(
        name="called_required_tools(search)", ok=False, severity=Severity.INFO, layer=Layer.TOOL,
        reason="not called: search; called: no tool", cause="not called", evaluator=evaluator,
    )  # fmt: skip


def test_an_assertion_that_holds_blames_nobody() -> None:
    (result,) = assertion_results(case(output(answer("Mara Ilves")), SAYS))
    assert (result.ok, result.layer, result.cause) == (True, None, None)


@pytest.mark.parametrize(("name", "layer"), [("LLMJudge", Layer.JUDGE), ("Contains", Layer.ANSWER)])
def test_an_evaluator_of_pydantic_evals_has_a_layer_too(name: str, layer: Layer) -> None:
    (result,) = assertion_results(case(output(answer("x")), own=foreign(name)))
    assert (result.layer, result.cause, result.severity) == (layer, None, Severity.MUST)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("CalledRequiredTools", {"tools": ["search"]}),
        ("CalledRequiredTools", None),
        ("ToolCallCount", ("search",)),
        ("Completed", ("x",)),
        ("Unknown", None),
    ],
)
def test_an_evaluator_that_cannot_be_made_again_is_none(name: str, arguments: Any) -> None:
    assert evaluator_of(foreign(name, arguments), TYPES) is None
    (result,) = assertion_results(case(output(answer("x")), own=foreign(name, arguments)))
    assert (result.ok, result.reason, result.layer) == (False, "because", Layer.ANSWER)


def test_an_evaluator_is_made_again_from_a_report_that_gives_its_argument_alone() -> None:
    assert evaluator_of(foreign("CalledRequiredTools", (["search"],)), TYPES) == SEARCH


def test_without_an_output_the_layer_is_that_of_the_evaluator() -> None:
    result = foreign("CalledRequiredTools", {"required_tools": ["search"]})
    (result,) = assertion_results(case("text", own=result))
    assert (result.layer, result.cause) == (Layer.TOOL, None)
    assert diagnose([result], None) == Diagnosis(layer=Layer.TOOL, cause=None, assertion="own")


def test_blame_goes_by_severity_and_then_by_layer() -> None:
    out = output(answer("Nobody."))
    should = CalledRequiredTools(("search",), severity=Severity.SHOULD)
    found = in_order_of_blame(assertion_results(case(out, should, SAYS, SEARCH_TWICE)))
    assert [one.evaluator for one in found] == [SEARCH_TWICE, SAYS, should]


def test_a_layer_without_a_cause_is_told_alone() -> None:
    assert str(Diagnosis(layer=Layer.JUDGE, cause=None, assertion="judge")) == "judge"
