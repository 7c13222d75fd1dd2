"""Writes the results of a run as they come.

A line is one flushed write, so a killed process loses none; fsync follows at most 100 ms later,
since it costs more than evaluating a case does.
"""

import os
import threading
from contextlib import suppress
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from audition.experiment.journal import JOURNAL, OUTPUTS, JournalLine, header_line, plain_json
from audition.experiment.kept_lines import output_line
from audition.files import naming

SYNC_SECONDS = 0.1


class Journal:
    """Writes the results of one run to its folder.

    Args:
        folder: Exists; what it has of a journal is whole, and is gone on with.

    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal = _open(folder / JOURNAL)
        self._outputs = _open(folder / OUTPUTS)
        self._failed_sync: OSError | None = None
        self._dirty = threading.Event()
        self._closed = threading.Event()
        self._syncer = threading.Thread(
            target=self._sync_behind, name="audition-journal", daemon=True
        )
        self._syncer.start()

    def write(self, line: JournalLine, text: bytes, *, is_failure: bool) -> JournalLine:
        """Keep a result, and return its line with its place filled in.

        Args:
            line: Its line.
            text: The result as JSON, without line ends.
            is_failure: The task raised.

        Raises:
            OSError: It cannot be written; the files are as they were before.

        """
        own = plain_json(line)
        kept = output_line(own, text, is_failure=is_failure)
        offset = self._outputs.tell()
        with naming(self._folder / OUTPUTS):
            _write(self._outputs, kept)
        placed = line.model_copy(update={"offset": offset, "length": len(kept)})
        try:
            with naming(self._folder / JOURNAL):
                _write(self._journal, _placed(own, placed) + b"\n")
        except OSError:
            self._outputs.truncate(offset)
            raise
        self._dirty.set()
        return placed

    def _sync_behind(self) -> None:
        while not self._closed.is_set():
            self._dirty.wait()
            self._closed.wait(SYNC_SECONDS)
            self._dirty.clear()
            try:
                self._sync()
            except OSError as error:  # told at the end, since the system tells each only once
                self._failed_sync = self._failed_sync or error

    def _sync(self) -> None:
        # The outputs first: a line of the journal must never point at what is not there.
        for stream, name in ((self._outputs, OUTPUTS), (self._journal, JOURNAL)):
            with naming(self._folder / name):
                os.fsync(stream.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Sync what was written, and close the files."""
        self._closed.set()
        self._dirty.set()
        self._syncer.join()
        with self._outputs, self._journal:
            self._sync()
        if self._failed_sync is not None and error is None:
            raise self._failed_sync


def _placed(own: bytes, line: JournalLine) -> bytes:
    """Return the JSON of a line with its place, which stands last in it."""
    head = own[: own.rindex(b',"offset"')]
    return b'%b,"offset":%d,"length":%d}' % (head, line.offset, line.length)


def _open(path: Path) -> FileIO:
    """Open a file at its end, without a buffer of its own; a new one gets its header."""
    stream = path.open("ab", buffering=0)
    if stream.tell() == 0:
        with naming(path):
            _write(stream, header_line(path.name))
    return stream


def _write(stream: FileIO, line: bytes) -> None:
    """Write all of a line, or nothing: a file without a buffer may take a part of it."""
    begin = stream.tell()
    left = memoryview(line)
    try:
        while left:
            left = left[stream.write(left) :]
    except OSError:
        with suppress(OSError):
            stream.truncate(begin)
            stream.seek(begin)
        raise
