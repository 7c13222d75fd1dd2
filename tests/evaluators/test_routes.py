import pytest
from pydantic import TypeAdapter, ValidationError

from audition.collector import collect
from audition.evaluators.case_evaluator import Finding
from audition.evaluators.routes import Arrow, DidNotInvolveAgents, FollowedRoute
from audition.evaluators.view import EvidenceView, Scope
from audition.events import (
    CompletionReason,
    Event,
    MessageSent,
    ModelResponded,
    TurnFinished,
    TurnStarted,
)
from audition.output import CaseOutput
from audition.testing import answer, message, output, question, tool_call

TIMEOUT = CompletionReason.TIMEOUT

OUT = output(
    question("Who?"),
    message("@Manager", "@Knowledge", "Who?"),
    message("@Knowledge", "@Knowledge", "note"),
    message("@Knowledge", "@Manager", "Mara"),
    answer("Mara"),
)


def examine(*legs: str, out: CaseOutput = OUT) -> Finding:
    route = [tuple(leg.split(">")) for leg in legs]
    return FollowedRoute(route).examine(EvidenceView(out))  # pyright: ignore[reportArgumentType]  # as a file has it


def test_a_route_is_followed_though_other_messages_lie_between() -> None:
    found = examine("@Human>@Manager", "@Manager>@Knowledge", "@Knowledge>@Manager")
    assert found.ok
    assert found.reason.startswith("observed @Human>@Manager, @Manager>@Knowledge")


def test_the_first_leg_that_was_not_taken_is_named() -> None:
    found = examine("@Human>@Manager", "@Manager>@WebIngest", "@Manager>@Human")
    assert found.cause == "no hand-off from @Manager to @WebIngest"
    assert found.reason.startswith("no message from @Manager to @WebIngest was seen after leg 1")
    assert "observed @Human>@Manager, @Manager>@Knowledge" in found.reason


def test_the_order_counts() -> None:
    assert not examine("@Knowledge>@Manager", "@Manager>@Knowledge").ok


def test_a_hand_off_that_was_only_promised_is_none() -> None:
    promised = output(
        message("@Human", "triage", "I was charged twice for my mooring."),
        answer("I'll hand this over to our billing desk.", "triage"),
    )
    found = examine("triage>billing", out=promised)
    assert found.reason == (
        "no message from triage to billing was seen; the last message was sent by triage; "
        "expected triage>billing; observed @Human>triage, triage>@Human"
    )


def test_where_nothing_was_said_no_route_was_taken() -> None:
    assert examine("a>b", out=output()).reason == (
        "no message from a to b was seen; expected a>b; observed no message"
    )


def test_a_long_conversation_is_cut_in_the_reason() -> None:
    out = output(*(message("a", "b", str(number)) for number in range(40)))
    assert examine("b>a", out=out).reason.endswith("a>b and 10 more")


@pytest.mark.parametrize("leg", ["@Manager", "@Manager>", "a>b>c", ["a"], ["a", ""], 5])
def test_what_is_no_leg_is_refused(leg: object) -> None:
    with pytest.raises(ValidationError):
        FollowedRoute([leg])  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("leg", ["@Human->@Desk", "@Human => @Desk"])
def test_an_arrow_of_two_signs_names_no_other_sender(leg: str) -> None:
    with pytest.raises(
        ValidationError, match='is \\["sender", "recipient"\\] or "sender>recipient"'
    ):
        FollowedRoute([leg])  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValidationError):
        TypeAdapter(Arrow).validate_python(leg)


def test_a_leg_may_be_written_as_a_text_or_as_a_pair() -> None:
    written = FollowedRoute([" a > b "])  # pyright: ignore[reportArgumentType]
    assert written == FollowedRoute((("a", "b"),))


def test_a_route_without_legs_is_refused() -> None:
    with pytest.raises(ValidationError):
        FollowedRoute(())


def involved(*events: Event, agent: str = "@WebIngest", turn: int | None = None) -> Finding:
    scope = Scope(turn=turn)
    out = output(question("Who?"), *events, answer("Mara"))
    return DidNotInvolveAgents((agent,), scope=scope).examine(EvidenceView(out, scope))


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (message("@WebIngest", "@Manager", "hi"), "had a part: @WebIngest > @Manager"),
        (message("@Manager", "@WebIngest", "hi"), "had a part: @Manager > @WebIngest"),
        (MessageSent(agent="@WebIngest", content="note", internal=True),
         "had a part: @WebIngest > everybody"),
        (tool_call("@WebIngest", "fetch"), "had a part: @WebIngest called fetch"),
        (ModelResponded(agent="@WebIngest"), "had a part: @WebIngest answered as a model"),
    ],
)  # fmt: skip
def test_whoever_had_any_part_was_involved(event: Event, told: str) -> None:
    found = involved(event)
    assert (found.ok, found.cause, found.reason) == (False, "agent involved", told)
    assert involved(event, agent="@Nobody").ok
    assert involved(event, turn=1).cause == "nothing observed"


def test_an_agent_had_no_part_only_where_something_was_observed() -> None:
    assert involved().reason == "had no part: @WebIngest"
    assert not DidNotInvolveAgents(("@WebIngest",)).examine(EvidenceView(output(reason=TIMEOUT))).ok


def test_parts_that_are_the_same_are_counted() -> None:
    found = involved(*[message("@Manager", "@WebIngest", "hi")] * 3)
    assert found.reason == "had a part: @Manager > @WebIngest x3"


def test_who_had_no_part_is_said_once() -> None:
    with pytest.raises(ValidationError, match=r"scope\.agent cannot be used here"):
        DidNotInvolveAgents(("@WebIngest",), scope=Scope(agent="@Manager"))


def test_an_agent_that_a_turn_was_sent_to_has_a_part() -> None:
    started = TurnStarted(turn=0, message="q", target="@Desk")
    made = collect([started, answer("a"), TurnFinished(turn=0, reason=CompletionReason.RESPONSE)])
    finding = DidNotInvolveAgents(agent_names=("@Desk",)).examine(EvidenceView(made))
    assert (finding.ok, finding.reason) == (False, "had a part: turn 0 went to @Desk")
