"""What was said, out of every place that can hold it."""

import json

import pytest
from pydantic import JsonValue

from audition.adapters.otlp.frames import Frame, SpanEvent
from audition.adapters.otlp.messages import (
    Part,
    has_content,
    is_question,
    last_question,
    read_history,
    read_offered,
    read_said,
)

ARGUMENTS: JsonValue = {"ship": "Alba"}
LOOK: dict[str, JsonValue] = {"id": "1", "name": "look", "arguments": ARGUMENTS}
OPENAI_LOOK: JsonValue = {
    "id": "1",
    "type": "function",
    "function": {"name": "look", "arguments": '{"ship":"Alba"}'},
}
TOLD = [("text", "user", "Free?"), ("call", "look", "1"), ("return", "1", "yes")]
SAID = [("text", "assistant", "It is.")]


def frame(*events: SpanEvent, **values: JsonValue) -> Frame:
    attributes = {key.replace("__", "."): value for key, value in values.items()}
    return Frame(index=0, kind="span", attributes=attributes, events=events)


def event(name: str, **values: JsonValue) -> SpanEvent:
    return SpanEvent(name=name, attributes=dict(values))


def shown(parts: tuple[Part, ...]) -> list[tuple[str | None, ...]]:
    rows: list[tuple[str | None, ...]] = []
    for part in parts:
        match part.kind:
            case "text":
                rows.append(("text", part.role, part.text))
            case "call":
                body = json.loads(part.body) if isinstance(part.body, str) else part.body
                assert body == ARGUMENTS
                rows.append(("call", part.name, part.call_id))
            case _:
                rows.append((part.kind, part.call_id, str(part.body)))
    return rows


SEMCONV_IN: JsonValue = [
    {"role": "system", "parts": []},
    {"role": "user", "parts": [{"type": "text", "content": "Free?"}]},
    {"role": "assistant", "parts": [{"type": "tool_call", **LOOK}]},
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": "yes"}]},
]
SEMCONV_OUT: JsonValue = [
    {
        "role": "assistant",
        "parts": [
            {"type": "reasoning", "content": "hm"},
            {"type": "text", "content": "It is."},
        ],
    }
]
ADK_REQUEST: JsonValue = {
    "contents": [
        {"role": "user", "parts": [{"text": "Free?"}]},
        {
            "role": "model",
            "parts": [{"function_call": {"id": "1", "name": "look", "args": ARGUMENTS}}],
        },
        {"role": "user", "parts": [{"function_response": {"id": "1", "response": "yes"}}]},
    ]
}  # fmt: skip
ADK_RESPONSE: JsonValue = {
    "content": {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "It is."}]}
}
OLD_EVENTS = (
    event("gen_ai.system.message", content=""),
    event("gen_ai.user.message", content="Free?"),
    event("gen_ai.assistant.message", tool_calls=[OPENAI_LOOK]),
    event("gen_ai.tool.message", id="1", content="yes"),
    event("gen_ai.choice", index=0, message={"role": "assistant", "content": "It is."}),
    event("exception"),
)
STRANDS_EVENTS = (
    event("gen_ai.user.message", content='[{"text": "Free?"}]'),
    event(
        "gen_ai.assistant.message",
        content='[{"toolUse": {"toolUseId": "1", "name": "look", "input": {"ship": "Alba"}}}]',
    ),
    event("gen_ai.tool.message", content='[{"toolResult": {"toolUseId": "1", "content": "yes"}}]'),
    event("gen_ai.choice", finish_reason="end_turn", message='[{"text": "It is."}]'),
)
GENAI_LOGS = (
    event("gen_ai.user.message", content={"role": "user", "parts": [{"text": "Free?"}]}),
    event(
        "gen_ai.user.message",
        content={"role": "model", "parts": [{"functionCall": LOOK}]},
    ),
    event(
        "gen_ai.user.message",
        content={"role": "user", "parts": [{"functionResponse": {"id": "1", "response": "yes"}}]},
    ),
    event("gen_ai.choice", content={"role": "model", "parts": [{"text": "It is."}]}),
)


