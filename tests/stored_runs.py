"""Short ways to results that were kept: of a run, of another tool, with spans."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic_evals.otel.span_tree import SpanNode, SpanTree
from pydantic_evals.reporting import ReportCase

from audition.output import CaseOutput
from audition.testing import answer, output
from tests.experiments import Answer, experiment

NOW = datetime(2031, 1, 1, tzinfo=UTC)

OLDER: dict[str, Any] = {
    "name": "rag", "dataset_name": "rag", "failures": [], "analyses": [],
    "report_evaluator_failures": [], "experiment_metadata": {"mode": "live"},
    "trace_id": None, "span_id": None,
    "cases": [{
        "name": "one", "inputs": {"message": "Who?", "fixture_path": None}, "metadata": {},
        "expected_output": None,
        "output": {
            "final_response": "Mara", "human_responses": ["Mara"],
            "completion_reason": "human_response",
            "messages": [{"sender": "@Human", "recipient": "@Manager", "content": "Who?",
                          "message_type": "request"}],
            "tool_calls": [{"run_id": "r", "tool_name": "search", "tool_call_id": "1",
                            "arguments_raw": "{}", "arguments": {}}],
            "tool_returns": [{"run_id": "r", "tool_name": "search", "tool_call_id": "1",
                              "success": True}],
            "tool_evidence": [{"run_id": "r", "tool_name": "search", "tool_call_id": "1",
                               "content": "Mara", "outcome": "success"}],
            "llm_usage": [], "errors": [],
        },
        "metrics": {}, "attributes": {}, "scores": {}, "labels": {},
        "assertions": {"search": {"name": "search", "value": True, "reason": None,
                                  "source": {"name": "CalledRequiredTools",
                                             "arguments": [["search"]]},
                                  "evaluator_version": None}},
        "task_duration": 1.5, "total_duration": 1.6, "source_case_name": None,
        "trace_id": None, "span_id": None, "evaluator_failures": [],
    }],
}  # fmt: skip
"""A report in the shape of the article."""

SEED = {
    "name": "rag4j",
    "experiment_metadata": {"team": "running"},
    "cases": [
        {
            "name": name,
            "inputs": {"message": f"{name}?", "timeout_seconds": 90, "collection": "x"},
            "metadata": None,
            "expected_output": None,
            "output": told,
            "metrics": {"cost": 0.5},
            "attributes": {},
            "scores": {},
            "labels": {},
            "assertions": {},
            "task_duration": 1.5,
            "total_duration": 2.0,
        }
        for name, told in (
            ("ours", {"final_response": "yes", "completion_reason": "response"}),
            ("theirs", "yes"),
            ("asked else", {"final_response": "yes", "completion_reason": "response"}),
        )
    ],
    "failures": [
        {
            "name": "raised",
            "inputs": "raised?",
            "metadata": None,
            "expected_output": None,
            "error_message": "ConnectionError: gone",
            "error_stacktrace": "",
        }
    ],
}
"""A report that another tool wrote."""


def ran(folder: Path, answers: Mapping[str, Answer], **more: Any) -> Path:
    """Run cases whose team gives these answers, and return the folder of the run."""
    run = experiment(folder, answers, **more)
    asyncio.run(run.run())
    return run.folder


def tree(*names: str, **attributes: Any) -> SpanTree:
    """Return spans of these names, each below the one before it."""
    made = SpanTree()
    made.add_spans(
        [
            SpanNode(
                name=name,
                trace_id=2**127 + 1,
                span_id=number,
                parent_span_id=number - 1 or None,
                start_timestamp=NOW,
                end_timestamp=NOW + timedelta(seconds=1.5),
                attributes=dict(attributes),
            )
            for number, name in enumerate(names, 1)
        ]
    )
    return made


def result(**fields: Any) -> ReportCase[Any, CaseOutput, Any]:
    made: ReportCase[Any, CaseOutput, Any] = ReportCase(
        name="one", inputs=None, metadata=None, expected_output=None, output=output(answer("yes")),
        metrics={}, attributes={}, scores={}, labels={}, assertions={},
        task_duration=2.5, total_duration=3.0,
    )  # fmt: skip
    return replace(made, **fields)
