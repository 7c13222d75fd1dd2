import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from audition.experiment.interrupts import interruptible

ROOT = Path(__file__).parents[2]


def test_the_first_signal_asks_to_stop() -> None:
    async def run() -> bool:
        stopped = asyncio.Event()
        with interruptible(stopped.set, told="stopping"):
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.wait_for(stopped.wait(), 5)
        return stopped.is_set()

    before = signal.getsignal(signal.SIGTERM)
    assert asyncio.run(run())
    assert signal.getsignal(signal.SIGTERM) is before


SCRIPT = """
import asyncio, os, signal, sys, time
from audition.experiment.interrupts import interruptible

async def run():
    with interruptible(lambda: None, told="stopping"):
        print("ready", flush=True)
        while True:
            time.sleep(0.01)  # the loop is held: no handler of the loop would ever run

asyncio.run(run())
"""


def test_the_second_ends_the_process_also_while_a_team_holds_the_loop() -> None:
    with subprocess.Popen(  # noqa: S603  # our own script
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stderr.readline() == "audition: stopping\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 130


def test_another_thread_than_the_main_one_gets_no_signals_and_sets_no_handler() -> None:
    async def run() -> None:
        with interruptible(lambda: None, told=""):
            assert signal.getsignal(signal.SIGTERM) is before

    before = signal.getsignal(signal.SIGTERM)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:  # noqa: BLE001  # told below
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert not errors
