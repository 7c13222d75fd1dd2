"""A team that came up too late is shut down again, beside its case."""

import asyncio
import threading
import time

from audition.run_case import run_case
from tests.teams import CoroutineTeam, PlainTeam, ask, hold, swallow

BOUND = 0.12


def test_a_plain_start_that_ends_after_its_bound_is_shut_down_again() -> None:
    begin = threading.Event()
    team = PlainTeam("start", begin.wait)

    async def late() -> None:
        await run_case(ask("a", seconds=BOUND), team)
        assert team.calls == ["start", "shutdown"]
        begin.set()
        await asyncio.sleep(0.1)

    asyncio.run(late())
    assert team.calls == ["start", "shutdown", "shutdown"]


def test_a_plain_start_that_ends_after_its_loop_is_shut_down_again() -> None:
    begin, ended = threading.Event(), threading.Event()

    class Ends(PlainTeam):
        def shutdown(self) -> None:
            super().shutdown()
            if self.calls.count("shutdown") == 2:
                ended.set()

    hold(ask("a", seconds=BOUND), Ends("start", begin.wait))
    begin.set()
    assert ended.wait(1)


class StartsPlainly(CoroutineTeam):
    """Starts in a plain method, and shuts down in a coroutine."""

    def __init__(self, begin: threading.Event) -> None:
        super().__init__("", swallow)
        self._begin = begin

    def start(self, event_handler: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]  # a runtime may mix both kinds
        self.calls.append("start")
        self._begin.wait()


def test_a_late_start_is_followed_by_a_shutdown_that_is_a_coroutine() -> None:
    begin = threading.Event()
    team = StartsPlainly(begin)

    async def late() -> None:
        await run_case(ask("a", seconds=BOUND), team)
        begin.set()
        await asyncio.sleep(0.1)

    asyncio.run(late())
    assert team.calls == ["start", "shutdown", "shutdown"]


def test_a_coroutine_shutdown_is_not_begun_once_its_loop_is_closed() -> None:
    begin = threading.Event()
    team = StartsPlainly(begin)
    hold(ask("a", seconds=BOUND), team)
    begin.set()
    time.sleep(0.05)
    assert team.calls == ["start", "shutdown"]
