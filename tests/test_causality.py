"""What came before what, by cause; never by the clock, and never by where it stands in the file."""

import time
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.causality import Happening, Order
from audition.collector import collect
from audition.events import Event
from audition.output import CaseOutput, RuntimeCapabilities
from audition.records import MessageRecord
from audition.testing import (
    answer,
    caused,
    message,
    named,
    output,
    question,
    tool_call,
    tool_result,
    tool_use,
    turn,
)

ASKED = named("q", question("Who?"))
TO_KNOWLEDGE = named("k", message("@Manager", "@Knowledge", "knowledge?"))
TO_ARCHIVE = named("a", message("@Manager", "@Archive", "archive?"))


def happening(out: CaseOutput, told: str) -> Happening:
    """Return the message with this text, or the invocation of this tool."""
    (found,) = [
        one
        for one in out.causal_order.happenings
        if (one.record.content if isinstance(one.record, MessageRecord) else one.record.tool_name)
        == told
    ]
    return found


def order(out: CaseOutput, one: str, other: str) -> Order:
    return out.causal_order.order(happening(out, one), happening(out, other))


def fan_out(*more: Event) -> CaseOutput:
    """Return a manager's two requests, and what came of them."""
    return output(ASKED, *caused("q", TO_KNOWLEDGE, TO_ARCHIVE), *more)


def test_a_message_is_before_what_its_handling_led_to() -> None:
    out = fan_out(*caused("k", *tool_use("@Knowledge", "search", "found")))
    assert order(out, "Who?", "search") is Order.BEFORE
    assert order(out, "search", "knowledge?") is Order.AFTER


def test_the_steps_of_one_agent_that_handles_one_message_are_in_order() -> None:
    reply = named("r", message("@Knowledge", "@Manager", "found it"))
    out = fan_out(*caused("k", *tool_use("@Knowledge", "search", "found"), reply))
    assert order(out, "search", "found it") is Order.BEFORE


def test_agents_beside_each_other_are_concurrent_whatever_was_recorded_first() -> None:
    out = fan_out(
        *caused("k", *tool_use("@Knowledge", "search", "found")),
        *caused("a", *tool_use("@Archive", "look_up", "found")),
    )
    assert order(out, "search", "look_up") is Order.CONCURRENT


def test_an_effect_that_was_recorded_before_its_cause_is_after_it() -> None:
    told = caused("k", *tool_use("@Knowledge", "search", "found"))
    out = output(ASKED, *told, *caused("q", TO_KNOWLEDGE))
    assert order(out, "knowledge?", "search") is Order.BEFORE
    assert order(out, "Who?", "search") is Order.BEFORE


def test_start_times_prove_nothing() -> None:
    late = replace(TO_KNOWLEDGE, at=9.0)
    out = output(ASKED, *caused("q", late), *caused("k", message("@Knowledge", "@M", "x", at=1.0)))
    assert order(out, "knowledge?", "x") is Order.BEFORE


def test_calls_that_overlap_are_concurrent() -> None:
    calls = [tool_call("@K", name, call_id=name) for name in ("one", "two")]
    ends = [end for name in ("one", "two") for end in tool_result("@K", name, "", call_id=name)]
    out = output(ASKED, *caused("q", *calls, *ends))
    assert order(out, "one", "two") is Order.CONCURRENT


def test_a_call_without_an_end_is_before_nothing_that_is_known() -> None:
    call, later = tool_call("@K", "one"), message("@K", "@M", "later")
    out = output(ASKED, *caused("q", call, later))
    assert order(out, "one", "later") is Order.UNKNOWN
    assert order(out, "Who?", "one") is Order.BEFORE


def test_a_result_without_a_call_began_at_nobody_knows_when() -> None:
    out = output(ASKED, *caused("q", message("@K", "@M", "sent")), *tool_result("@K", "one", ""))
    assert order(out, "sent", "one") is Order.UNKNOWN


def test_a_later_turn_follows_the_turn_before() -> None:
    first = turn("one", [named("1", question("one")), *caused("1", answer("first"))])
    second = turn("two", [named("2", question("two")), *caused("2", answer("second"))], number=1)
    third = turn("three", [named("3", question("three"))], number=2)
    out = collect([*first, *second, *third], capabilities=RuntimeCapabilities(causes=True))
    assert order(out, "first", "second") is Order.BEFORE
    assert order(out, "three", "one") is Order.AFTER


def test_what_a_turn_brings_late_is_not_before_the_next() -> None:
    first = turn("one", [named("1", question("one"))])
    late = caused("1", answer("late"))
    second = turn("two", [named("2", question("two")), *late], number=1)
    out = collect([*first, *second], capabilities=RuntimeCapabilities(causes=True))
    assert happening(out, "late").record.turn == 0
    assert order(out, "late", "two") is Order.CONCURRENT


def test_an_id_that_begins_anew_means_the_message_of_the_same_turn() -> None:
    turns = [
        *turn("one", [named("1", question("one")), *caused("1", answer("first"))]),
        *turn("two", [named("1", question("two")), *caused("1", answer("second"))], number=1),
    ]
    out = collect(turns)
    assert happening(out, "second").cause is happening(out, "two")
    assert happening(out, "first").cause is happening(out, "one")


@pytest.mark.parametrize(
    ("there", "meant"),
    [
        ([("x", "one"), ("x", "two")], "two"),
        ([("x", "one")], "one"),
        ([("y", "one")], None),
    ],
    ids=["the last before it", "the only one", "none"],
)
def test_a_cause_is_the_nearest_message_of_its_name(
    there: list[tuple[str, str]], meant: str | None
) -> None:
    sent = [named(key, message("@M", "@K", text)) for key, text in there]
    out = output(*sent, *caused("x", answer("so")))
    cause = happening(out, "so").cause
    assert (cause and cause.record) == (None if meant is None else happening(out, meant).record)
    assert happening(out, "so").is_orphan is (meant is None)


