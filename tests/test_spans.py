"""Records become spans that Pydantic Evals' own span evaluators understand."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import (
    EvaluatorContext,
    HasMatchingSpan,
    MaxToolCalls,
    ToolCorrectness,
)
from pydantic_evals.otel import SpanTreeRecordingError
from pydantic_evals.otel.span_tree import SpanNode, SpanTree

from audition.events import ModelResponded, ToolOutcome
from audition.output import CaseOutput, RuntimeCapabilities
from audition.spans import SpansFromRecords, span_tree
from audition.testing import (
    answer,
    caused,
    message,
    named,
    output,
    question,
    tool_call,
    tool_use,
)

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
    assert held == {"ToolCorrectness": False, "MaxToolCalls": True, "HasMatchingSpan": True}


def own_tree(*names: str) -> SpanTree:
    """Return the spans that a run made itself: agent runs, and tool calls by their name."""
    tree = SpanTree()
    now = datetime(2031, 1, 1, tzinfo=UTC)
    tree.add_spans(
        [
            SpanNode(
                name=name,
                trace_id=9,
                span_id=number,
                parent_span_id=None,
                start_timestamp=now,
                end_timestamp=now,
                attributes={
                    "gen_ai.operation.name": name.split()[0],
                    **({"gen_ai.tool.name": "own"} if name.startswith("execute_tool") else {}),
                },
            )
            for number, name in enumerate(names)
        ]
    )
    return tree


def prepared(
    own: SpanTree | SpanTreeRecordingError, evaluated: CaseOutput
) -> EvaluatorContext[Any, CaseOutput, Any]:
    """Return the context that evaluators get for a run that recorded these spans."""
    case: Case[Any, CaseOutput, Any] = Case(name="one", inputs=None)
    context: EvaluatorContext[Any, CaseOutput, Any] = EvaluatorContext(
        name="one",
        inputs=None,
        metadata=None,
        expected_output=None,
        output=evaluated,
        duration=1.0,
        attributes={},
        metrics={},
        _span_tree=own,
    )
    return asyncio.run(SpansFromRecords(case).prepare_context(context))


def names(tree: SpanTree) -> list[str]:
    return sorted(node.name for node in tree)


CARRIED = SEARCHED.model_copy(
    update={"capabilities": RuntimeCapabilities(trace_context=True, tool_evidence=True)}
)


def test_a_run_that_carried_its_context_keeps_its_own_spans_and_gets_no_second_ones() -> None:
    own = ["chat own", "execute_tool own", "invoke_agent own"]
    assert names(prepared(own_tree(*own), CARRIED).span_tree) == own


def test_what_such_a_run_has_no_spans_of_is_made_of_its_records() -> None:
    tree = prepared(own_tree("invoke_agent own", "retrieval"), CARRIED).span_tree
    assert names(tree) == [
        "chat scripted",
        "execute_tool find_ship",
        "invoke_agent own",
        "retrieval",
    ]


def test_a_run_without_a_recorder_is_made_of_its_records() -> None:
    tree = prepared(SpanTreeRecordingError("nobody recorded"), CARRIED).span_tree
    assert "execute_tool find_ship" in names(tree)


def test_spans_of_a_run_that_did_not_carry_its_context_do_not_count() -> None:
    tree = prepared(own_tree("execute_tool own"), SEARCHED).span_tree
    assert "execute_tool own" not in names(tree)
    assert "execute_tool find_ship" in names(tree)


def nothing_seen(*, carries: bool) -> CaseOutput:
    """Return the output of a runtime that shows what is said alone."""
    said = output(question("Where is the Alba?"), answer("At sea.", sender="@Desk"))
    declared = RuntimeCapabilities(trace_context=carries)
    return said.model_copy(update={"capabilities": declared})


@pytest.mark.parametrize("carries", [False, True], ids=["remote", "in this process"])
def test_a_run_without_any_spans_says_that_it_has_none(*, carries: bool) -> None:
    context = prepared(SpanTree(), nothing_seen(carries=carries))
    with pytest.raises(SpanTreeRecordingError, match="the run made no spans, and its records"):
        _ = context.span_tree
    assert MaxToolCalls(1).evaluate(context).value is False


def test_a_budget_holds_where_a_runtime_that_shows_tools_showed_none() -> None:
    seen = output(question("Where is the Alba?"), answer("At sea.", sender="@Desk"))
    assert MaxToolCalls(1).evaluate(prepared(SpanTree(), seen)).value is True


def test_where_events_were_lost_no_budget_holds() -> None:
    lossy = SEARCHED.model_copy(update={"dropped_events": 3})
    context = prepared(SpanTree(), lossy)
    with pytest.raises(SpanTreeRecordingError, match=r"3 event\(s\) were lost"):
        _ = context.span_tree
    assert MaxToolCalls(1).evaluate(context).value is False
    own = ["chat own", "execute_tool own", "invoke_agent own"]
    whole = CARRIED.model_copy(update={"dropped_events": 3})
    assert names(prepared(own_tree(*own), whole).span_tree) == own


def handed_over() -> CaseOutput:
    """Return a question that went from one agent to another and back."""
    return output(
        named("1", question("Where is the Alba?")),
        ModelResponded(agent="@Manager", run_id="m1", model_name="m", cause_id="1"),
        *caused("1", named("2", message("@Manager", "@Desk", "find it"))),
        *caused("2", *tool_use("@Desk", "find_ship", "berth 4")),
        ModelResponded(agent="@Desk", run_id="run-1", model_name="d"),
        *caused("2", named("3", message("@Desk", "@Manager", "berth 4"))),
        *caused("3", answer("At berth 4.")),
        ModelResponded(agent="@Manager", run_id="m2", model_name="m", cause_id="3"),
    )


def path(node: SpanNode) -> str:
    above = node.parent
    return node.name if above is None else f"{path(above)} / {node.name}"


def test_agent_runs_stand_below_the_run_that_caused_them() -> None:
    asked, found = "invoke_agent @Manager", "invoke_agent @Manager / invoke_agent @Desk"
    back = f"{found} / invoke_agent @Manager"
    assert sorted(map(path, span_tree(handed_over()))) == sorted(
        [
            asked,
            f"{asked} / chat m",
            found,
            f"{found} / execute_tool find_ship",
            f"{found} / chat d",
            back,
            f"{back} / chat m",
        ]
    )


def test_each_model_run_of_one_handling_is_a_span_of_its_own() -> None:
    runs = [
        ModelResponded(agent="@Desk", run_id=run_id, model_name="m", cause_id="1")
        for run_id in ("a", "b", "a")
    ]
    tree = span_tree(output(named("1", question("?")), *runs))
    found = tree.find({"name_equals": "invoke_agent @Desk"})
    assert [node.attributes["gen_ai.agent.call.id"] for node in found] == ["a", "b"]
    assert [len(node.children) for node in found] == [2, 1]


def test_a_long_chain_of_causes_is_not_nested_without_end() -> None:
    sent = [
        caused(str(number), named(str(number + 1), message(f"@{number}", "@D", "x")))[0]
        for number in range(500)
    ]
    tree = span_tree(output(named("0", question("?")), *sent))
    deepest = max(len(node.ancestors) for node in tree)
    assert (len(list(tree)), deepest) == (500, 200)


def test_a_record_of_several_requests_is_as_many_spans() -> None:
    several = ModelResponded(agent="@D", run_id="r", model_name="m", requests=3, input_tokens=9)
    chats = span_tree(output(several)).find({"name_equals": "chat m"})
    assert [node.attributes.get("gen_ai.usage.input_tokens") for node in chats] == [9, None, None]


def test_plumbing_of_the_runtime_is_no_tool_call() -> None:
    plumbing = [replace(event, internal=True) for event in tool_use("@D", "final_result", "x")]
    context = prepared(SpanTree(), output(question("?"), *plumbing, answer("so", sender="@D")))
    assert MaxToolCalls(0).evaluate(context).value is True
    assert context.span_tree.any({"name_equals": "execute_tool final_result"})


@pytest.mark.parametrize("outcome", [one for one in ToolOutcome if one is not ToolOutcome.OK])
def test_a_span_says_how_its_call_ended(outcome: ToolOutcome) -> None:
    (node,) = span_tree(output(*tool_use("@D", "find", "x", outcome=outcome))).find(
        {"name_equals": "execute_tool find"}
    )
    assert (node.status, node.attributes["error.type"]) == ("error", outcome.value)


def test_tool_calls_and_model_requests_stand_below_their_agent_run() -> None:
    tree = span_tree(SEARCHED)
    (run,) = tree.roots
    assert [child.name for child in run.children] == ["chat scripted", "execute_tool find_ship"]


def starts(evaluated: CaseOutput) -> dict[str, float]:
    return {
        node.name.removeprefix("execute_tool "): node.start_timestamp.timestamp()
        for node in span_tree(evaluated)
    }


def test_a_time_that_is_known_is_the_time_of_its_span() -> None:
    told = [message("@D", "@E", str(number), at=50.0) for number in range(3000)]
    late = tool_call("@D", "find", at=100.5)
    assert starts(output(*told, late))["find"] == 100.5


def test_what_has_no_time_stands_between_what_is_around_it() -> None:
    times = [None, None, 100.0, None, None, 200.0, None]
    calls = [tool_call("@D", str(n), call_id=str(n), at=at) for n, at in enumerate(times)]
    began = starts(output(*calls))
    after = [round((began[str(n)] - 100) * 1e6) for n in range(7)]
    assert after == [-2, -1, 0, 1, 2, 100_000_000, 100_000_001]


def test_without_any_time_the_order_is_known() -> None:
    calls = [tool_call("@D", str(n), call_id=str(n)) for n in range(20)]
    (run,) = span_tree(output(*calls)).roots
    assert [child.name.split()[-1] for child in run.children] == [str(n) for n in range(20)]
    assert len({child.start_timestamp for child in run.children}) == 20


def test_what_happened_at_one_moment_keeps_its_order() -> None:
    asked = named("1", replace(question("?", to="@D"), at=5.0))
    sent = named("2", message("@D", "@E", "go", at=5.0))
    done = [tool_call("@D", str(n), call_id=str(n), at=5.0) for n in range(3)]
    other = tool_call("@E", "other", call_id="o", at=5.0)
    tree = span_tree(
        output(asked, *caused("1", done[0], sent), *caused("2", other), *caused("1", *done[1:]))
    )
    (run,) = tree.roots
    assert [child.name.split()[-1] for child in run.children] == ["0", "@E", "1", "2"]


def test_a_run_holds_all_that_was_done_in_it_also_what_is_told_late() -> None:
    calls = [tool_call("@D", str(n), call_id=str(n), at=at) for n, at in enumerate((9.0, 7.0, 8.0))]
    tree = span_tree(output(*calls))
    (run,) = tree.roots
    assert [child.name.split()[-1] for child in run.children] == ["1", "2", "0"]
    assert (run.start_timestamp.timestamp(), run.end_timestamp.timestamp()) == (7.0, 9.0)


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
