"""Completion policies are folds over events: given (turn, event), they say whether it is over."""

from collections.abc import Iterable

import pytest

from audition.completion import (
    AnswerOrProof,
    CompletionPolicy,
    MessageResponse,
    Quiescence,
    ResponseThenQuiet,
)
from audition.events import (
    AgentStarted,
    CompletionReason,
    Event,
    MessageHandled,
    MessageSent,
    MessageType,
    ToolCalled,
    ToolReturned,
)
from audition.testing import answer, question, tool_call, tool_result

RESPONSE, QUIESCENT = CompletionReason.RESPONSE, CompletionReason.QUIESCENT


def after(
    policy: CompletionPolicy, *events: Event, turn: int | None = 0
) -> CompletionReason | None:
    """Return the reason after these events of a turn."""
    for event in events:
        policy.feed(turn, event)
    return policy.reason()


def sent(message_id: str, recipient: str = "@K") -> MessageSent:
    return MessageSent(agent="@M", recipient=recipient, content="x", message_id=message_id)


def handled(message_id: str) -> MessageHandled:
    return MessageHandled(message_id=message_id)


# An answer


def test_an_answer_ends_the_turn() -> None:
    assert after(MessageResponse()) is None
    assert after(MessageResponse(), question("q")) is None
    assert after(MessageResponse(), answer("a")) == RESPONSE


@pytest.mark.parametrize(
    "kind", [MessageType.NOTIFICATION, MessageType.ACKNOWLEDGMENT, MessageType.INSTRUCTION]
)
def test_what_only_informs_does_not_end_the_turn(kind: MessageType) -> None:
    notice = MessageSent(agent="@M", recipient="@Human", content="x", message_type=kind)
    assert after(MessageResponse(), notice) is None
    assert after(MessageResponse(message_types=[kind]), notice) == RESPONSE


def test_an_empty_answer_does_not_end_the_turn() -> None:
    assert after(MessageResponse(), *(answer(" \n") for _ in range(20))) is None


def test_so_many_answers_are_waited_for() -> None:
    policy = MessageResponse(count=3)
    assert after(policy, answer("1"), answer("2")) is None
    assert policy.waiting_for() == "1 more answer(s) to @Human"
    assert after(policy, answer("3")) == RESPONSE


def test_only_the_answers_of_some_may_count() -> None:
    policy = MessageResponse(senders=["@W", "@K"])
    assert after(policy, answer("x", sender="@M")) is None
    assert policy.waiting_for() == "1 more answer(s) to @Human from @K, @W"
    assert after(policy, answer("x", sender="@K")) == RESPONSE


def test_somebody_else_may_have_to_be_answered() -> None:
    policy = MessageResponse("@Desk")
    assert after(policy, answer("a")) is None
    assert after(policy, sent("1", recipient="@Desk")) == RESPONSE


def test_an_answer_in_an_earlier_turn_does_not_count() -> None:
    policy = MessageResponse()
    policy.begin_turn(1)
    assert after(policy, answer("late"), turn=0) is None
    assert after(policy, answer("nobody's"), turn=None) is None
    assert after(policy, answer("a"), turn=1) == RESPONSE


def test_a_new_turn_forgets_the_answers_of_the_last() -> None:
    policy = MessageResponse()
    after(policy, answer("a"))
    policy.begin_turn(1)
    assert policy.reason() is None


def test_quiet_without_an_answer_is_over_too() -> None:
    policy = MessageResponse()
    policy.quiet()
    assert policy.reason() == QUIESCENT


# Quiet


def test_quiet_is_when_nothing_is_open() -> None:
    policy = Quiescence()
    assert after(policy, sent("1")) is None
    assert after(policy, handled("1")) == QUIESCENT


def test_before_anything_was_sent_it_is_not_quiet() -> None:
    policy = Quiescence()
    assert after(policy, AgentStarted(agent="@K")) is None
    assert policy.waiting_for() == "a first message"


