"""What keeping the result of a case costs, as JSON and without its secrets, beside running it."""

import asyncio
import statistics
from functools import partial
from typing import Any

from pydantic_evals import Case, Dataset
from pydantic_evals.reporting import ReportCase

from audition.experiment.journal import plain_json
from audition.inputs import CaseInput
from audition.redaction.records import Redactor
from audition.run_case import run_case_with_factory
from audition.testing import ScriptedFactory
from benchmarks.overhead import conversation, ten_evaluators
from benchmarks.timing import Line, cpu_seconds

CASES = 200
BLOCKS = 7


def measure() -> list[Line]:
    """Return the share of a case that keeping its result takes, with and without secrets.

    Each block has texts of its own, as each case of a run has.
    """
    blocks = [_block(number) for number in range(BLOCKS)]
    plain = statistics.median(written / ran for ran, written, _ in blocks)
    redacted = statistics.median((written + clean) / ran for ran, written, clean in blocks)
    microseconds = statistics.median(clean for *_, clean in blocks) / CASES * 1e6
    what = f"keeping {CASES} results of 40 events and 10 evaluators, over running their cases"
    return [
        Line(name=f"{what}, as they are", value=f"{plain:.2f} x"),
        Line(
            name=f"{what}, secrets looked for ({microseconds:.0f} µs a case)",
            value=f"{redacted:.2f} x",
            bar="<= 0.5",
            ok=redacted <= 0.5,
        ),
    ]


def _block(number: int) -> tuple[float, float, float]:
    """Return the seconds to run a block of cases, to write their results, and to redact these."""
    numbers = range(number * CASES, (number + 1) * CASES)
    scripts = {f"Berth {one}": conversation(one) for one in numbers}
    cases: list[Case[Any, Any, Any]] = [
        Case(name=name, inputs=CaseInput(message=name)) for name in scripts
    ]
    dataset: Dataset[Any, Any, Any] = Dataset(name="kept", cases=cases, evaluators=ten_evaluators())
    factory = ScriptedFactory(lambda inputs: [scripts[inputs.message or ""]])
    task = partial(run_case_with_factory, runtime_factory=factory)
    results: list[ReportCase[Any, Any, Any]] = []

    async def run() -> None:
        report = await dataset.evaluate(task, max_concurrency=20, progress=False)
        results.extend(report.cases)

    ran = cpu_seconds(lambda: asyncio.run(run()))
    texts: list[bytes] = []
    written = cpu_seconds(lambda: texts.extend(map(plain_json, results)))
    clean = cpu_seconds(lambda: [Redactor().json(text) for text in texts])
    return ran, written, clean
