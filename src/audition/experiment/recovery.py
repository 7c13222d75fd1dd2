"""What a killed process left of a journal, made whole before anything is appended to it.

To append behind half a line would join two records into one that nobody can read.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from audition.errors import RecordError
from audition.experiment.journal import (
    JOURNAL,
    OUTPUTS,
    VERSION,
    JournalLine,
    header_line,
    plain_json,
)
from audition.experiment.kept_lines import numbered_lines, split_output
from audition.files import naming
from audition.headers import check_header


def recover(folder: Path) -> int:
    """Make the files of a run whole, and return how many results were found without their line.

    What is in `outputs.jsonl` behind the last line of the journal was finished when the process
    was killed: what of it is whole gets its line, and what is torn is cut off.

    Args:
        folder: The folder of a run that this process alone writes to. One without a journal is
            left alone.

    Raises:
        RecordError: A line in the middle cannot be read: no crash leaves that.
        NewerFormat: It was written in a newer format.

    """
    journal, outputs = folder / JOURNAL, folder / OUTPUTS
    is_listed, is_kept = _has_header(journal), _has_header(outputs)
    if not is_kept:
        if is_listed:
            _cut(journal, 0)
        return 0
    if not is_listed:
        journal.write_bytes(header_line(JOURNAL))
    size = outputs.stat().st_size
    end, place = _whole_lines(journal, size)
    _cut(journal, end)
    found = list(_unlisted(outputs, place))
    with naming(journal), journal.open("ab") as stream:
        stream.writelines(plain_json(line) + b"\n" for line in found)
        stream.flush()
        os.fsync(stream.fileno())
    _cut(outputs, found[-1].offset + found[-1].length if found else place)
    return len(found)


def _has_header(path: Path) -> bool:
    """Return whether a file is there; one whose header is torn is as good as none, and goes."""
    if not path.exists():
        return False
    with path.open("rb") as stream:
        if stream.readline().endswith(b"\n"):
            return True
    path.unlink()
    return False


def _whole_lines(journal: Path, size: int) -> tuple[int, int]:
    """Return the end of the last whole line whose result is there, and the end of that result.

    Args:
        journal: The journal.
        size: How long the outputs are: after a loss of power they may lack what the journal says.

    """
    with journal.open("rb") as stream:
        end = len(stream.readline())
    place = 0
    for number, _, text, is_last in numbered_lines(journal):
        try:
            line = JournalLine.model_validate_json(text)
        except ValidationError as error:
            if is_last and (not text.endswith(b"\n") or b"\0" in text):
                break
            problem = f"no line of a journal: {error.errors(include_url=False)[0]['msg']}"
            raise RecordError(str(journal), problem, number) from None
        if not text.endswith(b"\n") or line.offset + line.length > size:
            break
        end += len(text)
        place = max(place, line.offset + line.length)
    return end, place


def _unlisted(outputs: Path, place: int) -> Iterator[JournalLine]:
    """Yield the lines of the whole results behind a place of the outputs."""
    with outputs.open("rb") as stream:
        header = stream.readline()
        check_header(outputs, header, file_format="audition-outputs", version=VERSION)
        offset = max(place, len(header))
        stream.seek(offset)
        for whole in iter(stream.readline, b""):
            try:
                line = JournalLine.model_validate_json(split_output(whole)[2])
            except ValueError:  # torn, or of version 1, which holds no line
                return
            yield line.model_copy(update={"offset": offset, "length": len(whole)})
            offset += len(whole)


def _cut(path: Path, end: int) -> None:
    """Cut a file off behind its last whole line; at 0 nothing but its header is whole."""
    with naming(path), path.open("r+b") as stream:
        end = end or len(stream.readline())
        stream.truncate(end)
        os.fsync(stream.fileno())
