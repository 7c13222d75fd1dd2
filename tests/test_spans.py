"""Records become spans that Pydantic Evals' own span evaluators understand."""

import asyncio

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import HasMatchingSpan, MaxToolCalls, ToolCorrectness

from audition.events import ModelResponded, ToolOutcome
from audition.output import CaseOutput, RuntimeCapabilities
from audition.spans import SpansFromRecords, span_tree
from audition.testing import answer, output, question, tool_call, tool_use

SEARCHED = output(
    question("Where is the Alba?"),
    ModelResponded(
        at=10.0, agent="@Desk", run_id="run-1", model_name="scripted", input_tokens=7, cost_usd=0.5
    ),
    *tool_use("@Desk", "find_ship", {"berth": 4}, arguments={"name": "Alba"}),
    answer("At berth 4.", sender="@Desk"),
)


def assertions(evaluated: CaseOutput) -> dict[str, bool]:
    async def task(_: str) -> CaseOutput:
        return evaluated

    dataset: Dataset[str, CaseOutput, None] = Dataset(
        name="spans",
        cases=[Case(name="one", inputs="Where is the Alba?")],
        evaluators=[
            ToolCorrectness(["find_ship"]),
            MaxToolCalls(1),
            HasMatchingSpan({"name_equals": "invoke_agent @Desk"}),
        ],
    )
    report = asyncio.run(dataset.evaluate(task, progress=False, lifecycle=SpansFromRecords))
    return {name: bool(result.value) for name, result in report.cases[0].assertions.items()}


def test_span_evaluators_hold_on_a_run_that_brought_no_spans() -> None:
    held = assertions(SEARCHED)
    assert len(held) == 3
    assert all(held.values())


def test_span_evaluators_fail_where_the_records_show_it() -> None:
    held = assertions(output(question("Where is the Alba?"), answer("At sea.", sender="@Desk")))
    assert not held["ToolCorrectness"]
    assert not held["HasMatchingSpan"]


def test_a_run_that_carried_its_context_keeps_its_own_spans() -> None:
    carried = RuntimeCapabilities(trace_context=True)
    held = assertions(SEARCHED.model_copy(update={"capabilities": carried}))
    assert not held["ToolCorrectness"]


def test_tool_calls_and_model_requests_stand_below_their_agent_run() -> None:
    tree = span_tree(SEARCHED)
    (run,) = tree.roots
    assert [child.name for child in run.children] == ["execute_tool find_ship", "chat scripted"]


def test_the_attributes_have_the_genai_names() -> None:
    tree = span_tree(SEARCHED)
    tool = tree.first({"name_equals": "execute_tool find_ship"})
    chat = tree.first({"name_equals": "chat scripted"})
    assert tool is not None
    assert tool.attributes["gen_ai.tool.call.arguments"] == '{"name":"Alba"}'
    assert chat is not None
    assert (chat.attributes["gen_ai.usage.input_tokens"], chat.attributes["operation.cost"]) == (
        7,
        0.5,
    )


def test_a_failed_call_is_a_span_with_an_error() -> None:
    failed = tool_use("@Desk", "find_ship", "no such ship", outcome=ToolOutcome.TOOL_ERROR)
    (node,) = span_tree(output(*failed)).find({"name_equals": "execute_tool find_ship"})
    assert node.status == "error"


def test_an_unanswered_call_without_recorded_arguments_is_a_span_all_the_same() -> None:
    call = tool_call("@Desk", "find_ship")
    (node,) = span_tree(output(call)).find({"name_equals": "execute_tool find_ship"})
    assert "gen_ai.tool.call.result" not in node.attributes
