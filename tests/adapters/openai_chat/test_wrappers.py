"""What messages come in."""

import pytest
from pydantic import JsonValue

from audition.adapters.openai_chat.wrappers import unwrapped

HI: JsonValue = {"role": "user", "content": "Hi"}
YES: JsonValue = {"role": "assistant", "content": "Yes."}
OUT: JsonValue = {"type": "function_call_output", "output": []}
ITEMS = '{"type":"conversation_items","items":[{"role":"user","content":"Hi"}]}'


WRAPPED: list[tuple[JsonValue, list[JsonValue]]] = [
    (HI, [HI]),
    ([HI, YES], [HI, YES]),
    ({"messages": [HI, YES]}, [HI, YES]),
    ({"messages": [HI], "choices": [{"message": YES}]}, [HI, YES]),
    ({"request": {"messages": [HI]}, "response": {"choices": [{"message": YES}]}}, [HI, YES]),
    ({"input": "Hi", "output": [YES]}, [HI, YES]),
    ({"input": [HI], "output": [YES]}, [HI, YES]),
    ({"messages": [HI], "error": {"message": "x"}}, [HI, {"error": {"message": "x"}}]),
    ({"type": "human", "data": {"content": "Hi"}}, [{"type": "human", "content": "Hi"}]),
    ({"id": ["AIMessage"], "kwargs": {"content": 1}}, [{"type": "AIMessage", "content": 1}]),
    (OUT, [OUT]),
    ({"object": "list", "data": [HI, OUT]}, [HI, OUT]),
    (ITEMS, [HI]),
    ({"id": "e-1", "data": ITEMS}, [HI]),
    ({"data": {"session": {}, "events": [{"data": ITEMS}, {"data": ITEMS}]}}, [HI, HI]),
    ({"data": "{"}, [{"data": "{"}]),
    ({"messages": []}, [{"messages": []}]),
    ({"response": 5}, [{"response": 5}]),
    ([], [[]]),
    (4, [4]),
]


@pytest.mark.parametrize(("frame", "messages"), WRAPPED)
def test_messages_come_out_of_what_they_come_in(
    frame: JsonValue, messages: list[JsonValue]
) -> None:
    assert list(unwrapped([frame])) == messages


def test_what_a_response_says_of_its_message_stays_with_it() -> None:
    said: dict[str, JsonValue] = {"model": "m", "usage": {"prompt_tokens": 1}, "created": 3}
    choice: JsonValue = {"finish_reason": "stop", "message": YES}
    (message,) = unwrapped([{**said, "choices": [choice]}])
    assert message == {**said, "finish_reason": "stop", "role": "assistant", "content": "Yes."}


def test_what_a_response_says_is_said_once_of_its_items() -> None:
    thought: JsonValue = {"type": "reasoning"}
    made = unwrapped(
        [{"model": "m", "output": [thought, {"type": "message"}, {"type": "message"}]}]
    )
    assert list(made)[1:] == [{"model": "m", "type": "message"}, {"type": "message"}]


def test_recorded_items_have_the_time_of_what_they_came_in() -> None:
    frame: JsonValue = {"type": "conversation_items", "timestamp": "2026-09-03", "items": [HI]}
    assert list(unwrapped([frame])) == [
        {"role": "user", "content": "Hi", "timestamp": "2026-09-03"}
    ]
