"""Time and memory of blocks of work, so that two things are compared under the same noise."""

import gc
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the result.

    Attributes:
        name: What was measured.
        value: What came out, with its unit.
        bar: What it must be, None where there is no bar.
        ok: Whether it is, None where there is no bar.

    """

    name: str
    value: str
    bar: str | None = None
    ok: bool | None = None


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time of a block of work, garbage of earlier ones collected before."""
    gc.collect()
    started = time.process_time()
    work()
    return time.process_time() - started


def paired_ratio(ours: Callable[[], object], peer: Callable[[], object], blocks: int) -> float:
    """Return the median over pairs of blocks, run in turns, of our CPU time over the peer's.

    In turns, since one machine can be 1.8 times slower in one minute than in the next.
    """
    ours()
    peer()
    ratios = [cpu_seconds(ours) / cpu_seconds(peer) for _ in range(blocks)]
    return statistics.median(ratios)


def tell_cpu_seconds(work: Callable[[], object]) -> None:
    """Do a block of work for each line of standard input, and print the CPU time that it took."""
    for _ in sys.stdin:
        print(cpu_seconds(work), flush=True)


def wall_seconds(work: Callable[[], object]) -> float:
    """Return the wall time of a block of work."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
