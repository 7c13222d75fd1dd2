"""Recorded sessions: what kagent stores, from its text to an output, beside parsing it alone."""

import json
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from audition.adapters.adk.session import adapt_adk
from audition.output import CaseOutput
from audition.sessions import output_of, understood
from audition.sources.files import FileSource
from audition.values import parse_json
from benchmarks.timing import Line, cpu_seconds, paired_ratio

_RECORDINGS = Path(__file__).parents[1] / "tests" / "recordings" / "adk" / "2.13.0"
_REPEATS = 20
_TIMES = (10, 100)
_MANY = 1000

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
        *_file_memory([line for session in events for line in session]),
    ]


def _stored() -> list[Lines]:
    """Return the lines of every recorded session as kagent stores its events."""
    paths = sorted(_RECORDINGS.glob("*.kagent.jsonl"))
    return [[line for line in path.read_bytes().split(b"\n") if line] for path in paths]


def _row(line: bytes, session: str = "s-1") -> bytes:
    row = {"id": "e-1", "session_id": session, "user_id": "u-1", "data": line.decode()}
    return json.dumps(row).encode()


def _outputs(sessions: list[Lines]) -> Iterator[CaseOutput]:
    for lines in sessions:
        yield output_of(adapt_adk([parse_json(line) for line in lines]), source="a file")


def _go_through(sessions: list[Lines]) -> None:
    for _ in _outputs(sessions):
        pass


def _convert(sessions: list[Lines]) -> None:
    for _ in range(_REPEATS):
        _go_through(sessions)


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
    more, fewer = (_peak(partial(_go_through, sessions * times)) for times in (50, 2))
    more -= fewer
    return Line(
        name=f"peak memory of {len(sessions) * 50} sessions, beyond that of {len(sessions) * 2}",
        value=f"{more / 1e6:.2f} MB",
        bar="<= 1 MB",  # the parser remembers 16,384 short texts
        ok=more <= 1e6,
    )


def _file_memory(session: Lines) -> list[Line]:
    """Return what ten times the sessions in one file add to the memory that it takes."""
    with TemporaryDirectory() as folder:
        few, many = (_file_of(session, Path(folder) / f"{times}.jsonl", times) for times in _TIMES)
        return [
            _growth("listed", few, many, lambda source: source.sessions(limit=_MANY)),
            _growth("one extracted", few, many, lambda source: understood(source.record("s-9"))),
        ]


def _growth(
    what: str, few: FileSource, many: FileSource, way: Callable[[FileSource], object]
) -> Line:
    way(many)  # the parser remembers 16,384 short texts
    ratio = _peak(partial(way, many)) / _peak(partial(way, few))
    return Line(
        name=f"peak memory of one file of {_TIMES[1]} sessions, over one of {_TIMES[0]}: {what}",
        value=f"{ratio:.2f} x",
        bar="<= 1.3 x",
        ok=ratio <= 1.3,
    )


def _file_of(session: Lines, path: Path, times: int) -> FileSource:
    """Return a file that has a session so often, those of each two with their rows in turns."""
    with path.open("wb") as file:
        for number in range(0, times, 2):
            for line in session:
                file.writelines(_row(line, f"s-{own}") + b"\n" for own in (number, number + 1))
    return FileSource(path)


def _peak(work: Callable[[], object]) -> int:
    """Return the bytes that a piece of work holds at most."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
