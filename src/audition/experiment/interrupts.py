"""The first signal lets a run finish what is in flight, the second ends the process at once."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from audition.experiment.exit_codes import ExitCode

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interruptible(stop: Callable[[], None], *, told: str) -> Generator[None]:
    """Call `stop` in the running loop at the first signal, and end the process at the second.

    Not by handlers of the loop: a team may hold that, and the second signal must count then too.
    What is finished is kept by then, since every line of a journal is written when it is there.
    Does nothing in other threads than the main one, which alone gets signals.

    Args:
        stop: Asks the run to start no more.
        told: Printed at the first signal.

    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    seen: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        del frame
        seen.append(number)
        if len(seen) > 1:
            os.write(2, b"audition: ended at once\n")
            os._exit(ExitCode.INTERRUPTED)
        os.write(2, f"audition: {told}\n".encode())  # print may be in the middle of a line
        loop.call_soon_threadsafe(stop)

    before = {number: signal.signal(number, handle) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