def test_a_name_that_two_later_messages_have_is_no_cause() -> None:
    later = [named("x", message("@M", "@K", text)) for text in ("one", "two")]
    assert happening(output(*caused("x", answer("so")), *later), "so").is_orphan


def test_without_a_cause_the_order_is_unknown() -> None:
    out = output(ASKED, TO_KNOWLEDGE, answer("so"))
    assert order(out, "knowledge?", "so") is Order.UNKNOWN


def test_where_a_cause_is_lost_nothing_is_known_to_be_concurrent() -> None:
    out = fan_out(*caused("lost", *tool_use("@Knowledge", "search", "found")))
    assert order(out, "archive?", "search") is Order.UNKNOWN


def test_a_source_that_does_not_name_every_cause_shows_no_concurrency() -> None:
    fan = fan_out(
        *caused("k", *tool_use("@Knowledge", "search", "found")),
        *caused("a", *tool_use("@Archive", "look_up", "found")),
    )
    out = fan.model_copy(update={"capabilities": RuntimeCapabilities()})
    assert order(out, "search", "look_up") is Order.UNKNOWN
    assert order(out, "knowledge?", "search") is Order.BEFORE


def test_one_model_run_is_in_order_where_no_cause_is_told() -> None:
    out = output(*tool_use("@K", "one", "x"), *tool_use("@K", "two", "y"))
    assert order(out, "one", "two") is Order.BEFORE


def test_an_agent_without_a_name_has_no_order_of_its_own() -> None:
    sent = [replace(message("?", "@K", text), agent=None) for text in ("one", "two")]
    out = output(ASKED, *caused("q", *sent))
    assert order(out, "one", "two") is Order.CONCURRENT


def test_causes_in_a_circle_have_no_order() -> None:
    circle = [
        *caused("y", named("x", message("@A", "@B", "one"))),
        *caused("x", named("y", message("@B", "@A", "two"))),
    ]
    out = output(ASKED, *circle, *caused("q", answer("so")))
    assert order(out, "one", "two") is Order.UNKNOWN
    assert order(out, "two", "so") is Order.UNKNOWN
    assert order(out, "Who?", "so") is Order.BEFORE


def test_positions_of_lists_of_their_own_are_not_compared() -> None:
    out = CaseOutput.model_validate(
        {
            "completion_reason": "response",
            "messages": [
                {"content": "one", "agent": "@K", "cause_id": "q"},
                {"content": "two", "agent": "@K", "cause_id": "q"},
            ],
            "tool_calls": [{"tool_name": "s", "tool_call_id": "1", "agent": "@K", "cause_id": "q"}],
            "tool_returns": [{"tool_name": "s", "tool_call_id": "1", "agent": "@K"}],
        }
    )
    assert order(out, "one", "two") is Order.BEFORE
    assert order(out, "s", "two") is Order.UNKNOWN


def test_the_pairs_that_are_concurrent_and_those_that_are_not() -> None:
    out = fan_out(
        *caused("k", *tool_use("@Knowledge", "search", "found")),
        *caused("a", *tool_use("@Archive", "look_up", "found")),
    )
    search, look_up = happening(out, "search"), happening(out, "look_up")
    asked = happening(out, "knowledge?")
    both = out.causal_order.pairs([search, asked], [look_up, asked], concurrent=True)
    rest = out.causal_order.pairs([search, asked], [look_up, asked], concurrent=False)
    assert list(both) == [(search, look_up)]
    assert list(rest) == [(asked, look_up), (search, asked)]


SENT = st.lists(
    st.tuples(st.integers(0, 7), st.sampled_from(["@A", "@B", "@C"])), min_size=2, max_size=12
)


def tree(sent: Sequence[tuple[int, str]]) -> CaseOutput:
    """Return messages each of which was caused by one before it, or by the question."""
    events: list[Event] = [named("0", question("Who?"))]
    for number, (back, agent) in enumerate(sent, 1):
        told = named(str(number), message(agent, "@D", f"message {number}"))
        events += caused(str(max(number - 1 - back, 0)), told)
    return output(*events)


@given(SENT)
def test_the_order_is_a_strict_order_that_keeps_causes(sent: list[tuple[int, str]]) -> None:
    causal = tree(sent).causal_order
    behind = {one: causal.after_any([one]) for one in causal.happenings}
    ahead = {one: causal.before_any([one]) for one in causal.happenings}
    for one, later in behind.items():
        assert one not in later
        assert one.cause is None or one in behind[one.cause]
        assert all(behind[other] <= later for other in later)
        assert all(one in ahead[other] for other in later)


@given(SENT)
def test_pairs_say_what_the_order_of_each_two_says(sent: list[tuple[int, str]]) -> None:
    causal = tree(sent).causal_order
    ones = causal.happenings
    found = set(causal.pairs(ones, ones, concurrent=True))
    assert found == {
        (one, other)
        for one in ones
        for other in ones
        if one is not other and causal.order(one, other) is Order.CONCURRENT
    }


def test_five_thousand_events_are_ordered_in_a_moment() -> None:
    events: list[Event] = [named("0", question("Who?"))]
    for number in range(1, 2000):
        sent = named(str(number), message(f"@{number % 20}", "@D", "x"))
        events += caused(str(max(number - 7, 0)), sent, *tool_use(f"@{number % 20}", "t", "y")[:2])
    assert len(events) > 5000
    out = output(*events)
    began = time.perf_counter()
    causal = out.causal_order
    after = causal.after_any(causal.happenings[:1])
    assert time.perf_counter() - began < 2
    assert len(after) == len(causal.happenings) - 1
