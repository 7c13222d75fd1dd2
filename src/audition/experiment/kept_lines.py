"""The journal of a run and its full results, read back."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

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
    """Yield the lines of a run; a last line that a crash cut is left out.

    Raises:
        RecordError: There is no journal, or a line in its middle cannot be read.
        NewerFormat: It was written in a newer format.

    """
    path = folder / JOURNAL
    for number, line, is_last in numbered_lines(path):
        try:
            yield JournalLine.model_validate_json(line)
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
    path = folder / OUTPUTS
    try:
        with path.open("rb") as stream:
            for line in lines:
                stream.seek(line.offset)
                yield _kept(path, line, stream.read(line.length))
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from None


def _kept(path: Path, line: JournalLine, whole: bytes) -> KeptResult:
    try:
        is_failure, text, _ = split_output(whole)
    except ValueError:
        problem = f"no result of {line.case!r} at byte {line.offset}, where the journal says it is"
        raise RecordError(str(path), problem) from None
    return KeptResult(line=line, is_failure=is_failure, text=text)


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
    for number, line in enumerate(read_journal(folder)):
        if counts_in(line, of_cases) and not standing.get(line.key, (0, False))[1]:
            standing[line.key] = (number, line.measured)
    return frozenset(number for number, _ in standing.values())


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
