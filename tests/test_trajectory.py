"""What a case left behind, as OpenAI chat messages."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.collector import collect
from audition.events import (
    HUMAN,
    Event,
    MessageType,
    ModelResponded,
    StateChanged,
    ToolCalled,
    ToolEvidence,
    ToolOutcome,
)
from audition.output import CaseOutput
from audition.sessions import SessionInput, read_output
from audition.testing import (
    answer,
    message,
    output,
    question,
    tool_call,
    tool_result,
    turn,
)
from audition.trajectory import ASSISTANT, ChatMessage, chat_messages

RECORDINGS = Path(__file__).parent / "recordings"


def called(
    *calls: tuple[str, str, str | None], name: str = "@K", text: str | None = None
) -> JsonValue:
    made: list[JsonValue] = [
        {"id": call_id, "type": "function", "function": {"name": tool, "arguments": arguments}}
        for call_id, tool, arguments in calls
    ]
    return {"role": "assistant", "name": name, "content": text, "tool_calls": made}


def told(call_id: str, tool: str, content: str) -> JsonValue:
    return {"role": "tool", "tool_call_id": call_id, "name": tool, "content": content}


def said(content: str, name: str = "@K") -> JsonValue:
    return {"role": "assistant", "name": name, "content": content}


def asked(content: str) -> JsonValue:
    return {"role": "user", "content": content}


def brief(messages: Sequence[ChatMessage]) -> list[str]:
    """Return a line a message: who, and the ids of the calls or the content."""
    lines: list[str] = []
    for one in messages:
        calls = cast("list[dict[str, str]]", one.get("tool_calls", []))
        ids = "+".join(call["id"] for call in calls)
        who = str(one.get("tool_call_id") or one.get("name") or one["role"])
        lines.append(f"{who}: {ids or one['content']}")
    return lines


def test_a_turn_is_the_question_the_calls_their_results_and_the_answer() -> None:
    call = tool_call("@K", "search", arguments={"top": 3, "q": "pier"})
    shown = output(
        question("Free?"),
        call,
        *tool_result("@K", "search", {"b": 1, "a": "ü"}),
        answer("Yes.", "@K"),
        asked="Free?",
    )
    assert chat_messages(shown) == [
        asked("Free?"),
        called(("1", "search", '{"q":"pier","top":3}')),
        told("1", "search", '{"a":"ü","b":1}'),
        said("Yes."),
    ]  # fmt: skip


def test_what_one_answer_of_a_model_holds_is_one_message() -> None:
    shown = output(
        ModelResponded(agent="@K"),
        answer("Let me look.", "@K"),
        tool_call("@K", "search", call_id="a"),
        tool_call("@K", "fetch", call_id="b"),
        *tool_result("@K", "fetch", "B", call_id="b"),
        *tool_result("@K", "search", "A", call_id="a"),
    )
    assert chat_messages(shown)[1:] == [
        called(("a", "search", "{}"), ("b", "fetch", "{}"), text="Let me look."),
        told("a", "search", "A"),
        told("b", "fetch", "B"),
    ]


@pytest.mark.parametrize(
    "between",
    [
        tool_result("@K", "search", "A", call_id="a"),
        [ModelResponded(agent="@K")],
        [answer("And now the page.", "@K")],
    ],
    ids=["a result", "an answer of its model", "a message"],
)
def test_an_answer_ends_where_its_agent_goes_on(between: list[Event]) -> None:
    first = tool_call("@K", "search", call_id="a")
    shown = output(first, *between, tool_call("@K", "fetch", call_id="b"))
    lines = [line for line in brief(chat_messages(shown)) if line.startswith("@K")]
    assert lines == ["@K: a", "@K: b"]


def test_calls_of_two_runs_of_one_agent_are_two_answers() -> None:
    shown = output(tool_call("@K", "search", run_id="r"), tool_call("@K", "search", run_id="s"))
    assert brief(chat_messages(shown))[1:] == ["@K: 1", "@K: 1"]


def test_branches_that_interleave_keep_their_order_and_make_a_valid_chat() -> None:
    north, south = (tool_call(who, "count", call_id=who[0]) for who in ("north", "south"))
    shown = output(
        *(north, south),
        *tool_result("south", "count", 7, call_id="s"),
        answer("7", "south"),
        *tool_result("north", "count", 12, call_id="n"),
        answer("12", "north"),
    )
    lines = ["north: n", "n: 12", "south: s", "s: 7", "south: 7", "north: 12"]
    assert brief(chat_messages(shown))[1:] == lines


def stock(name: str, agent: str | None = None) -> list[str]:
    path = Path(__file__).parent / "cases" / f"08-{name}.jsonl"
    return brief(chat_messages(read_output(SessionInput(session=str(path))), agent=agent))


@pytest.mark.parametrize("name", ["interleaved", "one-after-the-other"])
def test_a_recorded_parallel_session_is_a_valid_chat_in_any_order(name: str) -> None:
    lines = stock(name)
    north, south = lines.index("scout_north: c-n1"), lines.index("scout_south: c-s1")
    assert lines[north + 1] == 'c-n1: {"crates":12}'
    assert lines[south + 1] == 'c-s1: {"crates":7}'


@pytest.mark.parametrize("agent", ["scout_north", "scout_south", "summariser"])
def test_what_one_branch_did_does_not_depend_on_the_other(agent: str) -> None:
    told = stock("interleaved", agent)
    assert told == stock("one-after-the-other", agent)
    assert len(told) > 1


def test_what_one_agent_did_is_told_alone() -> None:
    shown = output(
        message("@M", "@K", "Look it up."),
        tool_call("@K", "search", call_id="k"),
        *tool_result("@K", "search", "found", call_id="k"),
        answer("It is so."),
        asked="So?",
    )
    assert brief(chat_messages(shown, agent="@K")) == ["user: So?", "@K: k", "k: found"]


@pytest.mark.parametrize(
    ("outcome", "content"),
    [
        (ToolOutcome.OK, "words"),
        (ToolOutcome.TOOL_ERROR, "[tool error] words"),
        (ToolOutcome.REJECTED, "[tool error] [rejected] words"),
        (ToolOutcome.INFRASTRUCTURE_ERROR, "[tool error] [infrastructure] words"),
        (ToolOutcome.PENDING, "[pending] words"),
    ],
)
def test_how_a_tool_ended_stands_before_what_it_gave_back(
    outcome: ToolOutcome, content: str
) -> None:
    results = tool_result("@K", "search", "words", outcome=outcome)
    shown = output(tool_call("@K", "search"), *results)
    assert chat_messages(shown)[-1] == told("1", "search", content)


def test_a_call_without_an_answer_has_no_tool_message() -> None:
    shown = output(tool_call("@K", "search"), asked="So?")
    assert chat_messages(shown) == [asked("So?"), called(("1", "search", "{}"))]


def test_only_the_last_result_of_a_call_is_told() -> None:
    results = [*tool_result("@K", "pay", "wait"), *tool_result("@K", "pay", "paid")]
    lines = brief(chat_messages(output(tool_call("@K", "pay"), *results)))
    assert lines[1:] == ["@K: 1", "1: paid"]


def test_a_result_whose_call_was_not_seen_is_told_with_arguments_unknown() -> None:
    shown = output(*tool_result("@K", "search", "found"))
    assert chat_messages(shown)[1:] == [
        called(("1", "search", None)),
        told("1", "search", "found"),
    ]


def test_arguments_that_do_not_parse_are_told_as_they_are() -> None:
    call = ToolCalled(tool_name="t", tool_call_id="1", arguments_raw='{"a":', parse_error="torn")
    (_, told) = chat_messages(output(call))
    assert told["tool_calls"] == [
        {"id": "1", "type": "function", "function": {"name": "t", "arguments": '{"a":'}}
    ]


def test_an_empty_text_of_arguments_is_none_of_them() -> None:
    call = ToolCalled(agent="@K", tool_name="t", tool_call_id="1", arguments_raw=" ")
    assert chat_messages(output(call))[1:] == [called(("1", "t", "{}"))]


def test_ids_are_unique_within_a_message() -> None:
    shown = output(*[tool_call("@K", name) for name in ("search", "fetch", "fetch")])
    assert brief(chat_messages(shown))[1:] == ["@K: 1+1#2+1#3"]


def test_plumbing_is_left_out_unless_it_is_asked_for() -> None:
    call, *back = [
        replace(event, internal=True)
        for event in (tool_call("@K", "exit_loop"), *tool_result("@K", "exit_loop", "x"))
        if not isinstance(event, ToolEvidence)
    ]
    shown = output(call, *back, replace(answer("noted", "@K"), internal=True))
    assert brief(chat_messages(shown))[1:] == []
    every = chat_messages(shown, include_internal=True)
    assert brief(every)[1:] == ["@K: 1", "1: ", "@K: noted"]


def test_tools_can_be_left_out_by_name() -> None:
    kept = [tool_call("@K", "search", call_id="a"), tool_call("@K", "log", call_id="b")]
    shown = output(*kept, *tool_result("@K", "log", "x", call_id="b"))
    assert brief(chat_messages(shown, drop_tools={"log"}))[1:] == ["@K: a"]


def test_a_message_to_another_agent_is_no_part_of_the_answer_that_follows() -> None:
    shown = output(message("@M", "@K", "Look it up."), tool_call("@M", "log"))
    assert brief(chat_messages(shown))[1:] == ["@M: Look it up.", "@M: 1"]


def test_a_hand_over_without_words_is_not_told_and_an_empty_answer_is() -> None:
    over = message("@M", "@K", "", message_type=MessageType.INSTRUCTION)
    shown = output(over, answer("", "@K"))
    assert chat_messages(shown)[1:] == [said("")]


def test_an_agent_of_which_nothing_is_known_has_no_name() -> None:
    shown = output(answer("yes", ASSISTANT), replace(answer("no"), agent=None))
    assert chat_messages(shown)[1:] == [
        {"role": "assistant", "content": "yes"},
        {"role": "assistant", "content": "no"},
    ]


def test_what_the_person_says_within_a_turn_is_told_too() -> None:
    shown = output(question("So?"), question("Quick!"), answer("Yes."), asked="So?")
    assert brief(chat_messages(shown)) == ["user: So?", "user: Quick!", "@Manager: Yes."]


def two_turns() -> CaseOutput:
    late = replace(answer("late", "@K"), cause_id="m-0")
    first = replace(question("One?"), message_id="m-0")
    return collect(
        [
            *turn("One?", [first]),
            *turn("Two?", [question("Two?"), late, answer("two", "@K")], number=1),
        ]
    )


def test_a_late_answer_is_told_with_its_question() -> None:
    lines = ["user: One?", "@K: late", "user: Two?", "@K: two"]
    assert brief(chat_messages(two_turns())) == lines


def test_one_turn_is_told_alone() -> None:
    assert brief(chat_messages(two_turns(), turn=1)) == ["user: Two?", "@K: two"]


def test_a_turn_that_was_not_run_is_not_told() -> None:
    shown = two_turns()
    skipped = shown.turns[1].model_copy(update={"not_run": True})
    unsent = shown.model_copy(update={"turns": (shown.turns[0], skipped), "messages": ()})
    assert brief(chat_messages(unsent)) == ["user: One?"]


def test_what_happened_outside_of_any_turn_is_told_first() -> None:
    shown = collect([answer("Hello.", "@K"), question("So?"), answer("Yes.", "@K")])
    assert brief(chat_messages(shown)) == ["@K: Hello.", "user: So?", "@K: Yes."]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "kagent/demo/weather-wrong-city.jsonl",
            [
                "user: current weather in London",
                "weather_assistant: toolu_017JDdjaJNimRyUWBwdYwAmF",
            ],
        ),
        (
            "adk/2.13.0/confirm_approve.kagent.jsonl",
            [
                "user: delete x",
                "conf_agent: toolu_9",
                'toolu_9: {"deleted":"x"}',
                "conf_agent: Deleted x.",
            ],
        ),
        (
            "adk/2.13.0/long_running.kagent.jsonl",
            [
                "user: refund 5",
                "lr_agent: lr-1",
                'lr-1: {"status":"approved","ticket":"T-1"}',
                "lr_agent: Waiting for approval.",
                "lr_agent: Approved, thanks.",
            ],
        ),
    ],
)
def test_a_recorded_session_as_a_chat(name: str, lines: list[str]) -> None:
    shown = read_output(SessionInput(session=str(RECORDINGS / name)))
    assert brief(chat_messages(shown))[: len(lines)] == lines


def one_call(agent: str, call_id: str) -> list[Event]:
    return [tool_call(agent, "search", call_id=call_id)]


def one_result(agent: str, call_id: str) -> list[Event]:
    return tool_result(agent, "search", 1, call_id=call_id)


AGENTS = st.sampled_from(["@K", "@M", ASSISTANT])
CALL_IDS = st.sampled_from(["1", "2", "3"])
OTHERS: list[Event] = [
    *(answer("so", "@K"), answer("so", "@M"), message("@K", "@M", "to you")),
    *(ModelResponded(agent="@K"), message(HUMAN, "@M", "and?")),
]
STEPS = st.one_of(
    st.builds(one_call, AGENTS, CALL_IDS),
    st.builds(one_result, AGENTS, CALL_IDS),
    st.sampled_from([[event] for event in OTHERS]),
)


@settings(deadline=None)
@given(st.lists(STEPS, max_size=20))
def test_every_tool_message_follows_the_message_with_its_call(steps: list[list[Event]]) -> None:
    shown = output(*(event for step in steps for event in step))
    waiting: set[str] = set()
    for one in chat_messages(shown):
        if one["role"] == "tool":
            waiting.remove(str(one["tool_call_id"]))
        else:
            calls = cast("list[dict[str, str]]", one.get("tool_calls", []))
            waiting = {call["id"] for call in calls}


@settings(deadline=None)
@given(st.lists(STEPS, max_size=20))
def test_no_call_is_lost_and_none_is_told_twice(steps: list[list[Event]]) -> None:
    shown = output(*(event for step in steps for event in step))
    calls = [
        call
        for one in chat_messages(shown)
        for call in cast("list[JsonValue]", one.get("tool_calls", []))
    ]
    assert len(calls) == len(shown.tool_invocations())


def test_a_change_of_the_state_is_in_no_message() -> None:
    state = StateChanged(agent="@K", changes={"cart": "full"})
    said = [question("q"), answer("a")]
    among = [state, *turn("q", [said[0], state, said[1]]), state]
    assert chat_messages(collect(among)) == chat_messages(collect(turn("q", said)))
