"""Which case is running, told by a context variable to whatever a team calls in it.

It reaches coroutines, tasks and the threads of `run_plain` by itself, and actor threads where a
message carries its sender's context (`trace_context`).
"""

import hashlib
from collections import Counter
from collections.abc import Generator, Hashable
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock


class RunningCase:
    """One repeat of one case, while it runs.

    Args:
        name: The case, None where none is running.
        repeat: Which repeat of it this is, from 1.
        run_seed: What the seeds of a run are derived from.

    Attributes:
        seed: From 0 to 2**31 - 1: the same for this repeat of this case in every run with this
            `run_seed`, and another one for every other repeat and case.
        problems: What broke in it and is not the team's doing: its output says nothing about how
            good the answers are.

    """

    def __init__(self, name: str | None = None, repeat: int = 1, *, run_seed: int = 0) -> None:
        self.name = name
        self.repeat = repeat
        self.seed = _derived(run_seed, name, repeat)
        self.problems: list[str] = []
        self._times: Counter[Hashable] = Counter()
        self._lock = Lock()

    def count(self, what: Hashable) -> int:
        """Return how often this happened in the case, this time included."""
        with self._lock:
            self._times[what] += 1
            return self._times[what]


def _derived(run_seed: int, name: str | None, repeat: int) -> int:
    told = f"{run_seed}\0{repeat}\0{name or ''}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(told).digest()[:4]) & 0x7FFFFFFF


_running: ContextVar[RunningCase | None] = ContextVar("running_case", default=None)


def running_case() -> RunningCase | None:
    """Return the case that is running here, None outside of one."""
    return _running.get()


@contextmanager
def running(name: str, repeat: int = 1, *, run_seed: int = 0) -> Generator[RunningCase]:
    """Say that what is called from here on belongs to a case.

    Args:
        name: The case.
        repeat: Which repeat of it this is, from 1.
        run_seed: What the seeds of a run are derived from.

    """
    case = RunningCase(name, repeat, run_seed=run_seed)
    token = _running.set(case)
    try:
        yield case
    finally:
        _running.reset(token)
