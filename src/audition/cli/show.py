"""`audition show`: the results of a run, or one case with everything it left behind."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli.printing import tell
from audition.cli.results import ResultFormat, print_results
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
    show_trajectory: Annotated[
        bool, typer.Option("--show-trajectory", help="Also print the chat messages of each case.")
    ] = False,
    format: Annotated[  # noqa: A002  # the name of the option
        ResultFormat, typer.Option(help="How the results of a run are printed.")
    ] = ResultFormat.TABLE,
    redact: Redact = True,
    repeats: Annotated[
        bool, typer.Option("--repeats", help="What the repeats of each case show, not the table.")
    ] = False,
) -> None:
    """Print the results of a run, or one case: turns, messages, tools, and what each check saw."""
    from audition.experiment.kept import read_run
    from audition.reports.told_run import ToldRun

    if repeats:
        _check_repeats(case, format, show_trajectory=show_trajectory)
        _print_repeats(run, redact=redact)
        return
    kept = read_run(run)
    if case is not None:
        _tell_case(run, kept, case, format, redact=redact)
        return
    told = ToldRun(
        run=kept, authoring=_authoring(kept), redact=redact, show_trajectory=show_trajectory
    )
    print_results(told, format, sys.stdout)


def _check_repeats(case: str | None, form: ResultFormat, *, show_trajectory: bool) -> None:
    """Refuse what the repeats of all cases cannot be told with."""
    from audition.errors import CallError

    given = (
        (case, "CASE", case is not None),
        (str(form), "--format", form is not ResultFormat.TABLE),
        (show_trajectory, "--show-trajectory", show_trajectory),
    )
    for found, what, is_given in given:
        if is_given:
            wanted = "wanted --repeats without it: that tells all cases, in one form"
            raise CallError(found, what=what, wanted=wanted)


def _print_repeats(run: Path, *, redact: bool) -> None:
    from audition.comparison.sides import read_side
    from audition.redaction.records import Redactor
    from audition.reports.repeats import repeats_of, repeats_text

    told = repeats_text(repeats_of(read_side(run).history))
    print(Redactor().text(told) if redact else told)


def _tell_case(path: Path, kept: "KeptRun", case: str, form: ResultFormat, *, redact: bool) -> None:
    """Print each repeat of one case; only these are read."""
    from audition.datasets.problems import accepted
    from audition.errors import CallError

    if form is not ResultFormat.TABLE:
        wanted = "wanted it without a CASE: it is for the results of all"
        raise CallError(str(form), what="--format", wanted=wanted)
    authoring = _authoring(kept)
    rows = partial(kept.rows, authoring, redact=False)
    found = [row for row in rows() if case in {row.line.name, row.line.case}]
    if not found:
        names = [row.line.name for row in rows()]
        raise CallError(case, what=f"{path}: case", wanted=accepted(case, names))
    found.sort(key=lambda row: row.line.position)
    for _, result in kept.kept.results(found):
        print(_case_told(result, authoring, redact=redact))


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
