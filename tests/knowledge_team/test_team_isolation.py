import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import get_current_span

from knowledge_team.catalog import TeamCard
from knowledge_team.model_loop import THREAD_NAME
from knowledge_team.team import KnowledgeTeam

if TYPE_CHECKING:
    from tests.knowledge_team.conftest import Watched

type Start = Callable[..., "Watched"]
type Searching = Callable[[Callable[[], str]], TeamCard]

QUESTION = "What is the profession of Mira Solberg?"
case_id: ContextVar[str] = ContextVar("case_id", default="none")


def converse(card: TeamCard) -> float:
    began = time.monotonic()
    with KnowledgeTeam(card) as team:
        team.send(QUESTION)
        team.wait_settled(30)
    return time.monotonic() - began


def test_fifty_teams_at_once_leave_no_thread(card: TeamCard) -> None:
    converse(card)
    one = converse(card)
    before = {thread.name for thread in threading.enumerate()}
    began = time.monotonic()
    with ThreadPoolExecutor(50) as threads:
        list(threads.map(converse, [card] * 50))
    assert time.monotonic() - began < 2 * one + 5
    assert {thread.name for thread in threading.enumerate()} == before
    assert THREAD_NAME in before


def test_each_of_eight_teams_works_in_its_callers_context(searching: Searching) -> None:
    seen: list[tuple[str, str]] = []

    def run(number: int) -> None:
        case_id.set(f"case {number}")  # each worker thread has a context of its own
        watched: list[str] = []

        def search() -> str:
            watched.append(case_id.get())
            return "No results found."

        with KnowledgeTeam(searching(search)) as team:
            team.send(QUESTION)
            team.wait_settled(10)
        seen.extend((f"case {number}", value) for value in watched)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(run, range(8)))
    assert len(seen) >= 8
    assert all(expected == value for expected, value in seen)


def test_spans_of_a_tool_belong_to_the_callers_trace(start: Start, searching: Searching) -> None:
    traces: list[int] = []

    def search() -> str:
        traces.append(get_current_span().get_span_context().trace_id)
        return "No results found."

    watched = start(of=searching(search))
    tracer = TracerProvider().get_tracer("test")
    with tracer.start_as_current_span("case") as span:
        watched.ask(QUESTION)
    assert set(traces) == {span.get_span_context().trace_id}


_TRACED = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

exporter, provider = InMemorySpanExporter(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)

from knowledge_team.catalog import load_team
from knowledge_team.team import KnowledgeTeam

with KnowledgeTeam(load_team("production")) as team:
    with trace.get_tracer("case").start_as_current_span("case"):
        team.send("What does Vela do?")
        team.wait_settled(10)

spans = {span.context.span_id: span for span in exporter.get_finished_spans()}
for span in spans.values():
    parent = spans[span.parent.span_id].name if span.parent else None
    print(f"{span.name} < {parent}")
"""


def test_with_a_tracer_provider_agent_runs_nest_under_their_handlers() -> None:
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    ran = subprocess.run(  # noqa: S603 our own text: a process has one tracer provider for good
        [sys.executable, "-W", "error", "-c", _TRACED],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    lines = set(ran.stdout.splitlines())
    assert {
        "case < None",
        "@Manager request < case",
        "@Knowledge request < @Manager request",
        "invoke_agent Knowledge < @Knowledge request",
        "execute_tool search_graph < invoke_agent Knowledge",
    } <= lines


def test_no_connection_is_left_open(card: TeamCard) -> None:
    converse(card)
    gc.collect()  # an unclosed connection would warn here, and a warning is an error


def test_the_package_does_not_know_who_evaluates_it() -> None:
    source = Path(__file__).parents[2] / "src" / "knowledge_team"
    texts = [path.read_text() for path in source.rglob("*.py")]
    assert texts
    assert not any("import audition" in text or "from audition" in text for text in texts)
