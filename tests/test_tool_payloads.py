"""Arguments as recorded; content and outcome out of every envelope a tool result comes in."""

import pytest
from pydantic import JsonValue

from audition.events import ToolOutcome
from audition.tool_payloads import Arguments, Returned, read_arguments, read_returned


@pytest.mark.parametrize(
    ("recorded", "arguments"),
    [
        (None, Arguments()),
        ({}, Arguments(raw="{}", value={})),
        ({"b": 1, "a": "é"}, Arguments(raw='{"a":"é","b":1}', value={"b": 1, "a": "é"})),
        ('{"pier": 4}', Arguments(raw='{"pier": 4}', value={"pier": 4})),
        ([1], Arguments(raw="[1]", value=[1])),
    ],
)
def test_arguments_are_what_was_recorded(recorded: JsonValue, arguments: Arguments) -> None:
    assert read_arguments(recorded) == arguments


def test_arguments_that_do_not_parse_say_why() -> None:
    arguments = read_arguments('{"pier": ')
    assert (arguments.raw, arguments.value) == ('{"pier": ', None)
    assert arguments.parse_error


def mcp(*blocks: JsonValue, **others: JsonValue) -> JsonValue:
    return {"content": list(blocks), **others}


def block(words: str) -> JsonValue:
    return {"type": "text", "text": words}


IMAGE: JsonValue = {"type": "image", "data": "AAAA"}


@pytest.mark.parametrize(
    ("recorded", "content", "structure"),
    [
        ({"city": "Oslo", "at": 1}, '{"at":1,"city":"Oslo"}', {"city": "Oslo", "at": 1}),
        ({"result": "noon"}, "noon", None),
        ({"result": None}, "", None),
        ({"result": [1, 2]}, "[1,2]", [1, 2]),
        ({"output": '{"a": 1}'}, '{"a": 1}', {"a": 1}),
        ({"response": {"a": 1}}, '{"a":1}', {"a": 1}),
        ({"content": "words"}, "words", None),
        ({"content": []}, "[]", []),
        ({"result": "up", "isError": False}, "up", None),
        ({"result": 1, "unit": "m"}, '{"result":1,"unit":"m"}', {"result": 1, "unit": "m"}),
        ({"other": 1}, '{"other":1}', {"other": 1}),
        ({}, "{}", {}),
        ("noon", "noon", None),
        (None, "", None),
        (mcp(block("one"), block("two")), "one\ntwo", None),
        (mcp(block('{"a": 1}'), isError=False, _meta={"x": 1}), '{"a": 1}', {"a": 1}),
        (mcp(block("one"), IMAGE, structuredContent={"a": 1}), "one", {"a": 1}),
        (mcp(structuredContent={"a": 1}), '{"a":1}', {"a": 1}),
        (mcp(IMAGE), '[{"data":"AAAA","type":"image"}]', [IMAGE]),
        (mcp(isError=False), "", None),
        (mcp("x", {"type": "text", "text": 5}), '["x",{"text":5,"type":"text"}]',
         ["x", {"type": "text", "text": 5}]),
        ({"result": mcp(block("one"), isError=False)}, "one", None),
        ({"result": '{"content":[{"type":"text","text":"one"}],"isError":false}'}, "one", None),
        ({"result": {"result": 1}}, '{"result":1}', {"result": 1}),
        ({"result": {"content": [1], "total": 3}}, '{"content":[1],"total":3}',
         {"content": [1], "total": 3}),
    ],
)  # fmt: skip
def test_a_result_comes_out_of_its_envelope(
    recorded: JsonValue, content: str, structure: JsonValue
) -> None:
    assert read_returned(recorded) == Returned(content=content, structure=structure)


@pytest.mark.parametrize(
    ("recorded", "outcome"),
    [
        ({"error": "quota exceeded", "status": "error"}, ToolOutcome.TOOL_ERROR),
        ({"error": {"code": 5}}, ToolOutcome.TOOL_ERROR),
        ({"error": True}, ToolOutcome.TOOL_ERROR),
        ({"error": None, "rows": 3}, ToolOutcome.OK),
        ({"error": ""}, ToolOutcome.OK),
        ({"error": 0.02, "steps": 9}, ToolOutcome.OK),
        ({"error": "payment rejected by the bank"}, ToolOutcome.TOOL_ERROR),
        (mcp(block("no such pier"), isError=True), ToolOutcome.TOOL_ERROR),
        ({"response_type": "ERROR_HANDLED_BY_REFLECT_AND_RETRY_PLUGIN"}, ToolOutcome.TOOL_ERROR),
        ({"error": "This tool call is rejected."}, ToolOutcome.REJECTED),
        ({"result": "Tool call was rejected by user. Reason: no"}, ToolOutcome.REJECTED),
        ({"error": "Tool call was rejected by user.", "isError": True}, ToolOutcome.REJECTED),
        ({"error": "This tool call requires confirmation, please approve or reject."},
         ToolOutcome.PENDING),
        ({"result": "ok"}, ToolOutcome.OK),
        ({"result": mcp(block("no such pier"), isError=True)}, ToolOutcome.TOOL_ERROR),
        ({"result": '{"content":[{"type":"text","text":"no"}],"isError":true}'},
         ToolOutcome.TOOL_ERROR),
        ({"output": {"error": "quota exceeded"}}, ToolOutcome.TOOL_ERROR),
        ({"result": mcp(block("up")), "isError": True}, ToolOutcome.TOOL_ERROR),
        ({"result": '{"error": "a line of a log"}'}, ToolOutcome.OK),
        (mcp(isError=True), ToolOutcome.TOOL_ERROR),
    ],
)  # fmt: skip
def test_an_outcome_is_what_the_runtime_marked(recorded: JsonValue, outcome: ToolOutcome) -> None:
    assert read_returned(recorded).outcome is outcome
