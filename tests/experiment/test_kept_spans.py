"""Spans that are kept with a result, and the context of a case as its run saw it."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from pydantic_evals import Case
from pydantic_evals.evaluators import EvaluatorContext, HasMatchingSpan, MaxDuration
from pydantic_evals.otel.span_tree import SpanTree
from pydantic_evals.reporting import ReportCase

from audition.experiment import kept_spans
from audition.experiment.driver import Settings
from audition.experiment.kept_spans import (
    SPANS,
    Restoring,
    SpanKeeper,
    restored,
    spans_kept,
)
from audition.experiment.native_report import REPORT, load_report
from audition.inputs import CaseInput
from audition.output import CaseOutput, RuntimeCapabilities
from audition.spans import record_spans, with_spans
from audition.testing import answer, output
from tests.experiments import experiment
from tests.stored_runs import result, tree

TRACED = output(answer("yes")).model_copy(
    update={"capabilities": RuntimeCapabilities(trace_context=True, tool_evidence=True)}
)


def context(told: CaseOutput, spans: SpanTree) -> EvaluatorContext[Any, CaseOutput, Any]:
    return EvaluatorContext(
        name="one", inputs=None, metadata=None, expected_output=None, output=told,
        duration=0.001, _span_tree=spans, attributes={}, metrics={},
    )  # fmt: skip


def kept(told: CaseOutput, spans: SpanTree) -> ReportCase[Any, CaseOutput, Any]:
    """Return a result to which the spans of its case were put."""
    keeper, made = SpanKeeper(), result(output=told)
    lifecycle = keeper(Case(inputs=None))
    asyncio.run(lifecycle.prepare_context(context(told, spans)))
    keeper.keep(made)
    return made


def test_spans_come_back_as_they_were() -> None:
    attributes = {"gen_ai.tool.name": "search", "share": 0.5, "open": True, "many": ("a", "b")}
    again = spans_kept(kept(TRACED, tree("outer", "inner", **attributes)).attributes)
    assert again is not None
    (root,) = again.roots
    (child,) = root.children
    assert (root.name, child.name, child.trace_id) == ("outer", "inner", 2**127 + 1)
    assert child.duration == timedelta(seconds=1.5)
    assert child.attributes == attributes | {"many": ["a", "b"]}
    assert child.matches({"has_attributes": {"many": ["a", "b"]}})


def test_spans_that_are_made_of_records_are_not_kept() -> None:
    assert SPANS not in kept(TRACED, SpanTree()).attributes
    of_the_run = kept(TRACED, tree("mine")).attributes[SPANS]
    assert [one["name"] for one in of_the_run["nodes_by_id"].values()] == ["mine"]


def test_spans_of_a_runtime_that_cannot_tell_whose_they_are_are_not_kept() -> None:
    assert SPANS not in kept(output(answer("yes")), tree("whose")).attributes


@pytest.mark.parametrize(("bound", "value"), [("MOST_SPANS", 2), ("MOST_CHARACTERS", 100)])
def test_of_too_many_spans_none_are_kept_and_it_is_said(
    monkeypatch: pytest.MonkeyPatch, bound: str, value: int
) -> None:
    monkeypatch.setattr(kept_spans, bound, value)
    attributes = kept(TRACED, tree("a", "b", "c")).attributes
    assert "3 spans were not kept" in attributes[SPANS]
    assert spans_kept(attributes) is None


def test_a_context_is_restored_as_its_run_saw_it() -> None:
    before = kept(TRACED, tree("mine"))
    before.metrics["requests"] = 3
    before.attributes["note"] = "x"
    again = restored(context(TRACED, tree("of the rescoring")), before)
    assert (again.duration, again.metrics) == (2.5, {"requests": 3})
    assert again.attributes == {"note": "x"}
    assert [node.name for node in again.span_tree] == ["mine"]
    assert SPANS in before.attributes


def test_a_restored_case_sees_spans_of_its_records_where_none_were_kept() -> None:
    lifecycle = Restoring(result(task_duration=9.0))(Case(inputs=None))
    seen = asyncio.run(lifecycle.prepare_context(context(TRACED, SpanTree())))
    assert (seen.duration, seen.metrics["messages"]) == (9.0, 1)
    assert [node.name for node in seen.span_tree] == ["invoke_agent @Manager"]
    assert MaxDuration(8.0).evaluate(seen) is False


def test_the_tree_of_a_context_can_be_given() -> None:
    assert with_spans(context(TRACED, SpanTree()), tree("given")).span_tree.roots[0].name == "given"


def test_a_run_keeps_its_spans_without_secrets_where_it_is_asked_to(tmp_path: Path) -> None:
    record_spans()

    async def task(inputs: CaseInput) -> CaseOutput:
        with trace.get_tracer("team").start_as_current_span("look", attributes={"api_key": "K-12"}):
            return TRACED

    for keep in (False, True):
        folder = tmp_path / str(keep)
        folder.mkdir()
        run = experiment(folder, {"one": "yes"}, settings=Settings(keep_spans=keep))
        run.task = task
        asyncio.run(run.run())
        (case,) = load_report(run.folder / REPORT).cases
        spans = spans_kept(case.attributes)
        assert (spans is not None) is keep
        if spans is not None:
            (look,) = spans.find({"name_equals": "look"})
            assert look.attributes == {"api_key": "[redacted:key]"}
            held = HasMatchingSpan({"name_equals": "look"})
            assert held.evaluate(context(TRACED, spans)) is True
