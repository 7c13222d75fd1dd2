"""`audition run`: the cases of a dataset file, to a table and an exit code."""

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from audition.cli.printing import Format, claim_stdout, quiet_end, tell_warnings

if TYPE_CHECKING:
    from audition.datasets.session_files import Given
    from audition.experiment.engine import Experiment
    from audition.experiment.results import UnitResult
    from audition.reports.table import Trajectories
    from audition.trajectory import ChatMessage


def run(
    dataset: Annotated[Path, typer.Argument(help="The dataset file: .json, .yaml or .yml.")],
    case: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this case; may be repeated.")
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(metavar="TAG", help="Only cases with this tag; may be repeated."),
    ] = None,
    team: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which of the application's teams, such as production."),
    ] = None,
    session: Annotated[
        Path | None, typer.Option(help="Judge this recorded session, in a session file.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Take the sessions of a session file from here, as for `audition sessions`.",
        ),
    ] = None,
    repeat: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10_000,
            metavar="COUNT",
            help="How often each case is run, in place of what the file says (else once).",
        ),
    ] = None,
    max_concurrency: Annotated[
        int,
        typer.Option(min=1, max=10_000, metavar="COUNT", help="How many cases at a time."),
    ] = 8,
    timeout: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=86_400,
            metavar="SECONDS",
            help="Longest wait for one turn.",
        ),
    ] = None,
    deadline: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=86_400,
            metavar="SECONDS",
            help="Longest time for one case.",
        ),
    ] = None,
    tolerate_errors: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            metavar="SHARE",
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
    show_trajectory: Annotated[
        bool, typer.Option("--show-trajectory", help="Also print the chat messages of each case.")
    ] = False,
    format: Annotated[Format, typer.Option(help="How results are printed.")] = Format.TABLE,  # noqa: A002  # the name of the option
    redact: Annotated[
        bool,
        typer.Option(
            "--redact/--no-redact", help="Take secrets out of what is kept and told, or keep them."
        ),
    ] = True,
) -> None:
    """Run the cases of a dataset file, keep every result, and say whether the team behaved."""
    from audition.application import open_dataset
    from audition.datasets.selection import select_cases
    from audition.errors import CallError
    from audition.experiment.engine import Experiment, Settings
    from audition.experiment.folder import new_folder
    from audition.experiment.process import run_in_process
    from audition.experiment.task import task_of

    out = claim_stdout()
    given = _given(session, source)
    application, loaded = open_dataset(dataset, session=given)
    if given is not None and loaded.target != "session":
        found = f"a file of task {loaded.task}"
        named = "--session" if source is None else "--source"
        raise CallError(found, what=str(dataset), wanted=f"wanted task session, for {named}")
    tell_warnings(dataset, loaded.warnings)
    select_cases(loaded.dataset, names=case or (), tags=tag or ())
    task = task_of(loaded, application, team=team)
    if report is not None:
        _check_writable(report)
    experiment = Experiment(
        loaded=loaded,
        application=application,
        task=task,
        folder=new_folder(reports, _shown(loaded.dataset.name or dataset.stem, redact=redact)),
        settings=Settings(
            repeat=repeat,
            max_concurrency=max_concurrency,
            timeout_seconds=timeout,
            deadline_seconds=deadline,
            tolerated_error_share=tolerate_errors,
        ),
        team=None if loaded.target == "session" else team or application.default_team,
        redact=redact,
        on_result=_tell_progress,
    )
    printing = _Printing(format=format, show_trajectory=show_trajectory, out=out)
    run_in_process(experiment, lambda: _tell(experiment, report, printing))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Printing:
    """How results are printed: in which form, with the chat messages or without, and where."""

    format: Format
    show_trajectory: bool
    out: TextIO


def _given(session: Path | None, source: str | None) -> "Given | None":
    """Return what the call says in place of the sessions that a file names."""
    from audition.errors import CallError
    from audition.sources.addresses import source_address
    from audition.sources.files import STDIN

    if session is not None and source is not None:
        raise CallError(source, what="--source", wanted="wanted one of --source and --session")
    for option, named in (("--session", str(session)), ("--source", source)):
        if named == STDIN:
            wanted = "wanted a file: each case reads it, and standard input can be read but once"
            raise CallError(STDIN, what=option, wanted=wanted)
    if session is not None:
        _check_session(session)
    return session if source is None else source_address(source)


def _check_session(session: Path) -> None:
    """Refuse what holds no session before anything is run."""
    from audition.datasets.recordings import READABLE
    from audition.errors import CallError, RecordError
    from audition.files import without_address
    from audition.sessions import SessionInput, read_output

    try:
        read_output(SessionInput(session=str(session)))
    except RecordError as error:
        found = str(error).removeprefix(f"{session}: ")
        what = f"--session {without_address(session)}"
        raise CallError(found, what=what, wanted=f"wanted {READABLE}") from None


def _check_writable(report: Path) -> None:
    """Refuse a report that cannot be written before anything is run."""
    from audition.errors import CallError

    try:
        report.parent.mkdir(parents=True, exist_ok=True)
        with report.open("ab"):
            pass
    except OSError as error:
        found, wanted = error.strerror, "wanted a file that can be written"
        raise CallError(found, what=f"--report {report}", wanted=wanted) from None


def _shown(name: str, *, redact: bool) -> str:
    """Return the name of a run, as its folder and its table show it."""
    from audition.redaction.records import Redactor

    return Redactor().text(name) if redact else name


def _tell_progress(result: "UnitResult") -> None:
    from audition.reports.terminal import one_line

    layer = f", {result.diagnosis}" if result.diagnosis else ""
    seconds = "" if result.seconds is None else f" {result.seconds:.2f} s"
    told = f"{result.status} {result.unit.name}{seconds}{layer}"
    print(one_line(told, 400), file=sys.stderr)


def _tell(experiment: "Experiment", report: Path | None, printing: _Printing) -> None:
    import json

    from audition.experiment.native_report import REPORT
    from audition.reports.table import Subject, as_json, table

    subject = Subject(
        name=_shown(experiment.name, redact=experiment.redact),
        application=experiment.application.name,
        team=experiment.team,
        planned=experiment.planned,
    )
    told = _trajectories(experiment.folder) if printing.show_trajectory else None
    with quiet_end(printing.out):
        if printing.format is Format.JSON:
            values = as_json(experiment.results, experiment.code, subject, told)
            print(json.dumps(values, indent=2), file=printing.out)
        else:
            print(table(experiment.results, experiment.code, subject, told), file=printing.out)
    if report is not None and (experiment.folder / REPORT).exists():  # a crash may leave none
        _copy(experiment.folder / REPORT, report)
    print(
        f"kept in {experiment.folder}: `audition show {experiment.folder} CASE` tells one case",
        file=sys.stderr,
    )


def _trajectories(folder: Path) -> "Trajectories":
    """Return the chat messages of the units that were kept, read back: no run holds its outputs."""
    from audition.errors import RecordError
    from audition.experiment.kept import kept_outputs
    from audition.reports.trajectory_text import redacted_messages

    told: dict[int, list[ChatMessage]] = {}
    with suppress(RecordError):  # a crash may leave none
        for position, output in kept_outputs(folder):
            told[position] = redacted_messages(output)
    return told


def _copy(kept: Path, report: Path) -> None:
    import shutil

    try:
        shutil.copyfile(kept, report)
    except OSError as error:  # it may name the other file
        raise OSError(error.errno, error.strerror, str(report)) from None
