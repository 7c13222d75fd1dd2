"""Serialised message histories of Pydantic AI as our events.

The recordings are what `ModelMessagesTypeAdapter.dump_json` of version 2.62 wrote of runs with
scripted models; `retry-prompt-2.59` is of version 2.59.
"""

import asyncio
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessagesTypeAdapter
from pydantic_ai.models.test import TestModel

from audition.adaptation import FrameHead
from audition.adapters.openai_chat.chat import adapt_openai_chat, is_openai_chat
from audition.adapters.pydantic_ai import adapt_pydantic_ai, is_pydantic_ai
from audition.collector import collect
from audition.events import DroppedFrame, ModelResponded
from audition.output import CaseOutput
from audition.trajectory import ASSISTANT, chat_messages
from audition.values import canonical_json, parse_json
from tests.adapters.laws import VALUES, accounts_for, mutated, survives

RECORDINGS = Path(__file__).parents[1] / "recordings" / "pydantic_ai"
NAMES = sorted(path.stem for path in RECORDINGS.iterdir())
SHAPE_ERROR = "Input should be a valid integer, unable to parse string as an integer"
MISSING = canonical_json(
    [
        {"input": {"town": "Paris"}, "loc": ["city"], "msg": "Field required", "type": "missing"},
        {
            "input": "Paris",
            "loc": ["town"],
            "msg": "Extra inputs are not permitted",
            "type": "extra_forbidden",
        },
    ]
)
SPECIALIST = (
    '{"messages": [{"message_type": "response", "message": "badargs done SCENARIO=badargs", '
    '"recipient": "@Manager"}]}'
)

type JsonObject = dict[str, JsonValue]


def recorded(name: str) -> list[JsonValue]:
    text = (RECORDINGS / f"{name}.json").read_text(encoding="utf-8")
    return cast("list[JsonValue]", parse_json(text))


def shown(frames: list[JsonValue]) -> CaseOutput:
    adapted = adapt_pydantic_ai(frames)
    return collect(
        adapted.events,
        human=adapted.human,
        dropped=adapted.dropped,
        lost=adapted.lost,
        capabilities=adapted.capabilities,
    )


def message(kind: str, *parts: JsonObject, **others: JsonValue) -> JsonObject:
    return {"kind": kind, "parts": list(parts), "run_id": "r", **others}


def prompt(content: JsonValue) -> JsonObject:
    return {"part_kind": "user-prompt", "content": content}


def call(name: str, args: JsonValue, call_id: str = "c") -> JsonObject:
    return {"part_kind": "tool-call", "tool_name": name, "args": args, "tool_call_id": call_id}


def back(name: str, content: JsonValue, call_id: str = "c", **others: JsonValue) -> JsonObject:
    made: JsonObject = {"part_kind": "tool-return", "tool_name": name, "content": content}
    return {**made, "tool_call_id": call_id, **others}


type Calls = list[tuple[str, JsonValue, str, str | None]]
HISTORIES: list[tuple[str, Calls, list[str], list[str]]] = [
    (
        "tools",
        [("find_pier", {"size": 9}, "ok", '{"pier":4,"size":9}')],
        ["Let me look.", "Pier 4 is free."],
        ["response"],
    ),
    (
        "parallel",
        [
            ("count_stock", {"depot": "north"}, "ok", "12"),
            ("count_stock", {"depot": "south"}, "ok", "7"),
        ],
        ["North 12, south 7."],
        ["response"],
    ),
    (
        "retries",
        [
            (
                "find_pier",
                {"size": "wide"},
                "tool_error",
                f'[{{"input":"wide","loc":["size"],"msg":"{SHAPE_ERROR}","type":"int_parsing"}}]',
            ),
            ("count_stock", {"depot": "west"}, "tool_error", "no depot west"),
            (
                "no_such",
                {},
                "tool_error",
                "Unknown tool name: 'no_such'. Available tools: 'count_stock', 'find_pier'",
            ),
            ("find_pier", {"size": 3}, "ok", '{"pier":4,"size":3}'),
        ],
        ["Pier 4."],
        ["response"],
    ),
    (
        "retry-prompt-2.59",
        [
            (
                "get_weather",
                {"town": "Paris"},
                "tool_error",
                MISSING,
            )
        ],
        [SPECIALIST],
        ["response"],
    ),
    ("failed", [("book", {}, "tool_error", "the book is closed")], ["It failed."], ["response"]),
    (
        "waiting",
        [
            ("wire_funds", {"amount": 900}, "unanswered", None),
            ("wire_funds", {"amount": 1}, "unanswered", None),
        ],
        [],
        ["runtime_stopped"],
    ),
    (
        "denied",
        [
            ("wire_funds", {"amount": 900}, "rejected", "Not today."),
            ("wire_funds", {"amount": 1}, "ok", "wired 1"),
        ],
        ["Only 1 was wired."],
        ["response"],
    ),
    (
        "turns",
        [("count_stock", {"depot": "north"}, "ok", "12")],
        ["Good day.", "12."],
        ["response", "response"],
    ),
    ("thinking", [], ["It is twelve."], ["response"]),
    (
        "builtin",
        [("web_search", {"query": "pier 4"}, "ok", '[{"title":"Pier 4"}]')],
        ["Nobody lives there."],
        ["response"],
    ),
    ("output", [], ['{"pier":4}'], ["response"]),
    ("feedback", [], ["Pier 4."], ["response"]),
    ("broken", [("book", {}, "unanswered", None)], [], ["error"]),
]


