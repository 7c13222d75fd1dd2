"""Inner tasks that can be given up, and bounded calls inside them."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from audition.errors import BoundOverrun, RunError
from audition.supervision import Supervisor
from tests.teams import swallow

type Call = Callable[[], Awaitable[object]]


def bounded(call: Call, seconds: float = 0.1) -> object:
    """Return what a bounded call comes to, an error as well."""
    results: list[object] = []

    async def run() -> bool:
        async with Supervisor() as supervisor:

            async def awaited() -> object:
                return await call()

            async def inner() -> None:
                try:
                    results.append(await supervisor.bounded("it", seconds, awaited()))
                except RunError as error:
                    results.append(error)

            return await supervisor.run(inner())

    return results[0] if asyncio.run(run()) else "abandoned"


def test_a_call_in_its_bound_has_its_result() -> None:
    async def call() -> int:
        await asyncio.sleep(0)
        return 3

    assert bounded(call) == 3


def test_a_call_past_its_bound_is_cancelled() -> None:
    error = bounded(lambda: asyncio.sleep(60))
    assert isinstance(error, BoundOverrun)
    assert (error.what, error.seconds) == ("it", 0.1)


def test_what_a_call_makes_of_its_cancellation_does_not_count() -> None:
    async def returns() -> int:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        return 3

    async def raises() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise ValueError from None

    assert isinstance(bounded(returns), BoundOverrun)
    assert isinstance(bounded(raises), BoundOverrun)


def test_a_time_limit_of_its_own_is_its_own_error() -> None:
    async def call() -> None:
        await asyncio.wait_for(asyncio.sleep(60), 0.02)

    with pytest.raises(TimeoutError):
        bounded(call)


def test_a_call_that_cancels_its_task_is_told_from_being_cancelled() -> None:
    async def call() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)

    assert str(bounded(call)) == "it was cancelled from inside the runtime"


def test_a_call_that_ignores_its_cancellation_is_abandoned() -> None:
    assert bounded(swallow, 0.05) == "abandoned"


def test_an_abandoned_task_can_begin_no_more_calls() -> None:
    ended: list[str] = []

    async def run() -> None:
        async with Supervisor() as supervisor:

            async def stubborn() -> None:
                for _ in range(2):
                    with suppress(asyncio.CancelledError):
                        await asyncio.sleep(60)

            async def another() -> None:
                ended.append("begun")

            async def inner() -> None:
                with suppress(BoundOverrun):
                    await supervisor.bounded("it", 0.05, stubborn())
                ended.append("went on")
                await supervisor.bounded("more", 0.05, another())

            assert not await supervisor.run(inner())
            await asyncio.sleep(0.05)

    asyncio.run(run())
    assert ended == ["went on"]


def test_the_inner_task_must_not_raise() -> None:
    async def run() -> None:
        async def fail() -> None:
            raise LookupError

        async with Supervisor() as supervisor:
            await supervisor.run(fail())

    with pytest.raises(LookupError):
        asyncio.run(run())


def test_ctrl_c_is_never_an_error_of_a_team() -> None:
    async def call() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bounded(call)


def test_a_cancellation_is_noted_and_what_ends_goes_on() -> None:
    ended: list[str] = []

    async def run() -> bool:
        async with Supervisor() as supervisor:

            async def end() -> None:
                supervisor.is_ending = True
                await supervisor.bounded("end", 5, asyncio.sleep(0.1))
                ended.append("ended")

            asyncio.get_running_loop().call_later(0.02, _cancel(asyncio.current_task()))
            await supervisor.run(end())
            return supervisor.cancelled

    async def main() -> bool:
        return await asyncio.create_task(run())

    assert asyncio.run(main())
    assert ended == ["ended"]


def _cancel(task: asyncio.Task[object] | None) -> Callable[[], object]:
    assert task is not None
    return task.cancel
