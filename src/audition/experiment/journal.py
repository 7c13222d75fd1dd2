"""The results of a run, kept as they come: a small line for each, and the whole beside it.

`journal.jsonl` has one line per finished (case, repeat): what comparing and gating need, and where
in `outputs.jsonl` the full result is. A line is one flushed write, so a killed process loses none;
fsync follows at most 100 ms later, since it costs more than evaluating a case does.
"""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import to_json
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.errors import RecordError
from audition.experiment.status import Status
from audition.files import naming
from audition.headers import check_header
from audition.values import writable_json

JOURNAL = "journal.jsonl"
OUTPUTS = "outputs.jsonl"
FORMATS = {JOURNAL: "audition-journal", OUTPUTS: "audition-outputs"}
VERSION = 1
SYNC_SECONDS = 0.1

type CaseResult = ReportCase[Any, Any, Any] | ReportCaseFailure[Any, Any, Any]


class JournalLine(BaseModel):
    """One finished (case, repeat).

    Attributes:
        case: The name of the case.
        repeat: Which repeat this is, from 1.
        repeats: How many there are.
        position: Its place among all of the run, from 0.
        must_pass: The file says that a gate must not let the case fail.
        status: What became of it.
        assertions: Whether each holds, by name.
        failed: The assertions that fail, by severity, and within one in the order of the layers;
            those of severity `must` alone decide the status.
        layer: The first failing layer, None where nothing failed.
        cause: What went wrong there, None where it is not known.
        lost_facts: The expected facts that did not come through, each with the stage it came to.
        seconds: Time the task took, None where it raised.
        cost_usd: What the models cost in US dollars, None where a price is not known.
        input_tokens: Tokens read by models, None where a source does not count them.
        output_tokens: Tokens written by models, None likewise.
        offset: Where the full result starts in `outputs.jsonl`, in bytes.
        length: How long it is, in bytes, its line end included.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    case: str
    repeat: int = Field(ge=1)
    repeats: int = Field(ge=1)
    position: int = Field(default=0, ge=0)
    must_pass: bool = False
    status: Status
    assertions: dict[str, bool]
    failed: tuple[str, ...] = ()
    layer: str | None = None
    cause: str | None = None
    lost_facts: tuple[str, ...] = ()
    seconds: float | None
    cost_usd: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    offset: int = 0
    length: int = 0


_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


def plain_json(value: object) -> bytes:
    """Return a result as JSON that every reader can read.

    NaN is not JSON, and null is no score: it becomes text, which is read as the number again. A
    lone surrogate, or bytes that are no text, cannot be written: they become what can be.
    """
    try:
        return to_json(value, inf_nan_mode="strings", fallback=repr)
    except ValueError:
        return careful_json(value)


def careful_json(value: object) -> bytes:
    """Return anything as `plain_json`, slower: NaN is text also where a model would say null."""
    plain = writable_json(_ANYTHING.dump_python(value, fallback=repr))
    return json.dumps(plain, ensure_ascii=False).encode()


_END = b"}\n"
_CASE = b'{"kind":"case","result":'
_FAILURE = b'{"kind":"failure","result":'


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


class Journal:
    """Writes the results of one run to its folder.

    Args:
        folder: Exists, and has no journal yet.

    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal = _open(folder / JOURNAL)
        self._outputs = _open(folder / OUTPUTS)
        self._offset = self._outputs.tell()
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

        """
        kept = (_FAILURE if is_failure else _CASE) + text + _END
        with naming(self._folder / OUTPUTS):
            _write(self._outputs, kept)
        placed = line.model_copy(update={"offset": self._offset, "length": len(kept)})
        self._offset += placed.length
        with naming(self._folder / JOURNAL):
            _write(self._journal, plain_json(placed) + b"\n")
        self._dirty.set()
        return placed

    def _sync_behind(self) -> None:
        while not self._closed.is_set():
            self._dirty.wait()
            self._closed.wait(SYNC_SECONDS)
            self._dirty.clear()
            with suppress(OSError):  # the sync at the end says it, to whoever can hear it
                self._sync()

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


def _open(path: Path) -> FileIO:
    """Open a file without a buffer of its own, and write its header."""
    stream = path.open("xb", buffering=0)
    header = {"format": FORMATS[path.name], "version": VERSION}
    with naming(path):
        _write(stream, json.dumps(header).encode() + b"\n")
    return stream


def _write(stream: FileIO, line: bytes) -> None:
    """Write all of a line: a file without a buffer may take a part of it."""
    left = memoryview(line)
    while left:
        left = left[stream.write(left) :]


def read_journal(folder: Path) -> Iterator[JournalLine]:
    """Yield the lines of a run; a last line that a crash cut is left out.

    Raises:
        RecordError: There is no journal, or a line in its middle cannot be read.
        NewerFormat: It was written in a newer format.

    """
    path = folder / JOURNAL
    for number, line, is_last in _lines(path):
        try:
            yield JournalLine.model_validate_json(line)
        except ValidationError as error:
            if is_last and not line.endswith(b"\n"):
                return
            problem = f"no line of a journal: {error.errors(include_url=False)[0]['msg']}"
            raise RecordError(str(path), problem, number) from None


def read_results(folder: Path) -> Iterator[KeptResult]:
    """Yield the full results of a run, one after the other, in the order they were finished.

    Raises:
        RecordError: A file is missing or cannot be read.
        NewerFormat: It was written in a newer format.

    """
    path = folder / OUTPUTS
    try:
        with path.open("rb") as stream:
            for line in read_journal(folder):
                stream.seek(line.offset)
                yield _kept(path, line, stream.read(line.length))
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from None


def _kept(path: Path, line: JournalLine, text: bytes) -> KeptResult:
    for head, is_failure in ((_CASE, False), (_FAILURE, True)):
        if text.startswith(head) and text.endswith(_END) and len(text) == line.length:
            return KeptResult(line=line, is_failure=is_failure, text=text[len(head) : -len(_END)])
    problem = f"no result of {line.case!r} at byte {line.offset}, where the journal says it is"
    raise RecordError(str(path), problem)


def _lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    """Yield number, text and whether it is the last, of each line after the header."""
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
