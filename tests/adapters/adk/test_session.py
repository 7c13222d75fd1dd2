"""Recorded sessions of ADK and kagent as our events."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from audition.adapters.adk.session import adapt_adk
from audition.events import (
    AgentFailed,
    CompletionReason,
    MessageSent,
    MessageType,
    ModelResponded,
    StateChanged,
    ToolCalled,
    ToolEvidence,
    ToolOutcome,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from audition.recording import write_recording
from audition.sessions import output_of, recording_of
from tests.adapters.adk.records import (
    ASKED,
    adapted,
    answers,
    calls,
    dropped,
    event,
    evidence,
    outcomes,
    reasons,
    recorded,
    select,
    text,
    without_nulls,
)

WEATHER_TOOL = "get-weather-by-city_get-weather-by-city"
SUNNY = (
    "Currently in **London**, it's a pleasant **73.2°F** with **63% humidity** "
    "and a light breeze at **9.2 mph** — clear skies make for a lovely day! ☀️"
)
GUESSED = (
    "Currently in **London**, it's around **68°F** with light cloud and a gentle breeze. "
    "Typical for this time of year!"
)


@pytest.mark.parametrize(
    ("name", "called", "answer"),
    [
        ("grounded", [("weather_assistant", WEATHER_TOOL, {"city": "London"})], SUNNY),
        ("ungrounded", [], GUESSED),
        ("wrong-city", [("weather_assistant", WEATHER_TOOL, {"city": "Paris"})], SUNNY),
    ],
)
def test_a_weather_session_keeps_calls_and_answer(
    name: str, called: list[tuple[str, str, JsonValue]], answer: str
) -> None:
    record = adapted(f"kagent/demo/weather-{name}.jsonl")
    assert calls(record) == called
    assert outcomes(record) == [(tool, "ok") for _, tool, _ in called]
    assert answers(record) == [("weather_assistant", answer)]
    assert reasons(record) == [("response", None)]


@pytest.mark.parametrize(("name", "last"), [("grounded", 5), ("ungrounded", 3), ("wrong-city", 5)])
def test_a_weather_session_says_what_it_dropped(name: str, last: int) -> None:
    record = adapted(f"kagent/demo/weather-{name}.jsonl")
    end = (last, "weather_assistant", "end of agent")
    assert dropped(record) == [end]
    (state,) = select(record, StateChanged)
    assert (state.agent, state.cause_id, [*state.changes]) == ("system", None, ["headers"])


def test_a_turn_of_kagent_in_full() -> None:
    invocation = "e-52043e5b-521b-4c22-b722-6318119a467c"
    asked, told = "cb5aec8a-42a0-497d-9f80-db19ccdb870f", "e83471dc-27e0-4678-bd18-b5d9c0906c1e"
    words, agent = "current weather in London", "weather_assistant"
    at = 1788465896.7649183
    run_id = f"{invocation}/{agent}"
    tool_id = "toolu_017JDdjaJNimRyUWBwdYwAmF"
    weather = "Weather in London: Temperature: 73.2 F, Humidity: 63%, Wind: 9.2 mph"
    called = "2f73070c-7187-4c9b-8ec4-df4866417f49"
    back = "fd69fd56-f9c4-4090-b3ce-46717313cfee"
    record = adapted("kagent/demo/weather-grounded.jsonl")
    assert record.human == "user"
    assert record.events[1:] == (
        TurnStarted(at=at, event_id=asked, turn=0, message=words),
        MessageSent(
            at=at, agent="user", event_id=asked, recipient=agent, content=words, message_id=asked
        ),
        ModelResponded(
            at=1788465896.8062398,
            agent=agent,
            event_id=called,
            cause_id=asked,
            run_id=run_id,
            input_tokens=1187,
            output_tokens=66,
            finish_reason="STOP",
        ),
        ToolCalled(
            at=1788465896.8062398,
            agent=agent,
            event_id=called,
            cause_id=asked,
            run_id=run_id,
            tool_call_id=tool_id,
            tool_name=WEATHER_TOOL,
            arguments_raw='{"city":"London"}',
            arguments={"city": "London"},
        ),
        ToolReturned(
            at=1788465899.2259898,
            agent=agent,
            event_id=back,
            cause_id=asked,
            run_id=run_id,
            tool_call_id=tool_id,
            tool_name=WEATHER_TOOL,
        ),
        ToolEvidence(
            at=1788465899.2259898,
            agent=agent,
            event_id=back,
            cause_id=asked,
            run_id=run_id,
            tool_call_id=tool_id,
            tool_name=WEATHER_TOOL,
            content=weather,
        ),
        ModelResponded(
            at=1788465899.2311673,
            agent=agent,
            event_id=told,
            cause_id=asked,
            run_id=run_id,
            input_tokens=1292,
            output_tokens=52,
            finish_reason="STOP",
        ),
        MessageSent(
            at=1788465899.2311673,
            agent=agent,
            event_id=told,
            cause_id=asked,
            recipient="user",
            content=SUNNY,
            message_id=told,
            message_type=MessageType.RESPONSE,
        ),
        TurnFinished(at=1788465899.2311673, turn=0, reason=CompletionReason.RESPONSE),
    )


def changing(event_id: str, author: str, *parts: JsonValue, **others: JsonValue) -> JsonValue:
    """Return an event that changes the state, beside its parts."""
    return event(event_id, author, *parts, **{"actions": {"state_delta": HEADERS}, **others})


HEADERS: JsonValue = {"headers": {"authorization": "Bearer MOSS-77-fern", "x-request-id": "req-7"}}


def test_a_header_reaches_an_event_and_its_secrets_nothing_that_is_written(tmp_path: Path) -> None:
    record = adapt_adk([ASKED, changing("late", "desk", text("Signed in with MOSS-77-fern."))])
    assert [state.changes for state in select(record, StateChanged)] == [HEADERS]
    write_recording(tmp_path / "a.jsonl", recording_of(record))
    written = (tmp_path / "a.jsonl").read_text("utf-8")
    assert "MOSS-77" not in written
    assert '{"authorization":"[redacted:authorization]","x-request-id":"req-7"}' in written


@pytest.mark.parametrize(
    "frame",
    [
        changing("s-1", "desk"),
        {"Author": "desk", "ID": "s-1", "Actions": {"StateDelta": HEADERS}},
        {"author": "desk", "id": "s-1", "actions": {"stateDelta": HEADERS}},
        {"id": "s-1", "event_data": changing("s-1", "desk")},
        {"id": "s-1", "data": json.dumps(changing("s-1", "desk"))},
        json.dumps(json.dumps(changing("s-1", "desk"))),
        {"author": "desk", "id": "s-1", "actions": json.dumps({"state_delta": HEADERS})},
    ],
    ids=["event", "Go", "camelCase", "row", "row of text", "twice encoded", "column of text"],
)
def test_a_change_of_the_state_is_one_however_it_is_stored(frame: JsonValue) -> None:
    (state,) = select(adapt_adk([ASKED, frame]), StateChanged)
    assert (state.agent, state.event_id, state.changes) == ("desk", "s-1", HEADERS)


def test_a_change_of_the_state_begins_and_ends_no_turn() -> None:
    said = [
        event("u-1", "user", text("Is pier 4 free?"), timestamp=1.0),
        event("a-1", "desk", text("Free."), timestamp=2.0),
        event("u-2", "user", text("And 5?"), timestamp=9.0, invocation_id="e-2"),
    ]
    states = [
        changing("s-0", "system", timestamp=0.5, invocation_id="header_update"),
        changing("s-1", "system", timestamp=8.0, invocation_id="header_update"),
    ]
    record = adapt_adk([states[0], *said[:2], states[1], said[2]])
    kept = [one for one in record.events if not isinstance(one, StateChanged)]
    assert kept == [*adapt_adk(said).events]
    assert [state.cause_id for state in select(record, StateChanged)] == [None, "u-1"]
    assert [one.turn for one in output_of(record, source="adk").state_changes] == [None, 0]


def test_the_state_may_be_changed_with_any_event_that_counts() -> None:
    compaction: JsonValue = {"compaction": {}, "state_delta": {"n": 2}}
    record = adapt_adk(
        [
            changing("u-1", "user", text("Is pier 4 free?")),
            changing("a-1", "desk", text("Fr"), partial=True),
            changing("a-1", "desk", text("Free."), actions={"stateDelta": {"n": 1}}),
            changing("a-1", "desk", text("Free."), actions={"stateDelta": {"n": 1}}),
            event("c-1", "user", actions=compaction),
            changing("a-2", "desk", actions={"end_of_agent": True, "state_delta": {"n": 3}}),
        ]
    )
    changed = [(one.agent, one.changes) for one in select(record, StateChanged)]
    assert changed == [
        ("user", HEADERS),
        ("desk", {"n": 1}),
        ("user", {"n": 2}),
        ("desk", {"n": 3}),
    ]
    assert [reason for _, _, reason in dropped(record)] == ["partial", "seen before"]
    assert answers(record) == [("desk", "Free.")]


def test_a_credential_in_the_state_is_withheld() -> None:
    token: JsonValue = {"auth_type": "oauth2", "oauth2": {"auth_code": "moss"}}
    record = adapt_adk([ASKED, changing("s-1", "desk", actions={"stateDelta": {"a": token}})])
    assert [state.changes for state in select(record, StateChanged)] == [{"a": "[withheld]"}]


def test_a_state_that_is_nested_without_end_is_cut() -> None:
    deep: JsonValue = "end"
    for _ in range(150):
        deep = {"a": deep}
    record = adapt_adk([ASKED, changing("s-1", "desk", actions={"stateDelta": {"a": deep}})])
    (state,) = select(record, StateChanged)
    assert "nested too deep" in str(state.changes)


def test_each_message_of_the_user_is_a_turn() -> None:
    record = adapted("adk/2.13.0/multi_turn.session.json")
    turns = [(started.turn, started.message) for started in select(record, TurnStarted)]
    assert turns == [(0, "weather oslo"), (1, "time oslo"), (2, "bye")]
    assert answers(record) == [("mt", "21C"), ("mt", "12:00"), ("mt", "bye")]
    assert reasons(record) == [("response", None)] * 3


def test_all_of_a_turn_is_caused_by_its_message() -> None:
    record = adapted("adk/2.13.0/multi_turn.session.json")
    asked = [said.message_id for said in select(record, MessageSent) if said.agent == "user"]
    causes = [event.cause_id for event in select(record, ModelResponded)]
    assert causes == [asked[0], asked[0], asked[1], asked[1], asked[2]]


def test_parallel_calls_keep_their_own_returns() -> None:
    record = adapted("adk/2.13.0/parallel_calls.session.json")
    made = [call.tool_call_id for call in select(record, ToolCalled)]
    given = [back.tool_call_id for back in select(record, ToolReturned)]
    assert calls(record) == [
        ("par_agent", "get_weather", {"city": "London"}),
        ("par_agent", "get_weather", {"city": "Paris"}),
        ("par_agent", "get_time", {"city": "Rome"}),
    ]
    assert (len(set(made)), given) == (3, made)


def test_an_error_object_is_a_failed_call() -> None:
    record = adapted("adk/2.13.0/tool_error.session.json")
    failed = "tool_error"
    assert outcomes(record) == [
        ("err_dict", failed),
        ("no_such_tool", failed),
        ("get_weather", failed),
    ]
    assert evidence(record)[0] == '{"error":"quota exceeded","status":"error"}'


def test_a_tool_that_raises_ends_its_turn_with_the_error() -> None:
    record = adapted("adk/2.13.0/tool_raises.session.json")
    error = "RuntimeError: backend exploded"
    failures = [(failure.agent, failure.error) for failure in select(record, AgentFailed)]
    assert failures == [("raise_agent", error)]
    assert (calls(record), outcomes(record)) == ([("raise_agent", "boom", {"q": "a"})], [])
    assert reasons(record) == [("error", error), ("response", None)]


def test_an_error_code_is_an_agent_that_failed() -> None:
    record = adapted("adk/2.13.0/error_code.session.json")
    assert [failure.error for failure in select(record, AgentFailed)] == ["SAFETY: blocked"]
    assert [model.finish_reason for model in select(record, ModelResponded)] == ["SAFETY"]
    assert reasons(record) == [("error", "SAFETY: blocked")]


@pytest.mark.parametrize("version", ["1.28.1", "2.13.0"])
def test_an_approved_call_returns_twice_in_one_run(version: str) -> None:
    record = adapted(f"adk/{version}/confirm_approve.session.json")
    told = [event for event in select(record, ToolEvidence) if event.tool_name == "delete_repo"]
    assert [event.outcome for event in told] == [ToolOutcome.PENDING, ToolOutcome.OK]
    assert told[1].content == '{"deleted":"x"}'
    (made,) = (call for call in select(record, ToolCalled) if call.tool_name == "delete_repo")
    assert {(event.run_id, event.tool_call_id) for event in told} == {(made.run_id, "toolu_9")}
    assert reasons(record) == [("response", None)]


def test_the_request_for_approval_is_plumbing_of_its_agent() -> None:
    record = adapted("adk/2.13.0/confirm_approve.session.json")
    plumbing = [event for event in select(record, ToolReturned) if event.internal]
    assert [(event.tool_name, event.agent) for event in plumbing] == [
        ("adk_request_confirmation", "conf_agent")
    ]


def test_a_long_call_is_pending_until_the_user_answers() -> None:
    record = adapted("adk/2.13.0/long_running.session.json")
    assert outcomes(record) == [("ask_approval", "pending"), ("ask_approval", "ok")]
    assert {event.agent for event in select(record, ToolReturned)} == {"lr_agent"}
    assert answers(record) == [
        ("lr_agent", "Waiting for approval."),
        ("lr_agent", "Approved, thanks."),
    ]


def test_a_transfer_is_a_message_from_agent_to_agent() -> None:
    record = adapted("adk/2.13.0/transfer.session.json")
    routes = [(said.agent, said.recipient) for said in select(record, MessageSent)]
    assert routes == [
        ("user", "root_agent"),
        ("root_agent", "billing_agent"),
        ("billing_agent", "user"),
        ("user", "billing_agent"),
        ("billing_agent", "user"),
    ]
    internal = [call.tool_name for call in select(record, ToolCalled) if call.internal]
    assert internal == ["transfer_to_agent"]


def test_previews_of_a_stream_are_dropped() -> None:
    record = adapted("adk/2.13.0/streaming.yielded.jsonl")
    partial = [(index, "stream_agent", "partial") for index in (0, 1, 4, 5)]
    assert dropped(record) == partial
    assert [words for _, words in answers(record)] == ["Let me check.", "It is 21C."]


def test_thoughts_are_counted_and_not_said() -> None:
    record = adapted("adk/2.13.0/thoughts.session.json")
    assert [words for _, words in answers(record)] == ["Checking.", "21C"]
    assert [model.output_tokens for model in select(record, ModelResponded)] == [12, 5]


def test_what_was_rewound_did_not_happen() -> None:
    record = adapted("adk/2.13.0/rewind.session.json")
    assert [started.message for started in select(record, TurnStarted)] == ["oslo", "never mind"]
    assert calls(record) == [("rw_agent", "get_weather", {"city": "Oslo"})]
    rewound = [(4, "user"), (5, "rw_agent"), (6, "rw_agent"), (7, "rw_agent")]
    assert dropped(record) == [*((*frame, "rewound") for frame in rewound), (8, "user", "rewind")]


@pytest.mark.parametrize("name", ["confirm_approve", "error_code", "thoughts", "long_running"])
def test_every_spelling_gives_the_same_events(name: str) -> None:
    stored = recorded(f"adk/2.13.0/{name}.kagent.jsonl")
    snake = adapt_adk(stored)
    assert snake == adapted(f"adk/2.13.0/{name}.session.json")
    assert snake == adapt_adk([without_nulls(frame) for frame in stored])


def test_a_run_yields_what_the_session_stores_without_the_user() -> None:
    yielded = adapted("adk/2.13.0/streaming.yielded.jsonl")
    stored = adapted("adk/2.13.0/streaming.session.json")
    assert [event.kind for event in yielded.events] == [event.kind for event in stored.events[2:-1]]
    assert (calls(yielded), evidence(yielded)) == (calls(stored), evidence(stored))


def test_the_order_of_a_stream_does_not_change_an_approval() -> None:
    yielded = adapted("adk/2.13.0/confirm_approve.yielded.jsonl")
    assert outcomes(yielded) == [("delete_repo", "pending"), ("delete_repo", "ok")]


def test_a_history_stored_twice_counts_once_and_an_equal_question_counts() -> None:
    frames = [ASKED, event("a-1", "desk", text("Yes."))]
    again = [event("u-2", "user", text("Is pier 4 free?")), event("a-2", "desk", text("Yes."))]
    record = adapt_adk([*frames, *frames, *again])
    assert [started.event_id for started in select(record, TurnStarted)] == ["u-1", "u-2"]
    assert dropped(record) == [(2, "user", "seen before"), (3, "desk", "seen before")]


def test_crlf_in_an_answer_is_kept() -> None:
    record = adapt_adk([ASKED, event("a-1", "desk", text("Pier 4\r\n"), text("Pier 5"))])
    assert answers(record) == [("desk", "Pier 4\r\nPier 5")]
