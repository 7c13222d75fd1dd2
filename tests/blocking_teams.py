"""A process with every kind of blocking team in it; run by test_bounds, which times its end."""

import asyncio

from audition.run_case import run_case
from tests.teams import BLOCKS, BLOCKS_PLAINLY, BREAKS, CoroutineTeam, PlainTeam, ask
from tests.teams import leave_swallowing_child as leave_child

CALLS = ("start", "send", "shutdown")


async def main() -> int:
    inputs = ask("a", "b", seconds=0.2)
    plain = [PlainTeam(at, what) for what in BLOCKS_PLAINLY.values() for at in CALLS]
    waiting = [name for name in BLOCKS if "hold" not in name]
    coroutines = [CoroutineTeam(at, BLOCKS[name]) for name in waiting for at in CALLS]
    broken = [CoroutineTeam(at, what) for what in BREAKS.values() for at in CALLS]
    careless = [CoroutineTeam(at, leave_child) for at in CALLS]
    teams = [*plain, *coroutines, *broken, *careless]
    outputs = await asyncio.gather(*(run_case(inputs, team) for team in teams))
    for name in set(BLOCKS) - set(waiting):
        outputs.append(await run_case(inputs, CoroutineTeam("send", BLOCKS[name])))
    return len(outputs)


if __name__ == "__main__":
    print(asyncio.run(main()))  # noqa: T201  # read by the test
