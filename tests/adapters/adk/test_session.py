"""Recorded sessions of ADK and kagent, and small made ones, as our events."""

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.adapters.adk.session import adapt_adk
from audition.events import (
    Adapted,
    AgentFailed,
    CompletionReason,
    Event,
    MessageSent,
    MessageType,
    ModelResponded,
    ToolCalled,
    ToolEvidence,
    ToolOutcome,
    ToolReturned,
    TurnFinished,
    TurnStarted,
    event_adapter,
)
from audition.values import parse_json

RECORDINGS = Path(__file__).parents[2] / "recordings"
TRANSFER = "transfer_to_agent"
WEATHER_TOOL = "get-weather-by-city_get-weather-by-city"
SUNNY = (
    "Currently in **London**, it's a pleasant **73.2°F** with **63% humidity** "
    "and a light breeze at **9.2 mph** — clear skies make for a lovely day! ☀️"
)
GUESSED = (
    "Currently in **London**, it's around **68°F** with light cloud and a gentle breeze. "
    "Typical for this time of year!"
)


def recorded(name: str) -> list[JsonValue]:
    text = (RECORDINGS / name).read_text(encoding="utf-8")
    if name.endswith(".json"):
        return [parse_json(text)]
    return [parse_json(line) for line in text.split("\n") if line]


def adapted(name: str) -> Adapted:
    return adapt_adk(recorded(name))


