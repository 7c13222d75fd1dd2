"""Recorded traces of ADK, kagent and Akgentic as our events, and cases that people reported."""

import pytest
from pydantic import JsonValue

from audition.adaptation import NO_FRAME, FrameHead
from audition.adapters.otlp.frames import is_otlp
from audition.adapters.otlp.session import adapt_otlp
from audition.events import ModelResponded, ToolCalled, TurnFinished, TurnStarted
from audition.output import CaseOutput
from tests.adapters.otlp.records import (
    TRACE,
    adapted,
    answers,
    attributes,
    call,
    calls,
    chat,
    dropped,
    enclosed,
    evidence,
    outcomes,
    output,
    reasons,
    recorded,
    run,
    said,
    select,
    span,
    told,
    user,
)

WEATHER, HELM, SHOP = "weather_agent", "helm_agent", "billing_agent"
LONDON: JsonValue = {"city": "London"}
NOTHING: JsonValue = {}
HELM_ANSWER = (
    "There are two Helm releases installed in the cluster:\n\n1. Release name: kagent\n"
    "   - Namespace: kagent\n   - Revision: 2\n   - Status: deployed\n   - Chart: kagent-0.7.14\n\n"
    "2. Release name: kagent-crds\n   - Namespace: kagent\n   - Revision: 1\n"
    "   - Status: deployed\n   - Chart: kagent-crds-0.7.14\n\nLet me know if you would like more "
    "detailed information or want to perform any actions on these releases."
)
HANDED = '{"messages": [{"message_type": "request", "message": "Weather in Paris + order 42 SCENARIO=happy", "recipient": "@Specialist"}]}'  # noqa: E501
LOOKED = '{"messages": [{"message_type": "response", "message": "Paris is sunny; order 42 shipped SCENARIO=happy", "recipient": "@Manager"}]}'  # noqa: E501
FINAL = '{"messages": [{"message_type": "response", "message": "Final answer to user: Paris is sunny; order 42 shipped SCENARIO=happy", "recipient": "@Human"}]}'  # noqa: E501
ORDERS = [
    ("agent", "get_weather", {"city": "Paris"}),
    ("agent", "lookup_order", {"order_id": "bad"}),
    ("agent", "lookup_order", {"order_id": "42"}),
]
ORDERED = [("get_weather", "ok"), ("lookup_order", "tool_error"), ("lookup_order", "ok")]

type Call = tuple[str, str, JsonValue]


@pytest.mark.parametrize(
    ("name", "called", "ended", "answered"),
    [
        (
            "adk-tools_basic.otlp.json",
            [(WEATHER, "get_weather", LONDON), (WEATHER, "get_time", LONDON)],
            [("get_weather", "ok"), ("get_time", "ok")],
            [(WEATHER, "Let me check."), (WEATHER, "It is 21C at noon.")],
        ),
        (
            "adk-without-content.otlp.json",
            [(WEATHER, "get_weather", None), (WEATHER, "get_time", None)],
            [("get_weather", "ok"), ("get_time", "ok")],
            [],
        ),
        (
            "adk-parallel_calls.otlp.json",
            [("par_agent", "get_weather", LONDON), ("par_agent", "get_weather", {"city": "Paris"})],
            [("get_weather", "ok"), ("get_weather", "ok")],
            [("par_agent", "done")],
        ),
        (
            "adk-transfer.otlp.json",
            [
                ("root_agent", "transfer_to_agent", {"agent_name": SHOP}),
                (SHOP, "get_time", {"city": "Rome"}),
            ],
            [("transfer_to_agent", "ok"), ("get_time", "ok")],
            [(SHOP, "noon")],
        ),
        (
            "kagent-helm.jaeger.json",
            [(HELM, "helm_list_releases", NOTHING)],
            [("helm_list_releases", "ok")],
            [(HELM, HELM_ANSWER)],
        ),
        (
            "akgentic-A.spans.jsonl",
            ORDERS,
            ORDERED,
            [("agent", HANDED), ("agent", LOOKED), ("agent", FINAL)],
        ),
        (
            "akgentic-B.spans.jsonl",
            ORDERS,
            ORDERED,
            [("agent", HANDED), ("agent", LOOKED), ("agent", FINAL)],
        ),
        (
            "pydantic-ai-desk.spans.jsonl",
            [
                ("desk", "look", {"ship": "bad"}),
                ("desk", "ask_pilot", {"q": "Tide?"}),
                ("desk", "look", {"ship": "Alba"}),
                ("desk", "unknown_tool", NOTHING),
                ("desk", "look", None),
                ("desk", "final_result", {"free": True}),
            ],
            [
                ("look", "tool_error"),
                ("ask_pilot", "ok"),
                ("look", "ok"),
                ("unknown_tool", "tool_error"),
                ("look", "tool_error"),
            ],
            [("desk", "Wait."), ("desk", '{"free":true}')],
        ),
    ],
)
def test_a_recorded_trace_keeps_calls_outcomes_and_answers(
    name: str,
    called: list[Call],
    ended: list[tuple[str, str]],
    answered: list[tuple[str, str]],
) -> None:
    record = adapted(f"recordings/otlp/{name}")
    assert calls(record) == called
    assert outcomes(record) == ended
    assert answers(record) == answered


