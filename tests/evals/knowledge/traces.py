"""Runs eight knowledge-team cases at once, and prints the span tree of each as JSON.

A script of its own, since a process has one tracer provider for good. Its argument says who
records the spans: `plain` OpenTelemetry, or `logfire`, configured to send nothing anywhere.
"""

import asyncio
import json
import sys
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext
from pydantic_evals.otel.span_tree import SpanNode

from audition.output import CaseOutput
from audition.run_case import run_case_with_factory
from audition.spans import SpansFromRecords, record_spans
from evals.knowledge.fixtures import FixtureRecord, KnowledgeCaseInput, KnowledgeFixture
from evals.knowledge.runtime import evaluation

PEOPLE = ("Mira", "Oren", "Tessa", "Ivo", "Lena", "Rasmus", "Petra", "Jonas")


@dataclass(repr=False)
class Collects(Evaluator[Any, Any, Any]):
    """Keeps the span tree of each case.

    Attributes:
        trees: The spans of each case, by its name.

    """

    trees: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])

    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> bool:
        self.trees[ctx.name or ""] = [told(node) for node in ctx.span_tree]
        return True


def told(node: SpanNode) -> dict[str, Any]:
    """Return a span with the names on its way up, as far as they are in its tree."""
    above = [one.name for one in node.ancestors]
    return {"name": node.name, "above": above, "text": json.dumps(node.attributes, default=str)}


def case(name: str) -> Case[Any, CaseOutput, Any]:
    """Return a case whose question and whose knowledge are about one person alone."""
    person = f"{name} Solberg"
    record = FixtureRecord(name=person, entity_type="person", description=f"{person} is a pilot.")
    fixture = KnowledgeFixture(records=(record,))
    asked = f"What is the profession of {person}?"
    return Case(name=name, inputs=KnowledgeCaseInput(message=asked, fixture=fixture))


def configure(recorder: str) -> None:
    """Set up who records the spans."""
    if recorder == "plain":
        record_spans()
        return
    import logfire  # pyright: ignore[reportMissingImports]  # an extra, in a project of its own

    configured: Any = logfire
    configured.configure(send_to_logfire=False, console=False, inspect_arguments=False)


async def main(recorder: str) -> None:
    """Run the cases, all at once, and print their trees."""
    configure(recorder)
    collects = Collects()
    dataset: Dataset[Any, CaseOutput, Any] = Dataset(
        name="traces", cases=[case(name) for name in PEOPLE], evaluators=[collects]
    )
    task: Any = partial(run_case_with_factory, runtime_factory=evaluation)
    # The lifecycle must not add to what is there already.
    report = await dataset.evaluate(
        task, max_concurrency=8, progress=False, lifecycle=SpansFromRecords
    )
    answers = {one.name: one.output.final_response for one in report.cases}
    print(json.dumps({"answers": answers, "trees": collects.trees}))  # noqa: T201  # its result


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
