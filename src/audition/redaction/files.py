"""The secrets in files: JSON and JSON Lines by pointer, everything else line by line."""

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from audition.errors import RecordError
from audition.files import read_bounded
from audition.redaction.names import SecretKind
from audition.redaction.records import secrets_in
from audition.redaction.shapes import spans
from audition.values import parse_json

NOT_SHARED = frozenset({".git", ".hg", ".svn", ".venv"})
"""Folders that stand beside what is shared: the store of a version control, an environment."""

_MAX_BYTES = 1024 * 1024 * 1024
_VALUES = (b"{", b"[", b'"')
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before that of UTF-16, which it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


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


def files_in(path: Path) -> list[Path]:
    """Return the files below a folder, hidden ones too, or the one file that it is.

    What stands below one of `NOT_SHARED` is left out.
    """
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    for folder, folders, names in path.walk():
        folders[:] = [name for name in folders if name not in NOT_SHARED]
        found += [folder / name for name in names if (folder / name).is_file()]
    return sorted(found)


def leaks(path: Path) -> Iterator[Leak]:
    """Yield the secrets of a file.

    Raises:
        RecordError: It is not there, or cannot be read.

    """
    try:
        content = _as_utf8(read_bounded(path, _MAX_BYTES))
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


def _as_utf8(content: bytes) -> bytes:
    """Return a file that begins with a byte order mark, as PowerShell writes it, in UTF-8."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.removeprefix(mark).decode(encoding, "replace").encode()
    return content


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