@pytest.mark.parametrize(
    ("name", "turns", "usage"),
    [
        ("adk-tools_basic.otlp.json", [("weather in London?", "response", None)], [(10, 5)] * 3),
        (
            "adk-without-content.otlp.json",
            [("", "quiescent", "what was said was not recorded")],
            [(10, 5)] * 3,
        ),
        ("adk-parallel_calls.otlp.json", [("all", "response", None)], [(10, 5)] * 2),
        ("adk-transfer.otlp.json", [("billing please", "response", None)], [(10, 5)] * 3),
        (
            "kagent-helm.jaeger.json",
            [("list all Helm releases", "response", None)],
            [(1820, 13), (1956, 117)],
        ),
    ],
)
def test_a_recorded_trace_keeps_its_turn_and_counts_each_request_once(
    name: str, turns: list[tuple[str, str, str | None]], usage: list[tuple[int, int]]
) -> None:
    record = adapted(f"recordings/otlp/{name}")
    asked = [event.message for event in select(record, TurnStarted)]
    assert [(text, *end) for text, end in zip(asked, reasons(record), strict=True)] == turns
    paid = [(one.input_tokens, one.output_tokens) for one in select(record, ModelResponded)]
    assert paid == usage


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("adk-tools_basic.otlp.json", ['{"city":"London","temp_c":21}', "12:00"]),
        ("adk-without-content.otlp.json", []),
        (
            "akgentic-A.spans.jsonl",
            [
                "Paris: sunny, 21C",
                "order_id 'bad' is not numeric",
                '{"order_id":"42","status":"shipped"}',
            ],
        ),
    ],
)
def test_a_recorded_trace_keeps_what_tools_gave_back(name: str, contents: list[str]) -> None:
    assert evidence(adapted(f"recordings/otlp/{name}")) == contents


def test_an_mcp_result_in_an_attribute_is_unwrapped() -> None:
    (content,) = evidence(adapted("recordings/otlp/kagent-helm.jaeger.json"))
    assert content.startswith("NAME       \tNAMESPACE\tREVISION")


def test_a_trace_without_propagation_is_a_turn_for_each_run() -> None:
    record = adapted("recordings/otlp/akgentic-A.spans.jsonl")
    assert reasons(record) == [("response", None)] * 3
    assert [call.cause_id for call in select(record, ToolCalled)] == ["turn-1"] * 3


def test_an_agent_inside_a_tool_answers_the_agent_that_asked() -> None:
    record = adapted("recordings/otlp/pydantic-ai-desk.spans.jsonl")
    assert said(record)[2:4] == [("desk", "pilot", "Tide?"), ("pilot", "desk", "2 m.")]
    (broken,) = [one for one in select(record, ToolCalled) if one.parse_error]
    assert (broken.tool_name, broken.arguments_raw) == ("look", '{"shp":')
    assert reasons(record) == [("response", None)]


def test_a_transfer_hands_the_conversation_over() -> None:
    record = adapted("recordings/otlp/adk-transfer.otlp.json")
    assert said(record) == [
        ("user", "root_agent", "billing please"),
        ("root_agent", SHOP, ""),
        (SHOP, "user", "noon"),
    ]
    assert [call.internal for call in select(record, ToolCalled)] == [True, False]


def test_what_a_kagent_trace_drops_has_its_reason() -> None:
    record = adapted("recordings/otlp/kagent-helm.jaeger.json")
    counted = [reason for _, reason in dropped(record)]
    other = "no run of an agent, no request to a model, no call of a tool"
    assert (len(record.heads), counted.count(other)) == (14, 7)
    assert sum(reason.startswith("the same request to a model") for reason in counted) == 2
    assert record.capabilities.tool_evidence


def test_a_head_says_who_what_and_which_trace() -> None:
    record = adapted("recordings/otlp/adk-tools_basic.otlp.json")
    trace = "daf068cd9b239ba107dbad4a72082290"
    roles = ["generate_content", "execute_tool"] * 2 + ["generate_content", "invoke_agent"]
    assert record.heads == (
        *(
            FrameHead(index=index, author=WEATHER, role=role, invocation=trace)
            for index, role in enumerate(roles)
        ),
        FrameHead(index=6, author="adk-lab", role="invoke_workflow", invocation=trace),
    )


def test_content_that_was_not_captured_is_no_evidence_of_tools() -> None:
    assert not adapted("recordings/otlp/adk-without-content.otlp.json").capabilities.tool_evidence


def case(name: str) -> CaseOutput:
    return output(adapted(f"cases/{name}.json"))


@pytest.mark.parametrize("spelling", ["strings", "numbers", "low-high"])
def test_case_59_every_spelling_of_time_and_numbers_is_the_same(spelling: str) -> None:
    seen = case(f"59-otlp-{spelling}")
    assert [(one.tool_name, one.arguments) for one in seen.tool_calls] == [
        ("lookup_berth", {"ship": "Alba"}),
        ("assign_berth", {"berth": 7}),
    ]
    assert [(one.input_tokens, one.output_tokens) for one in seen.llm_usage] == [(12, 6)]
    assert seen.final_response == "The Alba gets berth 7."
    assert [int(one.at or 0) for one in seen.tool_calls] == [1935910800] * 2
    assert case("59-otlp-strings") == seen


