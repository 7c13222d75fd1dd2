"""Runs on which evaluators of order, liveness and usage once said the wrong thing."""

from dataclasses import replace

import pytest

from audition.collector import collect
from audition.evaluators.arguments import ToolArgumentsContainNoTerms
from audition.evaluators.case_evaluator import CaseEvaluator, Finding
from audition.evaluators.liveness import (
    AnsweredEveryRequest,
    DidNotPingPong,
    HandledEveryMessage,
    SentNoOrphanMessages,
    SettledRequestsBeforeAnswer,
)
from audition.evaluators.order import NeverHappened
from audition.evaluators.patterns import MessagePattern, ToolPattern
from audition.evaluators.usage import UsageWithin
from audition.evaluators.view import EvidenceView, Scope
from audition.events import Event, MessageHandled, MessageType, ModelResponded
from audition.output import CaseOutput, RuntimeCapabilities
from audition.testing import (
    answer,
    caused,
    message,
    named,
    output,
    question,
    tool_call,
    tool_result,
    turn,
)

ASKED = named("q", question("?", "@A"))
ANSWERED = caused("q", answer("x", "@A"))
USED = ModelResponded(agent="@A", model_name="m", input_tokens=5, output_tokens=1)


def examine(evaluator: CaseEvaluator, out: CaseOutput) -> Finding:
    return evaluator.examine(EvidenceView(out, evaluator.scope))


def handled(agent: str, message_id: str) -> Event:
    return MessageHandled(agent=agent, message_id=message_id)


def talk(
    rounds: int, *, all_because_of: str | None = None, copy_to: str | None = None
) -> list[Event]:
    """Return messages that @A and @B send each other, each caused by the one before."""
    events: list[Event] = []
    cause = "q"
    for number in range(rounds):
        sender, recipient = ("@A", "@B") if number % 2 == 0 else ("@B", "@A")
        sent = [named(f"m{number}", message(sender, recipient, "x"))]
        if copy_to is not None:
            sent.append(named(f"m{number}", message(sender, copy_to, "x")))
        events += caused(all_because_of or cause, *sent)
        cause = f"m{number}"
    return events


@pytest.mark.parametrize("evaluator", [DidNotPingPong(), AnsweredEveryRequest()], ids=str)
def test_a_source_that_does_not_tell_causes_blames_nobody(evaluator: CaseEvaluator) -> None:
    events = [ASKED, *talk(50, all_because_of="q"), *ANSWERED]
    untold = RuntimeCapabilities(isolated_execution=True, tool_evidence=True, causes=False)
    found = examine(evaluator, collect(turn("?", events), capabilities=untold))
    assert (found.ok, found.cause) == (False, "order unknown")


def test_who_was_sent_a_copy_is_not_who_answers() -> None:
    events = [ASKED, *talk(30, copy_to="@Log"), *caused("m29", answer("x", "@A"))]
    assert examine(DidNotPingPong(), output(*events)).cause == "ping-pong"


def test_each_answers_the_copy_that_it_was_sent() -> None:
    both = [named("r", message("@A", "@B", "x")), named("r", message("@A", "@C", "x"))]
    answers = [
        named("b", message("@B", "@A", "y", message_type=MessageType.RESPONSE)),
        named("c", message("@C", "@A", "z", message_type=MessageType.RESPONSE)),
    ]
    events = [ASKED, *caused("q", *both), *caused("r", *answers), *caused("c", answer("x", "@A"))]
    assert examine(AnsweredEveryRequest(), output(*events)).ok


def test_a_mark_of_handling_stands_for_a_message_to_its_own_agent() -> None:
    both = [named("m", message("@A", "@B", "go")), named("m", message("@A", "@C", "go"))]
    events = [ASKED, *caused("q", *both), handled("@A", "q"), handled("@B", "m")]
    assert not examine(HandledEveryMessage(), output(*events, handled("@B", "m"), *ANSWERED)).ok
    assert examine(HandledEveryMessage(), output(*events, handled("@C", "m"), *ANSWERED)).ok


def test_a_mark_of_handling_stands_for_no_message_of_a_later_turn() -> None:
    first = turn("a", [ASKED, *ANSWERED, handled("@A", "q"), handled("@A", "q")])
    second = turn("b", [ASKED, *ANSWERED], number=1)
    out = collect([*first, *second])
    assert [
        examine(HandledEveryMessage(scope=Scope(turn=number)), out).ok for number in (None, 0, 1)
    ] == [False, True, False]


