"""`audition show`: the table of a run, or one case with everything it left behind."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli.printing import tell
from audition.cli.session_options import Redact

if TYPE_CHECKING:
    from audition.datasets.authoring import Authoring
    from audition.experiment.journal import CaseResult
    from audition.experiment.kept import KeptRun


def show(
    run: Annotated[
        Path, typer.Argument(help="The folder of a run, also of one that died, or a native report.")
    ],
    case: Annotated[
        str | None, typer.Argument(help="The case; without one, the table of all.")
    ] = None,
    redact: Redact = True,
) -> None:
    """Print the table of a run, or one case: turns, messages, tools, and what each check saw."""
    from audition.experiment.kept import read_run, unit_results
    from audition.redaction.records import Redactor
    from audition.reports.table import Subject, table

    kept = read_run(run)
    authoring = _authoring(kept)
    if case is None:
        subject = Subject(
            name=Redactor().text(kept.name) if redact else kept.name,
            application=kept.application,
            team=kept.team,
            planned=kept.planned,
        )
        results = unit_results(kept, authoring, redact=redact)
        print(table(results, kept.code, subject))
    else:
        for result in _found(run, kept, case):
            print(_case_told(result, authoring, redact=redact))


def _found(path: Path, kept: "KeptRun", case: str) -> list["CaseResult"]:
    from audition.datasets.problems import accepted
    from audition.errors import CallError

    results = [unit.result for unit in kept.units]
    found = [result for result in results if case in {result.name, result.source_case_name}]
    if not found:
        names = [result.name for result in results]
        raise CallError(case, what=f"{path}: case", wanted=accepted(case, names))
    return found


def _case_told(result: "CaseResult", authoring: "Authoring", *, redact: bool) -> str:
    from pydantic_evals.reporting import ReportCase

    from audition.experiment.native_report import redacted_result
    from audition.reports.case_text import case_text, failure_text

    shown = redacted_result(result) if redact else result
    return case_text(shown, authoring) if isinstance(shown, ReportCase) else failure_text(shown)


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
        tell(f"audition: {error}; what it adds is not known here")
        return Authoring()
