"""A runtime that does not end costs its bound, the others go on, and the process ends."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from audition.events import CompletionReason, EventHandler, MessageSent, MessageType
from audition.output import CaseOutput
from audition.run_case import run_case
from audition.runtimes.scripted import ScriptedRuntime, Step, Wait
from audition.testing import answer
from tests.teams import (
    BLOCKS,
    BLOCKS_PLAINLY,
    BREAKS,
    CoroutineTeam,
    PlainTeam,
    ask,
    hold,
    hold_the_loop,
    swallow,
)

BOUND = 0.12
SLACK = 1.5

REASON_AT = {
    "start": CompletionReason.START_FAILED,
    "send": CompletionReason.TIMEOUT,
    "shutdown": CompletionReason.RESPONSE,
}
COROUTINES = [
    (at, block)
    for name, block in BLOCKS.items()
    for at in (REASON_AT if name in {"sleeps", "swallows", "holds the loop"} else ["send"])
]
IN_EVERY_CALL = pytest.mark.parametrize("at", REASON_AT)


@IN_EVERY_CALL
@pytest.mark.parametrize("block", BLOCKS_PLAINLY.values(), ids=BLOCKS_PLAINLY)
def test_a_plain_method_costs_its_bound(at: str, block: Callable[[], object]) -> None:
    began, team = time.monotonic(), PlainTeam(at, block)
    output = hold(ask("a", seconds=BOUND), team)
    assert output.completion_reason == REASON_AT[at]
    assert f"{at} did not end within 0.12 s" in (output.completion_detail or "")
    assert team.calls[-1] == "shutdown"
    assert time.monotonic() - began < BOUND + SLACK


@pytest.mark.parametrize(
    ("at", "block"), COROUTINES, ids=lambda part: getattr(part, "__name__", part)
)
def test_a_coroutine_costs_its_bound(at: str, block: Callable[[], Awaitable[object]]) -> None:
    began, team = time.monotonic(), CoroutineTeam(at, block)
    output = hold(ask("a", seconds=BOUND), team)
    assert output.completion_reason == REASON_AT[at]
    assert output.completion_detail
    assert team.calls.count("shutdown") == 1
    assert time.monotonic() - began < BOUND + SLACK


@pytest.mark.parametrize(
    ("at", "reason"), {**REASON_AT, "send": CompletionReason.ERROR}.items(), ids=REASON_AT
)
@pytest.mark.parametrize("end", BREAKS.values(), ids=BREAKS)
def test_an_end_that_is_no_error_is_the_error_of_its_case(
    at: str, reason: CompletionReason, end: Callable[[], Awaitable[object]]
) -> None:
    team = CoroutineTeam(at, end)
    output = hold(ask("a", seconds=BOUND), team)
    assert output.completion_reason == reason
    assert team.calls[-1] == "shutdown"


def test_a_plain_method_that_exits_is_an_error_of_its_case() -> None:
    output = hold(ask("a"), PlainTeam("send", sys.exit))
    assert output.completion_reason == CompletionReason.ERROR
    assert output.errors == ("send raised RuntimeError: the call raised SystemExit()",)


def test_a_process_with_every_blocking_team_ends_promptly() -> None:
    command = [sys.executable, "-m", "tests.blocking_teams"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=20)  # noqa: S603  # our own script
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, "28", "")


def test_other_cases_go_on_when_one_holds_the_loop() -> None:
    async def both() -> list[CompletionReason]:
        patient = ScriptedRuntime([[Wait(seconds=0.6), answer("here")]])
        holding = CoroutineTeam("send", hold_the_loop)
        cases = [run_case(ask("a"), patient), run_case(ask("a", seconds=BOUND), holding)]
        return [output.completion_reason for output in await asyncio.gather(*cases)]

    assert asyncio.run(both()) == [CompletionReason.RESPONSE, CompletionReason.TIMEOUT]


def test_a_last_case_that_never_answers_loses_no_other() -> None:
    thinking = MessageSent(
        agent="@M",
        recipient="@Human",
        content="let me think",
        message_type=MessageType.NOTIFICATION,
    )

    async def cases() -> list[CaseOutput]:
        scripts: list[list[Step]] = [
            [answer("1")],
            [answer("2")],
            [thinking, Wait(seconds=3600), answer("3")],
        ]
        teams = [ScriptedRuntime([script]) for script in scripts]
        return await asyncio.gather(*(run_case(ask("q", seconds=BOUND), team) for team in teams))

    outputs = asyncio.run(cases())
    assert [output.final_response for output in outputs] == ["1", "2", None]
    assert outputs[2].completion_reason == CompletionReason.TIMEOUT
    assert [message.content for message in outputs[2].messages] == ["let me think"]


def test_who_was_held_up_by_another_is_not_abandoned() -> None:
    """Its bound and its grace are over at once, but its own `shutdown` is waited for."""

    async def both() -> CoroutineTeam:
        held_up = CoroutineTeam("send", lambda: asyncio.sleep(60))
        cases = [
            run_case(ask("a", seconds=BOUND), held_up),
            run_case(ask("a", seconds=3 * BOUND), CoroutineTeam("send", hold_the_loop)),
        ]
        output, _ = await asyncio.gather(*cases)
        assert output.completion_detail == "send did not end within 0.12 s; it was abandoned"
        return held_up

    assert asyncio.run(both()).calls == ["start", "send", "shutdown"]


def test_a_proof_of_quiet_that_never_comes_is_a_timeout_and_the_answer_is_kept() -> None:
    class NeverSettled(ScriptedRuntime):
        async def settled(self) -> None:
            await swallow()

    output = hold(ask("a", "b", seconds=BOUND), NeverSettled([[answer("one")], [answer("two")]]))
    assert output.human_responses == ("one",)
    assert output.completion_reason == CompletionReason.TIMEOUT
    assert output.turns[1].not_run


def test_an_answer_does_not_count_while_send_has_not_returned() -> None:
    class AnswersAndSwallows(CoroutineTeam):
        async def send(self, turn: object) -> None:
            self._handler(answer("early"))
            await swallow()

    output = hold(ask("a", seconds=BOUND), AnswersAndSwallows("", swallow))
    assert (output.completion_reason, output.final_response) == (CompletionReason.TIMEOUT, "early")


def test_what_a_team_leaves_on_the_loop_is_cancelled() -> None:
    left: list[asyncio.Task[None]] = []

    async def leave() -> None:
        left.append(asyncio.create_task(asyncio.sleep(60)))

    async def case() -> None:
        await run_case(ask("a"), CoroutineTeam("start", leave))
        assert left[0].cancelled()

    asyncio.run(case())


def test_what_a_team_that_never_waits_leaves_on_the_loop_is_cancelled() -> None:
    class Leaves(ScriptedRuntime):
        async def start(self, event_handler: EventHandler) -> None:
            await super().start(event_handler)
            self.left = asyncio.create_task(asyncio.sleep(60))

    async def case() -> None:
        team = Leaves([[answer("a")]])
        await run_case(ask("a"), team)
        assert team.left.cancelled()

    asyncio.run(case())


def test_what_a_team_leaves_on_the_loop_goes_on_while_another_case_runs() -> None:
    left: list[asyncio.Task[None]] = []

    async def leave() -> None:
        left.append(asyncio.create_task(asyncio.sleep(60)))

    async def cases() -> None:
        other = asyncio.create_task(
            run_case(ask("a"), ScriptedRuntime([[Wait(seconds=0.2), answer("b")]]))
        )
        await asyncio.sleep(0)
        await run_case(ask("a"), CoroutineTeam("start", leave))
        assert not left[0].done()
        await other
        assert left[0].cancelled()

    asyncio.run(cases())


def test_waiting_holds_no_thread() -> None:
    async def cases() -> int:
        script = [[Wait(seconds=1), answer("done")]]
        running = [run_case(ask("a"), ScriptedRuntime(script)) for _ in range(500)]
        waiting = asyncio.gather(*running)
        await asyncio.sleep(0.5)
        threads = threading.active_count()
        assert {output.completion_reason for output in await waiting} == {"response"}
        return threads

    before, began = threading.active_count(), time.monotonic()
    assert asyncio.run(cases()) <= before + 3
    assert time.monotonic() - began < 4


def test_a_team_that_floods_is_stopped_between_two_events() -> None:
    more = answer("more")

    class Floods(CoroutineTeam):
        async def send(self, turn: object) -> None:
            while True:
                self._handler(more)
                sum(range(100))  # else it could reach the bound on events before that on time

    output = hold(ask("q", seconds=BOUND), Floods("", swallow))
    assert output.completion_reason == CompletionReason.TIMEOUT
    assert len(output.human_responses) == len(output.messages) > 100


def test_an_abandoned_team_touches_nothing_any_more() -> None:
    """It ends while its case shuts down beside it, and must not end that shutdown's bound."""

    class SwallowsTwice(CoroutineTeam):
        async def send(self, turn: object) -> None:
            for _ in range(2):
                with suppress(asyncio.CancelledError):
                    await asyncio.sleep(60)
            self._handler(answer("much too late"))

    team = SwallowsTwice("shutdown", lambda: asyncio.sleep(0.1))
    output = hold(ask("a", "b", seconds=BOUND), team)
    assert (output.completion_reason, output.turns[1].not_run) == (CompletionReason.TIMEOUT, True)
    assert team.calls == ["start", "shutdown"]


def hold_on(seconds: float) -> None:
    time.sleep(seconds)  # of the loop


async def holds_while_it_is_cancelled() -> None:
    try:
        await asyncio.sleep(60)
    finally:
        hold_on(30)


async def holds_after_it_was_given_up() -> None:
    end = time.monotonic() + 0.6
    while time.monotonic() < end:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0.02)
    hold_on(30)


async def holds_in_a_task_while_it_is_cancelled() -> None:
    async def later() -> None:
        await asyncio.sleep(BOUND + 0.1)
        hold_on(30)

    held = asyncio.create_task(later())
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(60)
    await held


@pytest.mark.parametrize(
    "block",
    [
        holds_while_it_is_cancelled,
        holds_after_it_was_given_up,
        holds_in_a_task_while_it_is_cancelled,
    ],
)
def test_the_loop_may_not_be_held_after_the_bound_either(
    block: Callable[[], Awaitable[object]],
) -> None:
    class LingersOn(CoroutineTeam):
        async def shutdown(self) -> None:
            await asyncio.sleep(1)

    began = time.monotonic()
    output = hold(ask("a", seconds=2, deadline=BOUND), LingersOn("send", block))
    assert output.completion_reason == CompletionReason.DEADLINE
    assert time.monotonic() - began < 4
