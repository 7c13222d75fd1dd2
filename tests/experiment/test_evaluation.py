import asyncio
from pathlib import Path
from typing import Any

import pytest
from pydantic_evals.evaluators import Evaluator, EvaluatorContext

from audition.events import CompletionReason
from audition.experiment.driver import Settings
from audition.experiment.evaluation import FinishedUnit
from audition.experiment.journal import JournalLine
from audition.experiment.status import Status
from audition.experiment.units import units_of
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.testing import answer, output, tool_use
from tests.experiments import Answer, experiment


def finished(
    folder: Path, given: Answer, *, seconds_left: float | None = None, **more: Any
) -> FinishedUnit:
    run = experiment(folder, {"one": given}, **more)
    (planned,) = units_of(run.loaded)
    return asyncio.run(run.evaluation.finish(planned, seconds_left=seconds_left))


def test_a_line_says_what_failed_and_why_in_short(tmp_path: Path) -> None:
    line = finished(tmp_path, "no").line
    assert (line.status, line.failed, line.layer) == (Status.FAILED, ("says yes",), "answer")
    assert line.reasons["says yes"].startswith("the final answer lacks")
    assert len(line.case_id) == 16


def test_what_pydantic_evals_cannot_bring_to_an_end_is_an_error_of_that_unit(
    tmp_path: Path,
) -> None:
    """A task that raises CancelledError by itself breaks `Dataset.evaluate`."""
    run = experiment(tmp_path, {"one": "yes"})

    async def task(inputs: CaseInput) -> CaseOutput:
        raise asyncio.CancelledError

    run.task = task
    (planned,) = units_of(run.loaded)
    kept = asyncio.run(run.evaluation.finish(planned))
    assert (kept.line.status, kept.is_failure) == (Status.ERROR, True)
    assert "AttributeError" in (kept.line.error or "")


@pytest.mark.parametrize(
    ("given", "limited"),
    [
        (ValueError("status_code: 429"), True),
        (ValueError("status_code: 500"), False),
        ("429 Too Many Requests", False),
    ],
)
def test_a_rate_limit_is_an_error_and_no_answer(
    tmp_path: Path, given: Answer, limited: object
) -> None:
    assert finished(tmp_path, given).met_rate_limit is limited


LATE = output(reason=CompletionReason.DEADLINE)


def test_a_case_that_the_run_cut_short_is_not_evaluated_and_keeps_its_evidence(
    tmp_path: Path,
) -> None:
    kept = finished(tmp_path, LATE, seconds_left=0.5)
    assert kept.line.status is Status.NOT_EVALUATED
    assert kept.line.cut == "the time of the run was over"
    assert b'"deadline"' in kept.text


@pytest.mark.parametrize(("left", "own"), [(None, 3.0), (5.0, 3.0)])
def test_a_case_that_ends_by_its_own_deadline_is_an_error(
    tmp_path: Path, left: float | None, own: float
) -> None:
    settings = Settings(deadline_seconds=own)
    kept = finished(tmp_path, LATE, seconds_left=left, settings=settings)
    assert (kept.line.status, kept.line.cut) == (Status.ERROR, None)


class Scores(Evaluator[Any, Any, Any]):
    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> dict[str, float]:
        return {"grounded": 0.8}


class Nothing(Evaluator[Any, Any, Any]):
    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> float:
        return float("nan")


@pytest.mark.parametrize(
    ("given", "status"), [("yes", Status.NOT_EVALUATED), ("no", Status.FAILED)]
)
def test_nan_is_no_measurement_and_no_error(tmp_path: Path, given: str, status: Status) -> None:
    run = experiment(tmp_path, {"one": given})
    run.loaded.dataset.evaluators += [Scores(), Nothing()]
    (planned,) = units_of(run.loaded)
    line = asyncio.run(run.evaluation.finish(planned)).line
    assert (line.status, line.scores, line.error) == (status, {"grounded": 0.8}, None)
    assert line.reasons["Nothing"] == "measured nan"


def test_routes_and_tools_have_a_digest_that_tells_repeats_apart(tmp_path: Path) -> None:
    used = output(*tool_use("@Manager", "search", "found"), answer("yes"))
    lines = list[JournalLine]()
    for number, given in enumerate((used, used, "yes")):
        (tmp_path / str(number)).mkdir()
        lines.append(finished(tmp_path / str(number), given).line)
    one, same, other = lines
    assert (one.route, one.tools, one.tool_calls) == (same.route, same.tools, 1)
    assert one.tools != other.tools
