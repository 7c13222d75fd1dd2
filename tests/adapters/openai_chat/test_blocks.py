"""What stands in the content of a message."""

import pytest
from pydantic import JsonValue

from audition.adapters.openai_chat.blocks import (
    Content,
    fields,
    given,
    items,
    read_content,
    returned,
    word,
)
from audition.events import ToolOutcome
from audition.tool_payloads import Arguments, Returned
from audition.transcripts.parts import Answered, Called

USE: JsonValue = {"type": "tool_use", "id": "t-1", "name": "find", "input": {"q": 1}}
RESULT: JsonValue = {"type": "tool_result", "tool_use_id": "t-1", "content": "found"}


@pytest.mark.parametrize(
    ("recorded", "content"),
    [
        (None, Content()),
        ("", Content(text="")),
        ([], Content()),
        ({"a": 1}, Content(text='{"a":1}')),
        (["Look ", {"type": "text", "text": "here"}, {"text": "."}], Content(text="Look here.")),
        ([{"type": "refusal", "refusal": "No."}], Content(text="No.")),
        ([{"type": "thinking", "text": "hm"}, 4], Content(unread=("thinking", "block"))),
    ],
)
def test_the_text_of_a_content(recorded: JsonValue, content: Content) -> None:
    assert read_content(recorded) == content


def test_calls_and_results_among_the_blocks() -> None:
    arguments = Arguments(raw='{"q":1}', value={"q": 1})
    assert read_content([USE, RESULT]).tools == (
        Called(name="find", call_id="t-1", arguments=arguments),
        Answered(call_id="t-1", returned=Returned(content="found")),
    )


def test_a_tool_of_the_provider_came_back_to_the_model_that_asked_for_it() -> None:
    block: JsonValue = {"type": "web_search_tool_result", "tool_use_id": "s-1", "content": []}
    (answered,) = read_content([block]).tools
    assert isinstance(answered, Answered)
    assert answered.is_last_word


@pytest.mark.parametrize(
    ("recorded", "arguments"),
    [
        (None, Arguments()),
        ("", Arguments(raw="", value={})),
        ('{"q":1}', Arguments(raw='{"q":1}', value={"q": 1})),
        ({"q": 1}, Arguments(raw='{"q":1}', value={"q": 1})),
    ],
)
def test_no_text_is_no_arguments_and_nothing_is_not_recorded(
    recorded: JsonValue, arguments: Arguments
) -> None:
    assert given(recorded) == arguments


@pytest.mark.parametrize(
    ("recorded", "back"),
    [
        ("error: rejected", Returned(content="error: rejected")),
        ('{"a":1}', Returned(content='{"a":1}', structure={"a": 1})),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], Returned(content="ab")),
        ('{"error":"x"}', Returned(content='{"error":"x"}', structure={"error": "x"})),
        (
            '{"content":[{"type":"text","text":"no"}],"isError":true}',
            Returned(content="no", outcome=ToolOutcome.TOOL_ERROR),
        ),
        ("[tool error] no", Returned(content="no", outcome=ToolOutcome.TOOL_ERROR)),
        ("[tool error] [rejected] no", Returned(content="no", outcome=ToolOutcome.REJECTED)),
        ("[pending] wait", Returned(content="wait", outcome=ToolOutcome.PENDING)),
    ],
)
def test_the_outcome_is_told_from_marks_and_never_from_words(
    recorded: JsonValue, back: Returned
) -> None:
    assert returned(recorded) == back


def test_a_failure_beside_the_content_counts() -> None:
    assert returned("no", failed=True).outcome is ToolOutcome.TOOL_ERROR


def test_blocks_without_text_are_told_as_json() -> None:
    assert returned([{"type": "image", "source": "x"}]).content == '[{"source":"x","type":"image"}]'


def test_what_has_the_wrong_type_is_empty() -> None:
    assert (list(items({})), list(items([1, {}])), fields([])) == ([], [{}], {})
    assert (word({"a": 1, "b": "", "c": "x"}, "a", "b", "c"), word({}, "a")) == ("x", None)
