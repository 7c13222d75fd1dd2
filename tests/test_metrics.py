"""What stands in the records stands in the metrics of a case, and nothing that is not known."""

import asyncio
import math
from dataclasses import replace
from typing import Any

import pytest
from pydantic_evals import Case, Dataset, increment_eval_metric
from pydantic_evals.evaluators import MaxToolCalls

from audition.collector import collect
from audition.events import ModelResponded, ToolCalled, ToolOutcome
from audition.inputs import ConversationTurn
from audition.metrics import MetricsFromRecords, metrics_of
from audition.output import CaseOutput
from audition.spans import SpansFromRecords
from audition.testing import answer, message, output, question, tool_call, tool_use, turn

USED = ModelResponded(agent="@K", input_tokens=90, output_tokens=9, cost_usd=0.25)
EVENTS = turn(
    "Who is Mara?",
    [
        question("Who is Mara?"),
        message("@Manager", "@K", "Who is Mara?"),
        *tool_use("@K", "search", "Mara"),
        *tool_use("@K", "search", "down", outcome=ToolOutcome.TOOL_ERROR),
        tool_call("@Manager", "plan", call_id="open"),
        USED,
        USED,
        answer("Mara"),
    ],
)
WORKED = collect(replace(event, at=float(second)) for second, event in enumerate(EVENTS))


def test_an_inventory_counts_all_and_by_agent() -> None:
    assert metrics_of(WORKED) == {
        "messages": 3,
        "tool_calls": 3,
        "tool_returns": 2,
        "tool_failures": 1,
        "tool_seconds": 2.0,
        "requests": 2,
        "input_tokens": 180,
        "output_tokens": 18,
        "cost_usd": 0.5,
        "seconds": 13.0,
        "tool_calls/@K": 2,
        "tool_returns/@K": 2,
        "tool_failures/@K": 1,
        "tool_seconds/@K": 2.0,
        "requests/@K": 2,
        "input_tokens/@K": 180,
        "output_tokens/@K": 18,
        "cost_usd/@K": 0.5,
        "messages/@Manager": 2,
        "tool_calls/@Manager": 1,
    }


def test_what_is_not_known_has_no_metric() -> None:
    counted = {"messages": 1, "tool_calls": 0, "tool_returns": 0, "tool_failures": 0}
    assert metrics_of(output(answer("Mara"))) == {**counted, "messages/@Manager": 1}


@pytest.mark.parametrize("cost", [None, math.nan, math.inf, -1.0])
def test_a_cost_of_which_a_part_is_not_known_is_none(cost: float | None) -> None:
    made = metrics_of(output(USED, replace(USED, cost_usd=cost), answer("Mara")))
    assert ("cost_usd" in made, made["input_tokens"]) == (False, 180)


def test_of_an_agent_zeros_that_are_known_are_told_but_no_zero_counts() -> None:
    free = [replace(USED, input_tokens=0, cost_usd=0.0)]
    at_once = [replace(event, at=1.0) for event in tool_use("@K", "search", "Mara")]
    made = metrics_of(collect([*free, *at_once]))
    assert {name: amount for name, amount in made.items() if name.endswith("/@K")} == {
        "tool_calls/@K": 1,
        "tool_returns/@K": 1,
        "tool_seconds/@K": 0.0,
        "requests/@K": 1,
        "input_tokens/@K": 0,
        "output_tokens/@K": 9,
        "cost_usd/@K": 0.0,
    }


def test_tokens_of_a_source_that_does_not_count_them_are_none() -> None:
    made = metrics_of(output(USED, replace(USED, input_tokens=0, output_tokens=0)))
    assert ("input_tokens" in made, made["requests"]) == (False, 2)


def test_the_calls_of_the_runtime_and_of_nobody_are_of_no_agent() -> None:
    internal = ToolCalled(agent="@K", tool_name="mailbox", tool_call_id="1", internal=True)
    nameless = ToolCalled(tool_name="search", tool_call_id="2")
    said = message("@K", "@Manager", "hello")
    made = metrics_of(
        output(internal, nameless, replace(said, agent=None), replace(USED, agent=None))
    )
    assert (made["tool_calls"], made["messages"], made["requests"]) == (1, 1, 1)
    assert not [name for name in made if "/" in name]


def test_turns_that_were_not_run_took_no_time() -> None:
    left = [ConversationTurn(message="two")]
    timed = [replace(event, at=float(second)) for second, event in enumerate(EVENTS)]
    assert metrics_of(collect(timed, not_run=left))["seconds"] == 13.0


def evaluated(out: object, lifecycle: Any = MetricsFromRecords) -> Any:
    async def task(_: str) -> object:
        increment_eval_metric("own", 1)
        return out

    dataset: Dataset[str, object, None] = Dataset(
        name="metrics", cases=[Case(name="one", inputs="?")], evaluators=[MaxToolCalls(1)]
    )
    report = asyncio.run(dataset.evaluate(task, progress=False, lifecycle=lifecycle))
    return report.cases[0]


def test_the_native_report_has_them_beside_those_of_the_task() -> None:
    assert evaluated(WORKED).metrics == {"own": 1, **metrics_of(WORKED)}


def test_what_is_no_output_of_ours_has_none() -> None:
    assert evaluated("text").metrics == {"own": 1}


class Both(MetricsFromRecords, SpansFromRecords):
    """As the documentation says."""


def test_metrics_and_spans_of_records_go_together() -> None:
    case = evaluated(WORKED, Both)
    assert case.metrics["tool_calls"] == 3
    assert [result.value for result in case.assertions.values()] == [False]
    assert isinstance(case.output, CaseOutput)
