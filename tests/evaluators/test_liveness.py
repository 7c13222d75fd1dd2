"""Requests that stay open, orphans, ping-pong, answers that come too early, teams not quiet."""

from collections.abc import Sequence

import pytest

from audition.collector import collect
from audition.evaluators.case_evaluator import CaseEvaluator, Finding, Layer
from audition.evaluators.liveness import (
    AnsweredEveryRequest,
    DidNotPingPong,
    HandledEveryMessage,
    SentNoOrphanMessages,
    SettledRequestsBeforeAnswer,
)
from audition.evaluators.view import EvidenceView, Scope
from audition.events import Event, MessageHandled, MessageSent, MessageType
from audition.output import CaseOutput, RuntimeCapabilities
from audition.testing import answer, caused, message, named, output, question, tool_use, turn

NOTIFICATION, RESPONSE = MessageType.NOTIFICATION, MessageType.RESPONSE
ALL: tuple[type[CaseEvaluator], ...] = (
    AnsweredEveryRequest,
    SentNoOrphanMessages,
    DidNotPingPong,
    SettledRequestsBeforeAnswer,
    HandledEveryMessage,
)
ASKED = named("1", question("q"))
ANSWERED = caused("1", answer("a"))


def request(cause: str, name: str, sender: str, recipient: str) -> list[Event]:
    return caused(cause, named(name, message(sender, recipient, f"request {name}")))


def response(
    cause: str, name: str, sender: str, recipient: str, kind: MessageType = RESPONSE
) -> list[Event]:
    told = message(sender, recipient, f"response {name}", message_type=kind)
    return caused(cause, named(name, told))


def find(evaluator: CaseEvaluator, *events: Event) -> Finding:
    return evaluator.examine(EvidenceView(output(*events), evaluator.scope))


def verdict(evaluator: CaseEvaluator, *events: Event) -> str | None:
    """Return the cause of a failure, None where the assertion holds."""
    found = find(evaluator, *events)
    return None if found.ok else found.cause or "no cause"


@pytest.mark.parametrize("evaluator_type", ALL)
def test_it_is_about_the_whole_team(evaluator_type: type[CaseEvaluator]) -> None:
    with pytest.raises(ValueError, match=r"scope\.agent cannot be used here"):
        evaluator_type(scope=Scope(agent="@K"))


@pytest.mark.parametrize("evaluator_type", ALL)
def test_what_was_looked_at_is_shown(evaluator_type: type[CaseEvaluator]) -> None:
    view = EvidenceView(output(ASKED, *request("1", "2", "@M", "@K"), *ANSWERED))
    assert evaluator_type().looked_at(view)


@pytest.mark.parametrize("evaluator_type", ALL)
def test_what_was_lost_may_be_what_is_missing(evaluator_type: type[CaseEvaluator]) -> None:
    out = output(ASKED, *ANSWERED, MessageHandled(message_id="1"))
    assert evaluator_type().examine(EvidenceView(out)).ok
    lossy = out.model_copy(update={"dropped_events": 1})
    assert evaluator_type().examine(EvidenceView(lossy)).cause == "nothing observed"


def test_which_of_them_ask_for_nothing_but_absence() -> None:
    asking = [one for one in ALL if one().asserts_absence]
    assert asking == [SentNoOrphanMessages, DidNotPingPong]


@pytest.mark.parametrize(
    ("events", "cause"),
    [
        (ANSWERED, None),
        ([], "unanswered request"),
        ([*request("1", "2", "@M", "@K"), *ANSWERED], "unanswered request"),
        ([*request("1", "2", "@M", "@K"), *response("2", "3", "@K", "@M"), *ANSWERED], None),
        (
            [
                *request("1", "2", "@M", "@K"),
                *response("2", "3", "@K", "@M", NOTIFICATION),
                *ANSWERED,
            ],
            None,
        ),
        ([*request("1", "2", "@M", "@K"), answer("stray"), *ANSWERED], "order unknown"),
    ],
    ids=["answered", "silent", "one open", "both", "by a notification", "a stray answer"],
)
def test_every_request_is_answered(events: Sequence[Event], cause: str | None) -> None:
    assert verdict(AnsweredEveryRequest(), ASKED, *events) == cause


