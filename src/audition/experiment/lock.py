"""One process at a time writes to the folder of a run."""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from audition.errors import CallError
from audition.files import naming

LOCK = "lock"


@contextmanager
def locked(folder: Path) -> Generator[None]:
    """Hold the folder of a run, which the system gives back when the process dies.

    Raises:
        CallError: Another process holds it.

    """
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
            found = f"process {holder or 'unknown'} writes to it"
            wanted = "wanted a run that nobody writes to: wait until that process ends"
            raise CallError(found, what=str(folder), wanted=wanted) from None
        with naming(folder / LOCK):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)
