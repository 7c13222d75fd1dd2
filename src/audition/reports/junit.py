"""The results of a run as JUnit XML, one case at a time.

All that is written is ASCII, with references for the rest: so it is what its declaration says,
whatever encoding it is printed in, and whatever was said by an agent.
"""

import re
from collections.abc import Iterable, Iterator

from audition.experiment.journal import JournalLine
from audition.experiment.kept_rows import Row
from audition.experiment.status import Status
from audition.reports.row_text import layer_of, reasons_of
from audition.reports.terminal import one_line, safe
from audition.reports.told_run import ToldRun
from audition.values import writable_text

_ELEMENTS = {Status.FAILED: "failure", Status.ERROR: "error"}
"""What is neither of them, and did not pass, is skipped."""

_SPECIAL = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_TO_REFER = re.compile('[&<>"\\t\\n\\r\\x7f]|[^\\x00-\\x7f]')
_NO_CHARACTER = re.compile("[\\ufffe\\uffff]")
_NAME, _TEXT = 400, 700


def junit(told: ToldRun) -> Iterator[str]:
    """Yield the results of a run as pieces of one XML text."""
    counts = _counts(told)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<testsuites{counts}>\n<testsuite{counts}>\n"
    about = {
        "application": told.run.application,
        "team": told.run.team,
        "exit_code": None if told.run.code is None else str(int(told.run.code)),
        "outcome": told.outcome,
    }
    yield from _properties((name, value) for name, value in about.items() if value)
    unique, suite = _Names(), _attribute("classname", told.name)
    for row in told.rows():
        yield from _case(row, unique.of(row.line.name), suite)
    for unit in told.missing():
        name = _attribute("name", unique.of(unit.name))
        yield f'<testcase{suite}{name}><skipped message="not run"/></testcase>\n'
    yield "</testsuite>\n</testsuites>\n"


def _counts(told: ToldRun) -> str:
    statuses = told.totals.statuses
    skipped = statuses[Status.NOT_EVALUATED] + statuses[Status.KNOWN_FAILURE] + told.not_run
    each = {
        "name": told.name,
        "tests": str(told.planned),
        "failures": str(statuses[Status.FAILED]),
        "errors": str(statuses[Status.ERROR]),
        "skipped": str(skipped),
        "time": f"{told.totals.seconds.amount or 0:.3f}",
    }
    return "".join(_attribute(name, value) for name, value in each.items())


class _Names:
    """Makes the names of test cases unique: of two of one name, readers keep the last."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def of(self, name: str) -> str:
        """Return the name, with a number where it was given before."""
        shown = unique = _visible(one_line(name, _NAME))
        number = 1
        while unique in self._given:
            number += 1
            unique = f"{shown} ({number})"
        self._given.add(unique)
        return unique


def _case(row: Row, name: str, suite: str) -> Iterator[str]:
    line = row.line
    seconds = "" if line.seconds is None else _attribute("time", f"{line.seconds:.3f}")
    yield f"<testcase{suite}{_attribute('name', name)}{seconds}>\n"
    yield from _properties(_about(row))
    told = [one_line(reason, _TEXT) for reason in reasons_of(row)]
    if line.status in _ELEMENTS:
        element, layer = _ELEMENTS[line.status], layer_of(line)
        message = _attribute("message", layer or (told[0] if told else str(line.status)))
        kind = _attribute("type", line.layer or str(line.status))
        yield f"<{element}{message}{kind}>{_escaped(chr(10).join(told))}</{element}>\n"
    elif line.status is not Status.PASSED:
        message = _attribute("message", "; ".join([str(line.status).replace("_", " "), *told]))
        yield f"<skipped{message}/>\n"
    elif told:  # what fails and need not hold
        yield f"<system-out>{_escaped(chr(10).join(told))}</system-out>\n"
    yield "</testcase>\n"


def _about(row: Row) -> Iterator[tuple[str, str]]:
    line = row.line
    for tag in row.tags:
        yield "tag", tag
    yield "status", str(line.status)
    for name in ("layer", "cause", "agent"):
        if value := getattr(line, name):
            yield name, value
    yield from _amounts(line)


def _amounts(line: JournalLine) -> Iterator[tuple[str, str]]:
    for name in ("cost_usd", "input_tokens", "output_tokens"):
        amount = getattr(line, name)
        if amount is not None:
            yield name, f"{amount:g}" if isinstance(amount, float) else str(amount)


def _properties(each: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield "<properties>\n"
    for name, value in each:
        yield f"<property{_attribute('name', name)}{_attribute('value', value)}/>\n"
    yield "</properties>\n"


def _attribute(name: str, value: str) -> str:
    return f' {name}="{_escaped(one_line(value, 4000))}"'


def _escaped(text: str) -> str:
    """Return any text as XML has it."""
    return _TO_REFER.sub(_reference, _visible(text))


def _visible(text: str) -> str:
    """Return a text in which what is no character of XML is shown by its name or number."""
    return _NO_CHARACTER.sub(lambda found: f"<U+{ord(found[0]):04X}>", writable_text(safe(text)))


def _reference(found: re.Match[str]) -> str:
    return _SPECIAL.get(found[0]) or f"&#{ord(found[0])};"
