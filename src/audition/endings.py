"""The end of a team: in its case, or beside it where the team came up too late."""

import asyncio
from contextlib import suppress

from audition.calls import invoke, is_coroutine_method
from audition.runtime import TeamRuntime
from audition.supervision import Supervisor


async def shut_down(runtime: TeamRuntime) -> None:
    """Ask the team to end."""
    await invoke(runtime.shutdown)  # looked up in the bound: a method that is not there raises


def end_late(runtime: TeamRuntime, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
    """End a team whose plain `start` came to its end after its bound; called in a thread."""

    def begin() -> None:
        ending = loop.create_task(_shut_down_beside(runtime, seconds))
        _endings.add(ending)
        ending.add_done_callback(_endings.discard)

    try:
        loop.call_soon_threadsafe(begin)
    except RuntimeError:  # the loop is closed, and a coroutine would have nowhere to run
        if not is_coroutine_method(runtime.shutdown):
            runtime.shutdown()


async def _shut_down_beside(runtime: TeamRuntime, seconds: float) -> None:
    async with Supervisor() as supervisor:
        supervisor.is_ending = True

        async def end() -> None:
            with suppress(Exception):  # the case is over: nobody is left to tell
                await supervisor.bounded("shutdown", seconds, shut_down(runtime))

        await supervisor.run(end())


_endings: set[asyncio.Task[None]] = set()
"""Keeps the tasks of late shutdowns: the loop itself holds them only weakly."""
