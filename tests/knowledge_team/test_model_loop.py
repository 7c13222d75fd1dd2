import asyncio
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
