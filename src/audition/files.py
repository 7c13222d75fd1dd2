"""Files that are read, and bounded; and which file it was that could not be written."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def open_bounded(path: Path, limit: int) -> BinaryIO:
    """Return a file that is open for reading; a pipe or a device is never waited for.

    Args:
        path: The file.
        limit: The most bytes that it may have. It may grow beyond them while it is read.

    Raises:
        OSError: It is not there, or cannot be opened.
        ValueError: It is no regular file, is longer, or its name is none that a file can have.

    """
    # A pipe without a writer would hold an open that may block.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    status = os.fstat(descriptor)
    problem = None if stat.S_ISREG(status.st_mode) else _kind(status.st_mode)
    if status.st_size > limit:
        problem = problem or _too_long(status.st_size, limit)
    if problem is not None:
        os.close(descriptor)
        raise ValueError(problem)
    return os.fdopen(descriptor, "rb")


def read_bounded(path: Path, limit: int) -> bytes:
    """Return what a file holds; a pipe or a device is never waited for.

    Args:
        path: The file.
        limit: The most bytes that it may have.

    Raises:
        OSError: It is not there, or cannot be read.
        ValueError: It is no regular file, is longer, or its name is none that a file can have.

    """
    with open_bounded(path, limit) as stream:
        size = os.fstat(stream.fileno()).st_size
        content = stream.read(min(size, limit) + 1)
        if len(content) > size:  # it grows, or is one of those that say no size
            content += stream.read(max(limit + 1 - len(content), 0))
    if len(content) > limit:
        raise ValueError(_too_long(len(content), limit))
    return content


def without_address(path: str | Path) -> str:
    """Return a path as it may be told: of an address no more than its scheme.

    A password may stand behind that, and a `Path` keeps one slash of the two.
    """
    text = str(path)
    scheme, is_address, _ = text.partition(":/")
    return f"{scheme}://…" if is_address and len(scheme) > 1 else text  # C:/ is a drive


def _too_long(size: int, limit: int) -> str:
    return f"is {size} bytes long; at most {limit} are read"


def _kind(mode: int) -> str:
    what = "a folder" if stat.S_ISDIR(mode) else "a pipe, a socket or a device"
    return f"is {what}, no regular file"


@contextmanager
def naming(path: Path) -> Generator[None]:
    """Give an error of writing the name of the file: a stream that is open does not say it."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
