"""All cases of a run: failures and their reasons first, then a line for each, then the counts."""

from collections.abc import Iterable, Iterator, Sequence

from audition.experiment.kept_rows import Row
from audition.experiment.status import WORST_FIRST, Status
from audition.reports.row_text import (
    MOST_PASSED,
    has_reasons,
    held_of,
    layer_of,
    reasons_of,
    seconds_of,
)
from audition.reports.terminal import one_line
from audition.reports.told_run import ToldRun
from audition.reports.trajectory_text import trajectory_lines

_HEAD = ("status", "case", "assertions", "time", "first failing layer")


def table(told: ToldRun) -> Iterator[str]:
    """Yield the results of a run as lines of text."""
    for line in _lines(told):
        yield f"{line}\n"


def _lines(told: ToldRun) -> Iterator[str]:
    has_any = False
    for row in told.rows():
        if has_reasons(row):
            has_any = True
            yield from _reasons(row)
    if has_any:
        yield ""
    yield one_line(told.title, 400)
    yield from _rows(told)
    yield from ("", _summary(told))


def _reasons(row: Row) -> Iterator[str]:
    layer = layer_of(row.line)
    shown = f", first failing layer {layer}" if layer else ""
    yield one_line(f"{row.line.name}: {row.line.status}{shown}", 400)
    for reason in reasons_of(row):
        yield f"  {one_line(reason, 700)}"


def _rows(told: ToldRun) -> Iterator[str]:
    most = told.totals.finished if told.show_trajectory else MOST_PASSED
    widths = [len(name) for name in _HEAD]
    for row in _listed(told.rows(), most):
        widths = [*map(max, widths, map(len, _cells(row)))]
    yield _row(_HEAD, widths)
    if told.show_trajectory:
        for unit in told.units():
            yield _row(_cells(unit.row), widths)
            for line in trajectory_lines(told.trajectory(unit)):
                yield f"    {line}"
        return
    for row in _listed(told.rows(), most):
        yield _row(_cells(row), widths)
    more = told.totals.statuses[Status.PASSED] - most
    if more > 0:
        yield f"and {more} more that passed, which `--format csv` of `audition show` lists"


def _listed(rows: Iterable[Row], most: int) -> Iterator[Row]:
    """Yield the rows that are listed: all that did not pass, and the first of those that did."""
    left = most
    for row in rows:
        left -= row.line.status is Status.PASSED
        if left < 0:  # those that passed are the last
            return
        yield row


def _cells(row: Row) -> tuple[str, ...]:
    line = row.line
    name, layer = one_line(line.name), one_line(layer_of(line))
    return str(line.status), name, held_of(line), seconds_of(line), layer


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()


def _summary(told: ToldRun) -> str:
    statuses, not_run = told.totals.statuses, told.not_run
    each = ", ".join(f"{statuses[one]} {one}" for one in WORST_FIRST if statuses[one])
    counted = ", ".join(filter(None, (each or "no case", f"{not_run} not run" if not_run else "")))
    return f"{counted} of {told.planned}: {told.ending}"
