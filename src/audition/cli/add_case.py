"""`audition add-case`: a failure of a run, or a recorded session, becomes a case of a dataset."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli.printing import tell_reminder
from audition.cli.session_options import Invocation, Redact, SessionId, recorded

if TYPE_CHECKING:
    from audition.application import Application
    from audition.experiment.kept import KeptRun
    from audition.experiment.kept_cases import KeptCase
    from audition.sessions import SessionInput


def add_case(
    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="REPORT|SESSION",
            help="The folder of a run, a native report, or a session as for `audition sessions`.",
        ),
    ],
    case: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which case of the report, where several failed."),
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option(metavar="DATASET", help="The dataset file; made where it is not there."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of the new case.")
    ] = None,
    session: SessionId = None,
    invocation: Invocation = None,
    redact: Redact = True,
) -> None:
    """Keep a failure as a case; nothing that stands in the dataset file is changed."""
    from audition.errors import CallError
    from audition.sessions import SessionInput
    from audition.sources.addresses import source_address

    run = _run(Path(source))
    if run is not None:
        if session is not None or invocation is not None:
            found = session or invocation
            raise CallError(found, what="--from", wanted="wanted a session, for an id of one")
        _add_of_run(run, Path(source), case=case, to=to, name=name, redact=redact)
        return
    if case is not None:
        raise CallError(case, what="--case", wanted="wanted a report; --name names a new case")
    inputs = SessionInput(source=source_address(source), session_id=session, invocation=invocation)
    meant = name or session or Path(source).stem
    _add_session(inputs, to or Path("kept-sessions.yaml"), name=meant, redact=redact)


def _run(path: Path) -> "KeptRun | None":
    """Return the run that was kept, None where this is none."""
    from audition.errors import NewerFormat, RecordError
    from audition.experiment.kept import read_run

    if not path.is_dir() and path.suffix != ".json":
        return None
    try:
        return read_run(path)
    except NewerFormat:
        raise
    except RecordError:
        if path.is_dir():
            raise
        return None  # another JSON file, which may hold a session


def _add_of_run(
    run: "KeptRun", path: Path, *, case: str | None, to: Path | None, name: str | None, redact: bool
) -> None:
    """Keep a case of a run: in a file for a team, or with its session in a session file."""
    from audition.experiment.keeping import add_team_case
    from audition.experiment.kept_cases import failed_unit, fixture_of, kept_case
    from audition.sessions import SessionInput

    application = _application(run)
    unit = failed_unit(run, application, case)
    kept = kept_case(unit, application, origin={"kept_from": f"{run.name} {path.name}"})
    if name is not None:
        kept.fields["name"] = name
    for assertion in kept.left_out:
        told = f"{assertion}: no dataset file of ours can name its evaluator; it is left out"
        print(f"audition: {told}", file=sys.stderr)
    beside = run.dataset.parent if run.dataset is not None else Path()
    if kept.task == "session":
        inputs = SessionInput.model_validate(kept.inputs)
        target = to or beside / "kept-sessions.yaml"
        _add_session(inputs, target, name=str(kept.fields["name"]), redact=redact, kept=kept)
        return
    target = to or beside / f"kept-{kept.task}.yaml"
    add_team_case(kept, target, application=application, fixture=fixture_of(unit))
    print(f"{target}: {kept.fields['name']}")


def _application(run: "KeptRun") -> "Application":
    from audition.application import Application, load_application
    from audition.project import find_project

    if run.application is None:
        return Application()
    beside = () if run.dataset is None else (run.dataset.resolve().parent,)
    return load_application(find_project(*beside, Path.cwd()), run.application)


def _add_session(
    inputs: "SessionInput",
    target: Path,
    *,
    name: str,
    redact: bool,
    kept: "KeptCase | None" = None,
) -> None:
    from audition.datasets.reading import as_list
    from audition.experiment.keeping import Judged, add_session

    found = recorded(inputs)
    origin = {"kept_from": " ".join(filter(None, (Path(inputs.place).name, inputs.session_id)))}
    judged = None
    if kept is not None:
        rules = as_list(kept.inputs.get("tool_rules"))
        judged = Judged(fields=kept.fields, tool_rules=rules)
    recording = add_session(found, target, name=name, origin=origin, judged=judged, redact=redact)
    print(f"{target}: {name}")
    tell_reminder(recording)
