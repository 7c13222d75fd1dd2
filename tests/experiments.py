"""A short way to an experiment whose team answers each case as the test says."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic_evals.reporting import ReportCaseFailure

from audition.application import Application
from audition.datasets.authoring import Authoring
from audition.datasets.loading import LoadedDataset, build_dataset
from audition.datasets.reading import read_source
from audition.experiment.driver import Experiment, Settings
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.testing import answer, output

SAYS_YES = {"type": "human_response_contains_terms", "required_terms": ["yes"], "id": "says yes"}

type Answer = str | CaseOutput | Exception


def dataset(folder: Path, cases: Mapping[str, Mapping[str, Any]], **fields: Any) -> LoadedDataset:
    """Return a dataset in which each case asks its own name and must be told yes."""
    entries = [
        {"name": name, "message": f"{name}?", "evaluators": [SAYS_YES], **more}
        for name, more in cases.items()
    ]
    data = {"version": 2, "task": "retrieval", "name": "small/set", "cases": entries, **fields}
    path = folder / "small.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return build_dataset(read_source(path), Authoring())


def experiment(
    folder: Path,
    answers: Mapping[str, Answer],
    *,
    settings: Settings | None = None,
    cases: Mapping[str, Mapping[str, Any]] | None = None,
    **more: Any,
) -> Experiment:
    """Return an experiment whose team gives these answers; an exception is raised by the task."""

    async def task(inputs: CaseInput) -> CaseOutput:
        given = answers[str(inputs.message).removesuffix("?")]
        if isinstance(given, Exception):
            raise given
        asked = inputs.message or ""
        return given if isinstance(given, CaseOutput) else output(answer(given), asked=asked)

    run = folder / "run"
    run.mkdir()
    return Experiment(
        loaded=dataset(folder, {name: (cases or {}).get(name, {}) for name in answers}),
        application=Application(name="small"),
        task=task,
        folder=run,
        settings=settings or Settings(),
        **more,
    )


def failure(name: str) -> ReportCaseFailure[Any, Any, Any]:
    """Return the result of a case whose task raised."""
    return ReportCaseFailure(
        name=name,
        inputs=None,
        metadata=None,
        expected_output=None,
        error_message="x",
        error_stacktrace="",
    )