def test_a_request_without_an_id_may_have_been_answered() -> None:
    found = find(AnsweredEveryRequest(), question("q"), answer("a"))
    assert (found.layer, found.cause) == (Layer.RUN, "order unknown")
    assert "of unknown cause: @Manager>@Human 'a'" in found.reason
    assert verdict(AnsweredEveryRequest(), question("q")) == "order unknown"


def test_without_a_request_there_is_nothing_to_say() -> None:
    assert verdict(AnsweredEveryRequest(), answer("a")) == "no request"


def test_an_unanswered_request_is_told() -> None:
    found = find(AnsweredEveryRequest(), ASKED, *request("1", "2", "@M", "@K"), *ANSWERED)
    assert found.reason == "1 of 2 request(s) unanswered: @M>@K 'request 2'"


@pytest.mark.parametrize(
    ("events", "cause"),
    [
        (ANSWERED, None),
        (caused("gone", answer("a")), "orphan message"),
        ([answer("a")], "order unknown"),
        ([], None),
    ],
    ids=["known", "unknown name", "no name", "none sent"],
)
def test_a_message_of_an_unknown_cause_is_an_orphan(
    events: Sequence[Event], cause: str | None
) -> None:
    assert verdict(SentNoOrphanMessages(), ASKED, *events) == cause


def test_an_orphan_is_told_with_the_cause_it_names() -> None:
    found = find(SentNoOrphanMessages(), ASKED, *caused("gone", answer("a")))
    told = "1 of 2 message(s) name a cause that is not there (gone): @Manager>@Human 'a'"
    assert found.reason == told


def rally(count: int, *done: tuple[int, Event]) -> list[Event]:
    """Return messages between two agents, each because of the one before, and what else is done.

    Args:
        count: How many.
        done: After how many messages what happens in the handling of the last.

    """
    agents = ("@M", "@K")
    events: list[Event] = []
    for number in range(1, count + 1):
        sender, recipient = agents[number % 2], agents[(number + 1) % 2]
        events += request(str(number), str(number + 1), sender, recipient)
        events += [
            one for at, event in done if at == number for one in caused(str(number + 1), event)
        ]
    return events


def test_messages_back_and_forth_are_counted_by_cause() -> None:
    assert verdict(DidNotPingPong(max_messages=4), ASKED, *rally(4)) is None
    found = find(DidNotPingPong(max_messages=4), ASKED, *rally(5))
    assert found.cause == "ping-pong"
    assert found.reason.startswith("5 messages back and forth without a tool call or an answer")


def test_work_on_the_way_makes_it_no_ping_pong() -> None:
    call, *_ = tool_use("@M", "search", "x")
    assert verdict(DidNotPingPong(max_messages=3), ASKED, *rally(5, (2, call))) == "ping-pong"
    assert verdict(DidNotPingPong(max_messages=4), ASKED, *rally(5, (3, call))) is None
    said = answer("on it", sender="@M")
    assert verdict(DidNotPingPong(max_messages=4), ASKED, *rally(5, (3, said))) is None


def test_many_messages_that_do_not_follow_from_each_other_are_no_ping_pong() -> None:
    fan = [event for number in range(9) for event in request("1", f"r{number}", "@M", "@K")]
    assert verdict(DidNotPingPong(max_messages=2), ASKED, *fan) is None


def test_many_messages_of_unknown_causes_may_be_ping_pong() -> None:
    untold = [message("@M", "@K", "x"), message("@K", "@M", "y")]
    assert verdict(DidNotPingPong(max_messages=1), ASKED, *untold) == "order unknown"
    assert verdict(DidNotPingPong(max_messages=2), ASKED, *untold) is None


