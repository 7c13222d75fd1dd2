"""Chats in the form of OpenAI's API and its relatives as our events."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.adapters.openai_chat.chat import adapt_openai_chat, is_openai_chat
from audition.collector import collect
from audition.events import Event, ModelResponded, ToolOutcome
from audition.output import CaseOutput
from audition.testing import answer, message, output, tool_call, tool_result
from audition.trajectory import ASSISTANT, chat_messages
from audition.values import parse_json
from tests.adapters.laws import VALUES, accounts_for, mutated, survives

RECORDINGS = Path(__file__).parents[2] / "recordings"
SHAPES = sorted(path.name for path in (RECORDINGS / "openai_chat").iterdir())


def recorded(name: str) -> list[JsonValue]:
    text = (RECORDINGS / "openai_chat" / name).read_text(encoding="utf-8")
    if name.endswith(".jsonl"):
        return [parse_json(line) for line in text.split("\n") if line]
    whole = parse_json(text)
    return whole if isinstance(whole, list) else [whole]


def shown(frames: list[JsonValue]) -> CaseOutput:
    adapted = adapt_openai_chat(frames)
    return collect(
        adapted.events,
        human=adapted.human,
        dropped=adapted.dropped,
        lost=adapted.lost,
        capabilities=adapted.capabilities,
    )


type Row = tuple[str, list[tuple[str, str, JsonValue, str]], list[str], list[str]]
CHATS: list[Row] = [
    (
        "two-results.json",
        [("assistant", "wire_funds", {"amount": 900, "to": "rope maker"}, "ok")],
        ["Sent, receipt R-31."],
        ["response"],
    ),
    (
        "anthropic-blocks.json",
        [("assistant", "cancel_job", {"job": 18}, "tool_error")],
        ["Cancelling.", "Job 18 had already run, so it cannot be cancelled."],
        ["response"],
    ),
    (
        "said-before-tool.json",
        [("assistant", "log_booking", {"code": "QX-118"}, "ok")],
        ["Hall C is booked under QX-118."],
        ["response"],
    ),
    (
        "silent.json",
        [("assistant", "search_rules", {"q": "hall C"}, "ok")],
        [],
        ["quiescent"],
    ),
    (
        "promised.json",
        [],
        ["I'll hand this over to our billing desk, they will sort it out."],
        ["response"],
    ),
    (
        "conversation-items.json",
        [("assistant", "get_weather", {"city": "London"}, "ok")],
        ["It is 21C"],
        ["response"],
    ),
    (
        "parallel.jsonl",
        [
            ("assistant", "count_stock", {"depot": "north"}, "ok"),
            ("assistant", "count_stock", {"depot": "south"}, "ok"),
            ("assistant", "count_stock", None, "tool_error"),
        ],
        ["North 12, south 7.", "I cannot count that depot."],
        ["response", "response"],
    ),
    (
        "legacy-functions.json",
        [("assistant", "find_pier", {"size": 9}, "ok")],
        ["Pier 4."],
        ["response"],
    ),
    (
        "langchain.json",
        [
            ("harbour", "find_pier", {"size": 9}, "tool_error"),
            ("harbour", "book", None, "unanswered"),
        ],
        ["Looking.", "None is free."],
        ["response", "runtime_stopped"],
    ),
    ("completion.json", [], ["Hello."], ["response"]),
    (
        "response.json",
        [
            ("assistant", "web_search", {"type": "search", "query": "pier 4"}, "ok"),
            ("assistant", "berths", {"pier": 4}, "tool_error"),
        ],
        ["Nobody."],
        ["response"],
    ),
    (
        "handoff.jsonl",
        [
            ("assistant", "transfer_to_billing", {}, "ok"),
            ("billing", "refund", {"times": 1}, "tool_error"),
            ("billing", "notify", {}, "ok"),
        ],
        ["It could not be refunded."],
        ["response"],
    ),
]


@pytest.mark.parametrize(("name", "calls", "answers", "reasons"), CHATS)
def test_a_chat_keeps_calls_outcomes_and_answers(
    name: str,
    calls: list[tuple[str, str, JsonValue, str]],
    answers: list[str],
    reasons: list[str],
) -> None:
    out = shown(recorded(name))
    done = out.tool_invocations()
    assert [(i.agent, i.tool_name, i.arguments, i.outcome.value) for i in done] == calls
    assert list(out.human_responses) == answers
    assert [turn.reason and turn.reason.value for turn in out.turns] == reasons


@pytest.mark.parametrize("name", SHAPES)
def test_every_recording_is_known_and_nothing_of_it_is_lost(name: str) -> None:
    frames = recorded(name)
    adapted = adapt_openai_chat(frames)
    assert [is_openai_chat(frame) for frame in frames] == [True] * len(frames)
    assert adapted.lost == 0
    accounts_for(adapted)


@pytest.mark.parametrize("name", SHAPES)
def test_a_recording_out_and_in_again_is_the_same_chat(name: str) -> None:
    out = chat_messages(shown(recorded(name)))
    assert chat_messages(shown([*out])) == out


def test_two_results_of_one_call_are_one_invocation() -> None:
    (invocation,) = shown(recorded("two-results.json")).tool_invocations()
    assert invocation.content == '{"receipt": "R-31"}'
    assert invocation.structure == {"receipt": "R-31"}
    assert invocation.superseded == ("Waiting for approval by a person.",)


def test_a_result_of_an_earlier_message_is_no_turn_of_the_person() -> None:
    out = shown(recorded("anthropic-blocks.json"))
    assert [turn.message for turn in out.turns] == ["Cancel job 18."]


def test_an_empty_last_message_is_kept() -> None:
    out = shown(recorded("silent.json"))
    assert out.final_response is None
    assert [record.content for record in out.messages] == ["Who may enter hall C?", ""]


def test_parallel_results_find_their_calls_by_id() -> None:
    done = shown(recorded("parallel.jsonl")).tool_invocations(turn=0)
    assert [invocation.content for invocation in done] == ["12", "7"]


def test_malformed_arguments_keep_their_text() -> None:
    (call,) = shown(recorded("parallel.jsonl")).tool_invocations(turn=1)
    assert call.arguments_raw == '{"depot": "we'
    assert call.parse_error is not None


def test_usage_and_model_of_an_answer_are_kept() -> None:
    (responded,) = [
        event
        for event in adapt_openai_chat(recorded("completion.json")).events
        if isinstance(event, ModelResponded)
    ]
    assert responded == ModelResponded(
        at=1790000000.0,
        agent=ASSISTANT,
        cause_id="turn-0",
        run_id="turn-0/assistant",
        model_name="test-model-2",
        input_tokens=11,
        output_tokens=3,
        cache_read_tokens=4,
        finish_reason="stop",
    )


def test_who_was_handed_the_conversation_acts_from_there_on() -> None:
    out = shown(recorded("handoff.jsonl"))
    routes = [(record.sender, record.recipient) for record in out.messages]
    assert routes == [("user", "assistant"), ("assistant", "billing"), ("billing", "user")]


def test_the_items_of_one_answer_are_one_message() -> None:
    messages = chat_messages(shown(recorded("handoff.jsonl")))
    calls = [one["tool_calls"] for one in messages if "tool_calls" in one]
    assert [len(call) for call in calls if isinstance(call, list)] == [1, 2]


OTHERS: list[JsonValue] = [
    None,
    "hello",
    [],
    {},
    {"messages": []},
    {"messages": [{"kind": "request", "parts": []}]},
    {"role": "user", "parts": [{"text": "hi"}]},
    {"author": "user", "content": {"role": "user", "parts": [{"text": "hi"}]}},
    {"resourceSpans": []},
    {"type": "text", "content": "hi"},
    {"type": "function", "function": {"name": "t"}},
]


@pytest.mark.parametrize("frame", OTHERS, ids=lambda frame: str(frame)[:30])
def test_what_is_no_chat_is_not_claimed(frame: JsonValue) -> None:
    assert not is_openai_chat(frame)


OUTCOMES = st.sampled_from(ToolOutcome)
NAMES = st.sampled_from(["@K", "@M", ASSISTANT])
IDS = st.sampled_from(["1", "2"])
TEXTS = st.sampled_from(["", " ", "so", "[tool error] x", "[pending] ", '{"a":1}'])


@st.composite
def steps(draw: st.DrawFn) -> Sequence[Event]:
    agent, text, call_id = draw(NAMES), draw(TEXTS), draw(IDS)
    tool = draw(st.sampled_from(["search", "transfer_to_K"]))
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return [answer(text, agent)]
    if kind == 1:
        return [message("@M", "@K", text)]
    if kind == 2:
        return tool_result(agent, tool, text, call_id=call_id, outcome=draw(OUTCOMES))
    some: dict[str, JsonValue] = {"a": [1, 2.5, None]}
    arguments = draw(st.sampled_from([None, some]))
    return [tool_call(agent, tool, arguments=arguments, call_id=call_id)]


@settings(deadline=None)
@given(st.lists(steps(), max_size=12))
def test_a_trajectory_out_and_in_again_is_equal(made: list[Sequence[Event]]) -> None:
    out = chat_messages(output(*(event for step in made for event in step)))
    assert chat_messages(shown([*out])) == out


@settings(deadline=None)
@given(st.lists(st.tuples(OUTCOMES, st.sampled_from(["found", ""])), max_size=5))
def test_outcomes_out_and_in_again_are_equal(results: list[tuple[ToolOutcome, str]]) -> None:
    events: list[Event] = []
    for number, (outcome, text) in enumerate(results):
        call_id = str(number)
        events.append(tool_call("@K", "search", call_id=call_id))
        events += tool_result("@K", "search", text, call_id=call_id, outcome=outcome)
    told = shown([*chat_messages(output(*events))]).tool_invocations()
    assert [(one.outcome.value, one.content) for one in told] == [
        (outcome.value, text) for outcome, text in results
    ]


@settings(deadline=None)
@given(st.data())
def test_every_frame_is_accounted_for_whatever_became_of_it(data: st.DataObject) -> None:
    frames = recorded(data.draw(st.sampled_from(SHAPES)))
    adapted = adapt_openai_chat(mutated(data, frames))
    accounts_for(adapted)
    survives(adapted)


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6))
def test_no_json_raises(frames: list[JsonValue]) -> None:
    adapted = adapt_openai_chat(frames)
    accounts_for(adapted)
    survives(adapted)
    assert len(adapted.heads) >= len(frames)
    assert all(isinstance(is_openai_chat(frame), bool) for frame in frames)
