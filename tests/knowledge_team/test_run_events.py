import asyncio
from collections.abc import Callable

import pytest
from pydantic import JsonValue
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from knowledge_team.event_feed import EventFeed
from knowledge_team.run_events import RunEvents, RunScope

type Event = dict[str, JsonValue]


def run(
    call: ToolCallPart, tool: Callable[..., object], *, times: int = 1, retries: int = 2
) -> list[Event]:
    """Return the events of a run whose model makes the call so often, then answers."""

    async def respond(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        made = sum(isinstance(message, ModelResponse) for message in messages)
        return ModelResponse(parts=[call if made < times else TextPart("done")])

    events: list[Event] = []
    feed = EventFeed()
    feed.subscribe(events.append)
    agent = Agent(
        FunctionModel(respond, model_name="drill"),
        deps_type=RunScope,
        tools=[tool],
        capabilities=[RunEvents()],
        retries=retries,
    )
    scope = RunScope(feed=feed, agent="@Crane", cause_id="m1")
    try:
        asyncio.run(agent.run("go", deps=scope))
    except UnexpectedModelBehavior:
        events.append({"kind": "broken"})
    return events


async def lift(weight: int) -> str:
    if weight > 9:
        msg = "too heavy, try less"
        raise ModelRetry(msg)
    if weight < 0:
        msg = "cable snapped"
        raise OSError(msg)
    return f"lifted {weight}"


async def weigh(name: str) -> dict[str, JsonValue]:
    return {"name": name, "weight": 3}


def kinds(events: list[Event]) -> list[JsonValue]:
    return [event["kind"] for event in events]


def evidence(events: list[Event]) -> list[tuple[JsonValue, JsonValue]]:
    told = [event for event in events if event["kind"] == "tool_evidence"]
    return [(event["outcome"], event["content"]) for event in told]


def test_a_run_is_told_in_the_order_in_which_it_happens() -> None:
    assert kinds(run(ToolCallPart("lift", {"weight": 3}), lift)) == [
        "model_responded",
        "tool_called",
        "tool_returned",
        "tool_evidence",
        "model_responded",
    ]


def test_all_events_name_the_agent_the_cause_and_one_run() -> None:
    events = run(ToolCallPart("lift", {"weight": 3}), lift)
    told = {(str(one["agent"]), str(one["cause_id"]), str(one["run_id"])) for one in events}
    assert len(told) == 1
    assert told.pop()[:2] == ("@Crane", "m1")


def test_a_call_its_return_and_its_evidence_have_one_id() -> None:
    events = run(ToolCallPart("lift", {"weight": 3}, "c7"), lift)
    assert [event["tool_call_id"] for event in events[1:4]] == ["c7", "c7", "c7"]


def test_arguments_are_told_as_text_and_as_values() -> None:
    called = run(ToolCallPart("lift", '{"weight": 3}'), lift)[1]
    assert (called["arguments_raw"], called["arguments"]) == ('{"weight": 3}', {"weight": 3})


def test_the_evidence_is_what_the_model_was_given() -> None:
    assert evidence(run(ToolCallPart("lift", {"weight": 3}), lift)) == [("ok", "lifted 3")]


def test_structured_evidence_keeps_its_structure() -> None:
    told = run(ToolCallPart("weigh", {"name": "net"}), weigh)[3]
    assert told["structure"] == {"name": "net", "weight": 3}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [({"weight": 12}, "too heavy, try less"), ({"weight": -1}, "OSError: cable snapped")],
)
def test_a_tool_that_raises_is_an_error_the_model_sees(
    arguments: dict[str, int], said: str
) -> None:
    assert evidence(run(ToolCallPart("lift", arguments), lift)) == [("tool_error", said)]


def test_arguments_that_do_not_parse_are_told_with_the_reason() -> None:
    events = run(ToolCallPart("lift", '{"weight": '), lift)
    assert (events[1]["arguments"], events[1]["arguments_raw"]) == (None, '{"weight": ')
    assert "Expecting value" in str(events[1]["parse_error"])
    assert evidence(events)[0][0] == "tool_error"


def test_an_unknown_tool_is_an_error() -> None:
    events = run(ToolCallPart("fly", {}), lift)
    assert kinds(events)[1:4] == ["tool_called", "tool_returned", "tool_evidence"]
    assert evidence(events)[0][0] == "tool_error"


def test_the_last_failure_of_a_run_that_breaks_is_told() -> None:
    events = run(ToolCallPart("lift", {"weight": 12}), lift, times=9, retries=1)
    assert kinds(events)[-3:] == ["tool_returned", "tool_evidence", "broken"]
    assert evidence(events)[-1] == ("tool_error", "ModelRetry: too heavy, try less")


def test_usage_is_told_of_each_answer() -> None:
    events = run(ToolCallPart("lift", {"weight": 3}), lift)
    told = [event for event in events if event["kind"] == "model_responded"]
    assert all(event["model_name"] == "drill" for event in told)
    assert all(event["input_tokens"] and event["output_tokens"] for event in told)