@pytest.mark.parametrize(
    ("events", "cause"),
    [
        (ANSWERED, None),
        ([], "no answer"),
        ([*request("1", "2", "@Manager", "@K"), *ANSWERED], "answered too early"),
        (
            [
                *request("1", "2", "@Manager", "@K"),
                *ANSWERED,
                *response("2", "3", "@K", "@Manager"),
            ],
            "answered too early",
        ),
        (
            [
                *request("1", "2", "@Manager", "@K"),
                *response("2", "3", "@K", "@Manager"),
                *caused("3", answer("a")),
            ],
            None,
        ),
        (
            [*ANSWERED, *caused("1", message("@Manager", "@K", "file it"))],
            None,
        ),
        ([*request("1", "2", "@Manager", "@K"), answer("a")], "order unknown"),
    ],
    ids=["none asked", "silent", "open", "later", "waited", "asked afterwards", "unknown"],
)
def test_no_request_is_open_at_the_answer(events: Sequence[Event], cause: str | None) -> None:
    assert verdict(SettledRequestsBeforeAnswer(), ASKED, *events) == cause


def both_asked(*more: Event) -> list[Event]:
    """Return a question that needs two agents, and what they say to that."""
    return [
        ASKED,
        *request("1", "2", "@Manager", "@K"),
        *request("1", "3", "@Manager", "@L"),
        *response("2", "4", "@K", "@Manager"),
        *response("3", "5", "@L", "@Manager"),
        *more,
    ]


def test_a_response_that_was_handled_before_is_settled() -> None:
    handled = MessageHandled(agent="@Manager", message_id="4")
    last = caused("5", answer("a"))
    assert verdict(SettledRequestsBeforeAnswer(), *both_asked(handled, *last)) is None
    found = find(SettledRequestsBeforeAnswer(), *both_asked(*last, handled))
    assert found.cause == "answered too early"
    assert "did not wait for: @K>@Manager 'response 4'" in found.reason


def test_a_response_to_an_answer_came_after_it() -> None:
    told = [
        *request("1", "2", "@Manager", "@K"),
        *caused("2", named("a", answer("which?", sender="@K"))),
        *request("a", "3", "@Human", "@K"),
        *response("3", "4", "@K", "@Manager"),
    ]
    found = find(SettledRequestsBeforeAnswer(), ASKED, *told)
    assert "got its response after it" in found.reason


def test_each_turn_has_its_own_answer() -> None:
    early = [*request("1", "2", "@Manager", "@K"), *ANSWERED, *response("2", "3", "@K", "@Manager")]
    turns = [
        *turn("q", [ASKED, *early]),
        *turn("p", [named("p", question("p")), *caused("p", answer("b"))], number=1),
    ]
    out = collect(turns, capabilities=RuntimeCapabilities(causes=True))
    evaluators = [SettledRequestsBeforeAnswer(scope=Scope(turn=number)) for number in (0, 1)]
    assert [one.examine(EvidenceView(out, one.scope)).ok for one in evaluators] == [False, True]


@pytest.mark.parametrize(
    ("events", "cause"),
    [
        ([MessageHandled(message_id="1")], None),
        ([MessageHandled(message_id="2")], "not quiet"),
        ([], "order unknown"),
        ([*request("1", "2", "@M", "@K"), MessageHandled(message_id="1")], "not quiet"),
    ],
    ids=["handled", "another", "never told", "one left"],
)
def test_every_message_is_handled(events: Sequence[Event], cause: str | None) -> None:
    assert verdict(HandledEveryMessage(), ASKED, *events) == cause


def test_a_message_without_an_id_is_not_known_to_be_handled() -> None:
    events = [question("q"), MessageHandled(message_id="1")]
    assert verdict(HandledEveryMessage(), *events) == "not quiet"
    everybody = MessageSent(agent="@M", content="to everybody")
    assert verdict(HandledEveryMessage(), everybody) == "no message"


def test_a_mark_of_one_turn_settles_no_message_of_another() -> None:
    handled = MessageHandled(message_id="1")
    first, second = turn("q", [ASKED, handled]), turn("q", [ASKED], number=1)
    out: CaseOutput = collect([*first, *second])
    found = HandledEveryMessage(scope=Scope(turn=1)).examine(EvidenceView(out, Scope(turn=1)))
    assert found.cause == "not quiet"
    assert HandledEveryMessage().examine(EvidenceView(out)).cause == "not quiet"
