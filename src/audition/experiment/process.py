"""An experiment as the whole job of a process, which ends when it is over, whatever a team left."""

import asyncio
import gc
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import NoReturn

from audition.experiment.engine import Experiment
from audition.experiment.status import ExitCode

_GC_THRESHOLDS = (10_000, 10, 10)
"""Retained outputs make Python's collector cost as much again as the cases themselves."""

_END_SECONDS = 2.0


def run_in_process(experiment: Experiment, tell: Callable[[], None]) -> NoReturn:
    """Run an experiment, tell its results, and end the process with its exit code.

    Args:
        experiment: What to run.
        tell: Prints the results; also called after an interruption, for what is finished.

    """
    gc.set_threshold(*_GC_THRESHOLDS)
    runner = asyncio.Runner()
    try:
        code = runner.run(experiment.run())
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    _tell(tell)
    _end_within(_END_SECONDS, code)
    runner.close()
    sys.exit(int(code))


def _tell(tell: Callable[[], None]) -> None:
    try:
        tell()
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        # Whoever read the results has seen enough; the exit code still says how the run went.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end_within(seconds: float, code: ExitCode) -> None:
    """End the process from a thread of its own if it does not end by itself.

    Python waits for threads that are no daemons, and asyncio for its executor; a team may have
    left either in a call that never returns. Everything is written by then.
    """

    def end() -> None:
        time.sleep(seconds)
        os._exit(int(code))

    threading.Thread(target=end, name="audition-end", daemon=True).start()
