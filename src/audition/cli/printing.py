"""What the commands share in printing: the formats, warnings, and a reader that has gone."""

import os
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TextIO, cast

from audition.errors import Problem
from audition.reports.terminal import safe

_REMINDER = (
    "read it before you share it; it holds what people and tools said, and redaction knows "
    "the names and the shapes of secrets alone"
)


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"


def tell_warnings(path: Path, warnings: Iterable[Problem]) -> None:
    """Print what is doubtful in a file."""
    for warning in warnings:
        tell(f"{path}#{warning} (warning)")


def tell(text: str) -> None:
    """Print a text to stderr, safe for a terminal and without secrets."""
    from audition.redaction.records import Redactor

    print(safe(Redactor().text(text)), file=sys.stderr)


def tell_reminder(written: str | Path) -> None:
    """Say of a recording that was written that it is to be read before it is shared."""
    print(f"audition: {written}: {_REMINDER}", file=sys.stderr)


def tell_lost(lost: int) -> None:
    """Say that frames of a session are not in its recording."""
    if lost:
        told = f"{lost} frame(s) could not be read, and are not in the recording"
        print(f"audition: {told}", file=sys.stderr)


def claim_stdout() -> TextIO:
    """Return what results are printed to; whatever else is printed from now on goes to stderr.

    An agent, a library in C or a process that is started may print at any time, until the process
    ends; so this lasts as long.
    """
    out, sys.stdout = cast("TextIO | None", sys.stdout), sys.stderr
    if out is None:  # it is closed, and nobody reads what is printed
        return Path(os.devnull).open("w", encoding="utf-8")
    if not _is_descriptor_1(out):  # whoever put another stream there catches nothing but Python's
        return out
    out.flush()
    kept = os.dup(1)
    try:
        os.dup2(2, 1)
    except OSError:  # stderr is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return os.fdopen(kept, "w", encoding=out.encoding, errors=out.errors)


def _is_descriptor_1(stream: TextIO) -> bool:
    try:
        return stream.fileno() == 1
    except (AttributeError, OSError, ValueError):  # it is closed, or has none
        return False


@contextmanager
def quiet_end(out: TextIO | None = None) -> Generator[None]:
    """Print all that was said; end quietly where whoever reads it has seen enough.

    The exit code still says what it would have said.

    Args:
        out: Where it is printed, None for stdout.

    """
    stream = out or sys.stdout
    try:
        yield
        for one in (stream, sys.stderr):
            if one is not None:  # where it is closed
                one.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, "standard output") from None
