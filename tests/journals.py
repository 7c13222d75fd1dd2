"""A short way to the journal of a run, and to its lines."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic_evals.reporting import ReportCase

from audition.experiment.journal import JournalLine, plain_json
from audition.experiment.journal_writer import Journal
from audition.experiment.status import Status


def line(case: str, **fields: Any) -> JournalLine:
    """Return the line of a case that passed, but for what is said."""
    passed = JournalLine(
        case=case,
        repeat=1,
        repeats=1,
        status=Status.PASSED,
        assertions={"says yes": True},
        seconds=0.5,
    )
    return passed.model_copy(update=fields)


def result(name: str, **fields: Any) -> ReportCase[Any, Any, Any]:
    """Return the native result of a case."""
    made: ReportCase[Any, Any, Any] = ReportCase(
        name=name, inputs={"message": "?"}, metadata=None, expected_output=None, output="yes",
        metrics={}, attributes={}, scores={}, labels={}, assertions={},
        task_duration=0.5, total_duration=0.6,
    )  # fmt: skip
    return replace(made, **fields)


def written(folder: Path, *lines: JournalLine | str) -> list[JournalLine]:
    """Write lines to the journal of a folder, and return them with their places."""
    with Journal(folder) as journal:
        return [
            journal.write(one, plain_json(result(one.case)), is_failure=False)
            for one in (line(each) if isinstance(each, str) else each for each in lines)
        ]
