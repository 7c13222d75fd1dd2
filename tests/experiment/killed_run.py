"""A run that is killed when what it writes has grown to a size, and gone on with."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from audition.application import Application
from audition.experiment.driver import Experiment, Settings
from audition.experiment.journal import JOURNAL, OUTPUTS
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.testing import answer, output
from tests.experiments import dataset

CASES = 12
REPEATS = 2


async def _task(inputs: CaseInput) -> CaseOutput:
    await asyncio.sleep(0.002)
    told = "no" if inputs.message in {"c3?", "c7?"} else "yes, " + "well " * 40
    return output(answer(told), asked=inputs.message or "")


def run(folder: Path) -> int:
    """Run, or go on with, twelve cases twice in a folder; return the exit code."""
    kept = folder / "run"
    kept.mkdir(exist_ok=True)
    made = Experiment(
        loaded=dataset(folder, {f"c{number}": {} for number in range(CASES)}),
        application=Application(name="small"),
        task=_task,
        folder=kept,
        settings=Settings(max_concurrency=3, repeat=REPEATS),
    )
    return asyncio.run(made.run())


def run_until_killed(folder: Path, size: int) -> int:
    """Run in a child that is killed once both files are this long; return what the system says."""
    child = os.fork()
    if child == 0:
        run(folder)
        os._exit(0)
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        if _written(folder / "run") >= size:
            os.kill(child, signal.SIGKILL)


def _written(folder: Path) -> int:
    return sum(
        (folder / name).stat().st_size for name in (JOURNAL, OUTPUTS) if (folder / name).exists()
    )


if __name__ == "__main__":
    for line in sys.stdin:
        folder, _, size = line.rstrip("\n").rpartition(" ")
        print(run_until_killed(Path(folder), int(size)), flush=True)  # noqa: T201  # to the test
