"""The secrets in files: JSON and JSON Lines by pointer, everything else line by line."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from audition.errors import RecordError
from audition.files import read_bounded
from audition.redaction.names import SecretKind
from audition.redaction.records import secrets_in
from audition.redaction.shapes import spans
from audition.values import parse_json

_MAX_BYTES = 1024 * 1024 * 1024
_VALUES = (b"{", b"[", b'"')


class Leak(NamedTuple):
    """A secret in a file. What it is itself, is not told.

    Attributes:
        path: The file.
        line: Its line, from 1; None in a file that is one JSON value.
        pointer: Its place in the JSON value, "" where it stands in a text.
        kind: What it is.

    """

    path: Path
    line: int | None
    pointer: str
    kind: SecretKind

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line) if part is not None)
        return f"{place}{self.pointer and ' '}{self.pointer}: {self.kind}"


def leaks(path: Path) -> Iterator[Leak]:
    """Yield the secrets of a file, or of all files below a folder, those that are hidden left out.

    Raises:
        RecordError: It is not there, or cannot be read.

    """
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
            if file.is_file() and not hidden:
                yield from _of_file(file)
    else:
        yield from _of_file(path)


def _of_file(path: Path) -> Iterator[Leak]:
    try:
        content = read_bounded(path, _MAX_BYTES)
    except (OSError, ValueError) as error:
        raise RecordError(str(path), getattr(error, "strerror", None) or str(error)) from None
    try:
        value = parse_json(content) if content.lstrip()[:1] in _VALUES else None
    except ValueError:
        value = None
    if value is not None:
        for secret in secrets_in(value):
            yield Leak(path, None, secret.pointer, secret.kind)
        return
    for number, line in enumerate(content.split(b"\n"), 1):
        yield from _of_line(path, number, line)


def _of_line(path: Path, number: int, line: bytes) -> Iterator[Leak]:
    if line.lstrip()[:1] in _VALUES:
        try:
            value = parse_json(line)
        except ValueError:
            pass  # a torn line, or a text that only begins like one
        else:
            for secret in secrets_in(value):
                yield Leak(path, number, secret.pointer, secret.kind)
            return
    for span in spans(line.decode("utf-8", "replace")):
        yield Leak(path, number, "", span.kind)
