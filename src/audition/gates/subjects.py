"""The run that a gate judges, or compares with: where it is, and what became of its cases."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from audition.comparison.report_history import history_of_report
from audition.datasets.authoring import Authoring
from audition.datasets.problems import accepted
from audition.errors import CallError, RecordError
from audition.experiment.exit_codes import ExitCode
from audition.experiment.folder import runs_below
from audition.experiment.histories import CaseHistory, RunHistory, read_history
from audition.experiment.kept import check_is_run
from audition.experiment.manifest import MANIFEST, Manifest
from audition.experiment.plan import Check

LATEST = "latest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A run as a gate sees it.

    Attributes:
        path: Where it was read from.
        name: The experiment.
        cases: What became of each, by id.
        shared: The evaluators of all cases, by the id of their assertion.
        unfinished: Why it did not come to its end, None where it did.
        selection: Which part of its dataset was chosen, None where all was.

    """

    path: Path
    name: str
    cases: Mapping[str, CaseHistory]
    shared: Mapping[str, Check]
    unfinished: str | None = None
    selection: str | None = None

    def checks(self, case: CaseHistory) -> Mapping[str, Check]:
        """Return all evaluators of a case, by the id of their assertion."""
        return {**self.shared, **case.checks} if self.shared else case.checks


def find_run(named: str, *, reports: Path, baselines: Path) -> Path:
    """Return where a run is: a folder, a native report, `latest`, or a baseline by its name.

    Args:
        named: As it was given.
        reports: Where runs are kept.
        baselines: Where baselines are kept.

    Raises:
        CallError: There is none of these.

    """
    if Path(named).exists():
        return Path(named)
    promoted = sorted(path.parent.name for path in baselines.glob(f"*/{MANIFEST}"))
    if named in promoted:
        return baselines / named
    runs = runs_below(reports)
    if named == LATEST and runs:
        return runs[0]
    wanted = accepted(named, [*promoted, *([LATEST] if runs else [])], otherwise="there is none")
    what = f"a folder of a run, or a baseline in {baselines}"
    raise CallError(named, what=what, wanted=wanted)


def read_subject(path: Path, authoring: Authoring) -> Subject:
    """Return a run that is kept in a folder, or as a native report.

    Args:
        path: The folder or the file.
        authoring: What the application adds, to read a native report.

    Raises:
        RecordError: It cannot be read, or is neither.
        NewerFormat: It was written in a newer format.

    """
    if not path.is_dir():
        return _of_report(path, authoring)
    check_is_run(path)
    history = read_history(path)
    manifest = history.manifest
    return Subject(
        path=path,
        name=manifest.experiment,
        cases=history.cases,
        shared=history.shared,
        unfinished=_unfinished(manifest) or _lost(history),
        selection=_selection(manifest),
    )


def _unfinished(manifest: Manifest) -> str | None:
    if manifest.finished_at is None:
        return "it was killed, or is running still"
    if manifest.exit_code == ExitCode.INTERRUPTED:
        return "it was interrupted"
    return manifest.stopped_by


def _lost(history: RunHistory) -> str | None:
    lost = history.lost
    return f"{lost} of {history.manifest.units} runs are not in it" if lost else None


def _selection(manifest: Manifest) -> str | None:
    chosen = manifest.selection
    told = (
        *(f"--case {name!r}" for name in chosen.names),
        *(f"--tag {name!r}" for name in chosen.tags),
        *([f"--shard {chosen.shard}"] if chosen.shard else []),
    )
    return " ".join(told) or None


def _of_report(path: Path, authoring: Authoring) -> Subject:
    """Return a native report, which knows neither tags nor which cases must pass."""
    history = history_of_report(path, authoring)
    if not history.cases:
        raise RecordError(str(path), "a report without cases")
    return Subject(
        path=path,
        name=history.manifest.experiment,
        cases=history.cases,
        shared=history.shared,
        unfinished=_lost(history),
    )