def without_nulls(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def select[E: Event](record: Adapted, kind: type[E]) -> list[E]:
    return [event for event in record.events if isinstance(event, kind)]


def calls(record: Adapted) -> list[tuple[str | None, str, JsonValue]]:
    found = select(record, ToolCalled)
    return [(call.agent, call.tool_name, call.arguments) for call in found]


def outcomes(record: Adapted) -> list[tuple[str, str]]:
    return [(event.tool_name, event.outcome.value) for event in select(record, ToolReturned)]


def evidence(record: Adapted) -> list[str]:
    return [event.content for event in select(record, ToolEvidence)]


def answers(record: Adapted) -> list[tuple[str | None, str]]:
    said = [event for event in select(record, MessageSent) if event.recipient == "user"]
    return [(event.agent, event.content) for event in said]


def reasons(record: Adapted) -> list[tuple[str, str | None]]:
    return [(event.reason.value, event.detail) for event in select(record, TurnFinished)]


def dropped(record: Adapted) -> list[tuple[int, str | None, str]]:
    return [(frame.index, frame.author, frame.reason) for frame in record.dropped]


# Small made records: what the recordings do not hold.


def event(event_id: str, author: str, *parts: JsonValue, **others: JsonValue) -> JsonValue:
    content: JsonValue = {"parts": list(parts), "role": "whoever"}
    made: dict[str, JsonValue] = {"id": event_id, "author": author, "invocation_id": "e-1"}
    return {**made, **({"content": content} if parts else {}), **others}


def text(words: str) -> JsonValue:
    return {"text": words}


def call(name: str, call_id: str | None = None, args: JsonValue = None) -> JsonValue:
    return {"function_call": {"id": call_id, "name": name, "args": args}}


def response(name: str, call_id: str | None = None, told: JsonValue = None) -> JsonValue:
    return {"function_response": {"id": call_id, "name": name, "response": told}}


ASKED = event("u-1", "user", text("Is pier 4 free?"))


# The three weather sessions.


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
    assert dropped(record) == [(0, "system", "no content"), end]


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
    assert record.events == (
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


def test_no_header_reaches_an_event() -> None:
    frames = recorded("kagent/demo/weather-grounded.jsonl")
    frames.append(
        event(
            "late",
            "weather_assistant",
            text("Done."),
            actions={"state_delta": {"headers": {"authorization": "Bearer MOSS-77"}}},
        )
    )
    record = adapt_adk(frames)
    assert "MOSS-77" not in str(record)
    assert "x-user-id" not in str(record)


# The recordings of ADK.


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


# What people reported with other tools.


def test_a_call_that_failed_and_was_corrected_is_two_calls() -> None:
    record = adapt_adk(
        [
            event("r-1", "user", text("Approve invoice F-204 over 12,500.")),
            event("r-2", "clerk", call("classify_invoice", "k-1", {"invoice": "F-204"})),
            event("r-3", "clerk", response("classify_invoice", "k-1", {"class": "large"})),
            event("r-4", "clerk", call("route_for_approval", "k-2", {"tier": "gold"})),
            event("r-5", "clerk", response("route_for_approval", "k-2", {"error": "tier?"})),
            event("r-6", "clerk", call("route_for_approval", "k-3", {"invoice": "F-204"})),
            event("r-7", "clerk", response("route_for_approval", "k-3", {"ticket": "AP-9"})),
            event("r-8", "clerk", text("Invoice F-204 went to approval as AP-9.")),
        ]
    )
    assert [outcome for _, outcome in outcomes(record)] == ["ok", "tool_error", "ok"]
    assert answers(record) == [("clerk", "Invoice F-204 went to approval as AP-9.")]
    assert record.dropped == ()


def test_a_history_stored_twice_counts_once_and_an_equal_question_counts() -> None:
    frames = [ASKED, event("a-1", "desk", text("Yes."))]
    again = [event("u-2", "user", text("Is pier 4 free?")), event("a-2", "desk", text("Yes."))]
    record = adapt_adk([*frames, *frames, *again])
    assert [started.event_id for started in select(record, TurnStarted)] == ["u-1", "u-2"]
    assert dropped(record) == [(2, "user", "seen before"), (3, "desk", "seen before")]


def test_a_preview_of_a_call_is_no_call() -> None:
    record = adapt_adk(
        [
            ASKED,
            event("a-1", "desk", call("check", "p-1", {}), partial=True),
            event("a-1", "desk", call("check", "c-9", {"pier": 4}), partial=False),
        ]
    )
    assert calls(record) == [("desk", "check", {"pier": 4})]
    assert dropped(record) == [(1, "desk", "partial")]


def test_crlf_in_an_answer_is_kept() -> None:
    record = adapt_adk([ASKED, event("a-1", "desk", text("Pier 4\r\n"), text("Pier 5"))])
    assert answers(record) == [("desk", "Pier 4\r\nPier 5")]


# What is dropped.


@pytest.mark.parametrize(
    ("frame", "author", "reason"),
    [
        ("a line", None, "not an ADK event"),
        (event("x", "user", actions={"compaction": {"compacted_content": "..."}}), "user",
         "compaction"),
        (event("x", "desk", {"executableCode": {"code": "1"}}, {"text": "hm", "thought": True}),
         "desk", "nothing readable: executable_code, thought"),
        (event("x", "user"), "user", "no content"),
    ],
)  # fmt: skip
def test_a_dropped_frame_says_why(frame: JsonValue, author: str | None, reason: str) -> None:
    assert dropped(adapt_adk([frame])) == [(0, author, reason)]


# How a turn ends.

CALLED = event("a-1", "desk", text("Let me look."), call("check", "c-1", {"pier": 4}))
BACK = event("a-2", "desk", response("check", "c-1", {"free": True}))
ENDED = event("a-9", "desk", actions={"end_of_agent": True})
STOPPED = "runtime_stopped"


@pytest.mark.parametrize(
    ("rest", "reason", "detail"),
    [
        ([], STOPPED, "the record ends with the user's message"),
        ([CALLED], STOPPED, "the record ends with an open call: check"),
        ([CALLED, BACK], STOPPED, "the record ends on the return of check"),
        ([CALLED, BACK, ENDED], "response", None),
        ([event("a-1", "desk", call("check", "c-1")), BACK, ENDED], "quiescent", None),
        ([event("a-1", "desk", text(""))], "quiescent", None),
        ([ENDED], "quiescent", None),
        ([event("a-1", "desk", output="Ada")], "quiescent", None),
        ([event("a-1", "desk", text("Yes."))], "response", None),
        ([event("a-1", "desk", error_code="LIMIT")], "error", "LIMIT"),
        ([event("a-1", "user", error_message="gone\naway")], "error", "gone away"),
        ([event("a-1", "desk", error_code="LIMIT"), event("a-2", "desk", text("Yes."))],
         "response", None),
    ],
)  # fmt: skip
def test_a_turn_ends_as_the_record_shows(
    rest: list[JsonValue], reason: str, detail: str | None
) -> None:
    assert reasons(adapt_adk([ASKED, *rest])) == [(reason, detail)]


def test_a_return_that_is_the_last_word_completes_a_turn() -> None:
    back = event("a-2", "desk", response("check", "c-1", {}), actions={"skip_summarization": True})
    record = adapt_adk([ASKED, event("a-1", "desk", call("check", "c-1")), back])
    assert reasons(record) == [("quiescent", None)]


def test_a_call_left_open_before_the_next_turn_ends_the_first_only() -> None:
    record = adapt_adk([ASKED, CALLED, event("u-2", "user", text("Hello?")), BACK, ENDED])
    assert reasons(record) == [
        (STOPPED, "the turn ends with an open call: check"),
        ("quiescent", None),
    ]
    assert {back.run_id for back in select(record, ToolReturned)} == {"e-1/desk"}


def test_a_call_that_waits_for_approval_is_open() -> None:
    waiting = event(
        "a-2",
        "desk",
        response("check", "c-1", {"note": "ask first"}),
        actions={"requested_tool_confirmations": {"c-1": {}}, "skip_summarization": True},
    )
    ask = event("a-3", "desk", call("adk_request_confirmation", "q-1", {}))
    record = adapt_adk([ASKED, CALLED, waiting, ask])
    assert outcomes(record) == [("check", "pending")]
    assert reasons(record) == [(STOPPED, "the record ends with an open call: check")]


def test_an_agent_that_answers_after_a_call_without_return_has_answered() -> None:
    record = adapt_adk([ASKED, CALLED, event("a-3", "desk", text("I asked the harbour."))])
    assert reasons(record) == [("response", None)]


def test_another_branch_does_not_close_a_call() -> None:
    record = adapt_adk([ASKED, CALLED, event("b-1", "scout", text("Nothing here."))])
    assert reasons(record) == [(STOPPED, "the record ends with an open call: check")]


def test_an_empty_record_has_no_events() -> None:
    assert adapt_adk([]) == Adapted(events=(), dropped=(), human="user")


def test_without_a_user_message_there_is_no_turn() -> None:
    record = adapt_adk([CALLED, BACK, event("a-3", "desk", text("Free."))])
    assert select(record, TurnStarted) == select(record, TurnFinished) == []
    assert {event.cause_id for event in record.events} == {None}


# Who speaks.


def test_an_unanswered_message_goes_to_nobody() -> None:
    header = event("h", "system", actions={"state_delta": {}})
    record = adapt_adk([ASKED, header, event("u-2", "user", text("Hello?")), CALLED])
    sent = [said.recipient for said in select(record, MessageSent) if said.agent == "user"]
    assert sent == [None, "desk"]


def test_a_message_without_an_id_still_causes_its_turn() -> None:
    record = adapt_adk([{"author": "user", "content": {"parts": [text("Hi")]}}, CALLED])
    assert {event.cause_id for event in select(record, ToolCalled)} == {"turn-0"}


def test_a_file_of_the_user_opens_a_turn() -> None:
    picture: JsonValue = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    record = adapt_adk([event("u-1", "user", picture), event("a-1", "desk", text("A pier."))])
    assert [started.message for started in select(record, TurnStarted)] == [""]
    assert answers(record) == [("desk", "A pier.")]


def test_words_beside_an_answer_to_the_runtime_are_no_turn() -> None:
    both = event("u-2", "user", response("check", "c-1", {"free": True}), text("Go on."))
    record = adapt_adk([ASKED, CALLED, both, event("a-2", "desk", text("Free."))])
    said = [message for message in select(record, MessageSent) if message.agent == "user"]
    assert [(message.content, message.internal) for message in said] == [
        ("Is pier 4 free?", False),
        ("Go on.", True),
    ]
    assert [back.agent for back in select(record, ToolReturned)] == ["desk"]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([text("")], [("desk", "")]),
        ([text(" \n")], [("desk", " \n")]),
        ([text(""), call("check")], []),
        ([text(" \n"), text("ok")], [("desk", " \nok")]),
        ([{"text": "hm", "thought": True}], []),
    ],
)
def test_an_empty_text_is_said_where_it_is_the_last_word(
    parts: list[JsonValue], said: list[tuple[str, str]]
) -> None:
    assert answers(adapt_adk([ASKED, event("a-1", "desk", *parts)])) == said


