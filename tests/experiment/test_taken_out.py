"""Which evaluators are asked where secrets were taken out of an output."""

from typing import Any

import pytest
from pydantic.dataclasses import dataclass
from pydantic_evals.evaluators import Contains, Evaluator, HasMatchingSpan, LLMJudge, MaxDuration

from audition.evaluators.arguments import ToolArgumentsContainNoTerms, ToolArgumentsMatch
from audition.evaluators.builtin import BUILTIN
from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    Reads,
)
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.order import NeverHappened
from audition.evaluators.patterns import ToolPattern
from audition.evaluators.responses import (
    HumanResponseContainsAnyTerm,
    HumanResponseContainsNoTerms,
    HumanResponseContainsTerms,
)
from audition.evaluators.similarity import AnswerIsSimilar
from audition.evaluators.tools import CalledRequiredTools, ToolCallsSucceeded
from audition.evaluators.view import EvidenceView
from audition.experiment.taken_out import WHY, TakenOut
from audition.matching.terms import WordTerm
from audition.output import CaseOutput
from audition.testing import answer, output, tool_use
from audition.tool_rules import ToolRule
from tests.stored_runs import tree

SAID = output(
    *tool_use("@K", "search", {"found": 1}, arguments={"q": "Alba"}),
    answer("Alba is at berth 4; the password is glued[redacted:password]."),
)
CALLED = output(
    *tool_use("@K", "search", "Bearer [redacted:token]", arguments={"api_key": "[redacted:key]"}),
    answer("Alba is at berth 4."),
)
CLEAN = output(answer("The password is not known."))


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class Own(CaseEvaluator):
    layer = Layer.ANSWER

    def examine(self, view: EvidenceView) -> Finding:
        return Finding(True, "fine")


def is_asked(evaluator: Evaluator[Any, Any, Any], told: CaseOutput) -> bool:
    return TakenOut(told, None).why_not(evaluator) is None


@pytest.mark.parametrize(
    ("evaluator", "asked"),
    [
        (HumanResponseContainsNoTerms(("hunter2",)), False),
        (HumanResponseContainsNoTerms(("berth 4",)), True),  # it was said, whatever else was
        (HumanResponseContainsTerms(("berth 4",)), True),
        (HumanResponseContainsTerms(("hunter2",)), False),
        (HumanResponseContainsTerms(("redacted",)), False),  # of the placeholder
        (HumanResponseContainsTerms((WordTerm(word="glued"),)), False),  # to what is not there
        (HumanResponseContainsAnyTerm(("nobody", "Alba")), True),
        (AnswerIsSimilar(("Alba is at berth 4.",)), False),
        (ToolArgumentsContainNoTerms(("hunter2",)), True),  # its arguments hold no placeholder
        (ToolEvidenceContainsTerms("search", ("found",)), True),
        (CalledRequiredTools(("search",)), True),
        (NeverHappened(ToolPattern(tool="search")), False),
        (ToolCallsSucceeded(), True),
        (MaxDuration(1.0), True),
        (Contains("hunter2"), False),
        (HasMatchingSpan({"name_equals": "x"}), False),
        (LLMJudge("says no password"), False),
        (Own(), False),
    ],
)
def test_what_an_answer_with_a_placeholder_leaves_to_say(
    evaluator: Evaluator[Any, Any, Any], asked: object
) -> None:
    assert is_asked(evaluator, SAID) is asked
    assert is_asked(evaluator, CLEAN)


@pytest.mark.parametrize(
    ("evaluator", "asked"),
    [
        (HumanResponseContainsNoTerms(("hunter2",)), True),
        (ToolArgumentsContainNoTerms(("hunter2",)), False),
        (ToolArgumentsContainNoTerms(("api_key",)), True),  # the name is still there
        (ToolArgumentsMatch("search", {"api_key": "K-12"}), False),
        (ToolEvidenceContainsTerms("search", ("Bearer",)), True),
        (ToolEvidenceContainsTerms("search", ("token",)), False),
        (CalledRequiredTools(("search",)), True),
        (ToolCallsSucceeded(), True),
    ],
)
def test_what_a_call_with_a_placeholder_leaves_to_say(
    evaluator: Evaluator[Any, Any, Any], asked: object
) -> None:
    assert is_asked(evaluator, CALLED) is asked


def test_how_tools_ended_is_not_known_where_a_rule_reads_what_lost_a_secret() -> None:
    rule = ToolRule(tool_name="search", contains="denied")
    judged = CALLED.model_copy(update={"tool_rules": (rule,)})
    assert TakenOut(judged, None).why_not(ToolCallsSucceeded()) == WHY
    assert is_asked(ToolCallsSucceeded(), SAID.model_copy(update={"tool_rules": (rule,)}))


def test_a_placeholder_in_spans_counts_for_those_who_look_at_them() -> None:
    spans = tree("look", api_key="[redacted:key]")
    assert TakenOut(CLEAN, spans).why_not(HasMatchingSpan({"name_equals": "look"})) == WHY
    assert TakenOut(CLEAN, tree("look")).why_not(HasMatchingSpan({"name_equals": "look"})) is None


def test_what_compares_no_text_says_so() -> None:
    assert {one.__name__ for one in BUILTIN if one.reads is Reads.ANYTHING} == {
        "NoErrors",
        "HappenedBefore",
        "EventuallyHappened",
        "NeverHappened",
        "HappenedConcurrently",
        "MatchedTrajectory",
    }
