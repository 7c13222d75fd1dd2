"""Which run is meant, and what each of its cases did."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from audition.comparison.report_history import history_of_report
from audition.errors import CallError
from audition.evaluators.reasons import few
from audition.experiment.folder import runs_below
from audition.experiment.histories import RunHistory, read_history
from audition.experiment.journal import JOURNAL
from audition.experiment.manifest import MANIFEST
from audition.experiment.native_report import REPORT
from audition.experiment.plan import PLAN

LATEST = "latest"


class Known(StrEnum):
    """Where the fingerprints of a run come from: those of two kinds say nothing of each other."""

    PLAN = "plan"
    REPORT = "report"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of two runs.

    Attributes:
        history: What each of its cases did.
        known: Where the fingerprints of its cases and evaluators come from.

    """

    history: RunHistory
    known: Known


def read_side(path: Path) -> Side:
    """Return a run that was kept.

    Args:
        path: Its folder, or a native report. The report in the folder of a run stands for that,
            which knows more.

    Raises:
        RecordError: It cannot be read, or is no run.
        NewerFormat: It was written in a newer format.

    """
    folder = path.parent if path.name == REPORT and _is_run(path.parent) else path
    if not folder.is_dir():
        return Side(history=history_of_report(folder), known=Known.REPORT)
    known = Known.PLAN if (folder / PLAN).exists() else Known.NOTHING
    return Side(history=read_history(folder), known=known)


def find_run(named: str, reports: Path) -> Path:
    """Return the run that is meant.

    Args:
        named: A folder or a file; `latest` for the newest of all runs; the name of an experiment,
            or a folder with runs, for the newest of these.
        reports: Where the runs are.

    Raises:
        CallError: There is none of that name.

    """
    path = Path(named)
    if path.is_file() or _is_run(path):
        return path
    if not path.is_dir():
        path = reports if named == LATEST else reports / named
    if path.is_dir() and (runs := runs_below(path)):
        return runs[0]
    there = sorted({run.parent.name for run in runs_below(reports)})
    wanted = f"wanted a run, a native report, {LATEST}, or an experiment in {reports}: "
    raise CallError(named, what="run", wanted=wanted + (few(there, separator=", ") or "none is"))


def _is_run(folder: Path) -> bool:
    return any((folder / name).exists() for name in (MANIFEST, JOURNAL))
