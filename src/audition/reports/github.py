"""The results of a run for GitHub Actions: annotations, and a job summary of a bounded length."""

from collections import Counter
from collections.abc import Iterator

from audition.experiment.kept_rows import Row
from audition.experiment.status import Status
from audition.reports.markdown import markdown
from audition.reports.row_text import layer_of, reasons_of
from audition.reports.terminal import one_line
from audition.reports.told_run import ToldRun
from audition.values import writable_text

SUMMARY_BYTES = 1024 * 1024
"""What GitHub takes of the summary of one step; of a longer one it shows nothing."""

_SHOWN = 10
"""How many annotations of each level GitHub shows of one step."""

_LEVELS = {
    Status.ERROR: "error",
    Status.FAILED: "error",
    Status.NOT_EVALUATED: "warning",
    Status.KNOWN_FAILURE: "notice",
}
_MESSAGE = 2000
_CUT = (
    "\n\n**The rest is left out: GitHub takes 1 MiB of a job summary.** "
    "`audition show RUN` tells all.\n"
)


def annotations(told: ToldRun) -> Iterator[str]:
    """Yield the workflow commands that annotate what did not pass, the worst first.

    Of each level there are at most as many as GitHub shows; the last says how many more there are.
    """
    every = _levels(told)
    shown = Counter[str]()
    for row in told.rows():
        level = _LEVELS.get(row.line.status)
        if level is None:  # those that passed are the last
            break
        if _takes_another(every[level], shown[level]):
            shown[level] += 1
            yield _annotation(level, told, *_said(row))
    for unit in told.missing():
        if not _takes_another(every["warning"], shown["warning"]):
            break
        shown["warning"] += 1
        yield _annotation("warning", told, unit.name, "not run")
    for level, count in every.items():
        if count > shown[level]:
            more = f"{count - shown[level]} more"
            yield _annotation(level, told, more, f"{more}: the job summary has the first of them")


def _levels(told: ToldRun) -> Counter[str]:
    every = Counter[str]()
    for status, level in _LEVELS.items():
        every[level] += told.totals.statuses[status]
    every["warning"] += told.not_run
    return every


def _takes_another(count: int, shown: int) -> bool:
    """Return whether another is annotated; the last place is for the number of those left out."""
    return shown < (_SHOWN if count <= _SHOWN else _SHOWN - 1)


def _said(row: Row) -> tuple[str, str]:
    line = row.line
    layer = layer_of(line)
    status = line.status.replace("_", " ")
    title = f"{line.name}: {status}{f', {layer}' if layer else ''}"
    reasons = "\n".join(one_line(reason, 700) for reason in reasons_of(row))
    return title, reasons[:_MESSAGE] or status


def _annotation(level: str, told: ToldRun, title: str, message: str) -> str:
    file = told.run.dataset
    properties = {
        "file": "" if file is None else one_line(file.as_posix(), 1000),
        "title": one_line(title, 200),
    }
    told_properties = ",".join(f"{name}={_property(of)}" for name, of in properties.items() if of)
    return f"::{level} {told_properties}::{_data(message)}\n"


def _data(text: str) -> str:
    """Return a text as the message of a workflow command."""
    return writable_text(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Return a text as a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(told: ToldRun, most_bytes: int = SUMMARY_BYTES) -> Iterator[str]:
    """Yield the results of a run as Markdown of so many bytes at most, and say where it is cut."""
    left = most_bytes - len(_CUT)
    for piece in markdown(told):
        left -= len(piece.encode())
        if left < 0:
            yield from [_CUT] * (most_bytes >= len(_CUT))
            return
        yield piece
