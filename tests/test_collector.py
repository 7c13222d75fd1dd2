"""Events in, one output out: in order, each with its turn, bounded, always writable."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.collector import Collector, collect
from audition.events import (
    AgentFailed,
    AgentStarted,
    CompletionReason,
    DroppedFrame,
    Event,
    MessageSent,
    ModelResponded,
    StateChanged,
    ToolCalled,
    ToolEvidence,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.inputs import ConversationTurn
from audition.output import CaseOutput, RuntimeCapabilities
from audition.testing import answer, question, tool_use, turn

ANY_TEXT = st.text(st.characters(categories=None), max_size=12)
NAMES = st.sampled_from(["@Human", "@Manager", "@K", None])
IDS = st.sampled_from(["m-1", "m-2", "m-3", None])
EVENTS = st.one_of(
    st.builds(
        MessageSent, agent=NAMES, recipient=NAMES, content=ANY_TEXT, message_id=IDS, cause_id=IDS
    ),
    st.builds(ToolCalled, tool_name=ANY_TEXT, tool_call_id=ANY_TEXT, run_id=IDS, cause_id=IDS),
    st.builds(
        ToolEvidence, tool_name=ANY_TEXT, tool_call_id=ANY_TEXT, content=ANY_TEXT, run_id=IDS
    ),
    st.builds(ToolReturned, tool_name=ANY_TEXT, tool_call_id=ANY_TEXT, run_id=IDS),
    st.builds(ModelResponded, model_name=ANY_TEXT, run_id=IDS, cause_id=IDS),
    st.builds(AgentFailed, agent=NAMES, error=ANY_TEXT),
    st.builds(AgentStarted, agent=NAMES),
    st.builds(StateChanged, agent=NAMES, changes=st.dictionaries(ANY_TEXT, ANY_TEXT, max_size=2)),
    st.builds(TurnStarted, turn=st.integers(0, 3), message=ANY_TEXT),
    st.builds(TurnFinished, turn=st.integers(0, 3), reason=st.sampled_from(CompletionReason)),
)
LISTS: dict[str, type[Event]] = {
    "messages": MessageSent,
    "tool_calls": ToolCalled,
    "tool_returns": ToolReturned,
    "tool_evidence": ToolEvidence,
    "llm_usage": ModelResponded,
    "state_changes": StateChanged,
}


@given(st.lists(EVENTS))
def test_every_record_has_the_position_of_its_event(events: list[Event]) -> None:
    output = collect(events)
    for name, kind in LISTS.items():
        positions = [record.seq for record in getattr(output, name)]
        assert positions == [n for n, event in enumerate(events) if type(event) is kind]


@given(st.lists(EVENTS))
def test_any_output_is_written_and_read_back_equal(events: list[Event]) -> None:
    output = collect(events)
    assert CaseOutput.model_validate_json(output.model_dump_json()) == output


@given(st.lists(EVENTS), st.lists(EVENTS))
def test_an_output_can_be_made_again_after_more_events(
    first: list[Event], more: list[Event]
) -> None:
    collector = Collector()
    for event in first:
        collector.feed(event)
    assert collector.output() == collector.output() == collect(first)
    for event in more:
        collector.feed(event)
    assert collector.output() == collect([*first, *more])


@given(st.lists(st.integers(0, 9), min_size=1), st.integers(0, 4))
def test_an_event_has_the_turn_of_its_first_cause(chain: list[int], turns_later: int) -> None:
    """However long the chain of messages, and however late its last one comes."""
    asked = MessageSent(agent="@Human", recipient="@M", content="q", message_id="m-0")
    links = [
        MessageSent(
            agent="@M", recipient="@K", content="", message_id=f"m-{n + 1}", cause_id=f"m-{n}"
        )
        for n in range(len(chain))
    ]
    later = [TurnStarted(turn=1 + number, message="r") for number in range(turns_later)]
    last = MessageSent(agent="@M", recipient="@Human", content="late", cause_id=f"m-{len(chain)}")
    output = collect([TurnStarted(turn=0, message="q"), asked, *links, *later, last])
    assert output.turns[0].responses == ("late",)


def test_a_tool_event_has_the_turn_of_its_run() -> None:
    call = ToolCalled(tool_name="s", tool_call_id="1", run_id="r", cause_id="m-0")
    result = ToolEvidence(tool_name="s", tool_call_id="1", run_id="r", content="")
    asked = MessageSent(agent="@Human", content="q", message_id="m-0")
    output = collect(
        [TurnStarted(turn=0, message="q"), asked, TurnStarted(turn=1, message="r"), call, result]
    )
    assert (output.tool_calls[0].turn, output.tool_evidence[0].turn) == (0, 0)


def _finished(number: int) -> TurnFinished:
    return TurnFinished(turn=number, reason=CompletionReason.RESPONSE)


def _called(number: str, run_id: str = "r", cause_id: str | None = None) -> ToolCalled:
    return ToolCalled(tool_name="s", tool_call_id=number, run_id=run_id, cause_id=cause_id)


def test_a_run_of_a_finished_turn_that_calls_again_is_told() -> None:
    first = [TurnStarted(turn=0, message="q"), _called("1"), _finished(0)]
    second = [TurnStarted(turn=1, message="r"), _called("2"), _called("3"), _finished(1)]
    output = collect([*first, *second])
    assert [call.turn for call in output.tool_calls] == [0, 0, 0]
    assert output.completion_detail == (
        "a tool call in turn 1, of run 'r' of turn 0 and 1 more: counted in the turn of its run; "
        "a run_id is of one turn alone"
    )


def test_nothing_is_told_of_a_run_whose_turn_is_open_or_whose_cause_says_the_turn() -> None:
    asked = MessageSent(agent="@Human", content="r", message_id="m-1")
    first = [TurnStarted(turn=0, message="q"), _called("1")]
    second = [TurnStarted(turn=1, message="r"), asked]
    of_open = collect([*first, *second, _called("2"), _finished(0), _finished(1)])
    assert ([call.turn for call in of_open.tool_calls], of_open.completion_detail) == ([0, 0], None)
    by_cause = collect([*first, _finished(0), *second, _called("2", cause_id="m-1"), _finished(1)])
    assert [call.turn for call in by_cause.tool_calls] == [0, 1]
    assert by_cause.completion_detail is None


def test_an_event_without_a_known_cause_belongs_to_the_current_turn() -> None:
    said = MessageSent(agent="@M", content="hi", cause_id="never seen")
    output = collect([said, TurnStarted(turn=0, message="q"), said])
    assert [message.turn for message in output.messages] == [None, 0]


def test_feeding_tells_the_turn() -> None:
    collector = Collector()
    assert collector.feed(AgentStarted()) is None
    assert collector.feed(TurnStarted(turn=3, message="q")) == 3
    assert collector.feed(AgentStarted()) == 3
    assert collector.feed(TurnFinished(turn=1, reason=CompletionReason.ERROR)) == 1


def test_an_output_has_what_else_is_known() -> None:
    capabilities = RuntimeCapabilities(tool_evidence=True)
    dropped = DroppedFrame(index=4, author="\ud800", reason="plumbing \ud800")
    output = collect(
        turn("q", [ModelResponded(model_name="m-1"), answer("a")]),
        human="@Human",
        not_run=[ConversationTurn(message="r", target="@K")],
        dropped=[dropped, DroppedFrame(index=5, author=None, reason="empty")],
        capabilities=capabilities,
        source="a file",
        completion=(CompletionReason.DEADLINE, "late"),
    )
    assert (output.completion_reason, output.completion_detail) == ("deadline", "late")
    assert (output.capabilities, output.provenance.source) == (capabilities, "a file")
    assert output.provenance.model_ids == ("m-1",)
    assert [frame.reason for frame in output.dropped] == ["plumbing �", "empty"]
    assert (output.turns[1].message, output.turns[1].not_run) == ("r", True)
    assert not output.completed


def test_nothing_recorded_is_no_completed_case() -> None:
    output = collect([])
    assert (output.completion_reason, output.final_response) == ("runtime_stopped", None)
    assert output.completion_detail == "no turn was recorded"


def test_a_record_that_ends_inside_a_turn_says_so() -> None:
    output = collect([TurnStarted(turn=0, message="q"), answer("a")])
    assert output.completion_detail == "the record ends inside turn 0"


# Bounds


def test_events_beyond_the_bound_are_counted() -> None:
    collector = Collector(max_events=3)
    for event in turn("q", [answer(str(number)) for number in range(10)]):
        collector.feed(event)
    output = collector.output()
    assert (output.human_responses, output.dropped_events) == (("0", "1"), 8)
    assert output.errors == ("8 events beyond the bound of a case were dropped",)
    assert collector.full


def test_the_frame_of_the_conversation_is_never_lost() -> None:
    collector = Collector(max_events=0)
    for event in (*turn("q", [answer("a")]), *turn("r", [answer("b")], number=1)):
        collector.feed(event)
    output = collector.output()
    assert [turn.reason for turn in output.turns] == ["response", "response"]
    assert output.dropped_events == 2


@pytest.mark.parametrize(
    "big",
    [
        answer("x" * 11),
        ToolEvidence(tool_name="s", tool_call_id="1", content="x" * 11),
        ToolCalled(tool_name="s", tool_call_id="1", arguments_raw="x" * 11),
        AgentFailed(error="x" * 11),
    ],
    ids=["answer", "evidence", "arguments", "error"],
)
def test_what_is_too_long_is_dropped_and_nothing_else(big: Event) -> None:
    collector = Collector(max_characters=10)
    for event in turn("q", [answer("before"), big, answer("next")]):
        collector.feed(event)
    output = collector.output()
    assert (output.human_responses, output.dropped_events) == (("before", "next"), 1)


# What can be written


def test_odd_text_anywhere_can_be_written() -> None:
    odd = "a\ud800\x00b"
    call = ToolCalled(tool_name=odd, tool_call_id=odd, arguments_raw=odd, arguments={odd: [odd]})
    result = ToolEvidence(tool_name=odd, tool_call_id=odd, content=odd, structure=[odd])
    failed = AgentFailed(agent=odd, error=odd)
    said = MessageSent(agent=odd, recipient="@Human", content=odd, message_id=odd, cause_id=odd)
    output = collect(turn(odd, [call, result, failed, said]))
    assert output.final_response == "a�\x00b"
    assert CaseOutput.model_validate_json(output.model_dump_json()) == output


def test_deep_arguments_can_be_written() -> None:
    deep: list[object] = []
    for _ in range(2000):
        deep = [deep]
    call = ToolCalled(tool_name="s", tool_call_id="1", arguments=deep)  # pyright: ignore[reportArgumentType]  # nested too deep to be typed
    output = collect(turn("q", [call, answer("a")]))
    assert CaseOutput.model_validate_json(output.model_dump_json()) == output


def test_a_needle_after_megabytes_is_kept() -> None:
    output = collect(turn("q", [answer("hay " * 1_300_000 + "needle")]))
    assert (output.final_response or "").endswith("needle")


def test_windows_line_ends_are_kept() -> None:
    assert collect(turn("q", [answer("one\r\ntwo")])).final_response == "one\r\ntwo"


def test_an_empty_last_answer_does_not_hide_the_one_before() -> None:
    said = [answer("Hall C is booked under QX-118."), *tool_use("@M", "log", "logged"), answer("")]
    output = collect(turn("Book hall C.", said))
    assert output.final_response == "Hall C is booked under QX-118."
    assert output.messages[-1].content == ""


def test_twenty_empty_answers_are_no_answer() -> None:
    output = collect(turn("q", [answer("") for _ in range(20)], reason=CompletionReason.QUIESCENT))
    assert (output.final_response, output.human_responses) == (None, ())
    assert len(output.messages) == 20


# What others say


def test_a_human_who_says_something_else_contaminates_a_shared_team() -> None:
    events = turn("q", [question("q"), question("from another client"), answer("a")])
    assert collect(events).contaminated
    alone = RuntimeCapabilities(isolated_execution=True)
    assert not collect(events, capabilities=alone).contaminated


def test_what_cannot_be_written_is_replaced_everywhere() -> None:
    events = turn("q", [answer("a", sender="@\ud800")])
    output = collect(
        events,
        human="@Human",
        source="\ud800",
        completion=(CompletionReason.ERROR, "bad \ud800"),
    )
    assert output.completion_detail == "bad \ufffd"
    assert output.provenance.source == "\ufffd"


def test_after_a_completed_turn_an_uncaused_message_is_of_no_turn() -> None:
    late = answer("by the way")
    output = collect([*turn("q", [answer("a")]), late])
    assert output.final_response == "a"
    assert [record.turn for record in output.messages] == [0, None]
    timed_out = turn("q", [], reason=CompletionReason.TIMEOUT)
    assert collect([*timed_out, late]).final_response == "by the way"


def test_arguments_are_kept_as_they_were_when_they_were_reported() -> None:
    given: dict[str, JsonValue] = {"query": "x"}
    collector = Collector()
    collector.feed(TurnStarted(turn=0, message="q"))
    call = ToolCalled(agent="@K", tool_name="s", tool_call_id="1", arguments=given)
    collector.feed(call)
    given.clear()
    (made,) = collector.output().tool_calls
    assert (made.arguments, made.arguments_raw) == ({"query": "x"}, '{"query":"x"}')


def test_what_the_person_says_is_of_the_turn_whatever_it_replies_to() -> None:
    greeting = replace(answer("Welcome"), message_id="thread-1")
    asked = replace(question("q"), message_id="m", cause_id="thread-1")
    reply = replace(answer("Berth 7"), cause_id="m")
    made = collect([greeting, *turn("q", [asked, reply])])
    assert made.final_response == "Berth 7"
    assert [record.turn for record in made.messages] == [None, 0, 0]


def test_ids_may_begin_anew_with_each_turn() -> None:
    turns = [
        turn(
            text,
            [
                replace(question(text), message_id="1"),
                replace(answer(f"to {text}"), cause_id="1"),
            ],
            number=number,
        )
        for number, text in enumerate(["one", "two"])
    ]
    made = collect(event for one in turns for event in one)
    assert [record.responses for record in made.turns] == [("to one",), ("to two",)]


def test_broken_frames_count_as_lost() -> None:
    assert collect(turn("q", [answer("a")]), lost=2).dropped_events == 2


def test_a_change_of_the_state_is_of_the_turn_in_which_it_comes() -> None:
    output = collect(
        [
            StateChanged(changes={"a": 1}),
            *turn("q", [question("q"), StateChanged(agent="@K", changes={"b": 2}), answer("a")]),
            StateChanged(changes={"c": 3}),
        ]
    )
    assert [(one.turn, one.agent, one.changes) for one in output.state_changes] == [
        (None, None, {"a": 1}),
        (0, "@K", {"b": 2}),
        (None, None, {"c": 3}),
    ]
    assert (output.completion_reason, output.final_response) == ("response", "a")


def test_a_state_that_is_none_is_told_and_left_out() -> None:
    output = collect([*turn("q", [StateChanged(changes="red"), answer("a")])])  # pyright: ignore[reportArgumentType]  # this is what is tried
    assert (output.state_changes, output.dropped_events) == ((), 1)
    (told,) = output.errors
    assert told.startswith("the runtime reported ill-typed state_changes.0.changes: found 'red'")


def test_a_state_counts_as_text_of_the_case() -> None:
    collector = Collector(max_characters=20)
    for number in range(3):
        collector.feed(StateChanged(changes={"board": f"pier {number}"}))
    assert [one.changes["board"] for one in collector.output().state_changes] == ["pier 0"]
    assert collector.full
