"""A program of somebody else's: given its input, heard to its end, with bounds on both."""

import os
import selectors
import subprocess
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, cast

from audition.errors import RecordError


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What a program left behind: its exit code, and what it printed where."""

    code: int
    out: bytes
    err: bytes


def run_bounded(
    name: str, command: Sequence[str], given: bytes, *, seconds: float, most_bytes: int
) -> Ended:
    """Return what a program printed once it has ended; one that passes a bound is killed.

    Args:
        name: What it is asked for, for the text of an error.
        command: The program, looked for on PATH, and its arguments.
        given: Its standard input; at most what a pipe holds, 64 KiB.
        seconds: How long it may take.
        most_bytes: How much it may print.

    Raises:
        RecordError: It cannot be started, takes too long, or prints too much.

    """
    until = time.monotonic() + seconds
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)  # noqa: S603  # no shell
    except FileNotFoundError:
        raise RecordError(name, f"there is no {command[0]} on PATH") from None
    except (OSError, ValueError) as error:
        raise RecordError(name, f"{command[0]} does not start: {error}") from None
    with process:
        try:
            return _heard(process, given, until=until, most_bytes=most_bytes)
        except TimeoutError:
            problem = f"{command[0]} did not end within {seconds:g} s"
            raise RecordError(name, problem) from None
        except OverflowError:
            problem = f"{command[0]} printed more than {most_bytes} bytes"
            raise RecordError(name, problem) from None
        finally:
            process.kill()


def _heard(
    process: subprocess.Popen[bytes], given: bytes, *, until: float, most_bytes: int
) -> Ended:
    """Give a process its input, and return how it ended.

    Raises:
        TimeoutError: It did not end until then.
        OverflowError: It printed more.

    """
    streams = (process.stdin, process.stdout, process.stderr)
    own, out, err = cast("tuple[IO[bytes], ...]", streams)  # it was started with pipes
    with suppress(BrokenPipeError), own:  # it may end without having read anything
        own.write(given)
    printed, complained = _read((out, err), until=until, most_bytes=most_bytes)
    try:
        code = process.wait(_left(until))
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    return Ended(code=code, out=printed, err=complained)


def _read(streams: Iterable[IO[bytes]], *, until: float, most_bytes: int) -> list[bytes]:
    """Return all that each stream gives, whichever gives it first; as `_heard`."""
    kept = {stream.fileno(): bytearray() for stream in streams}
    with selectors.DefaultSelector() as waiting:
        for descriptor in kept:
            waiting.register(descriptor, selectors.EVENT_READ)
        while waiting.get_map():
            for key, _ in waiting.select(_left(until)):
                chunk = os.read(key.fd, 65536)
                kept[key.fd] += chunk
                if not chunk:
                    waiting.unregister(key.fd)
            if sum(map(len, kept.values())) > most_bytes:
                raise OverflowError
    return [bytes(content) for content in kept.values()]


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
