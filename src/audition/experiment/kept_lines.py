"""The journal of a run and its full results, read back."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import tee
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json

from audition.datasets.reading import as_object
from audition.errors import RecordError
from audition.experiment.journal import (
    FORMATS,
    JOURNAL,
    OUTPUTS,
    VERSION,
    JournalLine,
    UnitKey,
)
from audition.experiment.plan import fingerprints
from audition.experiment.status import Status
from audition.headers import check_header

_HEAD = re.compile(rb'\{"kind":"(case|failure)",(?:"bytes":([0-9]{1,15}),)?"result":')
_END = b"}\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResult:
    """A full result as it was kept.

    Attributes:
        line: Its line in the journal.
        is_failure: The task raised, so that it is a failure of the native report and no case.
        text: The result as JSON.

    """

    line: JournalLine
    is_failure: bool
    text: bytes


def output_line(own: bytes, text: bytes, *, is_failure: bool) -> bytes:
    """Return the line of `outputs.jsonl` that holds a result and its line of the journal.

    Args:
        own: The line as JSON.
        text: The result as JSON, without line ends.
        is_failure: The task raised.

    """
    kind = b"failure" if is_failure else b"case"
    return b'{"kind":"%b","bytes":%d,"result":%b,"line":%b}\n' % (kind, len(text), text, own)


def split_output(whole: bytes) -> tuple[bool, bytes, bytes]:
    """Return whether the task raised, the result, and the line of the journal, of a whole line.

    The line is empty where the run was kept by version 1, which did not write it here.

    Raises:
        ValueError: It is no whole line.

    """
    head = _HEAD.match(whole)
    if head is None or not whole.endswith(_END):
        raise ValueError
    if head[2] is None:
        return head[1] == b"failure", whole[head.end() : -len(_END)], b""
    end = head.end() + int(head[2])
    marker = b',"line":'
    if not whole.startswith(marker, end):
        raise ValueError
    return head[1] == b"failure", whole[head.end() : end], whole[end + len(marker) : -len(_END)]


def read_journal(folder: Path) -> Iterator[JournalLine]:
    """Yield the lines of a run; a last line that a crash cut is left out.

    Raises:
        RecordError: There is no journal, or a line in its middle cannot be read.
        NewerFormat: It was written in a newer format.

    """
    return _parsed(folder / JOURNAL, JournalLine.model_validate_json)


def _parsed[Parsed](path: Path, parse: Callable[[bytes], Parsed]) -> Iterator[Parsed]:
    for number, line, is_last in numbered_lines(path):
        try:
            yield parse(line)
        except ValueError as error:
            if is_last and not line.endswith(b"\n"):
                return
            told = (
                error.errors(include_url=False)[0]["msg"]
                if isinstance(error, ValidationError)
                else str(error)
            )
            raise RecordError(str(path), f"no line of a journal: {told}", number) from None


def read_results(folder: Path, lines: Iterable[JournalLine]) -> Iterator[KeptResult]:
    """Yield the full results of a run that some of its lines stand for, one after the other.

    Raises:
        RecordError: A file is missing or cannot be read.
        NewerFormat: It was written in a newer format.

    """
    every, placed = tee(lines)
    places = ((line.offset, line.length) for line in placed)
    for line, (is_failure, text) in zip(every, read_places(folder, places), strict=True):
        yield KeptResult(line=line, is_failure=is_failure, text=text)


def read_places(folder: Path, places: Iterable[tuple[int, int]]) -> Iterator[tuple[bool, bytes]]:
    """Yield whether the task raised, and the result as JSON, of each place of the outputs.

    Args:
        folder: The folder of a run.
        places: Where a result begins and how long it is, in bytes, as its line says.

    Raises:
        RecordError: The file is missing or cannot be read, or no result is there.

    """
    path = folder / OUTPUTS
    try:
        with path.open("rb") as stream:
            for offset, length in places:
                stream.seek(offset)
                yield _split(path, offset, stream.read(length))
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from None


def _split(path: Path, offset: int, whole: bytes) -> tuple[bool, bytes]:
    try:
        return split_output(whole)[:2]
    except ValueError:
        problem = f"no result at byte {offset}, where the journal says one is"
        raise RecordError(str(path), problem) from None


def standing_results(folder: Path) -> Iterator[KeptResult]:
    """Yield the full result of each (case, repeat) of a run that counts; as `read_results`."""
    return read_results(folder, standing_lines(folder))


def standing_lines(folder: Path, counting: Collection[int] | None = None) -> Iterator[JournalLine]:
    """Yield the line of each (case, repeat) that counts, in the order they were finished.

    Args:
        folder: The folder of a run.
        counting: What `counting_lines` returns for it, None to ask that.

    Raises:
        RecordError: As `read_journal`.
        NewerFormat: As `read_journal`.

    """
    counts = counting_lines(folder) if counting is None else counting
    return (line for number, line in enumerate(read_journal(folder)) if number in counts)


def counting_lines(folder: Path) -> frozenset[int]:
    """Return which lines of a journal count, from 0: one for each (case, repeat).

    An error says nothing of the team, so a later attempt stands in its place. Of what was
    measured the first attempt counts: to count a later one would be to run until it passes.
    A line of a case whose inputs or evaluators are others in the plan of the run does not count.

    Raises:
        RecordError: As `read_journal`.
        NewerFormat: As `read_journal`.

    """
    of_cases = fingerprints(folder)
    standing: dict[UnitKey, tuple[int, bool]] = {}
    for number, brief in enumerate(_parsed(folder / JOURNAL, _brief)):
        counts = of_cases is None or brief.fingerprint in {"", of_cases.get(brief.key[0])}
        if counts and not standing.get(brief.key, (0, False))[1]:
            standing[brief.key] = (number, brief.measured)
    return frozenset(number for number, _ in standing.values())


class _Brief(NamedTuple):
    """What of a line says whether it counts."""

    key: UnitKey
    measured: bool
    fingerprint: str


def _brief(text: bytes) -> _Brief:
    """Return what of a line says whether it counts; the whole line takes three times as long.

    Raises:
        ValueError: It is no line of a journal.

    """
    line = as_object(from_json(text))
    case, repeat = line.get("case_id") or line.get("case"), line.get("repeat")
    if not isinstance(case, str) or not isinstance(repeat, int) or "status" not in line:
        msg = "it names no case, repeat and status"
        raise ValueError(msg)
    measured = line["status"] != Status.ERROR and line.get("cut") is None
    return _Brief((case, repeat), measured, str(line.get("fingerprint") or ""))


def counts_in(line: JournalLine, of_cases: Mapping[str, str] | None) -> bool:
    """Return whether a line is of a case as it is now.

    Args:
        line: The line.
        of_cases: The fingerprints of the cases by id; None where nothing is known of them.

    """
    if of_cases is None or not line.fingerprint:
        return True
    return of_cases.get(line.case_id) == line.fingerprint


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    """Yield number, text and whether it is the last, of each line after the header.

    Raises:
        RecordError: There is no such file, or its header says another format.
        NewerFormat: It was written in a newer format.

    """
    try:
        stream = path.open("rb")
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from None
    with stream:
        check_header(path, stream.readline(), file_format=FORMATS[path.name], version=VERSION)
        line, number = stream.readline(), 2
        while line:
            following = stream.readline()
            yield number, line, not following
            line, number = following, number + 1
