import asyncio
from pathlib import Path
from typing import Any

from pydantic_evals.evaluators import Evaluator, EvaluatorContext

from audition.events import AgentFailed, CompletionReason
from audition.experiment.results import assertions_of, output_of
from audition.testing import output
from tests.experiments import experiment
from tests.experiments import failure as raised


def test_a_task_that_raised_has_neither_assertions_nor_an_output() -> None:
    assert (assertions_of(raised("one"), ()), output_of(raised("one"))) == ([], None)


def test_what_broke_is_told_in_a_line(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"broken": output(reason=CompletionReason.TIMEOUT)})
    asyncio.run(run.run())
    assert [result.error for result in run.results()] == ["timeout"]


def test_a_text_that_is_told_twice_is_said_once(tmp_path: Path) -> None:
    told = "start raised ValueError: down"
    failed = output(AgentFailed(error=told), reason=CompletionReason.START_FAILED)
    twice = failed.model_copy(update={"completion_detail": told, "errors": (told, told)})
    run = experiment(tmp_path, {"broken": twice})
    asyncio.run(run.run())
    assert [result.error for result in run.results()] == [
        "start_failed: start raised ValueError: down"
    ]


class First(Evaluator[Any, Any, Any]):
    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> bool:
        raise NotImplementedError


class Second(Evaluator[Any, Any, Any]):
    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> bool:
        raise ZeroDivisionError


def test_every_evaluator_that_raised_is_named(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"good": "yes"})
    run.loaded.dataset.evaluators = [First(), Second()]
    asyncio.run(run.run())
    (result,) = run.results()
    assert result.error == (
        "the evaluator First could not run: NotImplementedError: ; "
        "the evaluator Second could not run: ZeroDivisionError: "
    )
