"""Events as JSON Lines, and back: a header that says the format, then one event a line."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, cast

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from audition.errors import RecordError
from audition.events import HUMAN, DroppedFrame, Event, event_adapter, read_event
from audition.files import read_bounded
from audition.headers import check_header
from audition.output import RuntimeCapabilities
from audition.redaction.records import Redactor
from audition.values import first_problem, parse_json, writable_json

FORMAT = "audition-recording"
VERSION = 1

MAX_BYTES = 1024 * 1024 * 1024
"""Bytes that are read of one file: a full case is a quarter of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recorded session.

    Attributes:
        events: In the order in which they were recorded.
        human: The name of the person in them.
        capabilities: What the recorded runtime declared.
        dropped: Lines that are no event, and why; the line of a torn end is one.

    """

    events: tuple[Event, ...]
    human: str = HUMAN
    capabilities: RuntimeCapabilities = field(default_factory=RuntimeCapabilities)
    dropped: tuple[DroppedFrame, ...] = ()


class Recorder:
    """Writes events as they come; each is one flushed line, so that a crash loses none.

    Secrets are taken out. What only a later event shows to be one, stays in those before it: read
    a recording before you share it, `audition doctor` helps.

    Args:
        stream: Where to write.
        human: The name of the person in the events.
        capabilities: What the runtime declares.
        redactor: Takes the secrets out; None for one that knows none yet.
        redact: False to keep secrets as they are.

    """

    def __init__(
        self,
        stream: TextIO,
        *,
        human: str = HUMAN,
        capabilities: RuntimeCapabilities | None = None,
        redactor: Redactor | None = None,
        redact: bool = True,
    ) -> None:
        self._stream = stream
        self._redactor = (redactor or Redactor()) if redact else None
        declared = (capabilities or RuntimeCapabilities()).model_dump()
        self._write(
            {"format": FORMAT, "version": VERSION, "human": human, "capabilities": declared}
        )

    def __call__(self, event: Event) -> None:
        """Write one event."""
        self._write(event_adapter().dump_python(event))

    def _write(self, line: dict[str, Any]) -> None:
        plain = writable_json(line)
        if self._redactor is not None:
            plain = self._redactor.redacted(plain)
        text = to_json(plain).decode()
        self._stream.write(f"{text}\n")
        self._stream.flush()


def write_recording(path: Path, recording: Recording, *, redact: bool = True) -> None:
    """Write a whole recording to a file, which is replaced.

    Args:
        path: The file.
        recording: What is written.
        redact: False to keep secrets as they are.

    """
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        record_events(stream, recording, redact=redact)


def record_events(stream: TextIO, recording: Recording, *, redact: bool = True) -> None:
    """Write a whole recording to a stream; what any event shows to be a secret is taken out of all.

    Args:
        stream: Where to write.
        recording: What is written.
        redact: False to keep secrets as they are.

    """
    redactor = Redactor()
    if redact:
        dumped = map(event_adapter().dump_python, recording.events)
        redactor.learn(writable_json(event) for event in dumped)
    recorder = Recorder(
        stream,
        human=recording.human,
        capabilities=recording.capabilities,
        redactor=redactor,
        redact=redact,
    )
    for event in recording.events:
        recorder(event)


def read_recording(path: Path) -> Recording:
    """Return the recording that a file holds.

    Raises:
        RecordError: The file cannot be read, or is no recording.
        NewerFormat: It was written in a newer format.

    """
    return parse_recording(path, read_record(path))


def read_record(path: Path, limit: int = MAX_BYTES) -> bytes:
    """Return the bytes of a file of records.

    Args:
        path: The file.
        limit: The most bytes that it may have.

    Raises:
        RecordError: It cannot be read, is no regular file, or is larger than the limit.

    """
    with record_errors(str(path)):
        return read_bounded(path, limit)


@contextmanager
def record_errors(name: str) -> Generator[None]:
    """Give what is wrong with a file of records, in the block, as a `RecordError` of this name."""
    try:
        yield
    except OSError as error:
        raise RecordError(name, str(error.strerror or error)) from None
    except ValueError as error:
        raise RecordError(name, str(error)) from None


def parse_recording(path: Path, content: bytes) -> Recording:
    """Return the recording that the content of a file is; the path is for the text of an error.

    Raises:
        RecordError: It is no recording.
        NewerFormat: It was written in a newer format.

    """
    # Bytes, since a torn last line may end inside a character, and since splitlines() of a
    # text takes U+2028, which JSON text may hold, for the end of a line.
    first, *lines = content.split(b"\n")
    return _read_events(lines, read_header(path, first))


class Header(BaseModel):
    """The first line of a recording.

    Attributes:
        human: The name of the person in the events.
        capabilities: What the recorded runtime declared.

    """

    human: str = HUMAN
    capabilities: RuntimeCapabilities = RuntimeCapabilities()


def read_header(path: Path, line: bytes) -> Header:
    """Return the header that the first line of a recording is.

    Args:
        path: The file, for the text of an error.
        line: Its first line.

    Raises:
        RecordError: It is none, or what it says of the person or the runtime is wrong.
        NewerFormat: The recording was written in a newer format.

    """
    header = check_header(path, line, file_format=FORMAT, version=VERSION)
    try:
        return Header.model_validate(header)
    except ValidationError as error:
        problem = f"the header is wrong at {first_problem(error)}"
        raise RecordError(str(path), problem, 1) from None


def _read_events(lines: Iterable[bytes], header: Header) -> Recording:
    events: list[Event] = []
    dropped: list[DroppedFrame] = []
    for index, line in enumerate(lines):
        if line.strip():
            _read_line(index, line, events=events, dropped=dropped)
    return Recording(
        events=tuple(events),
        human=header.human,
        capabilities=header.capabilities,
        dropped=tuple(dropped),
    )


def _read_line(
    index: int, line: bytes, *, events: list[Event], dropped: list[DroppedFrame]
) -> None:
    try:
        events.append(read_event(cast("dict[str, Any]", parse_json(line))))
    except ValidationError as error:
        reason = f"no event: {first_problem(error)}"
        dropped.append(DroppedFrame(index=index, author=None, reason=reason))
    except ValueError as error:
        dropped.append(DroppedFrame(index=index, author=None, reason=f"no JSON: {error}"))
