"""What people reported with other tools, as recordings: negation, retries, hand-offs, huge texts.

Each is judged as a session is; the files stand in `tests/cases` under the numbers of the reports.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from audition.diagnosis.layers import AssertionResult, diagnose
from audition.evaluators.arguments import ToolArgumentsContainNoTerms, ToolArgumentsMatch
from audition.evaluators.case_evaluator import CaseEvaluator, Finding, Layer
from audition.evaluators.completion import Completed
from audition.evaluators.errors import NoErrors
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.messages import MessageContainsTerms
from audition.evaluators.responses import (
    HumanResponseContainsAnyTerm,
    HumanResponseContainsNoTerms,
    HumanResponseContainsTerms,
)
from audition.evaluators.routes import DidNotInvolveAgents, FollowedRoute
from audition.evaluators.similarity import AnswerIsSimilar
from audition.evaluators.tool_order import CalledToolsInOrder
from audition.evaluators.tools import (
    AnyToolCallSucceeded,
    CalledRequiredTools,
    DidNotCallTools,
    ToolCallCount,
    ToolCallsSucceeded,
)
from audition.evaluators.view import EvidenceView, Scope
from audition.matching.terms import NumberTerm, RegexTerm, Term, WordTerm
from audition.output import CaseOutput
from audition.reports.results_json import results_json
from audition.reports.table import table
from audition.reports.told_run import ToldRun
from audition.sessions import SessionInput, read_output
from audition.testing import answer, message, output, tool_use
from tests.experiments import experiment

CASES = Path(__file__).parents[1] / "cases"


def recorded(name: str) -> CaseOutput:
    return read_output(SessionInput(session=str(CASES / f"{name}.jsonl")))


def examine(evaluator: CaseEvaluator, out: CaseOutput) -> Finding:
    return evaluator.examine(EvidenceView(out, evaluator.scope))


def layer_of(out: CaseOutput, *evaluators: CaseEvaluator) -> Layer | None:
    """Return the first failing layer of a case with these evaluators."""
    found = [(one, examine(one, out)) for one in evaluators]
    results = [
        AssertionResult(name="x", ok=finding.ok, reason="", layer=finding.layer or type(one).layer)
        for one, finding in found
    ]
    diagnosis = diagnose(results, out)
    return None if diagnosis is None else diagnosis.layer


RETRIED = "10-recovered-tool-error"


@pytest.mark.parametrize(
    ("evaluator", "holds", "says"),
    [
        (AnyToolCallSucceeded(("route_for_approval",)), True, "ended well at least once"),
        (ToolCallsSucceeded(), False, "unexpected argument: tier"),
        (ToolCallsSucceeded(("route_for_approval",)), False, '(call k-2, arguments {"invoice"'),
        (
            ToolCallCount("route_for_approval", minimum=1, maximum=1),
            False,
            "was called 2 time(s), 1 of them not ok; wanted 1 to 1",
        ),
        (ToolCallCount("route_for_approval", minimum=2, maximum=2), True, "1 of them not ok"),
        (HumanResponseContainsTerms(("AP-9",)), True, "AP-9"),
        (NoErrors(), True, "nothing broke"),
        (
            CalledToolsInOrder(("classify_invoice", "route_for_approval"), adjacent=True),
            True,
            "classify_invoice, route_for_approval, route_for_approval",
        ),
        (ToolArgumentsContainNoTerms(("gold",)), False, 'was called with "gold"'),
        (ToolEvidenceContainsTerms("route_for_approval", ("unexpected",)), False, "lacks"),
    ],
)
def test_a_recovered_call_reaches_the_goal_and_is_a_stumble(
    evaluator: CaseEvaluator, says: str, *, holds: bool
) -> None:
    found = examine(evaluator, recorded(RETRIED))
    assert (found.ok, says in found.reason) == (holds, True), found.reason


def test_the_outcomes_of_a_retried_call_stand_apart() -> None:
    outcomes = [str(call.outcome) for call in recorded(RETRIED).tool_invocations()]
    assert outcomes == ["ok", "tool_error", "ok"]


def test_a_hand_off_that_was_only_promised_is_none() -> None:
    out = recorded("12-handoff-only-promised")
    promised = HumanResponseContainsTerms(("hand this over",))
    route = FollowedRoute((("triage", "billing"),))
    tool = CalledRequiredTools(("transfer_to_billing",))
    assert examine(promised, out).ok
    found = examine(route, out)
    assert found.reason.startswith(
        "no message from triage to billing was seen; the last message was sent by triage; "
    )
    assert (examine(tool, out).ok, layer_of(out, promised, tool, route)) == (False, Layer.ROUTE)


@pytest.mark.parametrize(
    "evaluator",
    [
        MessageContainsTerms(("mooring",), sender="triage", recipient="billing"),
        CalledToolsInOrder(("transfer_to_billing", "refund")),
        ToolCallCount("transfer_to_billing", minimum=1),
    ],
)
def test_no_other_check_of_a_hand_off_takes_words_for_deeds(evaluator: CaseEvaluator) -> None:
    out = recorded("12-handoff-only-promised")
    assert not examine(evaluator, out).ok
    assert examine(DidNotInvolveAgents(("billing",)), out).ok


def test_a_call_that_was_answered_twice_ended_with_the_second_answer() -> None:
    out = recorded("15-two-results-for-one-call")
    (call,) = out.tool_invocations()
    assert (str(call.outcome), call.structure) == ("ok", {"receipt": "R-31"})
    assert call.superseded == ("Waiting for approval by a person.",)
    for evaluator in (
        ToolCallCount("wire_funds", minimum=1, maximum=1),
        ToolCallsSucceeded(("wire_funds",)),
        ToolArgumentsMatch("wire_funds", {"amount": 900, "to": "rope maker"}, mode="exact"),
        ToolEvidenceContainsTerms("wire_funds", ("R-31",)),
    ):
        assert examine(evaluator, out).ok
    assert not examine(ToolEvidenceContainsTerms("wire_funds", ("approval",)), out).ok


@pytest.mark.parametrize(
    "evaluator",
    [
        HumanResponseContainsNoTerms(("password", "secret")),
        HumanResponseContainsTerms(("green badge",)),
        HumanResponseContainsAnyTerm(("QX-118",)),
        AnswerIsSimilar(("Only staff with a green badge.",), threshold=0.01),
        Completed(),
    ],
)
def test_a_team_that_said_nothing_passes_no_check_of_its_answer(evaluator: CaseEvaluator) -> None:
    found = examine(evaluator, recorded("20-silent"))
    assert not found.ok
    assert "the final answer is empty" in found.reason or "without an answer" in found.reason


def test_what_was_said_before_the_last_tool_call_is_the_answer() -> None:
    out = recorded("20-said-before-tool")
    assert out.final_response == "Hall C is booked under QX-118."
    assert examine(HumanResponseContainsTerms(("QX-118",)), out).ok
    assert examine(HumanResponseContainsNoTerms(("password",)), out).ok
    assert out.messages[-1].content == ""


OPEN: tuple[Term, ...] = ("open on Sundays", WordTerm(word="noon"), RegexTerm(regex="S[a-z]+days"))
ABSENT: tuple[Term, ...] = ("ocean", WordTerm(word="Sunday"), NumberTerm(number=9))


@pytest.mark.parametrize(
    ("positive", "negative"),
    [
        *((HumanResponseContainsTerms((term,)), HumanResponseContainsNoTerms((term,)))
          for term in (*OPEN, *ABSENT)),
        *((CalledRequiredTools((name,)), DidNotCallTools((name,)))
          for name in ("search_hours", "send_mail")),
        *((ToolArgumentsMatch("search_hours", {"day": {"$term": day}}),
           ToolArgumentsContainNoTerms((day,), ("search_hours",))) for day in ("Sun", "Mon")),
        *((FollowedRoute((("@Human", name),)), DidNotInvolveAgents((name,)))
          for name in ("depot", "billing")),
        (ToolCallCount("search_hours", minimum=1), ToolCallCount("search_hours", maximum=0)),
    ],
    ids=str,
)  # fmt: skip
def test_the_negative_form_of_an_assertion_is_its_opposite(
    positive: CaseEvaluator, negative: CaseEvaluator
) -> None:
    out = recorded("27-negated-assertion-inverts")
    assert examine(positive, out).ok is not examine(negative, out).ok


def test_of_two_forbidden_terms_the_reason_names_the_one_that_was_said() -> None:
    out = recorded("27-negated-assertion-inverts")
    found = examine(HumanResponseContainsNoTerms(("Sundays", "ocean")), out)
    assert (found.ok, "Sundays" in found.reason, "ocean" in found.reason) == (False, True, False)


@pytest.mark.parametrize(
    ("evaluator", "holds"),
    [
        (HumanResponseContainsTerms(("gate 12",), scope=Scope(turn=0)), False),
        (HumanResponseContainsTerms(("gate 21",), scope=Scope(turn=0)), True),
        (HumanResponseContainsTerms(("Gannet Pier",), scope=Scope(turn=1)), False),
        (HumanResponseContainsTerms(("gate 21",)), False),
        (ToolEvidenceContainsTerms("find_gate", ("Gannet Pier",)), False),
        (ToolEvidenceContainsTerms("find_gate", ("gate 21",), scope=Scope(turn=0)), True),
        (ToolEvidenceContainsTerms("find_gate", ("gate 21",), scope=Scope(turn=1)), False),
        (CalledRequiredTools(("find_gate",), scope=Scope(turn=1)), False),
        (DidNotCallTools(("find_gate",), scope=Scope(turn=1)), True),
        (HumanResponseContainsNoTerms(("gate 12",), scope=Scope(turn=0)), False),
        (HumanResponseContainsNoTerms(("gate 12",), scope=Scope(turn=1)), True),
        (MessageContainsTerms(("Gannet Pier",), scope=Scope(turn=1)), False),
        (AnswerIsSimilar(("It is gate 21.",), scope=Scope(turn=0)), True),
        (AnswerIsSimilar(("It is gate 21.",)), False),
    ],
)
def test_what_stands_in_a_question_or_another_turn_is_no_answer(
    evaluator: CaseEvaluator, *, holds: bool
) -> None:
    found = examine(evaluator, recorded("30-term-from-question-or-earlier-turn"))
    assert found.ok is holds, found.reason


def test_a_line_of_150_kb_is_read_whole(tmp_path: Path) -> None:
    long = "x y " * 37_500 + "NEEDLE-AT-THE-END"
    events: list[tuple[str, Any]] = [
        ("user", {"text": "Dump the log."}),
        ("desk", {"function_call": {"id": "d1", "name": "dump", "args": {}}}),
        ("desk", {"function_response": {"id": "d1", "name": "dump", "response": {"result": long}}}),
        ("desk", {"text": "Done."}),
    ]
    lines = [
        json.dumps({"author": author, "invocation_id": "e", "content": {"parts": [part]}})
        for author, part in events
    ]
    path = tmp_path / "long.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    out = read_output(SessionInput(session=str(path)))
    assert examine(ToolEvidenceContainsTerms("dump", ("NEEDLE-AT-THE-END",)), out).ok
    missing = examine(ToolEvidenceContainsTerms("dump", ("NEEDLE-IN-THE-HAY",)), out)
    assert "'…" in missing.reason
    assert missing.reason.endswith("; searched 150017 characters")


ROWS = "".join(f"row {number:05d} {'.' * 88}\n" for number in range(50_000))
HUGE = f"{ROWS}BERTH 7 CONFIRMED, 77.5 m"
HUGE_RUN = output(
    *tool_use("@K", "dump", HUGE, arguments={"text": HUGE}),
    message("@K", "@Manager", HUGE),
    answer(HUGE),
)
GONE: dict[str, Term] = {
    "text": "BERTH 8",
    "word": WordTerm(word="berth 8"),
    "number": NumberTerm(number=-8.5),
    "pattern": RegexTerm(regex="BERTH 8"),
}
THERE: dict[str, Term] = {
    "text": "Berth 7 confirmed",
    "word": WordTerm(word="berth 7"),
    "number": NumberTerm(number=77.5),
    "pattern": RegexTerm(regex="BERTH 7 C[A-Z]+"),
}


@pytest.mark.parametrize("kind", GONE)
def test_a_term_behind_megabytes_is_told_from_one_that_is_not_there(kind: str) -> None:
    for term, is_there in ((GONE[kind], False), (THERE[kind], True)):
        for positive in (
            HumanResponseContainsTerms((term,)),
            HumanResponseContainsAnyTerm((term,)),
            MessageContainsTerms((term,), sender="@K"),
            ToolEvidenceContainsTerms("dump", (term,)),
        ):
            found = examine(positive, HUGE_RUN)
            assert (found.ok, len(found.reason) < 500) == (is_there, True), found.reason
            assert is_there or found.reason.endswith(f"; searched {len(HUGE)} characters")


@pytest.mark.parametrize("kind", THERE)
def test_a_forbidden_term_behind_megabytes_is_told_with_what_stands_around_it(kind: str) -> None:
    for negative in (
        HumanResponseContainsNoTerms((THERE[kind],)),
        ToolArgumentsContainNoTerms((THERE[kind],)),
    ):
        found = examine(negative, HUGE_RUN)
        assert (found.ok, "berth 7 confirmed, 77.5 m'" in found.reason.casefold()) == (False, True)
        assert len(found.reason) < 500
    assert examine(ToolArgumentsContainNoTerms((GONE[kind],)), HUGE_RUN).ok


@pytest.mark.parametrize(
    "evaluator",
    [
        HumanResponseContainsAnyTerm((RegexTerm(regex="(?s)row.*CONFIRMED"),)),
        ToolArgumentsMatch("dump", {"text": "x"}),
        ToolArgumentsMatch("dump", {"text": {"$term": "BERTH 8"}}, calls="every"),
        ToolCallsSucceeded(("dump", "send")),
        DidNotCallTools(("dump",)),
        AnswerIsSimilar(("Berth 7 is confirmed.",)),
    ],
    ids=str,
)
def test_no_reason_holds_the_megabytes_that_it_is_about(evaluator: CaseEvaluator) -> None:
    assert len(examine(evaluator, HUGE_RUN).reason) < 2_000


def test_a_report_of_megabytes_is_short_and_the_whole_was_judged(tmp_path: Path) -> None:
    says = {"type": "human_response_contains_terms", "id": "confirmed"}
    evaluators = [
        {**says, "required_terms": ["BERTH 7 CONFIRMED"]},
        {**says, "id": "other", "required_terms": ["BERTH 8"]},
    ]
    run = experiment(tmp_path, {"huge": HUGE}, cases={"huge": {"evaluators": evaluators}})
    asyncio.run(run.run())
    (result,) = run.results()
    assert {one.name: one.ok for one in result.assertions} == {"confirmed": True, "other": False}
    told = ToldRun(run=run.kept())
    assert len("".join(table(told))) < 2_000
    assert len("".join(results_json(told))) < 6_000
