"""A run beside Inspect AI's `eval()` on as many samples, each in a process of its own.

Inspect AI needs other versions than the project has, so its packages lie in a folder of their own;
`tests/foreign/peers/samples.py` runs there. Ours is this file, run as a script.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path

from audition.application import Application
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.responses import HumanResponseContainsTerms
from audition.events import Event
from audition.experiment.driver import Experiment, Settings
from audition.run_case import run_case_with_factory
from audition.testing import answer, question
from benchmarks.experiments import run, scripted
from benchmarks.overhead import conversation, ten_evaluators
from benchmarks.timing import Line, tell_cpu_seconds

SAMPLES = 200
BLOCKS = 7
_ROOT = Path(__file__).parents[1]
_THEIRS = _ROOT / "tests" / "foreign" / "peers" / "samples.py"

type Block = subprocess.Popen[str]


_WHAT = f"a kept run of {SAMPLES} samples of one answer and one scorer, Inspect AI over"
# What theirs and ours are started with, and what is said of the two.
_PAIRS = {
    ("realtime", "answers"): f"{_WHAT} ours of the same",
    ("logged", "answers"): f"{_WHAT} ours of the same, `log_realtime=False`",
    ("realtime", "conversations"): f"{_WHAT} ours of 40 events and ten evaluators",
}


def measure(packages: Path | None) -> list[Line]:
    """Return how many times as much CPU time Inspect AI takes for a run.

    Its samples are an answer that is set without a model, and one scorer that looks for a word.
    Ours are once the same, and once what a retrieval case is: 40 events and ten evaluators.

    Args:
        packages: Where Inspect AI is installed, None for nowhere.

    """
    if packages is None:
        return [Line(name=name, value="needs --inspect") for name in _PAIRS.values()]
    with ExitStack() as processes:
        blocks: dict[str, Block] = {}
        for theirs, ours in _PAIRS:
            if theirs not in blocks:
                there = _started("-S", str(_THEIRS), theirs, path=packages.absolute())
                blocks[theirs] = processes.enter_context(there)
            if ours not in blocks:
                blocks[ours] = processes.enter_context(_started("-m", __name__, ours))
        rounds = _rounds(blocks)
    return [
        Line(
            name=name,
            value=f"{statistics.median(took[theirs] / took[ours] for took in rounds):.1f} x",
        )
        for (theirs, ours), name in _PAIRS.items()
    ]


def _rounds(blocks: Mapping[str, Block]) -> list[dict[str, float]]:
    """Return what each took in each round, after one in which all warm up."""
    rounds = [
        {kind: _cpu_seconds(block) for kind, block in blocks.items()} for _ in range(BLOCKS + 1)
    ]
    return rounds[1:]


@contextmanager
def _started(*arguments: str, path: Path | None = None) -> Generator[Block]:
    """Start Python, a temporary folder as the last argument, and let it end after.

    Args:
        arguments: Of Python.
        path: What it imports from besides the clone.

    """
    paths = [*([path] if path else []), _ROOT, _ROOT / "src"]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    given = (str(SAMPLES), str(Settings().max_concurrency))
    with (
        tempfile.TemporaryDirectory(prefix="audition-bench-") as folder,
        subprocess.Popen(
            [sys.executable, *arguments, *given, folder],
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        yield process
        process.communicate()


def _cpu_seconds(process: Block) -> float:
    """Return what one block of work took there."""
    assert process.stdin  # noqa: S101  # both are pipes
    assert process.stdout  # noqa: S101
    process.stdin.write("\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def _ours(kind: str, samples: int, at_a_time: int, folder: Path) -> None:
    """Run as many cases for each line that is given."""
    script, evaluators = _KINDS[kind]
    scripts = {f"Berth {number}": script(number) for number in range(samples)}
    loaded, factory = scripted(scripts, evaluators)
    start = partial(
        Experiment,
        loaded=loaded,
        application=Application(name="berths"),
        task=partial(run_case_with_factory, runtime_factory=factory),
        settings=Settings(max_concurrency=at_a_time),
    )
    runs = count()

    def whole() -> None:
        kept = folder / str(next(runs))
        kept.mkdir()
        run(start(folder=kept))

    tell_cpu_seconds(whole)


def _answered(number: int) -> list[Event]:
    name = f"Berth {number}"
    return [question(name), answer(f"{name} is leased to the Ropewalk.")]


_KINDS: dict[str, tuple[Callable[[int], list[Event]], Sequence[CaseEvaluator]]] = {
    "answers": (_answered, [HumanResponseContainsTerms(required_terms=("Ropewalk",))]),
    "conversations": (conversation, ten_evaluators()),
}

if __name__ == "__main__":
    _ours(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
