"""`audition show`: the table of a run, or one case with everything it left behind."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.reports.terminal import safe

if TYPE_CHECKING:
    from audition.datasets.authoring import Authoring
    from audition.experiment.kept import KeptRun


def show(
    run: Annotated[
        Path, typer.Argument(help="The folder of a run, also of one that died, or a native report.")
    ],
    case: Annotated[
        str | None, typer.Argument(help="The case; without one, the table of all.")
    ] = None,
) -> None:
    """Print the table of a run, or one case: turns, messages, tools, and what each check saw."""
    from audition.experiment.kept import read_run, unit_results
    from audition.reports.table import Subject, table

    kept = read_run(run)
    authoring = _authoring(kept)
    if case is None:
        subject = Subject(
            name=kept.name, application=kept.application, team=kept.team, planned=kept.planned
        )
        print(table(unit_results(kept, authoring), kept.code, subject))
    else:
        _tell_case(run, kept, case=case, authoring=authoring)


def _tell_case(path: Path, kept: "KeptRun", *, case: str, authoring: "Authoring") -> None:
    from pydantic_evals.reporting import ReportCase

    from audition.datasets.problems import accepted
    from audition.errors import CallError
    from audition.reports.case_text import case_text, failure_text

    results = [unit.result for unit in kept.units]
    found = [result for result in results if case in {result.name, result.source_case_name}]
    if not found:
        names = [result.name for result in results]
        raise CallError(case, what=f"{path}: case", wanted=accepted(case, names))
    for result in found:
        told = (
            case_text(result, authoring) if isinstance(result, ReportCase) else failure_text(result)
        )
        print(told)


def _authoring(kept: "KeptRun") -> "Authoring":
    """Return what the application adds that the run is about, else what the library has alone."""
    from audition.application import load_application
    from audition.datasets.authoring import Authoring
    from audition.errors import SetupError
    from audition.project import find_project

    try:
        beside = () if kept.dataset is None else (kept.dataset.resolve().parent,)
        project = find_project(*beside, Path.cwd())
        named = kept.application if kept.application in project.applications else None
        return load_application(project, named).authoring
    except SetupError as error:
        print(f"audition: {safe(str(error))}; what it adds is not known here", file=sys.stderr)
        return Authoring()
