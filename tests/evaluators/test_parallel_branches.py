"""Two agents that worked side by side in one session: the order they were recorded in is chance."""

import json
from pathlib import Path
from typing import Any

import pytest

from audition.evaluators.case_evaluator import CaseEvaluator, Finding
from audition.evaluators.order import HappenedBefore, HappenedConcurrently, NeverHappened
from audition.evaluators.patterns import MessagePattern, ToolPattern
from audition.evaluators.view import EvidenceView
from audition.output import CaseOutput
from audition.sessions import SessionInput, read_output

ASKED: dict[str, Any] = {
    "author": "user",
    "content": {"role": "user", "parts": [{"text": "Both?"}]},
}
SUMMARY: dict[str, Any] = {
    "author": "clerk",
    "content": {"role": "model", "parts": [{"text": "East 4, west 9."}]},
}


def branch(name: str, count: int) -> list[dict[str, Any]]:
    """Return what one agent did in its branch: a call, its return and a text."""
    call = {"id": f"c-{name}", "name": "count_nets"}
    parts = [
        ("model", {"function_call": {**call, "args": {"shed": name}}}),
        ("user", {"function_response": {**call, "response": {"nets": count}}}),
        ("model", {"text": f"{name} holds {count} nets."}),
    ]
    return [
        {"author": name, "branch": f"fan.{name}", "content": {"role": role, "parts": [part]}}
        for role, part in parts
    ]


EAST, WEST = branch("east", 4), branch("west", 9)
ORDERS = {
    "interleaved": [EAST[0], WEST[0], WEST[1], EAST[1], WEST[2], EAST[2]],
    "one after the other": [*EAST, *WEST],
    "the other way round": [*WEST, *EAST],
}
CALLED_EAST = ToolPattern(tool="count_nets", agent="east")
CALLED_WEST = ToolPattern(tool="count_nets", agent="west")
ACROSS: list[CaseEvaluator] = [
    HappenedBefore(first=CALLED_EAST, then=CALLED_WEST),
    HappenedBefore(first=CALLED_WEST, then=CALLED_EAST),
    NeverHappened(event=CALLED_EAST, after=CALLED_WEST),
    NeverHappened(event=CALLED_EAST, before=CALLED_WEST),
    HappenedConcurrently(one=CALLED_EAST, other=CALLED_WEST),
]


@pytest.fixture(params=ORDERS, ids=str)
def session(request: pytest.FixtureRequest, tmp_path: Path) -> CaseOutput:
    events = [
        {**event, "id": f"e{number}", "invocation_id": "i", "timestamp": 1_900_000_000 + number}
        for number, event in enumerate([ASKED, *ORDERS[request.param], SUMMARY])
    ]
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return read_output(SessionInput(session=str(path)))


def examine(evaluator: CaseEvaluator, out: CaseOutput) -> Finding:
    return evaluator.examine(EvidenceView(out, evaluator.scope))


@pytest.mark.parametrize("evaluator", ACROSS, ids=str)
def test_nothing_is_said_of_the_order_across_branches(
    session: CaseOutput, evaluator: CaseEvaluator
) -> None:
    found = examine(evaluator, session)
    assert (found.ok, found.cause) == (False, "order unknown")


def test_within_a_branch_a_call_comes_before_what_is_told_of_it(session: CaseOutput) -> None:
    told = MessagePattern(sender="east", contains="holds")
    assert examine(HappenedBefore(first=CALLED_EAST, then=told), session).ok
    assert not examine(HappenedBefore(first=told, then=CALLED_EAST), session).ok


def test_each_agent_did_the_same_in_whatever_order(session: CaseOutput) -> None:
    calls = {
        call.agent: (call.arguments, call.content, str(call.outcome))
        for call in session.tool_invocations()
    }
    assert calls == {
        "east": ({"shed": "east"}, '{"nets":4}', "ok"),
        "west": ({"shed": "west"}, '{"nets":9}', "ok"),
    }
    assert session.final_response == "East 4, west 9."
