"""The results of a run as Markdown: the counts, then what did not pass, then a row for each.

What agents and files say is shown and never obeyed: every character that could be markup is a
reference, it stands in an element in which nothing is looked up, and no line begins with it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from audition.experiment.kept_rows import Row
from audition.experiment.status import WORST_FIRST, Status
from audition.experiment.units import Unit
from audition.reports.row_text import (
    MOST_PASSED,
    has_reasons,
    held_of,
    layer_of,
    reasons_of,
    seconds_of,
)
from audition.reports.terminal import one_line
from audition.reports.told_run import ScoreTotal, ToldRun
from audition.values import writable_text

_MARKUP = re.compile(r"[!#$%&*+.:;<=>@\[\\\]^_`{|}~\"']")
_MOST_TAGS = 50
_NAME, _REASON = 160, 700


def markdown(told: ToldRun) -> Iterator[str]:
    """Yield the results of a run as pieces of Markdown; after each of them it may end."""
    yield f"## Audition: {quoted(told.title)}\n\n**{plain(told.ending)}**\n"
    yield from _summary(told)
    yield from _folded(told)
    yield from _rows(told)


def plain(text: str, limit: int = 400) -> str:
    """Return a text on one line, of which nothing is markup.

    After an @ stands an empty comment: it ends the name of a person that would be told, and the
    address of a mailbox.
    """
    shown = _MARKUP.sub(lambda found: f"&#{ord(found[0])};", writable_text(one_line(text, limit)))
    return shown.replace("&#64;", "&#64;<!-- -->")


def quoted(text: str, limit: int = _NAME) -> str:
    """Return a text of others as code, nothing for an empty one."""
    return f"<code>{plain(text, limit)}</code>" if text else ""


def _summary(told: ToldRun) -> Iterator[str]:
    counts = {status.replace("_", " "): count for status, count in told.counts.items() if count}
    yield from _table(("status", "count"), [*counts.items(), ("all", told.planned)])
    totals = told.totals
    if totals.layers:
        yield from _table(
            ("first failing layer", "cases"),
            [(quoted(layer), count) for layer, count in totals.layers.most_common()],
        )
    if totals.tags:
        yield from _tags(totals.tags)
    if totals.scores:
        head = ("score", "mean", "measured", "not measured")
        rows = [
            (quoted(name), "" if one.mean is None else f"{one.mean:.4g}", *_measured(one))
            for name, one in totals.scores.items()
        ]
        yield from _table(head, rows)
    yield f"\n{_used(told)}\n"


def _measured(score: ScoreTotal) -> tuple[int, int]:
    return score.measured, score.unmeasured


def _used(told: ToldRun) -> str:
    totals = told.totals
    cost, read, written = (
        totals.cost_usd.amount, totals.input_tokens.amount, totals.output_tokens.amount
    )  # fmt: skip
    tokens = "tokens not known" if read is None or written is None else f"{read + written:g} tokens"
    paid = "cost not known" if cost is None else f"{cost:.4g} US dollars"
    return f"{totals.seconds.amount or 0:.2f} s in all cases together, {tokens}, {paid}"


def _tags(tags: Mapping[str, Mapping[Status, int]]) -> Iterator[str]:
    head = ("tag", *(one.replace("_", " ") for one in WORST_FIRST), "all")
    shown = sorted(tags)[:_MOST_TAGS]
    rows = [
        (quoted(tag), *(tags[tag].get(one, 0) for one in WORST_FIRST), sum(tags[tag].values()))
        for tag in shown
    ]
    yield from _table(head, rows)
    if len(tags) > len(shown):
        yield f"\nand {len(tags) - len(shown)} more tags\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str | int]]) -> Iterator[str]:
    yield f"\n{_line(head)}{_line(['---', *['---:'] * (len(head) - 1)])}"
    for row in rows:
        yield _line(row)


def _line(cells: Sequence[str | int]) -> str:
    return f"| {' | '.join(map(str, cells))} |\n"


def _folded(told: ToldRun) -> Iterator[str]:
    """Yield each unit of which there is more to say than that it passed, its reasons folded."""
    is_first = True
    for row in told.rows():
        if not has_reasons(row):
            continue
        yield f"{'\n### Reasons\n' if is_first else ''}{_details(row)}"
        is_first = False


def _details(row: Row) -> str:
    """Return a block of HTML: no blank line may stand in it, since that would end it."""
    line = row.line
    layer = f", {quoted(layer_of(line))}" if line.layer else ""
    seconds = f", {seconds_of(line)}" if line.seconds is not None else ""
    status = line.status.replace("_", " ")
    told = "".join(f"<li>{quoted(reason, _REASON)}</li>\n" for reason in reasons_of(row))
    return (
        f"\n<details><summary>{status}: {quoted(line.name)}{layer}{seconds}</summary>\n"
        f"<ul>\n{told}</ul>\n</details>\n"
    )


_HEAD = ("status", "case", "assertions", "time", "tokens", "US dollars", "layer", "tags")


def _rows(told: ToldRun) -> Iterator[str]:
    yield "\n### Cases\n"
    yield f"\n{_line(_HEAD)}{_line(['---'] * len(_HEAD))}"
    left = {Status.PASSED: MOST_PASSED}
    for row in told.rows():
        status = row.line.status
        if status in left:
            left[status] -= 1
            if left[status] < 0:
                break
        yield _line(_cells(row))
    for unit in _first(told):
        yield _line(["not run", quoted(unit.name), *[""] * (len(_HEAD) - 2)])
    passed = told.totals.statuses[Status.PASSED] - MOST_PASSED
    more = [f"{passed} more passed"] * (passed > 0)
    more += [f"{told.not_run - MOST_PASSED} more were not run"] * (told.not_run > MOST_PASSED)
    if more:
        yield f"\n{', '.join(more)}: `audition show RUN --format csv` lists all.\n"


def _first(told: ToldRun) -> Iterator[Unit]:
    for position, unit in enumerate(told.missing()):
        if position >= MOST_PASSED:
            return
        yield unit


def _cells(row: Row) -> Sequence[str]:
    line = row.line
    read, written = line.input_tokens, line.output_tokens
    return (
        line.status.replace("_", " "),
        quoted(line.name),
        held_of(line),
        seconds_of(line),
        "" if read is None or written is None else str(read + written),
        "" if line.cost_usd is None else f"{line.cost_usd:.4g}",
        quoted(layer_of(line)),
        quoted(", ".join(row.tags)),
    )
