"""Every recorded scenario of ADK, in each of the ways in which sessions are stored."""

from dataclasses import replace

import pytest
from pydantic import JsonValue

from audition.adapters.adk.session import adapt_adk
from audition.events import Event
from audition.output import CaseOutput
from audition.sessions import output_of
from audition.sniff import shape_of
from audition.trajectory import chat_messages
from tests.adapters.adk.records import adapted, recorded
from tests.adapters.adk.scenarios import SCENARIOS, Scenario, Used, used

STORED = ("session.json", "kagent.jsonl", "dbrows.jsonl")

stored = pytest.mark.parametrize("form", STORED)
scenarios = pytest.mark.parametrize(("name", "expected"), SCENARIOS.items(), ids=SCENARIOS)


def output(name: str, form: str) -> CaseOutput:
    return output_of(adapted(f"adk/{name}.{form}"), source=name)


def tools(found: CaseOutput) -> list[Used]:
    return [
        Used(
            agent=one.agent or "",
            tool=one.tool_name,
            given=one.arguments,
            outcome=one.outcome.value,
            content=one.content,
            superseded=one.superseded,
        )
        for one in found.tool_invocations()
    ]


def said_to_user(found: CaseOutput) -> list[tuple[str | None, str]]:
    return [(said.sender, said.content) for said in found.messages if said.recipient == "user"]


def to_the_microsecond(name: str, form: str) -> list[Event]:
    """Return the events; the tables of ADK 1.28 keep no more of a time."""
    events = adapted(f"adk/{name}.{form}").events
    return [replace(event, at=None if event.at is None else round(event.at, 6)) for event in events]


@stored
@scenarios
def test_a_stored_session_shows_its_tools(name: str, form: str, expected: Scenario) -> None:
    found = output(name, form)
    plumbing = [
        (one.tool_name, one.outcome.value)
        for one in found.tool_invocations(internal=True)
        if one.internal
    ]
    assert tools(found) == expected.used
    assert plumbing == list(expected.plumbing)


@stored
@scenarios
def test_a_stored_session_shows_its_turns(name: str, form: str, expected: Scenario) -> None:
    found = output(name, form)
    turns = [(turn.message, turn.reason.value if turn.reason else None) for turn in found.turns]
    assert turns == expected.turns
    assert said_to_user(found) == expected.answers
    assert found.errors == expected.errors
    assert [(one.index, one.reason) for one in found.dropped] == list(expected.dropped)


@stored
@scenarios
def test_how_a_session_is_stored_changes_no_event(name: str, form: str, expected: Scenario) -> None:
    del expected
    assert to_the_microsecond(name, form) == to_the_microsecond(name, "session.json")


@scenarios
def test_what_a_run_yields_shows_the_same_without_the_person(name: str, expected: Scenario) -> None:
    found = output(name, "yielded.jsonl")
    assert tools(found) == (expected.used if expected.yielded is None else expected.yielded)
    assert said_to_user(found) == (expected.yielded_answers or expected.answers)
    assert [(one.index, one.reason) for one in found.dropped] == [
        (index, "partial") for index in expected.previews
    ]


ASKED_FIRST = (
    '[{"question": "Are you asking about a GitHub user with the username \'fernhollow\'?", '
    '"answer": ["Yes, look up their GitHub profile"]}]'
)


def test_a_session_of_kagent_with_a_question_to_the_person() -> None:
    found = output_of(adapted("kagent/github-assistant.jsonl"), source="kagent")
    asked, searched = found.tool_invocations()
    assert (asked.agent, asked.tool_name, asked.outcome.value) == (
        "github_assistant",
        "ask_user",
        "ok",
    )
    assert (asked.content, asked.superseded) == (ASKED_FIRST, ())
    assert (searched.tool_name, searched.arguments) == ("search_users", {"query": "fernhollow"})
    assert (searched.content or "").startswith('{"total_count":1,"incomplete_results":false')
    assert [(turn.message, turn.reason) for turn in found.turns] == [
        ("Who is fernhollow?", "response"),
        ("Try again", "response"),
    ]
    dropped = [(one.index, one.author, one.reason) for one in found.dropped]
    agent = "github_assistant"
    assert dropped == [(7, agent, "end of agent"), (13, agent, "end of agent")]
    assert [(one.turn, one.agent, [*one.changes]) for one in found.state_changes] == [
        (None, "system", ["headers"]),
        (0, "system", ["headers"]),
    ]


@stored
@pytest.mark.parametrize("version", ["1.28.1", "2.13.0"])
def test_a_stored_session_shows_what_became_of_its_state(version: str, form: str) -> None:
    found = output(f"{version}/state_delta", form)
    headers = {"authorization": "[redacted:authorization]", "x-user-id": "u1"}
    assert [(one.turn, one.agent, one.changes) for one in found.state_changes] == [
        (0, "user", {"headers": headers}),
        (0, "state_agent", {"cart": {"v": 1}, "user:pref": "dark", "app:n": 2}),
        (0, "state_agent", {"final": "saved"}),
    ]
    assert said_to_user(found) == [("state_agent", "saved")]


def test_a_session_of_kagent_that_waits_for_the_person_is_pending() -> None:
    frames = recorded("kagent/github-assistant.jsonl")[:4]
    found = output_of(adapt_adk(frames), source="kagent")
    assert [(one.tool_name, one.outcome.value) for one in found.tool_invocations()] == [
        ("ask_user", "pending")
    ]


def test_items_of_an_openai_agent_are_a_chat() -> None:
    frames = recorded("kagent/shapes/event_data_openai_agents.json")
    assert shape_of(frames).name == "openai_chat"


def test_a_long_call_of_which_nothing_was_stored_waits_for_the_person() -> None:
    frames = recorded("adk/2.13.0/long_running_none.dbrows.jsonl")
    waiting, ended = (output_of(adapt_adk(some), source="adk") for some in (frames[:2], frames))
    given: JsonValue = {"amount": 5}
    assert tools(waiting) == [used("lr_agent2", "long_none", given, None, outcome="pending")]
    assert tools(ended) == [used("lr_agent2", "long_none", given, '{"status":"done"}')]
    assert said_to_user(ended) == [("lr_agent2", "Waiting.")]


def test_what_the_plugin_for_retries_caught_failed() -> None:
    found = output_of(adapted("adk/2.13.0/tool_raises_retry.dbrows.jsonl"), source="adk")
    ended = [(one.tool, one.given, one.outcome) for one in tools(found)]
    assert ended == [("boom", {"q": "a"}, "tool_error"), ("boom", {"q": "b"}, "tool_error")]
    assert all("backend exploded" in (one.content or "") for one in tools(found))
    assert said_to_user(found) == [("retry_agent", "gave up")]


def test_the_error_of_an_envelope_is_told_in_the_chat() -> None:
    messages = chat_messages(output("2.13.0/tools_basic", "session.json"))
    told = [message["content"] for message in messages if message["role"] == "tool"]
    assert told[-1] == "[tool error] boom"
