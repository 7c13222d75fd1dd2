"""Tasks of A2A are the events that they were made of."""

import pytest
from pydantic import JsonValue

from audition.adapters.adk.rows import is_adk, unwrapped
from audition.adapters.adk.session import adapt_adk
from audition.events import AgentFailed, ModelResponded, ToolReturned
from tests.adapters.adk.records import (
    adapted,
    answers,
    calls,
    dropped,
    evidence,
    outcomes,
    reasons,
    recorded,
    select,
)

REQUEST = "adk_request_confirmation"


def part(kind: str, data: JsonValue, *, long: bool = False) -> JsonValue:
    metadata: dict[str, JsonValue] = {"adk_type": kind, "adk_is_long_running": long}
    return {"kind": "data", "data": data, "metadata": metadata}


def text(words: str, **metadata: JsonValue) -> JsonValue:
    return {"kind": "text", "text": words, "metadata": metadata}


def said(message_id: str, role: str, *parts: JsonValue, **metadata: JsonValue) -> JsonValue:
    return {
        "kind": "message",
        "messageId": message_id,
        "role": role,
        "parts": list(parts),
        "metadata": metadata,
    }


def by_desk(message_id: str, *parts: JsonValue, **metadata: JsonValue) -> JsonValue:
    return said(message_id, "agent", *parts, adk_author="desk", adk_invocation_id="e-1", **metadata)


def task(*history: JsonValue, state: str = "completed", **others: JsonValue) -> JsonValue:
    return {
        "id": "t-1",
        "contextId": "s-1",
        "kind": "task",
        "status": {"state": state, "timestamp": "2026-03-07T10:05:00Z"},
        "history": list(history),
        **others,
    }


ASKED = said("m-1", "user", text("Clear pier 4"))
CALLED = by_desk("m-2", part("function_call", {"id": "c-1", "name": "clear", "args": {"pier": 4}}))
WANTED = by_desk(
    "m-3",
    part(
        "function_call",
        {
            "id": "q-1",
            "name": REQUEST,
            "args": {"originalFunctionCall": {"id": "c-1", "name": "clear"}},
        },
        long=True,
    ),
)


def test_a_task_of_kagent_is_its_history() -> None:
    record = adapted("kagent/shapes/rest_session_tasks_legacy.json")
    assert calls(record) == [("k8s_agent", "k8s_get_pods", {"namespace": "default"})]
    assert (outcomes(record), evidence(record)) == ([("k8s_get_pods", "ok")], ["pod-a Running"])
    assert answers(record) == [("k8s_agent", "One pod is running.")]
    assert dropped(record) == [(4, "k8s_agent", "seen before")]
    assert {head.invocation for head in record.heads} == {"e-1"}
    assert reasons(record) == [("response", None)]


def test_the_events_of_a_task_wrap_nothing() -> None:
    found = list(unwrapped(recorded("kagent/shapes/rest_session_tasks_legacy.json")))
    assert list(unwrapped(found)) == found
    assert len(found) == 5


def test_version_one_says_the_same_in_other_words() -> None:
    history: list[JsonValue] = [
        {"messageId": "m-1", "role": "ROLE_USER", "parts": [{"text": "Clear pier 4"}]},
        {
            "messageId": "m-2",
            "role": "ROLE_AGENT",
            "parts": [
                {
                    "data": {"data": {"id": "c-1", "name": "clear", "args": {"pier": 4}}},
                    "metadata": {"adk_type": "function_call"},
                }
            ],
            "metadata": {"adk_author": "desk", "adk_invocation_id": "e-1"},
        },
        {
            "messageId": "m-3",
            "role": "ROLE_AGENT",
            "parts": [
                {
                    "data": {"id": "c-1", "name": "clear", "response": {"cleared": True}},
                    "metadata": {"adk_type": "function_response"},
                },
            ],
            "metadata": {"adk_author": "desk", "adk_invocation_id": "e-1"},
        },
    ]
    status: JsonValue = {"state": "TASK_STATE_COMPLETED"}
    one: JsonValue = {"id": "t-1", "contextId": "s-1", "status": status, "history": history}
    returned = part(
        "function_response", {"id": "c-1", "name": "clear", "response": {"cleared": True}}
    )
    legacy = adapt_adk([task(ASKED, CALLED, by_desk("m-3", returned))])
    assert is_adk(one)
    assert adapt_adk([one]).events == legacy.events
    assert calls(legacy) == [("desk", "clear", {"pier": 4})]


@pytest.mark.parametrize(
    ("decision", "outcome"),
    [
        ({"decision_type": "approve"}, "ok"),
        ({"decision_type": "reject"}, "rejected"),
        ({"decision_type": "deny"}, "rejected"),
        ({"decision_type": "batch", "decisions": {"c-1": "approve"}}, "ok"),
        ({"decision_type": "batch", "decisions": {"c-1": "reject"}}, "rejected"),
    ],
)
def test_what_the_person_decides_answers_the_request(decision: JsonValue, outcome: str) -> None:
    decided = said("m-4", "user", {"kind": "data", "data": decision})
    told = part("function_response", {"id": "c-1", "name": "clear", "response": {"result": "x"}})
    record = adapt_adk([task(ASKED, CALLED, WANTED, decided, by_desk("m-5", told))])
    assert outcomes(record) == [(REQUEST, "ok"), ("clear", outcome)]
    assert len(reasons(record)) == 1


