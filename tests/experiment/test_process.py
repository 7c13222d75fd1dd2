"""A process that runs an experiment: what ends it, and what it leaves, as a process of its own."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from audition.experiment.process import run_in_process

ROOT = Path(__file__).parents[2]

SCRIPT = f"""\
import asyncio, sys, threading, time
from pathlib import Path
from {run_in_process.__module__} import run_in_process
from tests.experiments import Settings, experiment

folder = Path(sys.argv[1])
settings = Settings(grace_seconds=0)
run = experiment(folder, dict(good="yes", bad="no"), settings=settings)

def tell():
    print("told", len([*run.results()]), int(run.code))

HOW
run_in_process(run, tell)
"""


def process(folder: Path, how: str = "") -> tuple[int, str, float]:
    """Return exit code, what was printed, and the seconds after the results were told."""
    script = SCRIPT.replace("HOW", how)
    with subprocess.Popen(  # noqa: S603  # our own script
        [sys.executable, "-c", script, folder],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as started:
        assert started.stdout is not None
        told = started.stdout.readline()
        begun = time.monotonic()
        code = started.wait(timeout=30)
        return code, told, time.monotonic() - begun


def test_the_exit_code_of_the_run_is_that_of_the_process(tmp_path: Path) -> None:
    code, told, seconds = process(tmp_path)
    assert (code, told, seconds < 2) == (1, "told 2 1\n", True)


def test_a_run_that_crashed_tells_what_is_finished_and_ends_with_3(tmp_path: Path) -> None:
    code, told, seconds = process(tmp_path, "run.on_result = lambda result: 1 / 0")
    assert (code, told[:4], told[-2:], seconds < 8) == (3, "told", "3\n", True)


CRASH = """
def crash(result):
    raise RuntimeError("password=" + "pw-GORSE-1188")
run.on_result = crash
"""


def test_what_crashed_is_told_without_secrets(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603  # our own script
        [sys.executable, "-c", SCRIPT.replace("HOW", CRASH), tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, "pw-GORSE-1188" in done.stderr) == (3, False)
    assert "RuntimeError: password=[redacted:password]" in done.stderr


HANGING = {
    "thread": "threading.Thread(target=time.sleep, args=(600,)).start()",
    "executor": """
async def hang(inputs):
    asyncio.get_running_loop().run_in_executor(None, time.sleep, 600)
    return await answered(inputs)
answered, run.task = run.task, hang
""",
}


@pytest.mark.parametrize("how", HANGING.values(), ids=HANGING.keys())
def test_what_a_team_left_hanging_does_not_keep_the_process(tmp_path: Path, how: str) -> None:
    code, told, seconds = process(tmp_path, how)
    assert (code, told, seconds < 8) == (1, "told 2 1\n", True)


FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES, BYTES))
"""


@pytest.mark.parametrize(("limit", "name"), [(2600, "outputs.jsonl"), (0, "lock")])
def test_a_disk_that_is_full_ends_with_3_and_the_results_are_told(
    tmp_path: Path, limit: int, name: str
) -> None:
    script = SCRIPT.replace("HOW", FULL.replace("BYTES", str(limit)))
    done = subprocess.run(  # noqa: S603  # our own script
        [sys.executable, "-c", script, tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout[:4], done.stdout[-2:]) == (3, "told", "3\n")
    assert done.stderr == f"audition: {tmp_path / 'run' / name} cannot be written: File too large\n"
