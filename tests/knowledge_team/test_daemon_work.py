import asyncio
import threading
import time

import pytest

from knowledge_team.daemon_work import THREAD_NAME, done_beside


def test_the_result_is_returned_and_made_in_a_daemon_thread() -> None:
    thread = asyncio.run(done_beside(threading.current_thread))
    assert (thread.name, thread.daemon) == (THREAD_NAME, True)


def test_an_error_is_raised_where_it_is_waited_for() -> None:
    def fail() -> None:
        msg = "gone"
        raise LookupError(msg)

    with pytest.raises(LookupError, match="gone"):
        asyncio.run(done_beside(fail))


def test_who_is_cancelled_does_not_wait_for_the_work() -> None:
    release = threading.Event()

    async def cancelled() -> float:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(done_beside(release.wait), 0.05)
        return time.monotonic() - began

    assert asyncio.run(cancelled()) < 1
    release.set()
