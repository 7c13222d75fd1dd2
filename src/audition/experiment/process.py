"""An experiment as the whole job of a process, which ends when it is over, whatever a team left."""

import asyncio
import gc
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import NoReturn, cast

from audition.errors import AuditionError
from audition.experiment.driver import Experiment
from audition.experiment.exit_codes import ExitCode
from audition.redaction.records import Redactor
from audition.spans import record_spans

_GC_THRESHOLDS = (10_000, 10, 10)
"""Retained outputs make Python's collector cost as much again as the cases themselves."""

_END_SECONDS = 2.0


def run_in_process(experiment: Experiment, tell: Callable[[], None]) -> NoReturn:
    """Run an experiment, tell its results, and end the process with its exit code.

    Args:
        experiment: What to run.
        tell: Prints the results; also called after an interruption or a crash, for what is
            finished.

    """
    gc.set_threshold(*_GC_THRESHOLDS)
    if experiment.evaluation.records_spans:
        record_spans()
    runner = asyncio.Runner()
    try:
        code = runner.run(experiment.run())
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except AuditionError as error:  # the run cannot be gone on with: there is nothing to tell of it
        print(f"audition: {Redactor().text(str(error))}", file=sys.stderr)  # noqa: T201
        runner.close()
        sys.exit(int(ExitCode.USAGE))
    except Exception as error:  # noqa: BLE001  # our own fault; what is finished is told all the same
        _tell_fault(error)
        code = ExitCode.INFRASTRUCTURE
    try:
        tell()
    except OSError as error:
        _tell_fault(error)
        code = ExitCode.INFRASTRUCTURE
    end_within(_END_SECONDS, code)
    runner.close()
    sys.exit(int(code))


def _tell_fault(error: Exception) -> None:
    """Say which file could not be written, where that is all that went wrong; else everything."""
    files = error if isinstance(error, OSError) else _only_files(error)
    if files is None or files.filename is None:
        told = "".join(traceback.format_exception(error)).rstrip()
    else:
        told = f"audition: {files.filename} cannot be written: {files.strerror}"
    print(Redactor().text(told), file=sys.stderr)  # noqa: T201


def _only_files(error: Exception) -> OSError | None:
    """Return the first error of a group that holds nothing but errors of files."""
    if not isinstance(error, ExceptionGroup):
        return None
    files, others = cast("ExceptionGroup[Exception]", error).split(OSError)
    leaf: BaseException | None = None if others else files
    while isinstance(leaf, BaseExceptionGroup):
        leaf = cast("BaseExceptionGroup[BaseException]", leaf).exceptions[0]
    return leaf if isinstance(leaf, OSError) else None


def end_within(seconds: float, code: int) -> None:
    """End the process from a thread of its own if it does not end by itself.

    Python waits for threads that are no daemons, and asyncio for its executor; a team may have
    left either in a call that never returns. Everything is written by then.
    """

    def end() -> None:
        time.sleep(seconds)
        os._exit(code)

    threading.Thread(target=end, name="audition-end", daemon=True).start()
