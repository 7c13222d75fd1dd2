"""Calls of tools and what came of them."""

from collections.abc import Mapping, Sequence

import pytest
from pydantic import JsonValue

from audition.events import ToolCalled, ToolEvidence, ToolReturned
from tests.adapters.otlp.records import (
    assistant,
    back,
    call,
    calls,
    chat,
    evidence,
    outcomes,
    reasons,
    run,
    said,
    select,
    span,
    told,
    user,
)

RAISED: JsonValue = {
    "name": "exception",
    "attributes": [
        {"key": "exception.type", "value": {"stringValue": "ValueError"}},
        {"key": "exception.message", "value": {"stringValue": "no berth"}},
    ],
}
FAILED: JsonValue = {"code": 2}


def event(name: str, values: Mapping[str, str]) -> JsonValue:
    held: list[JsonValue] = [
        {"key": key, "value": {"stringValue": value}} for key, value in values.items()
    ]
    return {"name": name, "attributes": held}


def look(
    held: Mapping[str, JsonValue] | None = None,
    *,
    status: JsonValue = None,
    events: Sequence[JsonValue] = (),
) -> JsonValue:
    own: dict[str, JsonValue] = {"gen_ai.tool.call.id": "c1", **(held or {})}
    return span("t", "execute_tool look", "r", at=3, status=status, events=events, held=own)


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ({}, "ok"),
        ({"gen_ai__tool__call__result": '{"free": true}'}, "ok"),
        ({"gen_ai__tool__call__result": '{"error": "no"}'}, "tool_error"),
        ({"gen_ai__tool__call__result": '{"content": [], "isError": true}'}, "tool_error"),
        ({"gen_ai__tool__call__result": '{"error": "This tool call is rejected."}'}, "rejected"),
        (
            {"gen_ai__tool__call__result": '{"error": "This tool call requires confirmation, …"}'},
            "pending",
        ),
        ({"gen_ai__tool__call__result": "the payment was rejected"}, "ok"),
        ({"error__type": "tool_error"}, "tool_error"),
        ({"pydantic_ai__tool__retry__cause": "model_retry"}, "tool_error"),
        ({"gen_ai__tool__status": "error"}, "tool_error"),
        ({"pydantic_ai__tool__deferral__name": "ApprovalRequired"}, "pending"),
        (
            {"error__type": "pydantic_ai.exceptions.CallDeferred"},
            "pending",
        ),
    ],
)
def test_the_outcome_is_told_by_marks(values: dict[str, JsonValue], outcome: str) -> None:
    assert outcomes(told(run(), look(values))) == [("look", outcome)]


@pytest.mark.parametrize("events", [[], [RAISED]])
def test_a_failed_status_is_a_failed_tool(events: list[JsonValue]) -> None:
    record = told(run(), look(status=FAILED, events=events))
    assert outcomes(record) == [("look", "tool_error")]
    assert evidence(record) == []


@pytest.mark.parametrize(
    ("values", "arguments", "contents"),
    [
        (
            {"gen_ai__tool__call__arguments": '{"a": 1}', "gen_ai__tool__call__result": "yes"},
            '{"a": 1}',
            ["yes"],
        ),
        ({"tool_arguments": '{"a": 1}', "tool_response": "yes"}, '{"a": 1}', ["yes"]),
        (
            {
                "gcp__vertex__agent__tool_call_args": '{"a": 1}',
                "gcp__vertex__agent__tool_response": '{"result": "yes"}',
            },
            '{"a": 1}',
            ["yes"],
        ),
        (
            [event("gen_ai.tool.call", {"gen_ai.tool.call.arguments": '{"a": 1}'})],
            '{"a": 1}',
            [],
        ),
        (
            [
                event("gen_ai.tool.message", {"content": '{"a": 1}'}),
                event("gen_ai.choice", {"message": "yes"}),
            ],
            '{"a": 1}',
            ["yes"],
        ),
        ([event("gen_ai.tool.message", {"content": "yes"})], None, ["yes"]),
        ({}, None, []),
        ({"gen_ai__tool__call__arguments": "{}"}, "{}", []),
    ],
    ids=["semconv", "pydantic-ai", "adk", "event", "strands", "message", "none", "empty"],
)
def test_arguments_and_results_are_looked_for_in_the_span(
    values: dict[str, JsonValue] | list[JsonValue], arguments: str | None, contents: list[str]
) -> None:
    held = look(values) if isinstance(values, dict) else look(events=values)
    record = told(run(), held)
    assert [one.arguments_raw for one in select(record, ToolCalled)] == [arguments]
    assert evidence(record) == contents
    assert record.capabilities.tool_evidence == bool(contents)


