"""Every recorded scenario of ADK, in each of the ways in which sessions are stored."""

from dataclasses import replace

import pytest

from audition.events import Event
from audition.output import CaseOutput
from audition.sessions import output_of
from tests.adapters.adk.records import adapted
from tests.adapters.adk.scenarios import SCENARIOS, Scenario, Used

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
