"""The results of a run as CSV (RFC 4180), a record for each (case, repeat), run or not.

A cell that a spreadsheet would take for a formula has an apostrophe before it.
"""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO

from audition.experiment.kept_rows import Row
from audition.reports.row_text import reasons_of
from audition.reports.terminal import one_line
from audition.reports.told_run import ToldRun
from audition.values import writable_text

COLUMNS = (
    *("case", "repeat", "repeats", "attempt", "status", "layer", "cause", "agent", "seconds"),
    *("cost_usd", "input_tokens", "output_tokens", "tool_calls", "assertions_held", "assertions"),
    *("scores", "must_pass", "tags", "reasons"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_CELL = 8000
"""Characters of a cell, of which a spreadsheet takes 32,767."""

type _Cell = str | int | float | None


def comma_separated(told: ToldRun) -> Iterator[str]:
    """Yield the results of a run as records, each with its line end, the names first."""
    yield _record(COLUMNS)
    for row in told.rows():
        yield _record(_cells(row))
    for unit in told.missing():
        about = (unit.case, unit.repeat, unit.repeats, None, "not_run")
        yield _record([*about, *[None] * (len(COLUMNS) - len(about))])


def _cells(row: Row) -> Sequence[_Cell]:
    line = row.line
    return (
        *(line.case, line.repeat, line.repeats, line.attempt, str(line.status)),
        *(line.layer, line.cause, line.agent, line.seconds),
        *(line.cost_usd, line.input_tokens, line.output_tokens, line.tool_calls),
        *(sum(line.assertions.values()), len(line.assertions)),
        "; ".join(f"{name}={score:g}" for name, score in line.scores.items()),
        "true" if line.must_pass else "false",
        "; ".join(row.tags),
        "; ".join(reasons_of(row)),
    )


def _record(cells: Sequence[_Cell]) -> str:
    written = StringIO()
    csv.writer(written).writerow([_cell(cell) for cell in cells])
    return written.getvalue()


def _cell(cell: _Cell) -> _Cell:
    """Return a number as it is, and a text on one line, which no spreadsheet calculates."""
    if not isinstance(cell, str):
        return cell
    shown = writable_text(one_line(cell, _CELL))
    return f"'{shown}" if cell.startswith(_FORMULA) or shown.startswith(_FORMULA) else shown
