"""A file of recorded model calls: a header that says which model, then one call a line.

Many may write to it at once, from threads and from processes: a line is written as a whole, under
a lock. A call that is recorded again stands behind the older one, and counts.
"""

import os
import stat
import sys
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic_core import to_json

from audition.errors import RecordError
from audition.headers import check_header
from audition.models.placeholders import covers
from audition.recording import read_record
from audition.values import canonical_json, first_problem, parse_json

FORMAT = "audition-model-calls"
VERSION = 1

MAX_BYTES = 256 * 1024 * 1024
"""Bytes of a file: all of it is held in memory while it is replayed."""

_MAX_HEADER_BYTES = 1024 * 1024


class RecordedModel(BaseModel):
    """The model whose calls a file holds.

    Attributes:
        name: Its name, as its provider has it.
        system: The provider.
        settings: Its own, which pydantic-ai merges into those of every request.
        profile: What it can do: pydantic-ai asks that before it asks the model.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    system: str
    settings: dict[str, JsonValue] = {}
    profile: dict[str, JsonValue] = {}


class Asked(NamedTuple):
    """Who asked what, and where.

    Attributes:
        case: The case that was running, None outside of one.
        repeat: Which repeat of it, from 1.
        agent: The agent, None where none is known.
        request_hash: The hash of the scrubbed request without its secrets.

    """

    case: str | None
    repeat: int
    agent: str | None
    request_hash: str


class RecordedCall(BaseModel):
    """One answered call.

    Attributes:
        case: The case that was running, None outside of one.
        repeat: Which repeat of it, from 1.
        agent: The agent, None where none is known.
        occurrence: Which time it was that the agent asked this there, from 1.
        request: The scrubbed request, without secrets.
        response: The whole response, without secrets.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    case: str | None
    repeat: int = Field(ge=1)
    agent: str | None
    occurrence: int = Field(ge=1)
    request: JsonValue
    response: JsonValue

    @property
    def asked(self) -> Asked:
        """Who asked what, and where."""
        return Asked(self.case, self.repeat, self.agent, request_hash(self.request))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCalls:
    """A file of recorded calls, as it was read.

    Attributes:
        path: The file.
        model: The model that answered.
        calls: Each call with the number of its line, by what was asked and which time.

    """

    path: Path
    model: RecordedModel
    calls: Mapping[tuple[Asked, int], tuple[int, RecordedCall]]

    def covering(self, asked: Asked, request: JsonValue) -> list[Asked]:
        """Return what else was asked there that may be the same but for its secrets.

        Args:
            asked: Who asks, and where.
            request: What is asked.

        """
        same = {
            other: None
            for (other, _), (_, call) in self.calls.items()
            if other != asked and other[:3] == asked[:3] and covers(call.request, request)
        }
        return [*same]


def request_hash(request: JsonValue) -> str:
    """Return the hash by which equal requests are found."""
    return sha256(canonical_json(request).encode()).hexdigest()


def read_calls(path: Path) -> ReadCalls:
    """Return the calls that a file holds; a last line that a crash cut is left out.

    Raises:
        RecordError: The file cannot be read, or a line of it is no recorded call.
        NewerFormat: It was written in a newer format.

    """
    try:
        status = path.stat()
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from None
    return _read(path, (status.st_ino, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=4)
def _read(path: Path, _version: tuple[int, int, int]) -> ReadCalls:
    """Return the calls of a version of a file: each agent of each case asks for them anew."""
    first, *lines = read_record(path, MAX_BYTES).split(b"\n")
    model = _model(path, first)
    calls = {(call.asked, call.occurrence): (number, call) for number, call in _calls(path, lines)}
    return ReadCalls(path=path, model=model, calls=calls)


def _calls(path: Path, lines: list[bytes]) -> Iterator[tuple[int, RecordedCall]]:
    for number, line in enumerate(lines, 2):
        if not line.strip():
            continue
        try:
            yield number, RecordedCall.model_validate_json(line)
        except ValidationError as error:
            if number == len(lines) + 1:  # no line end stands behind it
                return
            problem = f"no recorded call: {first_problem(error)}"
            raise RecordError(str(path), problem, number) from None


def _model(path: Path, line: bytes) -> RecordedModel:
    header = check_header(path, line, file_format=FORMAT, version=VERSION)
    try:
        return RecordedModel.model_validate(header.get("model"))
    except ValidationError as error:
        problem = f"the header is wrong at model.{first_problem(error)}"
        raise RecordError(str(path), problem, 1) from None


def begin_calls(path: Path, model: RecordedModel) -> None:
    """Make a file for the calls of a model, or see that the one that is there is for them.

    Args:
        path: The file; the folders above it are made.
        model: The model.

    Raises:
        RecordError: The file cannot be written, or is none for this model.
        NewerFormat: It was written in a newer format.

    """
    with _naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with _opened(path, "a+b") as stream:
        stream.seek(0)
        line = stream.readline(_MAX_HEADER_BYTES)
        if not line:
            header = {"format": FORMAT, "version": VERSION, "model": model.model_dump()}
            _write(stream, to_json(header) + b"\n")
            return
    found = _model(path, line)
    if found != model:
        raise RecordError(str(path), _told_apart(found, model), 1)


def _told_apart(found: RecordedModel, model: RecordedModel) -> str:
    if (found.system, found.name) != (model.system, model.name):
        was, is_now = f"{found.system}:{found.name}", f"{model.system}:{model.name}"
    else:
        field = "settings" if found.settings != model.settings else "profile"
        was, is_now = f"other {field} of {found.name}", "those that it has now"
    return f"holds calls of {was}, not of {is_now}; wanted another file, or none here"


def append_call(path: Path, call: RecordedCall) -> None:
    """Write a call behind those that a file holds.

    Raises:
        RecordError: The file cannot be written, or would be too large.

    """
    line = to_json(call) + b"\n"
    with _opened(path, "r+b") as stream:
        size = _mend(stream)
        if not size:
            raise RecordError(str(path), "was emptied while calls were recorded into it")
        if size + len(line) > MAX_BYTES:
            problem = f"would be {size + len(line)} bytes long; at most {MAX_BYTES} are kept"
            raise RecordError(str(path), problem)
        _write(stream, line)


_alone = threading.Lock()

if sys.platform == "win32":

    def _lock(stream: FileIO) -> None:
        """Lock nothing: there, one process alone may record into a file."""
else:
    import fcntl

    def _lock(stream: FileIO) -> None:
        """Keep other processes out until the file is closed."""
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX)


@contextmanager
def _opened(path: Path, mode: Literal["a+b", "r+b"]) -> Generator[FileIO]:
    """Open a file to write behind its end, and keep all others out meanwhile."""
    with _naming(path), _alone, path.open(mode, buffering=0) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise RecordError(str(path), "is no regular file")
        _lock(stream)
        yield stream


@contextmanager
def _naming(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from error


def _mend(stream: FileIO) -> int:
    """Take off a last line that a crash cut, go to the end, and return the size of the file."""
    size = stream.seek(0, os.SEEK_END)
    if not size:
        return size
    stream.seek(size - 1)
    if stream.read(1) == b"\n":
        return size
    stream.seek(0)
    content = stream.readall()
    end = content.rfind(b"\n") + 1
    try:
        parse_json(content[end:])
    except ValueError:
        return stream.seek(stream.truncate(end))
    _write(stream, b"\n")  # the line is whole: an editor took its end off
    return size + 1


def _write(stream: FileIO, line: bytes) -> None:
    """Write all of a line: a file may take a part of it."""
    left = memoryview(line)
    while left:
        left = left[stream.write(left) :]
