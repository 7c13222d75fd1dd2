from pathlib import Path

import pytest
from pydantic import JsonValue

from audition.models.calls import Asked, ReadCalls, RecordedCall, RecordedModel, request_hash
from audition.models.misses import told_miss


def request(*texts: str, **more: JsonValue) -> JsonValue:
    messages: list[JsonValue] = [{"parts": [{"content": text}]} for text in texts]
    return {"tools": [], **more, "messages": messages}


def recorded(*requests: JsonValue, case: str | None = "berths", agent: str = "desk") -> ReadCalls:
    made = [
        RecordedCall(
            case=case,
            repeat=1,
            agent=agent,
            occurrence=1,
            request=one,
            response={},
        )
        for one in requests
    ]
    calls = {(call.asked, 1): (line, call) for line, call in enumerate(made, 2)}
    model = RecordedModel(name="calm", system="sea")
    return ReadCalls(path=Path("calls.jsonl"), model=model, calls=calls)


def miss(
    there: ReadCalls,
    asked: JsonValue,
    *,
    case: str | None = "berths",
    repeat: int = 1,
    agent: str | None = "desk",
    occurrence: int = 1,
) -> str:
    return told_miss(there, Asked(case, repeat, agent, request_hash(asked)), occurrence, asked)


def test_an_empty_recording_is_told() -> None:
    told = miss(recorded(), request("Hello"))
    assert told == "found no answer to agent 'desk' in case 'berths', repeat 1: nothing is recorded"


def test_the_first_difference_to_the_nearest_request_is_shown() -> None:
    there = recorded(request("Hello", "Who?"), request("Hello", "Which berth is free?"))
    told = miss(there, request("Hello", "Which berth is dry?"))
    assert told == (
        "found no answer to agent 'desk' in case 'berths', repeat 1: the nearest, line 3, "
        "differs at /messages/1/parts/0/content: asked 'Which berth is dry?', "
        "recorded 'Which berth is free?'"
    )


def test_a_message_more_is_shown() -> None:
    told = miss(recorded(request("Hello")), request("Hello", "Who?"))
    assert told.endswith(
        """/messages/1: asked '{"parts":[{"content":"Who?"}]}', recorded nothing"""
    )
    told = miss(recorded(request("Hello", "Who?")), request("Hello"))
    assert told.endswith('/messages/1: asked nothing, recorded \'{"parts":[{"content":"Who?"}]}\'')


def test_other_tools_are_shown_before_the_messages() -> None:
    told = miss(recorded(request("Hello", tools=["a"])), request("Bye", tools=["b"]))
    assert "differs at /tools/0: asked 'b', recorded 'a'" in told


@pytest.mark.parametrize(
    ("asked", "who"),
    [
        ({"repeat": 2}, "agent 'desk' in case 'berths', repeat 2"),
        ({"case": "ships"}, "agent 'desk' in case 'ships', repeat 1"),
        ({"case": None}, "agent 'desk' outside of a case"),
        ({"agent": None}, "an agent without a name in case 'berths', repeat 1"),
        ({"occurrence": 2}, "agent 'desk' in case 'berths', repeat 1, time 2"),
    ],
)
def test_the_same_request_of_another_place_is_told(asked: dict[str, object], who: str) -> None:
    told = miss(recorded(request("Hello")), request("Hello"), **asked)  # pyright: ignore[reportArgumentType]
    assert told == (
        f"found no answer to {who}: the same request is recorded of agent 'desk' in case 'berths', "
        "repeat 1 (line 2)"
    )


def test_a_secret_is_no_difference() -> None:
    there = recorded(request("Log in with [redacted:password].", "Which berth is free?"))
    told = miss(there, request("Log in with calm sea.", "Which berth is dry?"))
    assert "differs at /messages/1/parts/0/content" in told


def test_a_miss_is_told_in_bounds() -> None:
    text = "x" * 1_000_000
    told = miss(recorded(request(text)), request(text + "y"), case="c" * 500, agent="a" * 500)
    assert len(told) < 500