def adk(args: str, response: str) -> dict[str, JsonValue]:
    return {
        "gcp__vertex__agent__tool_call_args": args,
        "gcp__vertex__agent__tool_response": response,
    }


def test_what_adk_keeps_to_itself_is_not_empty_arguments() -> None:
    record = told(run(), look(adk("{}", "{}")))
    assert [one.arguments_raw for one in select(record, ToolCalled)] == [None]
    assert evidence(record) == []


@pytest.mark.parametrize("response", ['{"result": "done"}', '{"free": 1}'])
def test_empty_arguments_are_empty_where_adk_tells_content(response: str) -> None:
    record = told(run(), look(adk("{}", response)))
    assert [one.arguments for one in select(record, ToolCalled)] == [{}]
    assert len(evidence(record)) == 1


@pytest.mark.parametrize("unsaid", ["<not serializable>", '{"result": "<not specified>"}', "N/A"])
def test_a_placeholder_of_adk_is_no_content(unsaid: str) -> None:
    record = told(run(), look(adk(unsaid, unsaid)))
    assert [one.arguments_raw for one in select(record, ToolCalled)] == [None]
    assert evidence(record) == []


def test_what_the_model_wrote_is_kept_where_it_does_not_parse() -> None:
    ask = chat("a", [user("Free?")], assistant(call("look", "c1", '{"ship": ')))
    (called,) = select(told(run(), ask, look()), ToolCalled)
    assert (called.arguments_raw, called.arguments) == ('{"ship": ', None)
    assert called.parse_error


def test_a_call_without_a_span_is_told_by_the_messages() -> None:
    asked = assistant(call("lok", "c1", {}))
    record = told(
        run(),
        chat("a", [user("Free?")], asked),
        chat("b", [user("Free?"), asked, back("c1", "Unknown tool name: 'lok'.")], at=5),
    )
    assert calls(record) == [("desk", "lok", {})]
    assert evidence(record) == ["Unknown tool name: 'lok'."]
    (returned,) = select(record, ToolReturned)
    assert (returned.event_id, record.lost) == ("b", 0)


@pytest.mark.parametrize(("offered", "outcome"), [("look", "tool_error"), ("lok", "ok")])
def test_a_tool_that_was_not_offered_cannot_have_run(offered: str, outcome: str) -> None:
    asked = assistant(call("lok", "c1", {}))
    asking = span(
        "a",
        "chat m",
        "r",
        at=1,
        gen_ai__tool__definitions=[{"name": offered}],
        gen_ai__output__messages=[asked],
    )
    record = told(run(), asking, chat("b", [asked, back("c1", "what?")], at=5))
    assert outcomes(record) == [("lok", outcome)]


def test_what_a_provider_runs_itself_returns_with_its_call() -> None:
    said_at_once = assistant(
        call("web_search", "c1", {"q": "tide"}),
        {"type": "tool_call_response", "id": "c1", "result": "2 m", "builtin": True},
        "2 m.",
    )
    searching = span(
        "a",
        "chat m",
        "r",
        at=1,
        gen_ai__tool__definitions=[{"name": "look"}],
        gen_ai__output__messages=[said_at_once],
    )
    record = told(run(), searching)
    assert [one.kind for one in record.events if one.kind.startswith("tool")] == [
        *("tool_called", "tool_returned", "tool_evidence"),
    ]
    assert outcomes(record) == [("web_search", "ok")]


