import asyncio
import subprocess
import sys
import threading
from concurrent.futures import CancelledError
from contextvars import ContextVar

import pytest

from knowledge_team.model_loop import THREAD_NAME, run_on_model_loop

berth: ContextVar[str] = ContextVar("berth", default="none")


async def where() -> tuple[str, str]:
    await asyncio.sleep(0)
    return threading.current_thread().name, berth.get()


async def sink(error: BaseException) -> None:
    raise error


def test_work_runs_on_the_shared_thread_in_the_callers_context() -> None:
    token = berth.set("north")
    try:
        assert run_on_model_loop(where()).result() == (THREAD_NAME, "north")
    finally:
        berth.reset(token)


def test_the_thread_does_not_keep_the_process_alive() -> None:
    run_on_model_loop(where()).result()
    threads = [one for one in threading.enumerate() if one.name == THREAD_NAME]
    assert [one.daemon for one in threads] == [True]


def test_an_error_reaches_who_waits() -> None:
    with pytest.raises(LookupError, match="no berth"):
        run_on_model_loop(sink(LookupError("no berth"))).result()


def test_cancelling_releases_who_waits_and_ends_the_work() -> None:
    run = run_on_model_loop(asyncio.sleep(60))
    run.cancel()
    with pytest.raises(CancelledError):
        run.result()
    assert run.wait_ended(1)


def test_an_exit_in_the_work_ends_only_the_work() -> None:
    with pytest.raises(RuntimeError, match="raised SystemExit"):
        run_on_model_loop(sink(SystemExit(3))).result()
    assert run_on_model_loop(where()).result()[0] == THREAD_NAME


def test_threads_that_come_first_at_once_share_one_loop() -> None:
    program = """
import asyncio, threading
from knowledge_team.model_loop import THREAD_NAME, run_on_model_loop
gate = threading.Barrier(20)
def work():
    gate.wait()
    run_on_model_loop(asyncio.sleep(0)).result()
threads = [threading.Thread(target=work) for _ in range(20)]
[one.start() for one in threads]
[one.join() for one in threads]
print(sum(one.name == THREAD_NAME for one in threading.enumerate()))
"""
    ran = subprocess.run(  # noqa: S603  # our own text, in a process that has no loop yet
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "1"