@pytest.mark.parametrize(("name", "calls", "answers", "reasons"), HISTORIES)
def test_a_history_keeps_calls_outcomes_and_answers(
    name: str, calls: Calls, answers: list[str], reasons: list[str]
) -> None:
    out = shown(recorded(name))
    done = out.tool_invocations()
    assert {invocation.agent for invocation in done} <= {ASSISTANT}
    assert [(i.tool_name, i.arguments, i.outcome.value, i.content) for i in done] == calls
    assert list(out.human_responses) == answers
    assert [turn.reason and turn.reason.value for turn in out.turns] == reasons


def test_every_recording_is_in_the_table() -> None:
    assert sorted(row[0] for row in HISTORIES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_message_is_known_and_nothing_of_it_is_lost(name: str) -> None:
    frames = recorded(name)
    adapted = adapt_pydantic_ai(frames)
    assert all(is_pydantic_ai(frame) and not is_openai_chat(frame) for frame in frames)
    assert is_pydantic_ai(frames)
    assert adapted.lost == 0
    accounts_for(adapted)


@pytest.mark.parametrize("name", NAMES)
def test_a_history_as_a_chat_and_in_again_is_the_same_chat(name: str) -> None:
    out = chat_messages(shown(recorded(name)))
    again = adapt_openai_chat([*out])
    assert chat_messages(collect(again.events, human=again.human)) == out


def find_pier(size: int) -> int:
    return size


def test_what_the_installed_version_writes_is_read() -> None:
    agent = Agent(TestModel(custom_output_text="Pier 4."), tools=[find_pier])
    messages = asyncio.run(agent.run("Which pier?")).all_messages()
    whole = parse_json(ModelMessagesTypeAdapter.dump_json(messages))
    out = shown([whole])
    assert [one.tool_name for one in out.tool_invocations()] == ["find_pier"]
    assert (out.turns[0].message, out.final_response) == ("Which pier?", "Pier 4.")


def test_usage_model_and_run_of_a_response_are_kept() -> None:
    adapted = adapt_pydantic_ai(recorded("retry-prompt-2.59"))
    first = next(event for event in adapted.events if isinstance(event, ModelResponded))
    run_id = "01a22bd0-3189-70cd-a012-15790e9b4cb0"
    assert first == ModelResponded(
        at=1796031394.201666,
        agent=ASSISTANT,
        event_id="chatcmpl-16d151eb14",
        cause_id="turn-0",
        run_id=f"{run_id}/assistant",
        model_name="gpt-4o-mini",
        provider_name="openai",
        input_tokens=185,
        output_tokens=17,
        cost_usd=0.00003795,
        finish_reason="tool_call",
    )
    assert adapted.heads[1] == FrameHead(
        index=1, author=ASSISTANT, role="response", invocation=run_id
    )


@pytest.mark.parametrize(
    ("cost", "known"), [("0.5", 0.5), (0.25, 0.25), (None, None), ("nan", None), ("much", None)]
)
def test_a_cost_is_known_where_it_is_a_number(cost: JsonValue, known: float | None) -> None:
    (usage,) = shown([message("response", usage={"cost": cost})]).llm_usage
    assert usage.cost_usd == known


def test_an_answer_that_was_sent_back_is_kept_and_is_none() -> None:
    out = shown(recorded("feedback"))
    told = [(record.content, record.internal) for record in out.messages]
    assert told == [("Which pier?", False), ("maybe", True), ("Pier 4.", False)]
    why = "nothing is said in it: retry-feedback"
    assert out.dropped == (DroppedFrame(index=2, author=None, reason=why),)


def test_an_output_tool_is_plumbing_and_its_arguments_are_the_answer() -> None:
    done = shown(recorded("output")).tool_invocations(internal=True)
    assert [(one.outcome.value, one.internal) for one in done] == [
        ("tool_error", True),
        ("ok", True),
    ]


def test_an_output_tool_is_known_by_what_came_back_of_it() -> None:
    frames: list[JsonValue] = [
        message("request", prompt("Which pier?")),
        message("response", call("berth", {"response": "Pier 4."})),
        message("request", back("berth", "Final result processed.")),
    ]
    out = shown(frames)
    assert (out.final_response, out.tool_invocations()) == ("Pier 4.", ())


def test_a_call_that_came_too_late_was_not_let_through() -> None:
    skipped = "Tool not executed - a final result was already processed."
    frames: list[JsonValue] = [
        message("response", call("book", {})),
        message("request", back("book", skipped, outcome="success")),
    ]
    (one,) = shown(frames).tool_invocations()
    assert one.outcome.value == "rejected"


@pytest.mark.parametrize(
    ("word", "outcome"),
    [
        (None, "ok"),
        ("success", "ok"),
        ("failed", "tool_error"),
        ("retried", "tool_error"),
        ("denied", "rejected"),
        ("interrupted", "infrastructure_error"),
        ("postponed", "tool_error"),
    ],
)
def test_how_a_call_ended_is_told_by_its_word(word: str | None, outcome: str) -> None:
    frames: list[JsonValue] = [
        message("response", call("book", {})),
        message("request", back("book", "error: denied", outcome=word)),
    ]
    (one,) = shown(frames).tool_invocations()
    assert (one.outcome.value, one.content) == (outcome, "error: denied")


@pytest.mark.parametrize(
    ("part", "raw", "value"),
    [
        (call("book", '{"pier": 4}'), '{"pier": 4}', {"pier": 4}),
        (call("book", {"pier": 4}), '{"pier":4}', {"pier": 4}),
        (call("book", ""), "", {}),
        (call("book", None), "", {}),
        (call("book", '{"pier":'), '{"pier":', None),
        ({"part_kind": "tool-call", "tool_name": "book", "tool_call_id": "c"}, None, None),
    ],
    ids=["text", "object", "empty", "none", "torn", "not recorded"],
)
def test_arguments_as_they_were_sent(part: JsonObject, raw: str | None, value: JsonValue) -> None:
    (one,) = shown([message("response", part)]).tool_invocations()
    assert (one.arguments_raw, one.arguments) == (raw, value)
    assert (one.parse_error is not None) == (raw == '{"pier":')


def test_results_come_before_what_the_person_says_in_the_same_message() -> None:
    frames: list[JsonValue] = [
        message("request", prompt("Book it.")),
        message("response", call("book", {})),
        message("request", prompt("And hurry."), back("book", "booked")),
        message("response", {"part_kind": "text", "content": "Done."}),
    ]
    out = shown(frames)
    assert [one.turn for one in out.tool_invocations()] == [0]
    assert [turn.message for turn in out.turns] == ["Book it.", "And hurry."]


def test_speech_is_what_was_said() -> None:
    asked: JsonObject = {"part_kind": "speech", "speaker": "user", "transcript": "Free?"}
    told: JsonObject = {"part_kind": "speech", "speaker": "assistant", "transcript": "Yes."}
    out = shown([message("request", asked), message("response", told)])
    assert (out.turns[0].message, out.final_response) == ("Free?", "Yes.")


def test_a_response_without_anything_is_an_empty_answer() -> None:
    out = shown([message("request", prompt("Free?")), message("response", state="complete")])
    assert [record.content for record in out.messages] == ["Free?", ""]
    assert out.final_response is None


@pytest.mark.parametrize("state", ["interrupted", "incomplete"])
def test_a_response_that_was_cut_off_is_an_error(state: str) -> None:
    cut = message("response", {"part_kind": "text", "content": "It is"}, state=state)
    out = shown([message("request", prompt("Free?")), cut])
    assert out.completion_reason.value == "error"
    assert out.errors == (f"assistant: the response is {state}",)


OTHERS: list[JsonValue] = [
    None,
    [],
    {"kind": "request"},
    {"kind": "message", "parts": [{"kind": "text", "text": "hi"}]},
    {"kind": "request", "parts": [{"text": "hi"}]},
    {"kind": "request", "parts": []},
    {"role": "user", "content": "hi"},
    {"messages": [{"role": "user", "content": "hi"}]},
]


@pytest.mark.parametrize("frame", OTHERS, ids=str)
def test_what_is_no_history_is_not_claimed(frame: JsonValue) -> None:
    assert not is_pydantic_ai(frame)


def test_what_is_no_message_is_told_as_lost() -> None:
    adapted = adapt_pydantic_ai([4, {"role": "user"}])
    assert [frame.reason for frame in adapted.dropped] == ["not a message of Pydantic AI"] * 2
    assert adapted.lost == 2


@settings(deadline=None)
@given(st.data())
def test_every_frame_is_accounted_for_whatever_became_of_it(data: st.DataObject) -> None:
    frames = recorded(data.draw(st.sampled_from(NAMES)))
    adapted = adapt_pydantic_ai(mutated(data, frames))
    accounts_for(adapted)
    survives(adapted)


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6))
def test_no_json_raises(frames: list[JsonValue]) -> None:
    adapted = adapt_pydantic_ai(frames)
    accounts_for(adapted)
    survives(adapted)
    assert len(adapted.heads) >= len(frames)
    assert all(isinstance(is_pydantic_ai(frame), bool) for frame in frames)