def test_an_earlier_message_may_be_handled_late() -> None:
    first = turn("a", [ASKED, *ANSWERED])
    second = turn("b", [ASKED, *ANSWERED, handled("@A", "q"), handled("@A", "q")], number=1)
    assert examine(HandledEveryMessage(), collect([*first, *second])).ok


NEVER = (
    NeverHappened(event=MessagePattern(sender="@A"), after=ToolPattern(tool="nope")),
    NeverHappened(event=MessagePattern(sender="@A"), before=ToolPattern(tool="nope")),
)


@pytest.mark.parametrize("evaluator", NEVER, ids=["after", "before"])
def test_nothing_is_beside_what_never_was(evaluator: CaseEvaluator) -> None:
    out = output(ASKED, message("@A", "@B", "x"), *ANSWERED)
    found = examine(evaluator, out)
    assert found.ok, found.reason


@pytest.mark.parametrize(
    ("raw", "term"),
    [
        ('{"q": "caf\\u00e9', "café"),
        ('{"q": "say \\"secret word\\"', '"secret word"'),
        ('{"q": "\\ud83d\\ude00 x', "😀"),
        ('{"q": "one\\ntwo', "one two"),
    ],
)
def test_arguments_that_do_not_parse_hide_no_term(raw: str, term: str) -> None:
    call = replace(tool_call("@A", "t"), arguments_raw=raw, arguments=None, parse_error="cut")
    out = output(ASKED, call, *tool_result("@A", "t", "ok"), *ANSWERED)
    assert not examine(ToolArgumentsContainNoTerms(forbidden_terms=(term,)), out).ok


def test_a_turn_whose_usage_is_not_told_is_within_no_limit() -> None:
    first = turn("a", [ASKED, USED, *ANSWERED])
    out = collect([*first, *turn("b", [ASKED, *ANSWERED], number=1)])
    found = examine(UsageWithin(total_tokens=10, scope=Scope(turn=1)), out)
    assert found.cause == "usage not known"


def test_usage_of_an_unknown_turn_is_within_no_limit_of_one() -> None:
    out = output(ASKED, USED, *ANSWERED)
    used = tuple(replace(one, turn=None) for one in out.llm_usage)
    out = out.model_copy(update={"llm_usage": used})
    found = examine(UsageWithin(total_tokens=10, scope=Scope(turn=0)), out)
    assert found.cause == "not known: total_tokens"


@pytest.mark.parametrize("limit", [10, 2_000_000_000], ids=str)
@pytest.mark.parametrize("beyond", [1, 10**400], ids=["one more", "huge"])
def test_counts_are_compared_exactly(limit: int, beyond: int) -> None:
    out = output(ASKED, replace(USED, input_tokens=limit + beyond), *ANSWERED)
    assert examine(UsageWithin(input_tokens=limit), out).cause == "over the limit: input_tokens"


CIRCLES = (
    [*caused("m", named("m", message("@A", "@B", "go")))],
    [
        *caused("n", named("m", message("@A", "@B", "go"))),
        *caused("m", named("n", message("@B", "@A", "come"))),
    ],
)


@pytest.mark.parametrize("circle", CIRCLES, ids=["of one", "of two"])
@pytest.mark.parametrize("evaluator", [SentNoOrphanMessages(), AnsweredEveryRequest()], ids=str)
def test_what_caused_itself_has_no_known_cause(
    evaluator: CaseEvaluator, circle: list[Event]
) -> None:
    found = examine(evaluator, output(ASKED, *circle, *ANSWERED))
    assert (found.ok, found.cause) == (False, "order unknown")


def test_what_leads_into_a_circle_is_no_part_of_it() -> None:
    behind = caused("n", named("o", message("@B", "@C", "look")))
    found = examine(SentNoOrphanMessages(), output(ASKED, *CIRCLES[1], *behind, *ANSWERED))
    assert "the cause of 2 of 5" in found.reason


@pytest.mark.parametrize(
    "evaluator", [AnsweredEveryRequest(), SettledRequestsBeforeAnswer()], ids=str
)
def test_a_request_that_was_handed_over_needs_no_answer_of_its_own(
    evaluator: CaseEvaluator,
) -> None:
    over = [
        *caused("q", named("r", message("@A", "@B", "x"))),
        *caused("r", named("s", message("@B", "@C", "x"))),
        *caused("s", answer("done", sender="@C")),
    ]
    assert examine(evaluator, output(ASKED, *over)).ok
    beside = caused("q", named("t", message("@A", "@D", "x")))
    assert not examine(evaluator, output(ASKED, *beside, *over)).ok
