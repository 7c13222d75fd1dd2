"""What people reported of other readers of such sessions. The names of the records say what."""

import pytest

from audition.output import CaseOutput
from audition.sessions import output_of
from audition.trajectory import ChatMessage, chat_messages
from tests.adapters.adk.records import adapted

BRANCHES = ("parallel_interleaved", "parallel_one_after_the_other")


def output(name: str) -> CaseOutput:
    return output_of(adapted(f"adk/reported/{name}.jsonl"), source=name)


def shape(messages: list[ChatMessage]) -> list[tuple[object, object]]:
    """Return the role of each message, and the agent or the call that it answers."""
    return [(one["role"], one.get("tool_call_id", one.get("name"))) for one in messages]


@pytest.mark.parametrize("name", BRANCHES)
def test_parallel_branches_make_a_valid_chat(name: str) -> None:
    found = output(name)
    told = shape(chat_messages(found))
    north = [("assistant", "scout_north"), ("tool", "c-n1")]
    south = [("assistant", "scout_south"), ("tool", "c-s1")]
    # Each result stands behind its call, before another assistant speaks.
    for pair in (north, south):
        start = told.index(pair[0])
        assert told[start : start + 2] == pair
    assert told[0] == ("user", None)
    assert told[-1] == ("assistant", "summariser")
    assert found.final_response == "North 12, south 7."


@pytest.mark.parametrize("agent", ["scout_north", "scout_south", "summariser"])
def test_an_agent_of_a_branch_does_the_same_whatever_ran_beside_it(agent: str) -> None:
    one, other = (chat_messages(output(name), agent=agent) for name in BRANCHES)
    assert one == other


@pytest.mark.parametrize("name", BRANCHES)
def test_parallel_branches_keep_their_calls(name: str) -> None:
    found = {
        (one.agent, one.tool_name, str(one.arguments), one.content, one.outcome.value)
        for one in output(name).tool_invocations()
    }
    assert found == {
        ("scout_north", "count_stock", "{'depot': 'north'}", '{"crates":12}', "ok"),
        ("scout_south", "count_stock", "{'depot': 'south'}", '{"crates":7}', "ok"),
    }


def test_a_preview_of_a_call_is_no_call() -> None:
    found = output("partial_call_preview")
    (made,) = found.tool_invocations()
    assert (made.tool_call_id, made.tool_name, made.arguments) == ("c-9", "check_bay", {"bay": 7})
    assert (made.outcome.value, made.structure) == ("ok", {"free": True})
    assert found.final_response == "Bay 7 is free."
    assert [one.reason for one in found.dropped] == ["partial"] * 4


def test_events_that_are_stored_twice_count_once_and_equal_ones_count() -> None:
    found = output("events_stored_twice")
    assert [turn.message for turn in found.turns] == ["Lock gate 21."] * 2
    assert [one.tool_call_id for one in found.tool_invocations()] == ["g1", "g2"]
    assert [one.reason for one in found.dropped] == ["seen before"] * 4


def test_a_call_that_failed_and_was_corrected_is_two_calls() -> None:
    found = output("recovered_tool_error")
    ended = [
        (one.tool_call_id, one.tool_name, one.outcome.value) for one in found.tool_invocations()
    ]
    assert ended == [
        ("k-1", "classify_invoice", "ok"),
        ("k-2", "route_for_approval", "tool_error"),
        ("k-3", "route_for_approval", "ok"),
    ]
    told = [one["content"] for one in chat_messages(found) if one["role"] == "tool"]
    assert told[1] == '[tool error] {"error":"unexpected argument: tier"}'
    assert found.final_response == "Invoice F-204 went to approval as AP-9."