def test_case_61_a_parent_that_was_never_exported_is_one_trajectory_without_an_end() -> None:
    seen = case("61-otlp-parent-never-exported")
    assert [(one.agent, one.tool_name) for one in seen.tool_calls] == [
        ("pilot", "find_ship"),
        ("pilot", "read_tide"),
    ]
    assert (len(seen.turns), seen.final_response) == (1, "Yes, the tide is 2.1 m.")
    assert seen.completion_reason.value == "runtime_stopped"
    assert seen.completion_detail == (
        "the end of the run was not recorded; the parent of 3 of its spans, c0000000000000aa, "
        "was not exported"
    )
    assert adapted("cases/61-otlp-parent-never-exported.json").origins[-1] == NO_FRAME


def test_case_65_arguments_and_results_are_found_in_the_messages_of_models() -> None:
    status, note = case("65-otlp-args-in-model-span").tool_invocations()
    assert status.arguments == {"release": "harbour-web", "namespace": "dock"}
    assert (status.structure, status.outcome.value) == ({"state": "deployed", "revision": 12}, "ok")
    assert (note.tool_name, note.arguments_raw, note.arguments) == ("write_note", None, None)
    assert note.content is None


def test_case_65_the_repeated_history_says_nothing_new() -> None:
    record = adapted("cases/65-otlp-args-in-model-span.json")
    assert said(record) == [
        ("user", "helm_desk", "Is the harbour-web release healthy?"),
        ("helm_desk", "user", "harbour-web is deployed, revision 12."),
    ]


def test_every_recording_is_known_by_its_marks() -> None:
    folder = "recordings/otlp"
    names = ("adk-transfer.otlp.json", "kagent-helm.jaeger.json", "akgentic-B.spans.jsonl")
    assert all(is_otlp(frame) for name in names for frame in recorded(f"{folder}/{name}"))


def test_a_file_of_lines_is_one_record() -> None:
    ask = chat("c-1", [user("Free?")], {"role": "assistant", "parts": [call("look", "1", {})]})
    look = span("t-1", "execute_tool look", "r", at=5, gen_ai__tool__call__id="1")
    whole = told(run(), ask, look)
    assert adapt_otlp([enclosed(run()), enclosed(ask), enclosed(look)]) == whole
    assert calls(whole) == [("desk", "look", {})]


def test_log_records_of_a_later_line_tell_what_the_spans_do_not() -> None:
    logs: list[JsonValue] = [
        {
            "timeUnixNano": "1935910800002000000",
            "eventName": name,
            "traceId": TRACE,
            "spanId": "c-1",
            "body": {"kvlistValue": {"values": attributes({"content": text})}},
        }
        for name, text in (("gen_ai.user.message", "Free?"), ("gen_ai.choice", "It is."))
    ]
    line: JsonValue = {"resourceLogs": [{"scopeLogs": [{"logRecords": logs}]}]}
    record = adapt_otlp([enclosed(run(), span("c-1", "chat m", "r", at=1)), line])
    assert said(record) == [("user", "desk", "Free?"), ("desk", "user", "It is.")]
    read = "read with the span that it belongs to, frame 1"
    assert dropped(record) == [(2, read), (3, read)]


def test_frames_that_are_no_trace_are_lost_by_name() -> None:
    record = adapt_otlp([{"resourceSpans": []}, 5, {"role": "user", "content": "hi"}])
    assert record.events == ()
    assert dropped(record) == [
        (0, "an envelope without spans"),
        (1, "not a span"),
        (2, "not a span"),
    ]
    assert record.lost == 3


def test_a_trace_without_agents_has_no_turn() -> None:
    record = told(span("s-1", "GET /health"))
    assert (record.events, record.lost) == ((), 0)
    assert [frame.author for frame in record.dropped] == ["dock-desk"]


def test_a_call_without_an_end_stands_where_the_model_said_it() -> None:
    ask = chat("c-1", [user("Free?")], {"role": "assistant", "parts": [call("look", "1", {})]})
    look = span("t-1", "execute_tool look", "r", at=5, lasts=None, gen_ai__tool__call__id="1")
    record = told(run(), ask, look)
    assert dropped(record) == [(2, "its end was not recorded")]
    assert reasons(record) == [("runtime_stopped", "the turn ends with an open call: look")]


def test_traces_are_turns_in_the_order_of_their_starts() -> None:
    late = span("b", "invoke_agent desk", trace="t-late", at=50)
    early = span("a", "invoke_agent desk", trace="t-early", at=10)
    record = told(late, early)
    assert [(event.turn, event.at) for event in select(record, TurnFinished)] == [
        (0, 1935910800.011),
        (1, 1935910800.051),
    ]
    assert record.origins == (1, 1, 0, 0)