def test_a_message_handled_before_it_was_told_to_be_sent_is_not_open() -> None:
    assert after(Quiescence(), sent("1"), handled("2"), handled("1"), sent("2")) == QUIESCENT


def test_a_tool_call_is_open_until_it_returns() -> None:
    policy = Quiescence()
    assert after(policy, tool_call("@K", "search")) is None
    assert policy.waiting_for() == "1 open: a return of search"
    assert after(policy, *tool_result("@K", "search", "x")) == QUIESCENT


def test_calls_are_told_apart_by_their_run() -> None:
    two = [ToolCalled(tool_name="s", tool_call_id="1", run_id=run) for run in ("a", "b")]
    back = ToolReturned(tool_name="s", tool_call_id="1", run_id="b")
    assert after(Quiescence(), *two, back) is None


def test_what_is_said_to_the_human_is_not_waited_for() -> None:
    assert after(Quiescence(), sent("1", recipient="@Human")) == QUIESCENT
    assert after(Quiescence(human="@Me"), sent("1", recipient="@Me")) == QUIESCENT
    assert after(Quiescence(), answer("without an id")) == QUIESCENT


def test_a_message_without_an_id_can_not_be_told_to_be_handled() -> None:
    assert after(Quiescence(), MessageSent(agent="@M", recipient="@K", content="x")) is None


def test_what_another_turn_left_open_is_not_waited_for() -> None:
    policy = Quiescence()
    after(policy, sent("1"))
    policy.begin_turn(1)
    assert after(policy, sent("2"), handled("2"), turn=1) == QUIESCENT
    assert after(policy, sent("3"), turn=0) == QUIESCENT


def test_what_is_open_is_named_but_not_at_length() -> None:
    policy = Quiescence()
    everybody = MessageSent(agent="@M", content="x", message_id="all")
    after(policy, everybody, *(sent(str(n)) for n in range(9)))
    assert policy.waiting_for() == (
        "10 open: a message to everybody, a message to @K, a message to @K, a message to @K, "
        "a message to @K"
    )


def test_the_runtime_knows_better() -> None:
    policy = Quiescence()
    after(policy, sent("1"))
    policy.quiet()
    assert policy.reason() == QUIESCENT


# Both


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ([], None),
        ([sent("1")], None),
        ([sent("1"), answer("a")], None),
        ([sent("1"), answer("a"), handled("1")], RESPONSE),
        ([sent("1"), handled("1")], QUIESCENT),
        ([answer("a")], RESPONSE),
    ],
    ids=["nothing", "open", "answered but open", "answered and quiet", "quiet", "no ids"],
)
def test_an_answer_counts_once_it_is_quiet(
    events: Iterable[Event], reason: CompletionReason | None
) -> None:
    assert after(ResponseThenQuiet(), *events) == reason


def test_both_begin_anew_with_the_turn() -> None:
    policy = ResponseThenQuiet(0.2)
    after(policy, answer("a"))
    policy.begin_turn(1)
    assert (policy.reason(), policy.settle_seconds) == (None, 0.2)
    assert policy.waiting_for() == "a first message"
    policy.quiet()
    assert policy.reason() == QUIESCENT


# A proof


def test_an_answer_ends_nothing_before_the_runtime_proves_that_it_is_quiet() -> None:
    policy = AnswerOrProof()
    assert after(policy, sent("1")) is None
    assert after(policy, answer("a")) is None
    assert policy.waiting_for() == "proof that the team is quiet; 1 open: a message to @K"
    policy.quiet()
    assert policy.reason() == RESPONSE


def test_proven_quiet_without_an_answer_is_quiet() -> None:
    policy = AnswerOrProof()
    after(policy, question("q"))
    policy.quiet()
    assert policy.reason() == QUIESCENT


def test_a_proof_holds_for_its_turn_alone() -> None:
    policy = AnswerOrProof()
    after(policy, answer("a"))
    policy.quiet()
    policy.begin_turn(1)
    assert policy.reason() is None
    policy.quiet()
    assert after(policy, answer("late"), turn=0) == QUIESCENT
