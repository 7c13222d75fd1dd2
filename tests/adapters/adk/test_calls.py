"""The calls of a session and their returns."""

import pytest
from pydantic import JsonValue

from audition.adapters.adk.session import adapt_adk
from audition.events import MessageSent, MessageType, ToolCalled, ToolEvidence, ToolReturned
from tests.adapters.adk.records import (
    ASKED,
    BACK,
    CALLED,
    call,
    event,
    evidence,
    outcomes,
    response,
    select,
    text,
)

TRANSFER = "transfer_to_agent"


def test_a_tool_of_the_user_with_a_runtime_prefix_is_no_plumbing() -> None:
    names = ["adk_search", "adk_request_input", "exit_loop", "set_model_response", "finish_task"]
    record = adapt_adk([event("a-1", "desk", *(call(name, name) for name in names))])
    internal = [call.internal for call in select(record, ToolCalled)]
    assert internal == [False, True, True, True, True]


def test_what_a_credential_request_asks_and_is_told_is_withheld() -> None:
    name = "adk_request_credential"
    secret: JsonValue = {"oauth2": {"clientSecret": "S-FERN-1", "accessToken": "T-FERN-2"}}
    asked = event("a-1", "desk", call(name, "q-1", {"functionCallId": "c-1", "config": secret}))
    record = adapt_adk([ASKED, asked, event("u-2", "user", response("renamed", "q-1", secret))])
    assert "FERN" not in str(record)
    assert evidence(record) == ["[withheld]"]
    assert "FERN" not in str(adapt_adk([event("u-2", "user", response(name, "q-1", secret))]))


def test_calls_without_ids_join_by_order_and_name() -> None:
    record = adapt_adk(
        [
            event(
                "a-1", "desk", call("check", None, {"pier": 4}), call("check", None, {"pier": 5})
            ),
            event("a-2", "desk", response("check", None, {"result": "no"})),
            event("a-3", "desk", response("check", "new", {"result": "yes"})),
        ]
    )
    made = [call.tool_call_id for call in select(record, ToolCalled)]
    assert made == ["a-1:0", "a-1:1"]
    assert [back.tool_call_id for back in select(record, ToolReturned)] == made


def test_a_response_with_an_id_does_not_take_the_call_of_another_id() -> None:
    record = adapt_adk([CALLED, event("a-2", "desk", response("check", "c-7", {"free": True}))])
    assert [back.tool_call_id for back in select(record, ToolReturned)] == ["c-7"]


def test_a_return_whose_call_was_not_recorded_is_kept() -> None:
    record = adapt_adk([BACK, event("u-2", "user", response("check", "c-2", {}))])
    found = [(back.run_id, back.agent) for back in select(record, ToolReturned)]
    assert found == [("e-1/desk", "desk"), ("e-1", None)]


def test_a_call_id_used_again_is_another_call() -> None:
    back = response("check", "c-1", {"free": False})
    record = adapt_adk(
        [CALLED, BACK, event("a-3", "desk", call("check", "c-1")), event("a-4", "desk", back)]
    )
    runs = [call.run_id for call in select(record, ToolCalled)]
    assert runs == ["e-1/desk", "e-1/desk#2"]
    assert [back.run_id for back in select(record, ToolReturned)] == runs


def test_agents_may_use_the_same_call_id() -> None:
    record = adapt_adk(
        [
            event("a-1", "north", call("count", "call_0")),
            event("b-1", "south", call("count", "call_0")),
            event("b-2", "south", response("count", "call_0", {"crates": 7})),
            event("a-2", "north", response("count", "call_0", {"crates": 12})),
        ]
    )
    told = [(event.run_id, event.content) for event in select(record, ToolEvidence)]
    assert told == [("e-1/south", '{"crates":7}'), ("e-1/north", '{"crates":12}')]


def test_a_later_result_of_an_answered_call_joins_it() -> None:
    record = adapt_adk([CALLED, BACK, event("u-3", "user", response("check", "c-1", {"free": 0}))])
    assert [back.run_id for back in select(record, ToolReturned)] == ["e-1/desk"] * 2


def test_a_long_call_that_fails_at_once_is_not_pending() -> None:
    long = event("a-1", "desk", call("ask", "c-1"), long_running_tool_ids=["c-1"])
    record = adapt_adk([long, event("a-2", "desk", response("ask", "c-1", {"error": "closed"}))])
    assert outcomes(record) == [("ask", "tool_error")]


@pytest.mark.parametrize(
    ("told", "outcome"), [({"status": "pending"}, "pending"), ({"result": "yes"}, "ok")]
)
def test_an_interim_answer_of_the_user_keeps_a_long_call_pending(
    told: JsonValue, outcome: str
) -> None:
    long = event("a-1", "desk", call("ask", "c-1"), long_running_tool_ids=["c-1"])
    record = adapt_adk([long, event("u-2", "user", response("ask", "c-1", told))])
    assert outcomes(record) == [("ask", outcome)]


@pytest.mark.parametrize(
    ("args", "back", "routes"),
    [
        ({"agent_name": "billing"}, response(TRANSFER, "t-1", {"result": None}), ["billing"]),
        ({"agentName": "billing"}, response(TRANSFER, "t-1"), ["billing"]),
        ({"agent_name": "billing"}, response(TRANSFER, "t-1", {"error": "who?"}), []),
        ({"agent_name": ""}, response(TRANSFER, "t-1"), []),
        (None, response(TRANSFER, "t-1"), []),
        ({"agent_name": "billing"}, text("I will hand this over."), []),
    ],
)  # fmt: skip
def test_a_hand_off_is_a_transfer_that_succeeded(
    args: JsonValue, back: JsonValue, routes: list[str]
) -> None:
    made = event("a-1", "triage", call(TRANSFER, "t-1", args))
    record = adapt_adk([ASKED, made, event("a-2", "triage", back)])
    handed = [
        said.recipient
        for said in select(record, MessageSent)
        if said.message_type is MessageType.INSTRUCTION
    ]
    assert handed == routes
