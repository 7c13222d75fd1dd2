"""`audition rescore`: what a run has kept, judged anew without the team."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audition.cli import run_options as options
from audition.cli.printing import claim_stdout, tell, tell_warnings
from audition.cli.results import ResultFormat
from audition.cli.run import Printing, check_writable, shown_name, tell_progress, tell_results
from audition.errors import CallError

if TYPE_CHECKING:
    from audition.application import Application
    from audition.datasets.loading import LoadedDataset
    from audition.experiment.driver import Experiment, Settings
    from audition.experiment.rescoring import Rescoring
    from audition.experiment.stored import StoredRun

_NAMED = 5
"""Names of cases that are told for each reason."""


def rescore(
    stored: Annotated[
        Path | None,
        typer.Argument(
            metavar="REPORT",
            help="The folder of a run, or a native report; with --resume what the run names.",
        ),
    ] = None,
    dataset: Annotated[
        Path | None, typer.Option(help="The dataset file, in place of that of the run.")
    ] = None,
    case: options.Cases = None,
    tag: options.Tags = None,
    max_concurrency: options.Concurrency = 8,
    tolerate_errors: options.TolerateErrors = 0,
    grace: options.Grace = 30,
    resume: options.Resume = None,
    retry: options.Retries = None,
    report: options.Report = None,
    reports: options.Reports = Path("eval-reports"),
    format: options.ResultsAs = ResultFormat.TABLE,  # noqa: A002  # the name of the option
    redact: options.Redact = True,
) -> None:
    """Judge the outputs that a run has kept by the evaluators of a dataset, new or changed ones.

    Neither the team nor its model is asked. What cannot be judged anew is told, and is not run.
    """
    from audition.experiment.driver import Settings
    from audition.experiment.process import run_in_process
    from audition.experiment.status import Status

    out = claim_stdout()
    again = options.retried(retry, last_failed=False, resume=resume)
    if report is not None:
        check_writable(report)
    settings = Settings(
        max_concurrency=max_concurrency,
        tolerated_error_share=tolerate_errors,
        grace_seconds=grace,
        retry=frozenset(map(Status, again)),
    )
    call = options.Measured(dataset=dataset, names=tuple(case or ()), tags=tuple(tag or ()))
    keeping = _Keeping(stored=stored, reports=reports, resume=resume, redact=redact)
    experiment, rescoring = _experiment(call, settings, keeping)
    printing = Printing(format=format, show_trajectory=False, out=out)

    def tell_all() -> None:
        _tell_doubts(rescoring)
        tell_results(experiment, report, printing)

    run_in_process(experiment, tell_all)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Keeping:
    """What is judged, and where the results go: below which folder, or into which."""

    stored: Path | None
    reports: Path
    resume: Path | None
    redact: bool


def _experiment(
    call: options.Measured, settings: "Settings", keeping: _Keeping
) -> "tuple[Experiment, Rescoring]":
    """Return the run that the call means, with its folder, and what judges in it."""
    from audition.experiment.driver import Experiment
    from audition.experiment.folder import new_folder
    from audition.experiment.rescoring import Rescoring, nobody

    stored = _stored(keeping)
    measured = _measured(call, stored, keeping.resume)
    application, loaded, gone = _loaded(measured, stored)
    experiment = Experiment(
        loaded=loaded,
        application=application,
        task=nobody,
        folder=keeping.resume or Path(),
        settings=settings,
        team=stored.team,
        selection=measured.selection,
        redact=keeping.redact,
        on_result=tell_progress,
        on_note=tell,
    )
    rescoring = Rescoring(stored=stored, loaded=loaded, evaluation=experiment.evaluation, gone=gone)
    _tell_left_out(rescoring)
    experiment.rescoring = rescoring
    if keeping.resume is None:
        name = shown_name(loaded.dataset.name or loaded.path.stem, redact=keeping.redact)
        experiment.folder = new_folder(keeping.reports, name)
    return experiment, rescoring


def _loaded(
    measured: options.Measured, stored: "StoredRun"
) -> "tuple[Application, LoadedDataset, Sequence[str]]":
    """Return the application, the cases that are chosen, and those that the dataset lacks."""
    from audition.application import open_dataset
    from audition.datasets.selection import select_cases
    from audition.experiment.plan import name_id
    from audition.experiment.rescoring import as_often

    if measured.dataset is None:
        wanted = "wanted a dataset file: a native report names none"
        raise CallError(None, what="--dataset", wanted=wanted)
    application, loaded = open_dataset(measured.dataset, session=measured.given())
    tell_warnings(measured.dataset, loaded.warnings)
    there = {name_id(one.name or "case") for one in loaded.dataset.cases}
    select_cases(loaded.dataset, names=measured.names, tags=measured.tags)
    is_whole = not measured.names and not measured.tags
    gone = [one.name for of, one in stored.cases.items() if of not in there and is_whole]
    return application, as_often(loaded, stored), gone


def _stored(keeping: _Keeping) -> "StoredRun":
    """Return what is judged: what the call names, or what the run judges that is gone on with."""
    from audition.experiment.manifest import read_manifest
    from audition.experiment.resume import no_rescoring
    from audition.experiment.stored import read_stored

    path = keeping.stored
    if keeping.resume is not None:
        before = read_manifest(keeping.resume).rescored_from
        if before is None:
            raise no_rescoring(keeping.resume)
        path = path or Path(before.path)
    if path is None:
        wanted = "wanted the folder of a run or a native report, or --resume FOLDER"
        raise CallError(None, what="REPORT", wanted=wanted)
    return read_stored(path)


def _measured(call: options.Measured, stored: "StoredRun", resume: Path | None) -> options.Measured:
    """Return what is judged of which dataset: that of the run, unless the call says another."""
    from dataclasses import replace

    if resume is not None:
        return options.measured_before(resume, call)
    if stored.manifest is None:
        return call
    before = options.measured_in(stored.manifest)
    return replace(
        call,
        dataset=call.dataset or before.dataset,
        session=before.session,
        source=before.source,
    )


def _tell_left_out(rescoring: "Rescoring") -> None:
    """Say what cannot be judged anew; refuse where that is all."""
    from audition.evaluators.reasons import few

    notes = [
        f"{told}: {few(names, most=_NAMED, separator=', ')}" for told, names in rescoring.notes()
    ]
    if not rescoring.sorted.keys:
        found = "; ".join(notes) or "no case"
        wanted = "wanted the results of cases that stand in the dataset"
        raise CallError(found, what=str(rescoring.stored.path), wanted=wanted)
    for note in notes:
        tell(note)


def _tell_doubts(rescoring: "Rescoring") -> None:
    """Say which verdicts there are not, and which are other ones than they should be."""
    from audition.evaluators.reasons import few

    if rescoring.without_spans:
        told = "result(s) have evaluators of spans, and no spans of the run (--keep-spans)"
        tell(f"{rescoring.without_spans} {told}: they see those that are made of the records")
    for found, what in (
        (
            rescoring.in_doubt,
            "evaluator(s) cannot be rescored, since secrets were taken out of what they look at",
        ),
        (
            rescoring.disagreements,
            "assertion(s) of unchanged evaluators differ from the run (warning)",
        ),
    ):
        if found:
            tell(f"{len(found)} {what}: {few(found, most=_NAMED)}")
