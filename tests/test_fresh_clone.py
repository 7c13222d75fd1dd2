"""A clone with nothing prepared does what the README promises."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    return subprocess.run(  # noqa: S603  # our own targets
        ["make", *arguments],  # noqa: S607  # the make on PATH is the user's
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clone") / "audition"
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)  # noqa: S603, S607
    return folder


def test_the_main_job_runs_without_anything_prepared(clone: Path) -> None:
    done = make(clone, "eval-retrieval", "EVAL_FLAGS=--format json")
    assert done.returncode == 0, done.stderr
    assert '"exit_code": 0' in done.stdout


def test_the_production_tools_are_evaluated_without_a_network(clone: Path) -> None:
    done = make(clone, "eval-production-tools", "EVAL_FLAGS=--format json")
    assert done.returncode == 0, done.stderr
    assert '"team": "production"' in done.stdout


def test_a_dataset_can_be_named(clone: Path) -> None:
    done = make(clone, "eval-dataset", "DATASET=datasets/weather.yaml")
    assert done.returncode == 0, done.stderr
    assert make(clone, "eval-dataset").returncode != 0


def test_the_recorded_sessions_are_told_apart(clone: Path) -> None:
    done = make(clone, "demo-golden")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count(", expected ") == 3


def test_the_wheel_holds_the_library_alone(clone: Path) -> None:
    built = subprocess.run(  # noqa: S603  # the backend of the clone's own environment
        [clone / ".venv/bin/python", "-m", "hatchling", "build", "-t", "wheel"],
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = (clone / "dist").iterdir()
    listed = subprocess.run(  # noqa: S603  # as above
        [clone / ".venv/bin/python", "-m", "zipfile", "-l", wheel],
        capture_output=True,
        text=True,
        check=True,
    )
    names = {line.split("/")[0] for line in listed.stdout.splitlines()[1:]}
    assert names == {"audition", "audition-0.1.0.dist-info"}
