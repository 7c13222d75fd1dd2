"""What a run costs beside its cases alone, and what many cases take in memory and time."""

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from pydantic_evals import Case, Dataset

from audition.application import Application
from audition.datasets.loading import LoadedDataset
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.events import Event
from audition.experiment.driver import Experiment, Settings
from audition.experiment.evaluation import Evaluation
from audition.experiment.histories import read_history
from audition.experiment.units import units_of
from audition.inputs import CaseInput
from audition.metrics import MetricsFromRecords
from audition.run_case import run_case_with_factory
from audition.statistics.cases import CaseRuns
from audition.statistics.rates import pass_rate
from audition.testing import ScriptedFactory
from benchmarks.overhead import conversation, ten_evaluators
from benchmarks.timing import Line, paired_ratio

CASES = 500
BLOCKS = 7
MANY = 50_000
_MEBIBYTE = 1024 * 1024


def measure() -> list[Line]:
    """Return all lines of this file."""
    return [*_overhead(), *_many()]


def scripted(
    scripts: Mapping[str, Sequence[Event]], evaluators: Sequence[CaseEvaluator]
) -> tuple[LoadedDataset, ScriptedFactory]:
    """Return a case for each message with these evaluators, and the team that does as scripted."""
    cases: list[Case[Any, Any, Any]] = [
        Case(name=name, inputs=CaseInput(message=name), evaluators=tuple(evaluators))
        for name in scripts
    ]
    dataset: Dataset[Any, Any, Any] = Dataset(name="berths", cases=cases)
    loaded = LoadedDataset(
        path=Path("berths.json"), task="retrieval", target="team", dataset=dataset, plans={}
    )
    return loaded, ScriptedFactory(lambda inputs: [scripts[inputs.message or ""]])


def _overhead() -> list[Line]:
    scripts = {f"Berth {number}": conversation(number) for number in range(CASES)}
    loaded, factory = scripted(scripts, ten_evaluators())
    task = partial(run_case_with_factory, runtime_factory=factory)
    application = Application(name="berths")
    folder = Path(tempfile.mkdtemp(prefix="audition-bench-"))
    numbers = count()

    def whole() -> None:
        kept = folder / str(next(numbers))
        kept.mkdir()
        run(Experiment(loaded=loaded, application=application, task=task, folder=kept))

    def native() -> None:
        evaluate = partial(loaded.dataset.evaluate, task, max_concurrency=8, progress=False)
        asyncio.run(evaluate(lifecycle=MetricsFromRecords))

    evaluation = Evaluation(loaded=loaded, application=application, task=task)
    try:
        over_cases = paired_ratio(whole, lambda: asyncio.run(_cases_alone(evaluation)), BLOCKS)
        over_native = paired_ratio(whole, native, BLOCKS)
    finally:
        shutil.rmtree(folder)
    what = f"a run of {CASES} cases of 40 events, its journal, plan, report and statistics, over"
    return [
        Line(
            name=f"{what} its cases alone",
            value=f"{over_cases:.2f} x",
            bar="<= 1.2",
            ok=over_cases <= 1.2,
        ),
        Line(
            name=f"{what} the same in one `Dataset.evaluate`, which keeps nothing",
            value=f"{over_native:.2f} x",
        ),
    ]


def run(experiment: Experiment) -> None:
    """Run it, and read what it kept for its statistics."""
    asyncio.run(experiment.run())
    counts = [case.count for case in read_history(experiment.folder).cases.values()]
    pass_rate([CaseRuns(passed=count.passed, runs=count.runs) for count in counts])


async def _cases_alone(evaluation: Evaluation) -> None:
    """Run and judge all cases, as many at a time as a run does, and keep none of them."""
    units = units_of(evaluation.loaded)

    async def work() -> None:
        for planned in units:
            await evaluation.finish(planned)

    await asyncio.gather(*(work() for _ in range(Settings().max_concurrency)))


TEAM = """
from audition.application import Application
from audition.testing import ScriptedFactory
from benchmarks.overhead import conversation

events = conversation(1)
application = Application(
    name="berths", runtimes={"scripted": ScriptedFactory(lambda inputs: [events])}
)
"""

PROJECT = """
[tool.audition.applications]
berths = "team:application"
"""


def _many() -> list[Line]:
    folder = Path(tempfile.mkdtemp(prefix="audition-bench-"))
    try:
        _write_project(folder)
        ran = _audition(folder, "run", "berths.json", "--format", "table")
        (kept,) = (folder / "eval-reports").glob("*/*")
        resumed = _audition(folder, "run", "--resume", str(kept), "--format", "table")
    finally:
        shutil.rmtree(folder)
    return [
        Line(
            name=f"{MANY:,} scripted cases of 40 events through one process",
            value=f"{ran.mebibytes:.0f} MiB, {ran.seconds:.0f} s",
            bar="< 400 MB",
            ok=ran.mebibytes * _MEBIBYTE < 400e6,
        ),
        Line(
            name="going on with that run where nothing is missing, whole process",
            value=f"{resumed.mebibytes:.0f} MiB, {resumed.seconds:.0f} s",
        ),
    ]


def _write_project(folder: Path) -> None:
    cases = [
        {
            "name": f"berth {number}",
            "message": f"How is berth {number}?",
            "evaluators": [
                {"type": "completed"},
                {"type": "human_response_contains_terms", "required_terms": ["berth"]},
            ],
        }
        for number in range(MANY)
    ]
    data = {"version": 2, "task": "retrieval", "name": "berths", "cases": cases}
    (folder / "berths.json").write_text(json.dumps(data), "utf-8")
    (folder / "team.py").write_text(TEAM, "utf-8")
    (folder / "pyproject.toml").write_text(PROJECT, "utf-8")


class _Done:
    """What a process took: MiB at most, and seconds."""

    def __init__(self, told: str) -> None:
        seconds, kibibytes = told.split()[-2:]
        self.seconds, self.mebibytes = float(seconds), float(kibibytes) / 1024


MEASURED = """
import os, sys, time
begun = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
print(time.perf_counter() - begun, used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def _audition(folder: Path, *arguments: str) -> _Done:
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, sys.executable, "-m", "audition", *arguments],
        cwd=folder,
        env={"PYTHONPATH": f"{root}:{root / 'src'}", "PATH": "/usr/bin:/bin"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    return _Done(done.stdout)
