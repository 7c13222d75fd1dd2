import asyncio
from typing import Any

import pytest

from audition.budgets import Budget, Budgeted, budget_of
from audition.completion import MessageResponse
from audition.events import CompletionReason, Event, ModelResponded
from audition.inputs import CaseInput
from audition.run_case import run_case
from audition.runtimes.scripted import ScriptedRuntime, Wait
from audition.testing import answer, tool_use

MODEL = ModelResponded(agent="@Manager", input_tokens=60, output_tokens=40, cost_usd=0.25)
CALL = tool_use("@Manager", "search", "found")


def ended(*events: Event | Wait, **limits: Any) -> tuple[CompletionReason, str | None]:
    inputs = CaseInput(message="How is it?", timeout_seconds=5, **limits)
    output = asyncio.run(run_case(inputs, ScriptedRuntime([events])))
    return output.completion_reason, output.completion_detail


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"max_tokens": 199}, "200 tokens, of 199 that the case may use"),
        ({"max_cost_usd": 0.4}, "0.5 US dollars, of 0.4 that the case may use"),
        ({"max_tool_calls": 1}, "2 tool calls, of 1 that the case may use"),
    ],
)
def test_a_case_that_uses_more_than_it_may_is_ended_there(
    limits: dict[str, Any], told: str
) -> None:
    events = (MODEL, *CALL, MODEL, *CALL, Wait(seconds=60), answer("late"))
    assert ended(*events, **limits) == (CompletionReason.BUDGET, told)


@pytest.mark.parametrize(
    "limits",
    [{"max_tokens": 200, "max_cost_usd": 0.5, "max_tool_calls": 2}, {"max_tokens": 201}, {}],
)
def test_a_case_within_its_budget_is_not(limits: dict[str, Any]) -> None:
    events = (MODEL, *CALL, MODEL, *CALL, answer("well"))
    assert ended(*events, **limits) == (CompletionReason.RESPONSE, None)


def test_what_earlier_turns_used_counts() -> None:
    policy = Budgeted(MessageResponse(), Budget(tool_calls=1))
    for turn in (0, 1):
        policy.begin_turn(turn)
        assert policy.reason() is None
        for event in CALL:
            policy.feed(turn, event)
    assert (policy.reason(), policy.settle_seconds) == (CompletionReason.BUDGET, 0)
    assert "1 more answer" in policy.waiting_for()


def test_quiet_is_passed_on_to_the_policy() -> None:
    policy = Budgeted(MessageResponse(), Budget(tokens=1))
    policy.begin_turn(0)
    policy.quiet()
    assert policy.reason() is CompletionReason.QUIESCENT


def test_a_case_without_a_bound_has_no_budget() -> None:
    assert budget_of(CaseInput(message="?")) is None
    assert budget_of(CaseInput(message="?", max_tokens=5)) == Budget(tokens=5)
