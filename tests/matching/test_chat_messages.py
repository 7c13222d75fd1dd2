"""Chat messages and short lists of calls as the steps of a trajectory."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.matching.chat_messages import check_calls, expected_calls, expected_steps, is_call
from audition.matching.tool_calls import ToolCall
from audition.matching.trajectories import Step


def call(name: str = "search", arguments: Any = '{"q":"x"}', **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


def assistant(*calls: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def steps(*messages: Any) -> list[Step]:
    return expected_steps(list(messages))


def read_call(*calls: Any) -> ToolCall:
    (step,) = steps(assistant(*calls))
    (read,) = step.calls
    return read


SEARCH = ToolCall("search", {"q": "x"})
USER: dict[str, Any] = {"role": "user", "content": "?"}
TEXT: dict[str, Any] = {"role": "assistant", "content": "Yes."}


def test_a_conversation_becomes_its_steps_and_a_result_belongs_to_its_call() -> None:
    asked = assistant(call(id="1"), call("send", "{}", id="2"))
    results = [{"role": "tool", "tool_call_id": number, "content": "ok"} for number in "21"]
    expected = [
        Step("user"),
        Step("assistant", (SEARCH, ToolCall("send", {})), answered=2),
        Step("assistant"),
    ]
    assert steps(USER, asked, *results, TEXT) == expected


@pytest.mark.parametrize(
    "message",
    [
        assistant(call()),
        assistant(call(arguments={"q": "x"})),
        assistant({"name": "search", "args": {"q": "x"}}),
        {"role": "ai", "tool_calls": [call()]},
        {"role": "model", "tool_calls": [call()]},
        {"type": "ai", "tool_calls": [call()]},
        {"role": "assistant", "function_call": {"name": "search", "arguments": '{"q":"x"}'}},
        {
            "role": "assistant",
            "tool_calls": [],
            "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "1", "name": "search", "input": {"q": "x"}},
            ],
        },
    ],
)
def test_a_call_is_read_in_every_form_that_people_write(message: dict[str, Any]) -> None:
    assert steps(message) == [Step("assistant", (SEARCH,))]


@pytest.mark.parametrize("nothing", ["absent", None, []])
def test_no_calls_are_written_in_three_ways(nothing: Any) -> None:
    message = dict(TEXT) if nothing == "absent" else {**TEXT, "tool_calls": nothing}
    assert steps(message) == [Step("assistant")]


@pytest.mark.parametrize("role", ["system", "developer"])
def test_instructions_are_no_step(role: str) -> None:
    assert steps({"role": role, "content": "Be brief."}, USER) == [Step("user")]


def test_a_second_result_of_a_call_is_none() -> None:
    results = [{"role": "tool", "tool_call_id": "1", "content": text} for text in ("wait", "ok")]
    assert steps(assistant(call(id="1")), *results)[0].answered == 1


def test_results_without_an_id_are_counted_and_one_too_many_is_a_step() -> None:
    result = {"role": "tool", "content": "ok"}
    asked = assistant(call(id="1"), call())
    assert steps(asked, result, result)[0].answered == 2
    assert steps(asked, result, result, result)[1:] == [Step("tool")]
    assert steps(USER, result)[1:] == [Step("tool")]


def test_results_as_blocks_of_a_user_message_are_no_word_of_the_user() -> None:
    block = {"type": "tool_result", "tool_use_id": "1", "content": "ok"}
    asked = assistant(call(id="1"))
    answered = [Step("assistant", (SEARCH,), answered=1)]
    assert steps(asked, {"role": "user", "content": [block]}) == answered
    both = {"role": "user", "content": [block, {"type": "text", "text": "And?"}]}
    assert steps(asked, both) == [*answered, Step("user")]


@pytest.mark.parametrize("text", ["", "  ", "null", None])
def test_arguments_that_say_nothing_are_no_arguments(text: Any) -> None:
    assert read_call(call("send", text)) == ToolCall("send", {})


def test_arguments_that_are_not_there_may_be_any() -> None:
    assert read_call({"function": {"name": "send"}}) == ToolCall("send")
    assert expected_calls([{"tool": "send"}]) == [ToolCall("send")]


@pytest.mark.parametrize("text", ['{"q": ', '{"q":1} trailing', "NaN"])
def test_arguments_that_do_not_parse_are_a_problem_of_the_call(text: str) -> None:
    read = read_call(call(arguments=text))
    assert (read.arguments, repr(text) in str(read.problem)) == (None, True)
    with pytest.raises(ValueError, match=r"search: the arguments .* do not parse"):
        check_calls([read])


def test_recorded_arguments_hold_no_matchers_and_written_ones_do() -> None:
    recorded = read_call(call(arguments='{"where":[{"$gt":5}]}'))
    assert recorded.arguments == {"where": [{"$literal": {"$gt": 5}}]}
    check_calls([recorded])
    assert read_call(call(arguments={"q": {"$term": "x"}})).arguments == {"q": {"$term": "x"}}
    with pytest.raises(ValueError, match=r"search: /q: \$gt is no matcher"):
        check_calls([read_call(call(arguments={"q": {"$gt": 5}}))])


NEITHER = (
    "neither a chat message, which has a role, "
    'nor a call in short form, {"tool": ..., "arguments": {...}}'
)


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        (["hello"], '/0: a message: wanted an object, found "hello"'),
        ([USER, {"tol": "x"}], f"/1: {NEITHER}"),
        ([{"role": "bot"}], '/0: the role "bot" is none; there are user, human, assistant'),
        ([{"role": "assistant", "tool_calls": 7}], "/0: /tool_calls: wanted a list, found 7"),
        ([assistant("search")], '/0: /tool_calls/0: wanted an object, found "search"'),
        ([assistant({"id": "1"})], '/0: a call has no name: {"id":"1"}'),
    ],
)
def test_what_is_no_chat_message_is_refused_with_its_place(
    messages: list[Any], problem: str
) -> None:
    with pytest.raises(ValueError, match=r"^") as caught:
        expected_steps(messages)
    assert str(caught.value).startswith(problem)


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        ("search", '/0: a call: wanted an object, found "search"'),
        ({"tool": ""}, '/0/tool: wanted the name of a tool, found ""'),
        ({"tool": "s", "args": {}}, "/0: args is no field of a call; wanted tool and arguments"),
        ({"tool": "s", "arguments": None}, "/0/arguments: wanted an object; {} for no arguments"),
    ],
)
def test_what_is_no_call_is_refused_with_its_place(item: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=r"^") as caught:
        expected_calls([item])
    assert str(caught.value).startswith(problem)


def test_a_call_of_a_short_list_is_told_from_a_message() -> None:
    items: list[JsonValue] = [{"tool": "search"}, {"role": "user"}, {"role": "tool", "tool": "x"}]
    assert list(map(is_call, items)) == [True, False, False]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside),
    max_leaves=5,
)
KEYS = st.sampled_from(["role", "tool_calls", "content", "function", "name", "arguments", "type"])
WORDS = st.sampled_from(["user", "assistant", "tool", "tool_use", "tool_result", "function"])


@given(st.lists(st.dictionaries(KEYS, JSON | WORDS | st.lists(st.dictionaries(KEYS, WORDS)))))
def test_any_json_is_read_or_refused(messages: list[Any]) -> None:
    with suppress(ValueError):
        assert len(expected_steps(messages)) <= len(str(messages))
