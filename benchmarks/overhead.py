"""What a case costs beside a trivial case of Pydantic Evals alone."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic_evals import Case, CaseLifecycle, Dataset
from pydantic_evals.evaluators import Evaluator, EvaluatorContext

from audition.evaluators.arguments import ToolArgumentsMatch
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.completion import Completed
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.messages import MessageContainsTerms
from audition.evaluators.responses import HumanResponseContainsNoTerms, HumanResponseContainsTerms
from audition.evaluators.routes import FollowedRoute
from audition.evaluators.tools import CalledRequiredTools, DidNotCallTools, ToolCallCount
from audition.events import Event, MessageSent, MessageType, ModelResponded
from audition.inputs import CaseInput
from audition.run_case import run_case_with_factory
from audition.spans import SpansFromRecords
from audition.testing import ScriptedFactory, answer, message, question, tool_use
from benchmarks.timing import Line, paired_ratio

CASES = 200
BLOCKS = 15


@dataclass(repr=False)
class Trivial(Evaluator[Any, Any, Any]):
    """An evaluator that does nothing.

    Attributes:
        number: Tells it from the others.

    """

    number: int = 0

    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> bool:
        return ctx.output is not None

    def get_default_evaluation_name(self) -> str:
        return f"trivial_{self.number}"


def conversation(number: int) -> list[Event]:
    """Return 40 events of one turn, their texts unlike those of any other case."""
    events: list[Event] = [question(f"What is known of berth {number}?")]
    events.append(message("@Manager", "@Knowledge", f"What is known of berth {number}?"))
    for search in range(10):
        facts = f"berth {number} entry {search} is leased to the Ropewalk, pier {number * search}"
        events += tool_use("@Knowledge", "search_graph", facts, arguments={"query": facts})
    events += [
        ModelResponded(agent="@Knowledge", run_id="run-1", model_name="scripted", input_tokens=9)
        for _ in range(5)
    ]
    reply = f"Berth {number} is leased to the Ropewalk."
    events.append(message("@Knowledge", "@Manager", reply, message_type=MessageType.RESPONSE))
    return [
        *events,
        MessageSent(
            agent="@Manager",
            recipient="@Knowledge",
            content="Thanks.",
            message_type=MessageType.ACKNOWLEDGMENT,
        ),
        answer(reply),
    ]


def ten_evaluators() -> list[CaseEvaluator]:
    """Return one evaluator of each kind that a retrieval case has."""
    return [
        Completed(),
        HumanResponseContainsTerms(required_terms=("Ropewalk",)),
        HumanResponseContainsNoTerms(forbidden_terms=("drydock",)),
        MessageContainsTerms(required_terms=("leased",), sender="@Knowledge"),
        FollowedRoute(expected_route=(("@Human", "@Manager"), ("@Manager", "@Knowledge"))),
        CalledRequiredTools(required_tools=("search_graph",)),
        DidNotCallTools(forbidden_tools=("update_graph",)),
        ToolCallCount(tool_name="search_graph", minimum=1, maximum=20),
        ToolArgumentsMatch(tool_name="search_graph", arguments={"query": {"$present": True}}),
        ToolEvidenceContainsTerms(tool_name="search_graph", required_terms=("leased",)),
    ]


def _ours(lifecycle: type[CaseLifecycle[Any, Any, Any]] | None = None) -> Callable[[], object]:
    scripts = {f"Berth {number}": conversation(number) for number in range(CASES)}
    assert all(len(script) == 40 for script in scripts.values())  # noqa: S101
    cases: list[Case[Any, Any, Any]] = [
        Case(name=name, inputs=CaseInput(message=name)) for name in scripts
    ]
    dataset: Dataset[Any, Any, Any] = Dataset(name="ours", cases=cases, evaluators=ten_evaluators())
    factory = ScriptedFactory(lambda inputs: [scripts[inputs.message or ""]])
    task = partial(run_case_with_factory, runtime_factory=factory)
    return lambda: asyncio.run(_evaluate(dataset, task, lifecycle))


def _peer() -> Callable[[], object]:
    async def echo(inputs: str) -> str:
        return inputs

    cases: list[Case[Any, Any, Any]] = [
        Case(name=f"case {number}", inputs=f"text {number}") for number in range(CASES)
    ]
    dataset: Dataset[Any, Any, Any] = Dataset(
        name="peer", cases=cases, evaluators=[Trivial(number=number) for number in range(10)]
    )
    return lambda: asyncio.run(_evaluate(dataset, echo, None))


async def _evaluate(
    dataset: Dataset[Any, Any, Any], task: Any, lifecycle: type[CaseLifecycle[Any, Any, Any]] | None
) -> None:
    """Evaluate and return nothing: asyncio.run takes the repr of what it is given."""
    report = await dataset.evaluate(task, max_concurrency=20, progress=False, lifecycle=lifecycle)
    assert len(report.cases) == CASES  # noqa: S101
    assert all(result.value for case in report.cases for result in case.assertions.values())  # noqa: S101


def measure() -> list[Line]:
    """Return the ratios with and without spans made from records."""
    plain = paired_ratio(_ours(), _peer(), BLOCKS)
    spans = paired_ratio(_ours(SpansFromRecords), _peer(), BLOCKS)
    what = f"{CASES} cases of 40 events and 10 evaluators, over Pydantic Evals on trivial ones"
    return [
        Line(name=f"{what}, no spans", value=f"{plain:.2f} x", bar="<= 2", ok=plain <= 2),
        Line(name=f"{what}, spans from records", value=f"{spans:.2f} x", bar="<= 5", ok=spans <= 5),
    ]
