"""`audition run`: the cases of a dataset file, to a table and an exit code."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from audition.cli import machine_options as machines
from audition.cli import run_options as options
from audition.cli.printing import claim_stdout, quiet_end, tell, tell_warnings
from audition.cli.results import ResultFormat, print_results

if TYPE_CHECKING:
    from audition.application import Application
    from audition.datasets.loading import LoadedDataset
    from audition.experiment.driver import Experiment, Settings
    from audition.experiment.journal import JournalLine


def run(
    dataset: options.Dataset = None,
    case: options.Cases = None,
    tag: options.Tags = None,
    shard: options.Shard = None,
    team: options.Team = None,
    session: options.Session = None,
    source: options.Source = None,
    repeat: options.Repeat = None,
    seed: options.Seed = 0,
    max_concurrency: options.Concurrency = 8,
    engine: machines.Choice = machines.Kind.LOCAL,
    address: machines.Address = None,
    pass_env: machines.PassEnv = None,
    cpus_per_case: machines.CpusPerCase = 1,
    timeout: options.Timeout = None,
    deadline: options.Deadline = None,
    tolerate_errors: options.TolerateErrors = 0,
    run_deadline: options.RunDeadline = None,
    max_tokens: options.MaxTokens = None,
    max_cost: options.MaxCost = None,
    max_tool_calls: options.MaxToolCalls = None,
    fail_fast: options.FailFast = False,
    grace: options.Grace = 30,
    resume: options.Resume = None,
    retry: options.Retries = None,
    last_failed: options.LastFailed = False,
    common_only: options.CommonOnly = False,
    keep_spans: options.KeepSpans = False,
    report: options.Report = None,
    reports: options.Reports = Path("eval-reports"),
    show_trajectory: Annotated[
        bool, typer.Option("--show-trajectory", help="Also print the chat messages of each case.")
    ] = False,
    format: options.ResultsAs = ResultFormat.TABLE,  # noqa: A002  # the name of the option
    redact: options.Redact = True,
) -> None:
    """Run the cases of a dataset file, keep every result, and say whether the team behaved."""
    from audition.experiment.driver import Settings
    from audition.experiment.limits import Limits
    from audition.experiment.process import run_in_process
    from audition.experiment.status import Status

    out = claim_stdout()
    measured = options.Measured(
        dataset=dataset,
        names=tuple(case or ()),
        tags=tuple(tag or ()),
        shard=shard,
        team=team,
        session=session,
        source=source,
        repeat=repeat,
        seed=seed,
        timeout=timeout,
        deadline=deadline,
        keep_spans=keep_spans,
    )
    where = machines.MachineOptions(
        engine=engine,
        address=address,
        pass_env=tuple(pass_env or ()),
        cpus=cpus_per_case,
        count=max_concurrency,
    )
    where.check()
    again = options.retried(retry, last_failed=last_failed, resume=resume)
    options.check_common_only(common_only=common_only, resume=resume)
    if report is not None:
        check_writable(report)
    settings = Settings(
        max_concurrency=max_concurrency,
        tolerated_error_share=tolerate_errors,
        limits=Limits(
            seconds=run_deadline,
            tokens=max_tokens,
            cost_usd=max_cost,
            tool_calls=max_tool_calls,
            fail_fast=fail_fast,
        ),
        grace_seconds=grace,
        retry=frozenset(map(Status, again)),
    )
    keeping = _Keeping(reports=reports, resume=resume, redact=redact, common_only=common_only)
    experiment = _experiment(measured, settings, keeping, where)
    printing = Printing(format=format, show_trajectory=show_trajectory, out=out)
    run_in_process(experiment, lambda: tell_results(experiment, report, printing))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Keeping:
    """Where the results go: under which folder, or into which, with secrets or without."""

    reports: Path
    resume: Path | None
    redact: bool
    common_only: bool


def _experiment(
    call: options.Measured,
    settings: "Settings",
    keeping: _Keeping,
    where: machines.MachineOptions,
) -> "Experiment":
    """Return the run that the call means, with its folder."""
    from dataclasses import replace

    from audition.experiment.driver import Experiment
    from audition.experiment.folder import new_folder
    from audition.experiment.task import task_of

    resume = keeping.resume
    measured = call if resume is None else options.measured_before(resume, call)
    application, loaded = _loaded(measured)
    task = task_of(loaded, application, team=measured.team)
    name = shown_name(loaded.dataset.name or loaded.path.stem, redact=keeping.redact)
    engine = where.engine_of(measured)
    return Experiment(
        loaded=loaded,
        application=application,
        task=task,
        folder=resume or new_folder(keeping.reports, name),
        settings=replace(
            settings,
            repeat=measured.repeat,
            seed=measured.seed,
            timeout_seconds=measured.timeout,
            deadline_seconds=measured.deadline,
            keep_spans=measured.keep_spans,
        ),
        team=None if loaded.target == "session" else measured.team or application.default_team,
        selection=measured.selection,
        redact=keeping.redact,
        common_only=keeping.common_only,
        on_result=tell_progress,
        on_note=tell,
        engine=engine,
    )


def _loaded(measured: options.Measured) -> "tuple[Application, LoadedDataset]":
    """Return the dataset with the cases that are chosen, and its application."""
    from audition.application import open_dataset
    from audition.datasets.selection import select_cases, select_shard
    from audition.errors import CallError

    if measured.dataset is None:
        raise CallError(None, what="DATASET", wanted="wanted a dataset file, or --resume FOLDER")
    given = measured.given()
    if isinstance(given, Path):
        _check_session(given)
    application, loaded = open_dataset(measured.dataset, session=given)
    if given is not None and loaded.target != "session":
        found = f"a file of task {loaded.task}"
        named = "--session" if measured.source is None else "--source"
        what = str(measured.dataset)
        raise CallError(found, what=what, wanted=f"wanted task session, for {named}")
    tell_warnings(measured.dataset, loaded.warnings)
    select_cases(loaded.dataset, names=measured.names, tags=measured.tags)
    if measured.shard is not None:
        select_shard(loaded.dataset, measured.shard)
    return application, loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """How results are printed: in which form, with the chat messages or without, and where."""

    format: ResultFormat
    show_trajectory: bool
    out: TextIO


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


def check_writable(report: Path) -> None:
    """Refuse a report that cannot be written before anything is run."""
    from audition.errors import CallError

    try:
        report.parent.mkdir(parents=True, exist_ok=True)
        with report.open("ab"):
            pass
    except OSError as error:
        found, wanted = error.strerror, "wanted a file that can be written"
        raise CallError(found, what=f"--report {report}", wanted=wanted) from None


def shown_name(name: str, *, redact: bool) -> str:
    """Return the name of a run, as its folder and its table show it."""
    from audition.redaction.records import Redactor

    return Redactor().text(name) if redact else name


def tell_progress(line: "JournalLine") -> None:
    """Print what became of a case when it is there."""
    from audition.reports.terminal import one_line

    layer = ": ".join(filter(None, (line.layer, line.cause)))
    seconds = "" if line.seconds is None else f" {line.seconds:.2f} s"
    told = f"{line.status} {line.name}{seconds}{f', {layer}' if layer else ''}"
    print(one_line(told, 400), file=sys.stderr)


def tell_results(experiment: "Experiment", report: Path | None, printing: Printing) -> None:
    """Print the results of a run and where they are kept, and copy its report."""
    from audition.experiment.native_report import REPORT
    from audition.reports.told_run import ToldRun

    told = ToldRun(
        run=experiment.kept(),
        authoring=experiment.application.authoring,
        redact=experiment.redact,
        show_trajectory=printing.show_trajectory,
    )
    with quiet_end(printing.out):
        print_results(told, printing.format, printing.out)
    if report is not None and (experiment.folder / REPORT).exists():  # a crash may leave none
        _copy(experiment.folder / REPORT, report)
    if experiment.stopped_by is not None:
        told = f"not all is run: {experiment.stopped_by}; finish it with"
        print(f"{told} `audition run --resume {experiment.folder}`", file=sys.stderr)
    print(
        f"kept in {experiment.folder}: `audition show {experiment.folder} CASE` tells one case",
        file=sys.stderr,
    )


def _copy(kept: Path, report: Path) -> None:
    import shutil

    try:
        shutil.copyfile(kept, report)
    except OSError as error:  # it may name the other file
        raise OSError(error.errno, error.strerror, str(report)) from None
