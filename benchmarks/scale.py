"""The collector alone, many waiting cases, many teams, and starting up."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

from audition.collector import Collector
from audition.events import TurnStarted
from audition.inputs import CaseInput
from audition.run_case import run_case, run_case_with_factory
from audition.runtimes.scripted import ScriptedRuntime, Wait
from audition.testing import answer, question
from benchmarks.overhead import conversation
from benchmarks.timing import Line, cpu_seconds, wall_seconds
from evals.knowledge.fixtures import FixtureRecord, KnowledgeCaseInput, KnowledgeFixture
from evals.knowledge.runtime import KnowledgeRuntimeFactory

_FIXTURE = KnowledgeFixture(
    records=(FixtureRecord(name="Orla Quist", entity_type="person", description="A ship pilot."),)
)


def measure() -> list[Line]:
    """Return all lines of this file."""
    return [*_collector(), *_waiting(), *_teams(), *_start_up()]


def _collector() -> list[Line]:
    events = [event for number in range(250) for event in conversation(number)]

    def feed() -> None:
        collector = Collector()
        collector.feed(TurnStarted(turn=0, message="How is it?"))
        for event in events:
            collector.feed(event)
        collector.output()

    feed()
    rate = len(events) / min(cpu_seconds(feed) for _ in range(5))
    return [
        Line(
            name=f"collector, {len(events)} events fed and made into one output",
            value=f"{rate:,.0f} events/s",
            bar=">= 100,000",
            ok=rate >= 100_000,
        )
    ]


def _waiting() -> list[Line]:
    most = 0

    async def one(number: int) -> None:
        nonlocal most
        asked, told = question("How is it?"), answer("Well.")
        runtime = ScriptedRuntime([[asked, Wait(seconds=1), told]])
        await run_case(CaseInput(message=f"How is it {number}?"), runtime)
        most = max(most, threading.active_count())

    async def all_at_once() -> None:
        await asyncio.gather(*(one(number) for number in range(500)))

    seconds = wall_seconds(lambda: asyncio.run(all_at_once()))
    return [
        Line(
            name=f"500 cases at once, each waiting 1 s ({most} threads at most)",
            value=f"{seconds:.2f} s",
            bar="<= 4 s",
            ok=seconds <= 4 and most < 20,
        )
    ]


def _teams() -> list[Line]:
    async def one() -> None:
        inputs = KnowledgeCaseInput(
            message="What is the profession of Orla Quist?", fixture=_FIXTURE
        )
        output = await run_case_with_factory(inputs, runtime_factory=KnowledgeRuntimeFactory())
        assert "ship pilot" in (output.final_response or "").lower()  # noqa: S101

    async def many(count: int) -> None:
        await asyncio.gather(*(one() for _ in range(count)))

    asyncio.run(many(1))
    alone = wall_seconds(lambda: asyncio.run(many(1)))
    together = wall_seconds(lambda: asyncio.run(many(50)))
    return [
        Line(
            name=f"50 knowledge teams at once (one alone takes {alone:.2f} s)",
            value=f"{together:.2f} s",
            bar="<= twice one + 5 s",
            ok=together <= 2 * alone + 5,
        )
    ]


def _start_up() -> list[Line]:
    command = Path(sys.executable).with_name("audition")

    def say_help() -> None:
        subprocess.run([command, "--help"], check=True, capture_output=True)

    say_help()
    seconds = min(wall_seconds(say_help) for _ in range(5))
    return [
        Line(name="audition --help", value=f"{seconds:.2f} s", bar="<= 0.5 s", ok=seconds <= 0.5)
    ]
