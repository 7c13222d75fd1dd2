"""`audition record`: a session, or a case of a live team, as a recording and a starter suite."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli.printing import claim_stdout, quiet_end, tell_reminder
from audition.cli.session_options import Context, Invocation, Redact, SessionId, User, recorded

if TYPE_CHECKING:
    from audition.recording import Recording


def record(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE|DATASET",
            envvar="AUDITION_SOURCE",
            help="As for `audition sessions`, or with --case a dataset file.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write to.")
    ],
    session: SessionId = None,
    invocation: Invocation = None,
    user: User = None,
    context: Context = None,
    case: Annotated[
        str | None, typer.Option(metavar="NAME", help="Run this case of the dataset and record it.")
    ] = None,
    team: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which of the application's teams runs it.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The name of the case, and of the files.")
    ] = None,
    redact: Redact = True,
) -> None:
    """Write a recording and a suite that asserts in both directions what it shows."""
    from audition.errors import CallError
    from audition.experiment.golden import keep_suite
    from audition.experiment.process import end_within
    from audition.sessions import SessionInput
    from audition.sources.addresses import source_address

    out = claim_stdout()
    if case is None:
        if team is not None:
            raise CallError(team, what="--team", wanted="wanted --case beside it")
        address = source_address(source, user=user, context=context)
        inputs = SessionInput(source=address, session_id=session, invocation=invocation)
        recording, meant = recorded(inputs), session or Path(source).stem
    else:
        recording, meant = _run(Path(source), case, team), case
    kept = keep_suite(recording, output, name=name or meant, redact=redact)
    with quiet_end(out):
        print(f"{kept.recording}\n{kept.suite}", file=out)
    tell_reminder(kept.recording)
    end_within(2, 0)  # whatever a team left


def _run(dataset: Path, case: str, team: str | None) -> "Recording":
    """Return the recording of a case: of its session, or of a run of it."""
    import asyncio

    from audition.application import open_dataset
    from audition.datasets.selection import select_case
    from audition.experiment.golden import record_case
    from audition.experiment.task import task_of
    from audition.running_case import running

    application, loaded = open_dataset(dataset)
    select_case(loaded.dataset, case)
    task_of(loaded, application, team=team)  # says what cannot be run
    inputs = loaded.dataset.cases[0].inputs
    if loaded.target == "session":
        return recorded(inputs)
    runner = asyncio.Runner()  # not closed: a team may have left what waits forever
    with running(case):
        return runner.run(record_case(inputs, application.runtime_factory(team)))
