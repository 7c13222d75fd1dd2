import asyncio
import time
from concurrent.futures import CancelledError
from threading import Timer

import pytest

from knowledge_team.member_runs import MemberRuns


async def ready() -> str:
    return "ready"


def test_a_run_gives_its_result() -> None:
    assert MemberRuns().run(ready()) == "ready"


def test_no_run_begins_after_the_end() -> None:
    runs = MemberRuns()
    runs.stop()
    with pytest.raises(CancelledError):
        runs.run(ready())
    assert runs.stopped


def test_stopping_releases_the_waiting_thread_at_once() -> None:
    runs = MemberRuns()
    Timer(0.05, runs.stop).start()
    began = time.monotonic()
    with pytest.raises(CancelledError):
        runs.run(asyncio.sleep(60))
    assert time.monotonic() - began < 1


def test_waiting_for_no_run_is_no_wait() -> None:
    runs = MemberRuns()
    runs.wait_ended(60)
    assert not runs.stopped
