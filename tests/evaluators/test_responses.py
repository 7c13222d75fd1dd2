"""Also the cases about empty answers, negation, and terms that do not stand in the answer."""

import pytest

from audition.collector import collect
from audition.evaluators.case_evaluator import CaseEvaluator, Finding, Layer
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.responses import (
    HumanResponseContainsAnyTerm,
    HumanResponseContainsNoTerms,
    HumanResponseContainsTerms,
)
from audition.evaluators.view import EvidenceView, Scope
from audition.events import HUMAN, CompletionReason, MessageType
from audition.matching.terms import RegexTerm
from audition.output import CaseOutput
from audition.testing import answer, message, output, tool_use, turn


def examine(evaluator: CaseEvaluator, out: CaseOutput) -> Finding:
    return evaluator.examine(EvidenceView(out, evaluator.scope))


SUNDAYS = output(
    *tool_use("depot", "search_hours", "open 9-12", arguments={"day": "Sunday"}),
    answer("The depot is open on Sundays from nine to noon."),
    asked="Is the depot open on Sundays?",
)
BROKEN = output(answer("I was going to say"), reason=CompletionReason.TIMEOUT)


def test_every_term_must_be_in_the_answer() -> None:
    found = examine(HumanResponseContainsTerms(("nine", "Sundays")), SUNDAYS)
    assert found == Finding(True, 'the final answer contains "nine", "Sundays"')


def test_a_missing_term_is_named_with_its_nearest_miss_and_what_is_there() -> None:
    found = examine(HumanResponseContainsTerms(("noon", "open on Saturdays")), SUNDAYS)
    assert found.reason.startswith('the final answer lacks "open on Saturdays" (nearest, 82%: ')
    assert found.reason.endswith('; it has "noon"')
    assert (found.layer, found.cause) == (None, "wording")


def test_a_term_of_which_nothing_is_there_was_omitted() -> None:
    assert examine(HumanResponseContainsTerms(("zeppelin",)), SUNDAYS).cause == "omitted"


def test_one_accepted_term_is_enough() -> None:
    accepted = HumanResponseContainsAnyTerm(("midnight", "noon"))
    assert examine(accepted, SUNDAYS) == Finding(True, "the final answer contains 'noon'")


def test_none_of_the_accepted_terms_names_them_all() -> None:
    found = examine(HumanResponseContainsAnyTerm(("midnight", "dawn")), SUNDAYS)
    assert not found.ok
    assert found.reason.startswith('the final answer contains none of the accepted: "midnight"')
    assert '"dawn"' in found.reason


RATE_LIMITED = output(answer("RateLimitError: 429 Too Many Requests"))


def test_an_error_that_was_printed_as_an_answer_is_shown() -> None:
    assert examine(HumanResponseContainsNoTerms(("password",)), RATE_LIMITED).ok
    for evaluator in (
        HumanResponseContainsTerms(("Berth 7",)),
        HumanResponseContainsAnyTerm((RegexTerm(regex="Berth [0-9]"),)),
    ):
        found = examine(evaluator, RATE_LIMITED)
        assert (found.ok, "429 too many requests" in found.reason.casefold()) == (False, True)


@pytest.mark.parametrize("reason", [CompletionReason.RESPONSE, CompletionReason.QUIESCENT])
def test_silence_satisfies_nothing(reason: CompletionReason) -> None:
    silent = output(*tool_use("hall", "search_rules", "Only staff."), reason=reason)
    evaluators = (
        HumanResponseContainsTerms(("QX-118",)),
        HumanResponseContainsAnyTerm(("QX-118",)),
        HumanResponseContainsNoTerms(("password", "secret")),
    )
    for evaluator in evaluators:
        found = examine(evaluator, silent)
        assert not found.ok
        assert "the final answer is empty" in found.reason


def test_the_answer_is_the_last_text_of_the_turn_though_a_tool_call_follows() -> None:
    out = output(
        answer("Hall C is booked under QX-118."), *tool_use("hall", "log_booking", "logged")
    )
    assert examine(HumanResponseContainsTerms(("QX-118",)), out).ok


@pytest.mark.parametrize("term", ["open on Sundays", "ocean", {"word": "noon"}, {"number": 9}])
def test_the_negative_form_is_the_opposite_on_a_completed_turn(term: object) -> None:
    positive = examine(HumanResponseContainsTerms((term,)), SUNDAYS)  # pyright: ignore[reportArgumentType]  # as a file has it
    negative = examine(HumanResponseContainsNoTerms((term,)), SUNDAYS)  # pyright: ignore[reportArgumentType]
    assert positive.ok is not negative.ok


def test_of_forbidden_terms_only_those_that_were_said_are_named() -> None:
    found = examine(HumanResponseContainsNoTerms(("Sundays", "ocean")), SUNDAYS)
    assert (found.ok, found.cause) == (False, "forbidden")
    assert '"Sundays"' in found.reason
    assert "ocean" not in found.reason


def test_a_forbidden_term_is_named_though_the_turn_broke() -> None:
    found = examine(HumanResponseContainsNoTerms(("going",)), BROKEN)
    assert found.reason.startswith('the human was told "going" in')


def test_absence_in_a_broken_turn_proves_nothing() -> None:
    found = examine(HumanResponseContainsNoTerms(("ocean",)), BROKEN)
    assert (found.ok, found.layer, found.cause) == (False, Layer.RUN, "nothing observed")
    assert "nothing was observed: turn 0 ended with timeout" in found.reason


def test_a_forbidden_term_counts_in_every_response_of_the_turn() -> None:
    out = output(answer("The password is x."), answer("Never mind."))
    assert not examine(HumanResponseContainsNoTerms(("password",)), out).ok


GATES = collect(
    [
        *turn(
            "Please confirm: is it Gannet Pier, gate 12?",
            [
                answer("You asked about Gannet Pier, gate 12. Let me check.", "desk"),
                *tool_use("desk", "find_gate", "gate 21", arguments={"pier": "Gannet Pier"}),
                answer("It is gate 21.", "desk"),
            ],
        ),
        *turn("Repeat the pier for me.", [answer("I would rather not guess.", "desk")], number=1),
    ]
)


@pytest.mark.parametrize(
    "evaluator",
    [
        HumanResponseContainsTerms(("gate 12",), scope=Scope(turn=0)),
        HumanResponseContainsTerms(("Gannet Pier",), scope=Scope(turn=1)),
        ToolEvidenceContainsTerms("find_gate", ("Gannet Pier",)),
    ],
)
def test_a_term_of_the_question_or_an_earlier_turn_is_not_found(evaluator: CaseEvaluator) -> None:
    assert not examine(evaluator, GATES).ok


def test_the_answer_of_a_turn_is_named_in_the_reason() -> None:
    found = examine(HumanResponseContainsTerms(("gate 12",), scope=Scope(turn=0)), GATES)
    assert found.reason.startswith('the answer of turn 0 lacks "gate 12"')


def test_a_notice_and_a_late_word_are_told_too() -> None:
    notice = message("@K", HUMAN, "SECRET 1", message_type=MessageType.NOTIFICATION)
    made = collect([*turn("q", [notice, answer("a")]), answer("SECRET 2")])
    finding = HumanResponseContainsNoTerms(forbidden_terms=("SECRET 1", "SECRET 2"))
    told = finding.examine(EvidenceView(made)).reason
    assert "SECRET 1" in told
    assert "SECRET 2" in told