@pytest.mark.parametrize(
    "span",
    [
        frame(gen_ai__input__messages=SEMCONV_IN, gen_ai__output__messages=SEMCONV_OUT),
        frame(
            gen_ai__input__messages=json.dumps(SEMCONV_IN),
            gen_ai__output__messages=json.dumps(SEMCONV_OUT),
        ),
        frame(
            gcp__vertex__agent__llm_request=json.dumps(ADK_REQUEST),
            gcp__vertex__agent__llm_response=json.dumps(ADK_RESPONSE),
        ),
        frame(
            SpanEvent(
                name="gen_ai.client.inference.operation.details",
                attributes={
                    "gen_ai.input.messages": SEMCONV_IN,
                    "gen_ai.output.messages": SEMCONV_OUT,
                },
            )
        ),
        frame(*OLD_EVENTS),
        frame(*STRANDS_EVENTS),
        frame(
            events=json.dumps(
                [{**one.attributes, "event.name": one.name} for one in OLD_EVENTS[:-1]]
            )
        ),
        frame(
            gen_ai__prompt__0__role="user",
            gen_ai__prompt__0__content="Free?",
            gen_ai__prompt__1__role="assistant",
            gen_ai__prompt__1__tool_calls__0__id="1",
            gen_ai__prompt__1__tool_calls__0__name="look",
            gen_ai__prompt__1__tool_calls__0__arguments='{"ship":"Alba"}',
            gen_ai__prompt__2__role="tool",
            gen_ai__prompt__2__tool_call_id="1",
            gen_ai__prompt__2__content="yes",
            gen_ai__completion__0__role="assistant",
            gen_ai__completion__0__content="It is.",
            gen_ai__completion__0__finish_reason="stop",
        ),
    ],
    ids=["values", "texts", "adk", "details", "old-events", "strands", "events-list", "numbered"],
)
def test_every_place_says_the_same(span: Frame) -> None:
    told = read_said([span])
    assert [row for row in shown(told.inputs) if row != ("text", "system", "")] == TOLD
    assert shown(told.outputs) == SAID


def test_log_records_tell_what_the_span_does_not() -> None:
    logs = [Frame(index=index, kind="log", events=(one,)) for index, one in enumerate(GENAI_LOGS)]
    told = read_said([frame()], logs)
    assert last_question(told.inputs) == "Free?"
    assert shown(told.outputs) == SAID


@pytest.mark.parametrize(
    "cut", ['[{"role":"user","parts":[{"type":"te', "{}", "[]", "<elided>", 5, None, [[]], {"a": 1}]
)
def test_content_that_is_cut_or_withheld_is_not_there(cut: JsonValue) -> None:
    told = read_said([frame(gen_ai__input__messages=cut, gcp__vertex__agent__llm_request=cut)])
    assert (told.inputs, told.outputs) == ((), ())


def test_parts_without_content_say_nothing() -> None:
    told = read_said(
        [
            frame(
                gen_ai__output__messages=[
                    {
                        "role": "assistant",
                        "parts": [{"type": "text"}, {"type": "tool_call", "id": "1", "name": "a"}],
                    }
                ]
            )
        ]
    )
    assert [(part.kind, part.body) for part in told.outputs] == [("call", None)]


def test_the_question_is_the_last_message_of_the_one_who_asks() -> None:
    told = read_said(
        [
            frame(
                gen_ai__input__messages=[
                    {"role": "user", "content": "Hi"},
                    {"role": "assistant", "content": "Hello"},
                    {"role": "user", "content": [{"type": "text", "text": "Is it "}, "free?"]},
                    {"role": "tool", "content": "yes", "tool_call_id": "1"},
                ]
            )
        ]
    )
    assert last_question(told.inputs) == "Is it free?"
    assert [is_question(part) for part in told.inputs] == [True, False, True, True, False]
    assert last_question(()) is None


@pytest.mark.parametrize(
    "definitions",
    [
        [{"name": "look", "type": "function"}, {"function": {"name": "ask"}}, 5],
        '[{"name": "look"}, {"name": "ask"}]',
    ],
)
def test_the_tools_that_were_offered_are_known(definitions: JsonValue) -> None:
    offered = read_offered([frame(), frame(gen_ai__tool__definitions=definitions)])
    assert offered == {"look", "ask"}


def test_content_is_more_than_the_name_of_a_call() -> None:
    named = Part(kind="call", role="assistant", message=0, name="look")
    text = Part(kind="text", role="user", message=0, text="")
    assert [has_content((named,)), has_content((named, text)), has_content(())] == [
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(("new", "question"), [(None, "Hi"), (2, "Free?"), ("x", "Hi")])
def test_a_history_begins_where_the_run_was_asked(new: JsonValue, question: str) -> None:
    span = frame(
        pydantic_ai__all_messages=json.dumps(
            [
                {"role": "user", "parts": [{"type": "text", "content": "Hi"}]},
                {"role": "assistant", "parts": [{"type": "text", "content": "Hello"}]},
                {"role": "user", "parts": [{"type": "text", "content": "Free?"}]},
                {"role": "assistant", "parts": [{"type": "text", "content": "It is."}]},
            ]
        ),
        pydantic_ai__new_message_index=new,
    )
    told = read_history(span)
    assert last_question(told.inputs) == question
    assert shown(told.outputs)[-1:] == SAID
