"""One message of a chat, or one item of a response, as a frame of parts."""

import pytest
from pydantic import JsonValue

from audition.adaptation import FrameHead
from audition.adapters.openai_chat.messages import NOT_CHAT, MessageReader, is_item, role_of
from audition.events import ToolOutcome
from audition.tool_payloads import Arguments, Returned
from audition.transcripts.parts import Answered, Asked, Broke, Called, Frame, Responded, Said


def read(record: JsonValue) -> Frame:
    return MessageReader().read(0, record)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("user", "user"),
        ("human", "user"),
        ("assistant", "assistant"),
        ("ai", "assistant"),
        ("model", "assistant"),
        ("system", "instructions"),
        ("developer", "instructions"),
        ("tool", "tool"),
        ("function", "tool"),
        ("critic", None),
    ],
)
def test_a_role_goes_by_several_names(name: str, role: str | None) -> None:
    assert role_of({"role": name, "content": "x"}) == role
    assert role_of({"type": name, "content": "x"}) == role


def test_a_type_alone_is_no_role() -> None:
    assert role_of({"type": "function"}) is None


def test_calls_results_and_thoughts_are_items() -> None:
    kinds = ("function_call", "function_call_output", "reasoning", "web_search_call")
    assert all(is_item({"type": kind}) for kind in kinds)
    assert not any(is_item({"type": kind}) for kind in ("message", "tool_call", 1))


def test_a_frame_says_who_wrote_it() -> None:
    head = FrameHead(index=0, author="triage", role="assistant")
    frame = read({"role": "assistant", "name": "triage", "content": "Hi", "id": "m-1"})
    assert (frame.head, frame.agent, frame.event_id) == (head, "triage", "m-1")


@pytest.mark.parametrize("role", ["system", "developer"])
def test_instructions_are_dropped_as_such(role: str) -> None:
    frame = read({"role": role, "content": "Be brief."})
    assert (frame.parts, frame.emptiness, frame.is_foreign) == ((), "instructions", False)


def test_what_is_no_message_is_told_as_lost() -> None:
    frame = read({"choices": 1})
    assert (frame.parts, frame.emptiness, frame.is_foreign) == ((), NOT_CHAT, True)


USE: JsonValue = [{"type": "tool_use", "id": "c", "name": "find", "input": {}}]


SPELLINGS: list[dict[str, JsonValue]] = [
    {"tool_calls": [{"id": "c", "function": {"name": "find", "arguments": "{}"}}]},
    {"tool_calls": [{"id": "c", "function": {"name": "find", "arguments": {}}}]},
    {"tool_calls": [{"id": "c", "name": "find", "args": {}}]},
    {"tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "find", "input": "{}"}}]},
    {"toolCalls": [{"id": "c", "function": {"name": "find", "arguments": "{}"}}]},
    {"content": [{"toolUse": {"toolUseId": "c", "name": "find", "input": {}}}]},
    {"content": [{"type": "tool-call", "toolCallId": "c", "toolName": "find", "args": {}}]},
    {"content": [{"type": "tool_call", "id": "c", "name": "find", "args": {}}]},
    {"tool_calls": [], "content": USE},
    {
        "tool_calls": [{"id": "c", "name": "find", "args": {}}],
        "content": USE,
    },
]


@pytest.mark.parametrize(
    "record",
    SPELLINGS,
    ids=[
        *("text", "object", "flat", "custom", "camelCase", "Bedrock", "AI SDK", "LangChain"),
        *("block alone", "block beside it"),
    ],
)
def test_a_call_in_any_spelling_is_one_call(record: dict[str, JsonValue]) -> None:
    call = Called(name="find", call_id="c", arguments=Arguments(raw="{}", value={}))
    assert read({"role": "assistant", **record}).parts == (Responded(), call)


def test_an_empty_message_is_an_empty_answer() -> None:
    empty: list[JsonValue] = [None, "", []]
    made = [read({"role": "assistant", "content": content}).parts for content in empty]
    assert made == [(Responded(), Said(text=""))] * 3


def test_a_thought_alone_is_no_answer() -> None:
    thought: JsonValue = [{"type": "thinking", "thinking": "hm"}]
    assert read({"role": "assistant", "content": thought}).parts == (Responded(),)


def test_a_refusal_is_what_is_said() -> None:
    frame = read({"role": "assistant", "content": None, "refusal": "No."})
    assert frame.parts == (Responded(), Said(text="No."))


@pytest.mark.parametrize(
    "record",
    [
        {"role": "tool", "toolCallId": "c", "content": "12", "status": "error"},
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": "c", "status": "error", "content": [{"text": "12"}]}}
            ],
        },
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": "c", "status": "error", "content": [{"json": 12}]}}
            ],
        },
        {
            "role": "tool",
            "content": [{"type": "tool-result", "toolCallId": "c", "result": 12, "isError": True}],
        },
        {
            "role": "tool",
            "content": [
                {
                    "type": "tool-result",
                    "toolCallId": "c",
                    "output": {"type": "error-text", "value": "12"},
                }
            ],
        },
    ],
    ids=["camelCase", "Bedrock", "Bedrock's JSON", "AI SDK 4", "AI SDK 5"],
)
def test_a_result_in_any_spelling_is_one_result(record: dict[str, JsonValue]) -> None:
    failed = Returned(content="12", outcome=ToolOutcome.TOOL_ERROR)
    assert read(record).parts == (Answered(call_id="c", returned=failed),)


def test_results_and_words_of_one_message_are_told_apart() -> None:
    result: JsonValue = {"type": "tool_result", "tool_use_id": "c", "content": "12"}
    words: JsonValue = {"type": "text", "text": "And?"}
    back = Answered(call_id="c", returned=Returned(content="12"))
    assert read({"role": "user", "content": [result]}).parts == (back,)
    assert read({"role": "user", "content": [result, words]}).parts == (back, Asked(text="And?"))


def test_what_a_provider_ran_is_a_call_and_its_result() -> None:
    frame = read({"type": "code_interpreter_call", "id": "ci", "code": "1", "outputs": ["1"]})
    call = Called(name="code_interpreter", call_id="ci", arguments=Arguments(raw="1", value=1))
    back = Answered(
        name="code_interpreter",
        call_id="ci",
        returned=Returned(content="1"),
        is_last_word=True,
    )
    assert frame.parts == (Responded(), call, back)


def test_a_tool_that_a_provider_ran_is_a_call_without_a_second_message() -> None:
    call: JsonValue = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    result: JsonValue = {"type": "web_search_tool_result", "tool_use_id": "s", "content": "x"}
    parts = read({"role": "assistant", "content": [call, result]}).parts
    assert [type(part) for part in parts] == [Responded, Called, Answered]


def test_a_call_without_a_name_is_none() -> None:
    frame = read({"role": "assistant", "content": "Hi", "tool_calls": [{"id": "c"}]})
    assert frame.parts == (Responded(), Said(text="Hi"))


def test_an_error_is_told() -> None:
    frame = read({"error": {"message": "rate\nlimit", "code": 429}})
    assert frame.parts == (Broke(error="rate limit"),)


def test_a_model_answers_once_for_items_that_stand_side_by_side() -> None:
    reader = MessageReader()
    call: JsonValue = {"type": "function_call", "call_id": "c", "name": "find", "arguments": ""}
    back: JsonValue = {"type": "function_call_output", "call_id": "c", "output": "x"}
    frames = [reader.read(index, item) for index, item in enumerate([call, call, back, call])]
    answers = [sum(isinstance(part, Responded) for part in frame.parts) for frame in frames]
    assert answers == [1, 0, 0, 1]
