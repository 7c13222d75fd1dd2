import asyncio
import threading

from audition.daemon_threads import run_plain
from audition.running_case import RunningCase, running, running_case
from audition.trace_context import attach_context, run_in_context


class Message:
    pass


def told() -> tuple[str | None, int] | None:
    case = running_case()
    return None if case is None else (case.name, case.repeat)


def test_outside_of_a_case_none_is_running() -> None:
    with running("founders"):
        assert told() == ("founders", 1)
    assert told() is None


def test_a_case_is_told_to_its_tasks_and_threads_and_to_no_other_case() -> None:
    async def one(name: str, repeat: int) -> list[object]:
        with running(name, repeat):
            in_task = asyncio.create_task(_told())
            await asyncio.sleep(0)
            return [told(), await in_task, await run_plain(told)]

    async def both() -> list[list[object]]:
        return [*await asyncio.gather(one("founders", 1), one("purpose", 2))]

    assert asyncio.run(both()) == [[("founders", 1)] * 3, [("purpose", 2)] * 3]


async def _told() -> object:
    return told()


def test_a_case_is_told_to_an_actor_that_handles_its_message() -> None:
    message, seen = Message(), list[object]()
    with running("founders"):
        attach_context(message)
    thread = threading.Thread(target=lambda: seen.append(run_in_context(message, told)))
    thread.start()
    thread.join()
    assert seen == [("founders", 1)]


def test_what_happens_is_counted_in_each_run_of_a_case_anew() -> None:
    case = RunningCase("founders")
    assert [case.count("a"), case.count("b"), case.count("a")] == [1, 1, 2]
    assert RunningCase("founders").count("a") == 1


def test_a_seed_belongs_to_a_repeat_of_a_case_and_to_the_seed_of_the_run() -> None:
    cases = [RunningCase("a"), RunningCase("a", 2), RunningCase("b"), RunningCase("a", run_seed=1)]
    seeds = {case.seed for case in cases}
    assert len(seeds) == 4
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert RunningCase("a").seed == cases[0].seed
