"""`audition run`: the cases of a dataset file, to a table and an exit code."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from audition.errors import Problem
    from audition.experiment.engine import Experiment, UnitResult


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"


def run(
    dataset: Annotated[Path, typer.Argument(help="The dataset file: .json, .yaml or .yml.")],
    case: Annotated[list[str] | None, typer.Option(help="Only this case; may be repeated.")] = None,
    tag: Annotated[
        list[str] | None, typer.Option(help="Only cases with this tag; may be repeated.")
    ] = None,
    team: Annotated[
        str | None, typer.Option(help="Which of the application's teams, such as production.")
    ] = None,
    session: Annotated[
        Path | None, typer.Option(help="Judge this recorded session, in a session file.")
    ] = None,
    repeat: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="How often each case is run.")
    ] = None,
    max_concurrency: Annotated[
        int, typer.Option(min=1, max=10_000, help="How many cases at a time.")
    ] = 8,
    timeout: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=86_400,
            help="Longest wait for one turn, in seconds.",
        ),
    ] = None,
    deadline: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=86_400,
            help="Longest time for one case, in seconds.",
        ),
    ] = None,
    tolerate_errors: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Share of broken cases up to which they are only counted.",
        ),
    ] = 0,
    report: Annotated[
        Path | None,
        typer.Option("--report", "--save-report", help="Also write the native report here."),
    ] = None,
    reports: Annotated[
        Path, typer.Option(help="The folder under which the folder of this run is made.")
    ] = Path("eval-reports"),
    format: Annotated[Format, typer.Option(help="How results are printed.")] = Format.TABLE,  # noqa: A002  # the name of the option
) -> None:
    """Run the cases of a dataset file, keep every result, and say whether the team behaved."""
    from audition.application import open_dataset
    from audition.datasets.selection import select_cases
    from audition.experiment.engine import Experiment, Settings
    from audition.experiment.folder import new_folder
    from audition.experiment.process import run_in_process
    from audition.experiment.task import task_of

    application, loaded = open_dataset(dataset, session=session)
    tell_warnings(dataset, loaded.warnings)
    select_cases(loaded.dataset, names=case or (), tags=tag or ())
    task = task_of(loaded, application, team)
    if report is not None:
        _check_writable(report)
    experiment = Experiment(
        loaded=loaded,
        application=application,
        task=task,
        folder=new_folder(reports, loaded.dataset.name or dataset.stem),
        settings=Settings(
            repeat=repeat,
            max_concurrency=max_concurrency,
            timeout_seconds=timeout,
            deadline_seconds=deadline,
            tolerated_error_share=tolerate_errors,
        ),
        team=None if loaded.target == "session" else team or next(iter(application.runtimes), None),
        on_result=_tell_progress,
    )
    run_in_process(experiment, lambda: _tell(experiment, report, format))


def _check_writable(report: Path) -> None:
    """Refuse a report that cannot be written before anything is run."""
    from audition.errors import CallError

    try:
        report.parent.mkdir(parents=True, exist_ok=True)
        with report.open("ab"):
            pass
    except OSError as error:
        found, wanted = error.strerror, "a file that can be written"
        raise CallError(found, what=f"--report {report}", wanted=wanted) from None


def tell_warnings(path: Path, warnings: "tuple[Problem, ...]") -> None:
    """Print what is doubtful in a file."""
    from audition.reports.terminal import safe

    for warning in warnings:
        print(safe(f"{path}#{warning} (warning)"), file=sys.stderr)


def _tell_progress(result: "UnitResult") -> None:
    from audition.reports.terminal import one_line

    layer = f", {result.diagnosis}" if result.diagnosis else ""
    told = f"{result.status} {result.unit.name} {result.seconds:.2f} s{layer}"
    print(one_line(told, 400), file=sys.stderr)


def _tell(experiment: "Experiment", report: Path | None, format: Format) -> None:  # noqa: A002  # as above
    import json
    import shutil

    from audition.experiment.native_report import REPORT
    from audition.reports.table import as_json, table

    code = experiment.code
    if format is Format.JSON:
        print(json.dumps(as_json(experiment.results, code, name=experiment.name), indent=2))
    else:
        print(table(experiment.results, code, name=experiment.name))
    if report is not None:
        shutil.copyfile(experiment.folder / REPORT, report)
    print(
        f"kept in {experiment.folder}: `audition show {experiment.folder} CASE` tells one case",
        file=sys.stderr,
    )
