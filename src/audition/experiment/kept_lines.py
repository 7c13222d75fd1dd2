"""The journal of a run and its full results, read back."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import tee
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

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
    """Return the lines of a run, one by one; a last line that a crash cut is left out.

    Raises:
        RecordError: There is no journal, or a line in its middle cannot be read.
        NewerFormat: It was written in a newer format.

    """
    return (line for _, line in _placed_lines(folder))


def _placed_lines(folder: Path) -> Iterator[tuple[int, JournalLine]]:
    """Yield the lines of a run, each with its place in the journal, in bytes."""
    path = folder / JOURNAL
    for number, place, line, is_last in numbered_lines(path):
        try:
            yield place, JournalLine.model_validate_json(line)
        except ValidationError as error:
            if is_last and not line.endswith(b"\n"):
                return
            problem = f"no line of a journal: {error.errors(include_url=False)[0]['msg']}"
            raise RecordError(str(path), problem, number) from None


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
            size = os.fstat(stream.fileno()).st_size
            for offset, length in places:
                is_there = offset + length <= size
                stream.seek(offset if is_there else size)
                yield _split(path, offset, stream.read(length if is_there else 0))
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


def standing_lines(folder: Path) -> Iterator[JournalLine]:
    """Yield the line of each (case, repeat) that counts, in the order they were finished.

    Raises:
        RecordError: As `read_journal`.
        NewerFormat: As `read_journal`.

    """
    yield from lines_at(folder, standing_places(folder))


type Rank = tuple[int, int]


class _Standing(NamedTuple):
    """What is remembered of a line while the others are read."""

    rank: Rank
    place: int
    measured: bool


def standing_places(
    folder: Path, rank: Callable[[JournalLine], Rank] = lambda _: (0, 0)
) -> list[int]:
    """Return the places in the journal of the lines that count, the lowest rank first.

    An error says nothing of the team, so a later attempt stands in its place. Of what was
    measured the first attempt counts: to count a later one would be to run until it passes.
    A line of a case whose inputs or evaluators are others in the plan of the run does not count.

    Args:
        folder: The folder of the run.
        rank: Of a line; those of one rank stay in the order they were finished.

    Raises:
        RecordError: As `read_journal`.
        NewerFormat: As `read_journal`.

    """
    of_cases = fingerprints(folder)
    standing: dict[UnitKey, _Standing] = {}
    for place, line in _placed_lines(folder):
        before = standing.get(line.key)
        if counts_in(line, of_cases) and not (before and before.measured):
            standing[line.key] = _Standing(rank(line), place, line.measured)
    return [one.place for one in sorted(standing.values())]


def lines_at(folder: Path, places: Iterable[int]) -> Iterator[JournalLine]:
    """Yield the lines of a run at some places of its journal, in their order.

    Raises:
        RecordError: The journal is not there any more.

    """
    path = folder / JOURNAL
    try:
        with path.open("rb") as stream:
            for place in places:
                stream.seek(place)
                yield JournalLine.model_validate_json(stream.readline())
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from None


def counts_in(line: JournalLine, of_cases: Mapping[str, str] | None) -> bool:
    """Return whether a line is of a case as it is now.

    Args:
        line: The line.
        of_cases: The fingerprints of the cases by id; None where nothing is known of them.

    """
    if of_cases is None or not line.fingerprint:
        return True
    return of_cases.get(line.case_id) == line.fingerprint


class NumberedLine(NamedTuple):
    """A line of a file.

    Attributes:
        number: From 1.
        place: Where it begins, in bytes.
        text: The line, with its end.
        is_last: Whether no other follows.

    """

    number: int
    place: int
    text: bytes
    is_last: bool


def numbered_lines(path: Path) -> Iterator[NumberedLine]:
    """Yield each line after the header.

    Raises:
        RecordError: There is no such file, or its header says another format.
        NewerFormat: It was written in a newer format.

    """
    try:
        stream = path.open("rb")
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from None
    with stream:
        header = stream.readline()
        check_header(path, header, file_format=FORMATS[path.name], version=VERSION)
        line, number, place = stream.readline(), 2, len(header)
        while line:
            following = stream.readline()
            yield NumberedLine(number, place, line, not following)
            place += len(line)
            line, number = following, number + 1