def test_a_task_that_waits_for_approval_leaves_its_call_pending() -> None:
    record = adapt_adk([task(ASKED, CALLED, WANTED, state="input-required")])
    assert outcomes(record) == [("clear", "pending"), (REQUEST, "pending")]
    assert reasons(record) == [("runtime_stopped", "the record ends with an open call: clear")]


@pytest.mark.parametrize("state", ["failed", "TASK_STATE_FAILED"])
def test_a_task_that_failed_is_an_agent_that_failed(state: str) -> None:
    message = said("m-9", "agent", text("quota exceeded"))
    status: JsonValue = {"state": state, "message": message, "timestamp": "2026-03-07T10:05:00Z"}
    record = adapt_adk([task(ASKED, CALLED, status=status)])
    (failure,) = select(record, AgentFailed)
    assert (failure.agent, failure.error) == ("desk", "task failed: quota exceeded")
    assert failure.at == 1772877900.0
    assert answers(record) == [("desk", "quota exceeded")]
    assert reasons(record) == [("error", "task failed: quota exceeded")]


def test_an_answer_that_only_an_artifact_has_is_said() -> None:
    artifact: JsonValue = {"artifactId": "a-1", "parts": [text("Pier 4 is clear.")]}
    record = adapt_adk([task(ASKED, CALLED, artifacts=[artifact])])
    assert answers(record) == [("desk", "Pier 4 is clear.")]


def test_of_an_artifact_only_what_is_new_is_said() -> None:
    told = by_desk("m-3", text("Looking."))
    artifact: JsonValue = {"artifactId": "a-1", "parts": [text("Looking."), text("Clear.")]}
    record = adapt_adk([task(ASKED, told, artifacts=[artifact])])
    assert answers(record) == [("desk", "Looking."), ("desk", "Clear.")]


def test_a_message_of_the_status_that_is_in_the_history_is_said_once() -> None:
    told = by_desk("m-3", text("Clear."))
    record = adapt_adk([task(ASKED, told, status={"state": "completed", "message": told})])
    assert answers(record) == [("desk", "Clear.")]
    assert dropped(record) == [(2, "desk", "seen before")]


def test_previews_and_thoughts_of_a_task_are_not_said() -> None:
    preview = by_desk("m-3", text("Cle"), kagent_adk_partial=True)
    told = by_desk("m-4", text("hm", adk_thought=True), text("Clear."))
    record = adapt_adk([task(ASKED, preview, told)])
    assert answers(record) == [("desk", "Clear.")]
    assert dropped(record) == [(1, "desk", "partial")]


def test_usage_and_errors_stand_in_the_metadata() -> None:
    usage = '{"promptTokenCount":7,"candidatesTokenCount":2}'
    told = by_desk("m-3", text("Cle"), adk_usage_metadata=usage, adk_error_code="SAFETY")
    record = adapt_adk([task(ASKED, told)])
    (responded,) = select(record, ModelResponded)
    assert (responded.input_tokens, responded.output_tokens) == (7, 2)
    assert reasons(record) == [("error", "SAFETY")]


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"kind": "file", "file": {"bytes": "AAAA", "mimeType": "image/png", "name": "a.png"}},
         "[file: image/png, 3 bytes, a.png]"),
        ({"file": {"uri": "gs://d/a.png", "mimeType": "image/png"}},
         "[file: image/png, gs://d/a.png]"),
        ({"raw": "AAAA", "mediaType": "image/png"}, "[file: image/png, 3 bytes]"),
        ({"url": "gs://d/a.png", "filename": "a"}, "[file: unknown type, gs://d/a.png, a]"),
        ({"kind": "data", "data": {"b": 1, "a": [2]}}, '{"a":[2],"b":1}'),
    ],
)  # fmt: skip
def test_other_parts_of_a_message_are_said(raw: JsonValue, words: str) -> None:
    assert answers(adapt_adk([task(ASKED, by_desk("m-2", raw))])) == [("desk", words)]


def test_an_agent_without_a_name_has_that_of_its_application() -> None:
    named = task(
        ASKED, said("m-2", "agent", text("Hi")), metadata={"adk_app_name": "kagent__NS__x"}
    )
    unnamed = task(ASKED, said("m-2", "agent", text("Hi")))
    assert [answers(adapt_adk([one])) for one in (named, unnamed)] == [
        [("x", "Hi")],
        [("agent", "Hi")],
    ]


def test_a_message_alone_is_an_event() -> None:
    record = adapt_adk([ASKED, by_desk("m-2", text("Clear."))])
    assert answers(record) == [("desk", "Clear.")]
    assert all(map(is_adk, (ASKED, CALLED)))


def test_a_return_of_a_task_is_of_its_call() -> None:
    told = part("function_response", {"id": "c-1", "name": "clear", "response": {"isError": True}})
    record = adapt_adk([task(ASKED, CALLED, by_desk("m-3", told))])
    assert [back.run_id for back in select(record, ToolReturned)] == ["e-1/desk"]
    assert outcomes(record) == [("clear", "tool_error")]
