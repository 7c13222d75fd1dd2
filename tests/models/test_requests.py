import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.native_tools import MCPServerTool
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from audition.models.calls import request_hash
from audition.models.requests import Scrub, scrubbed_request

NO_TOOLS = ModelRequestParameters()


def conversation(run: str, *, question: str = "Which berth is free?") -> list[ModelMessage]:
    """Return a conversation in which all that a model cannot see belongs to the run."""
    at = datetime.fromtimestamp(sum(run.encode()), tz=UTC)
    called = f"call-of-{run}"
    return [
        ModelRequest(
            parts=[UserPromptPart(question, timestamp=at)],
            run_id=run,
            conversation_id=f"talk-{run}",
            timestamp=at,
            metadata={"run": run},
        ),
        ModelResponse(
            parts=[
                ThinkingPart("Look it up.", id=run, signature=f"signed by {run}"),
                ToolCallPart("berths", {"free": True}, called, id=run),
            ],
            usage=RequestUsage(input_tokens=len(run)),
            model_name=f"calm-{run}",
            timestamp=at,
            provider_response_id=run,
            provider_details={"run": run},
            run_id=run,
        ),
        ModelRequest(parts=[ToolReturnPart("berths", {"berth": 7}, called, timestamp=at)]),
    ]


def hash_of(messages: list[ModelMessage], scrub: Scrub | None = None) -> str:
    return request_hash(scrubbed_request(messages, None, NO_TOOLS, scrub=scrub))


def test_what_a_model_cannot_see_makes_no_other_request() -> None:
    assert hash_of(conversation("monday")) == hash_of(conversation("tuesday"))


def test_another_question_is_another_request() -> None:
    other = conversation("monday", question="Which berth is dry?")
    assert hash_of(conversation("monday")) != hash_of(other)


def test_what_belongs_together_by_id_still_does() -> None:
    def returned(*order: str) -> list[ModelMessage]:
        calls = [ToolCallPart("berths", {}, call_id) for call_id in ("a", "b")]
        returns = [ToolReturnPart("berths", "7", call_id) for call_id in order]
        return [ModelResponse(parts=calls), ModelRequest(parts=returns)]

    assert hash_of(returned("a", "b")) != hash_of(returned("b", "a"))


@pytest.mark.parametrize(
    "parameters",
    [
        ModelRequestParameters(function_tools=[ToolDefinition(name="berths")]),
        ModelRequestParameters(output_tools=[ToolDefinition(name="berths")], output_mode="tool"),
        ModelRequestParameters(allow_text_output=False),
    ],
)
def test_other_tools_or_another_output_are_another_request(
    parameters: ModelRequestParameters,
) -> None:
    asked = conversation("monday")
    assert request_hash(scrubbed_request(asked, None, parameters)) != hash_of(asked)


def test_the_order_of_tools_makes_no_other_request() -> None:
    def with_tools(*names: str) -> JsonValue:
        tools = [ToolDefinition(name=name) for name in names]
        return scrubbed_request([], None, ModelRequestParameters(function_tools=tools))

    assert with_tools("berths", "ships") == with_tools("ships", "berths")


def test_settings_count_and_headers_bodies_and_limits_are_not_in_it() -> None:
    settings = ModelSettings(
        temperature=0.5, extra_headers={"X": "calm sea"}, extra_body={"y": "calm sea"}, timeout=3
    )
    request = scrubbed_request([], settings, NO_TOOLS)
    assert isinstance(request, dict)
    assert request["settings"] == {"temperature": 0.5}


def test_a_native_tool_is_named_without_its_headers() -> None:
    tool = MCPServerTool(id="sea", url="https://sea.example", headers={"X": "calm sea"})
    request = scrubbed_request([], None, ModelRequestParameters(native_tools=[tool]))
    assert isinstance(request, dict)
    assert request["tools"] == ["mcp_server:sea"]


def test_an_image_is_its_hash() -> None:
    def seen(data: bytes) -> str:
        image = BinaryContent(data, media_type="image/png")
        asked: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart(["What?", image])])]
        return json.dumps(scrubbed_request(asked, None, NO_TOOLS))

    assert len(seen(b"x" * 100_000)) < 1000
    assert seen(b"x" * 100_000) != seen(b"y" * 100_000)


def test_what_changes_in_texts_is_taken_out_as_the_caller_says() -> None:
    def asked(day: str) -> str:
        messages = conversation("monday", question=f"Today is {day}. Which berth is free?")
        return hash_of(messages, scrub=lambda text: text.replace(day, "DAY"))

    assert asked("2031-05-01") == asked("2031-05-02")


class Unwritable:
    """Something whose repr is another one each time."""


def test_what_is_no_json_is_told_by_its_type() -> None:
    def returned() -> str:
        content = {"odd": Unwritable(), "lone": "\ud800", "none": float("nan"), "raw": b"\xff"}
        return hash_of([ModelRequest(parts=[ToolReturnPart("berths", content, "1")])])

    assert returned() == returned()


@given(st.lists(st.text(max_size=20), max_size=4))
def test_any_texts_make_a_request_of_their_own(texts: list[str]) -> None:
    messages: list[ModelMessage] = [ModelResponse(parts=[TextPart(text)]) for text in texts]
    again: list[ModelMessage] = [ModelResponse(parts=[TextPart(text)]) for text in texts]
    assert hash_of(messages) == hash_of(again)
    assert hash_of([*messages, ModelResponse(parts=[])]) != hash_of(messages)
