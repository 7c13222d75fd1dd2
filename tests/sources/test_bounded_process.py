"""A program that is run, within its bounds."""

import sys
import time

import pytest

from audition.errors import RecordError
from audition.sources.bounded_process import Ended, run_bounded


def run(script: str, given: bytes = b"", *, seconds: float = 20, most_bytes: int = 10_000) -> Ended:
    command = (sys.executable, "-c", script)
    return run_bounded("x", command, given, seconds=seconds, most_bytes=most_bytes)


def test_what_it_prints_is_kept_by_stream_with_its_code() -> None:
    script = "import sys; print(input()[::-1]); print('no', file=sys.stderr); sys.exit(4)"
    assert run(script, b"abc\n") == Ended(code=4, out=b"cba\n", err=b"no\n")


def test_one_that_reads_nothing_is_heard_all_the_same() -> None:
    assert run("import os; os.close(0); print('done')", b"x" * 60_000).out == b"done\n"


def test_one_that_does_not_end_is_killed() -> None:
    before = time.monotonic()
    with pytest.raises(RecordError, match=r"did not end within 0.5 s"):
        run("import os, time; os.close(1); os.close(2); time.sleep(60)", seconds=0.5)
    assert time.monotonic() - before < 20


def test_one_that_prints_for_ever_is_killed() -> None:
    with pytest.raises(RecordError, match="printed more than 10000 bytes"):
        run("import itertools; [print('x' * 99) for _ in itertools.count()]")


def test_one_that_cannot_be_started_is_told() -> None:
    with pytest.raises(RecordError, match="x: there is no nosuchprogram on PATH"):
        run_bounded("x", ("nosuchprogram",), b"", seconds=1, most_bytes=1)
    with pytest.raises(RecordError, match="does not start: embedded null byte"):
        run_bounded("x", ("cat", "a\0b"), b"", seconds=1, most_bytes=1)