def test_parallel_calls_come_before_what_they_give_back() -> None:
    asked = assistant(call("look", "c1", {}), call("look", "c2", {}))
    second = span("t2", "execute_tool look", "r", at=3, gen_ai__tool__call__id="c2")
    record = told(run(), chat("a", [user("Free?")], asked), look(), second)
    kinds = [one.kind for one in record.events if one.kind.startswith("tool")]
    assert kinds == ["tool_called"] * 2 + ["tool_returned"] * 2


def test_parallel_calls_without_ids_are_of_one_run_and_have_ids_of_their_own() -> None:
    asked = assistant(call("look", None, {"pier": 1}), call("look", None, {"pier": 2}))
    given = "gen_ai.tool.call.arguments"
    tools = [
        span(f"t{pier}", "execute_tool look", "r", at=3, held={given: {"pier": pier}})
        for pier in (1, 2)
    ]
    for spans in ([], tools):
        record = told(run(), chat("a", [user("Free?")], asked), *spans)
        calls = select(record, ToolCalled)
        assert len({one.tool_call_id for one in calls}) == 2
        assert len({one.run_id for one in calls}) == 1


def test_a_call_that_was_approved_later_is_one_invocation() -> None:
    waiting = look(
        {"gen_ai__tool__call__result": '{"error": "This tool call requires confirmation"}'}
    )
    approved = span(
        "t2",
        "execute_tool look",
        "r2",
        at=30,
        gen_ai__tool__call__id="c1",
        gen_ai__tool__call__result='{"result": "done"}',
    )
    record = told(run(), waiting, span("r2", "invoke_agent desk", at=20), approved)
    assert len(select(record, ToolCalled)) == 1
    assert outcomes(record) == [("look", "pending"), ("look", "ok")]
    assert len({(one.run_id, one.tool_call_id) for one in select(record, ToolReturned)}) == 1
    assert reasons(record) == [("quiescent", "what was said was not recorded")]


def test_a_call_whose_result_came_from_elsewhere_is_closed_by_what_the_model_was_told() -> None:
    asked = assistant(call("look", "c1", {}))
    record = told(
        run(),
        chat("a", [user("Free?")], asked),
        look({"pydantic_ai__tool__deferral__name": "CallDeferred"}),
        span("r2", "invoke_agent desk", at=20),
        chat("b", [user("Free?"), asked, back("c1", "yes")], assistant("Yes."), parent="r2", at=21),
    )
    assert outcomes(record) == [("look", "pending"), ("look", "ok")]
    assert evidence(record) == ["yes"]
    assert reasons(record) == [("response", None)]


def test_a_call_that_waits_leaves_the_turn_open() -> None:
    record = told(run(), look({"pydantic_ai__tool__deferral__name": "ApprovalRequired"}))
    assert reasons(record)[0][0] == "runtime_stopped"


def test_an_id_that_is_used_twice_in_a_run_names_two_calls() -> None:
    again = span("t2", "execute_tool look", "r", at=9, gen_ai__tool__call__id="c1")
    record = told(run(), look(), again)
    assert [one.run_id for one in select(record, ToolCalled)] == ["r", "r#2"]


def test_credentials_are_withheld() -> None:
    name = "execute_tool adk_request_credential"
    secret: JsonValue = {"client_secret": "s3cret"}
    held: dict[str, JsonValue] = {
        "gen_ai__tool__call__arguments": secret,
        "gen_ai__tool__call__result": secret,
    }
    record = told(run(), span("t", name, "r", held=held))
    assert [one.arguments_raw for one in select(record, ToolCalled)] == [None]
    assert [(one.content, one.internal) for one in select(record, ToolEvidence)] == [
        ("[withheld]", True)
    ]


def test_a_failed_transfer_hands_nothing_over() -> None:
    arguments: JsonValue = {"agent_name": "pilot"}
    name = "execute_tool transfer_to_agent"
    held: dict[str, JsonValue] = {"gen_ai__tool__call__arguments": arguments}
    assert said(told(run(), span("t", name, "r", status=FAILED, held=held))) == []
    assert said(told(run(), span("t", name, "r", held=held))) == [("desk", "pilot", "")]
