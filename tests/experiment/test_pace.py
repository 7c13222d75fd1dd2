import asyncio

import pytest

from audition.experiment.pace import Pace, Slot, met_rate_limit


@pytest.mark.parametrize(
    "error",
    [
        "ModelHTTPError: status_code: 429, model_name: m, body: {}",
        "RateLimitError: Error code: 429 - {'error': {'message': 'Rate limit reached'}}",
        "429 Too Many Requests",
        "anthropic: overloaded_error",
        "RESOURCE_EXHAUSTED: quota",
        "rate-limited",
    ],
)
def test_a_refusal_for_limits_is_known_by_its_words(error: str) -> None:
    assert met_rate_limit(["something else", error])


@pytest.mark.parametrize(
    "error", ["timeout", "status_code: 500", "order 4290 is late", "a corporate limit", "1429"]
)
def test_other_errors_are_none(error: str) -> None:
    assert not met_rate_limit([error])


def begun(pace: Pace, count: int, case: str = "c") -> list[Slot]:
    async def begin() -> list[Slot]:
        return [await asyncio.wait_for(pace.begin(case), 1) for _ in range(count)]

    return asyncio.run(begin())


def test_a_limit_halves_once_for_all_that_ran_when_it_was_met() -> None:
    pace = Pace(8)
    slots = begun(pace, 8)
    for slot in slots:
        pace.end(slot, "c", models=["m"], limited=True)
    assert pace.limit("m") == 4
    for slot in begun(pace, 4):
        pace.end(slot, "c", models=["m"], limited=True)
    assert pace.limit("m") == 2


def test_a_limit_never_falls_below_one_and_grows_by_one_for_each_round() -> None:
    pace = Pace(8)
    for _ in range(6):
        (slot,) = begun(pace, 1)
        pace.end(slot, "c", models=["m"], limited=True)
    assert pace.limit("m") == 1
    for grown in (2, 3, 4):
        for _ in range(grown):
            (slot,) = begun(pace, 1)
            pace.end(slot, "c", models=["m"])
        assert pace.limit("m") in {grown, grown - 1}
    for _ in range(100):
        (slot,) = begun(pace, 1)
        pace.end(slot, "c", models=["m"])
    assert pace.limit("m") == 8


def test_a_model_that_meets_no_limit_is_not_slowed_for_another() -> None:
    pace = Pace(4)
    for case, model in (("a", "slow"), ("b", "fast")):
        (slot,) = begun(pace, 1, case)
        pace.end(slot, case, models=[model], limited=model == "slow")
    assert (pace.limit("slow"), pace.limit("fast")) == (2, 4)
    assert begun(pace, 4, "b")


def test_what_finds_no_room_waits_until_there_is_some() -> None:
    async def run() -> list[str]:
        pace, told = Pace(1), list[str]()
        first = await pace.begin("c")
        waiting = [asyncio.create_task(pace.begin("c")) for _ in range(2)]
        await asyncio.sleep(0)
        told.append(str([task.done() for task in waiting]))
        waiting[0].cancel()
        pace.end(first, "c")
        await asyncio.wait_for(waiting[1], 1)
        return told

    assert asyncio.run(run()) == ["[False, False]"]
