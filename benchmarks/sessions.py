"""Recorded sessions: what kagent stores, from its text to an output, beside parsing it alone."""

import json
import tracemalloc
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from audition.adapters.adk.session import adapt_adk
from audition.output import CaseOutput
from audition.sessions import output_of
from audition.values import parse_json
from benchmarks.timing import Line, cpu_seconds, paired_ratio

_RECORDINGS = Path(__file__).parents[1] / "tests" / "recordings" / "adk" / "2.13.0"
_REPEATS = 20

type Lines = list[bytes]


def measure() -> list[Line]:
    """Return all lines of this file."""
    events = _stored()
    rows = [[_row(line) for line in session] for session in events]
    return [
        _speed("events with all nulls", events),
        _speed("rows with such an event as text", rows),
        _ratio(events),
        _memory(events),
    ]


def _stored() -> list[Lines]:
    """Return the lines of every recorded session as kagent stores its events."""
    paths = sorted(_RECORDINGS.glob("*.kagent.jsonl"))
    return [[line for line in path.read_bytes().split(b"\n") if line] for path in paths]


def _row(line: bytes) -> bytes:
    row = {"id": "e-1", "session_id": "s-1", "user_id": "u-1", "data": line.decode()}
    return json.dumps(row).encode()


def _outputs(sessions: list[Lines]) -> Iterator[CaseOutput]:
    for lines in sessions:
        yield output_of(adapt_adk([parse_json(line) for line in lines]), source="a file")


def _convert(sessions: list[Lines]) -> None:
    for _ in range(_REPEATS):
        for _ in _outputs(sessions):
            pass


def _parse(sessions: list[Lines]) -> None:
    for _ in range(_REPEATS):
        for lines in sessions:
            for line in lines:
                json.loads(line)


def _speed(what: str, sessions: list[Lines]) -> Line:
    size = _REPEATS * sum(len(line) for lines in sessions for line in lines)
    work = partial(_convert, sessions)
    work()
    rate = size / min(cpu_seconds(work) for _ in range(5)) / 1e6
    return Line(
        name=f"sessions of ADK, {what}: parsed, converted, collected",
        value=f"{rate:.0f} MB/s",
        bar=">= 20 MB/s",
        ok=rate >= 20,
    )


def _ratio(sessions: list[Lines]) -> Line:
    ratio = paired_ratio(partial(_convert, sessions), partial(_parse, sessions), blocks=7)
    return Line(
        name="the same events, over json.loads of their lines",
        value=f"{ratio:.1f} x",
        bar="<= 5 x",
        ok=ratio <= 5,
    )


def _memory(sessions: list[Lines]) -> Line:
    more = _peak(sessions * 50) - _peak(sessions * 2)
    return Line(
        name=f"peak memory of {len(sessions) * 50} sessions, beyond that of {len(sessions) * 2}",
        value=f"{more / 1e6:.2f} MB",
        bar="<= 1 MB",  # the parser remembers 16,384 short texts
        ok=more <= 1e6,
    )


def _peak(sessions: list[Lines]) -> int:
    """Return the bytes that are held at most while sessions are converted one after the other."""
    tracemalloc.start()
    try:
        for _ in _outputs(sessions):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