# Calls and their returns.


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


# No JSON is too strange.

KEYS = (
    *("id", "author", "invocation_id", "timestamp", "content", "parts", "role", "text", "thought"),
    *(
        "function_call",
        "functionResponse",
        "name",
        "args",
        "response",
        "result",
        "error",
        "isError",
    ),
    *("actions", "transfer_to_agent", "rewind_before_invocation_id", "usageMetadata", "partial"),
    *("long_running_tool_ids", "error_code", "prompt_token_count", "events", "type", "agent_name"),
)
WORDS = st.sampled_from(["user", "desk", "transfer_to_agent", "e-1", "c-1", "text", "{", '{"a":1}'])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(
    st.characters(exclude_categories=()), max_size=5
)  # fmt: skip
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=12,
)


def places(value: JsonValue, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the path of everything in the value but of the ids of events."""
    pairs: Sequence[tuple[str | int, JsonValue]] = []
    if isinstance(value, dict):
        pairs = [(key, item) for key, item in value.items() if at or key != "id"]
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    return [found for key, item in pairs for found in [(*at, key), *places(item, (*at, key))]]


def replaced(frame: JsonValue, path: tuple[str | int, ...], value: JsonValue) -> JsonValue:
    changed = deepcopy(frame)
    holder = cast("dict[str | int, JsonValue]", changed)
    for key in path[:-1]:
        holder = cast("dict[str | int, JsonValue]", holder[key])
    holder[path[-1]] = value
    return changed


MUTABLE = [
    frame
    for name in ("confirm_approve", "thoughts", "error_code")
    for frame in recorded(f"adk/2.13.0/{name}.kagent.jsonl")
]


@settings(deadline=None)
@given(st.data())
def test_every_frame_is_accounted_for_whatever_became_of_it(data: st.DataObject) -> None:
    frames = [without_nulls(frame) for frame in MUTABLE]
    for _ in range(data.draw(st.integers(1, 6))):
        index = data.draw(st.integers(0, len(frames) - 1))
        path = data.draw(st.sampled_from(places(frames[index])))
        frames[index] = replaced(frames[index], path, data.draw(VALUES))
    record = adapt_adk(frames)
    seen = {event.event_id for event in record.events}
    silent = [
        index
        for index, frame in enumerate(frames)
        if isinstance(frame, dict) and frame["id"] not in seen
    ]
    assert [frame.index for frame in record.dropped] == silent


@settings(deadline=None)
@given(st.lists(VALUES, max_size=6))
def test_no_json_raises_and_every_event_can_be_written(frames: list[JsonValue]) -> None:
    record = adapt_adk(frames)
    indexes = [frame.index for frame in record.dropped]
    assert indexes == sorted(set(indexes))
    assert all(event_adapter().dump_json(event) for event in record.events)
