"""The command as a process of its own: what it evaluates, how it ends, and what it leaves."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from audition.application import load_dataset
from evals.knowledge.production_tools import DATASET, PLACE
from evals.knowledge.runtime import STATE_VARIABLE
from knowledge_team.fetching import ALLOW_PRIVATE_VARIABLE
from knowledge_team.models import MODEL_VARIABLE

ROOT = Path(__file__).parents[3]
OURS = {ALLOW_PRIVATE_VARIABLE, STATE_VARIABLE, MODEL_VARIABLE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a run of the command left behind."""

    code: int
    out: str
    err: str
    folder: Path

    def told(self) -> dict[str, Any]:
        return json.loads(self.out)

    def kept(self) -> str:
        (outputs,) = self.folder.rglob("outputs.jsonl")
        return outputs.read_text("utf-8")


def started(folder: Path, *options: str, **variables: str) -> subprocess.Popen[str]:
    (folder / "temporary").mkdir()
    command = [sys.executable, "-m", "evals.knowledge.production_tools", *options]
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    return subprocess.Popen(  # noqa: S603  # our own command
        [*command, "--format", "json", "--reports", str(folder / "reports")],
        cwd=ROOT,
        env={**environment, "TMPDIR": str(folder / "temporary"), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # whatever it starts is in its group
    )


def ended(folder: Path, process: subprocess.Popen[str]) -> Ran:
    out, err = process.communicate(timeout=60)
    return Ran(code=process.returncode, out=out, err=err, folder=folder)


def is_alone(process: subprocess.Popen[str]) -> bool:
    """Return whether nothing is left that the process started."""
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    folder = tmp_path_factory.mktemp("good")
    process = started(folder, "--repeat", "2", "--max-concurrency", "12")
    ran = ended(folder, process)
    assert is_alone(process)
    return ran


def test_every_case_passes_side_by_side_with_its_repeat(good: Ran) -> None:
    assert good.code == 0, good.out
    told = good.told()
    assert (told["team"], told["counts"]["passed"]) == ("production", 12)
    assert {case["case"] for case in told["cases"]} == {
        "ingest-then-ask",
        "unchanged-page",
        "changed-page",
        "missing-page",
        "redirected-page",
        "nothing-stored",
    }


def test_the_pages_came_from_a_server_that_is_gone(good: Ran) -> None:
    kept = good.kept()
    address = "http://127.0.0.1:" + kept.partition("http://127.0.0.1:")[2].partition("/")[0]
    assert "404 Not Found" in kept
    assert PLACE not in kept
    with pytest.raises(httpx.ConnectError):
        httpx.get(address)


def test_no_file_is_left_but_the_reports(good: Ran) -> None:
    assert list((good.folder / "temporary").iterdir()) == []


def test_the_dataset_has_no_fixture_and_no_server() -> None:
    loaded = load_dataset(DATASET)
    assert loaded.warnings == ()
    assert all(case.inputs.fixture is None for case in loaded.dataset.cases)
    assert "127.0.0.1" not in DATASET.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "code"),
    [(["--case", "nope"], 2), (["--timeout", "0.001"], 3)],
)
def test_it_ends_with_the_exit_code_of_the_run(
    tmp_path: Path, options: list[str], code: int
) -> None:
    process = started(tmp_path, *options)
    ran = ended(tmp_path, process)
    assert (ran.code, is_alone(process)) == (code, True), ran.err
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_team_that_reaches_no_server_fails_all_but_the_question_on_nothing(
    tmp_path: Path,
) -> None:
    ran = ended(tmp_path, started(tmp_path, "--team", "evaluation"))
    assert ran.code == 1
    failed = {case["case"] for case in ran.told()["cases"] if case["status"] == "failed"}
    assert failed == {case["case"] for case in ran.told()["cases"]} - {"nothing-stored"}


def test_a_database_that_stays_is_refused(tmp_path: Path) -> None:
    ran = ended(tmp_path, started(tmp_path, **{STATE_VARIABLE: str(tmp_path)}))
    assert (ran.code, "names a persistent store" in ran.err) == (2, True)


def test_an_interrupted_run_leaves_nothing(tmp_path: Path) -> None:
    process = started(tmp_path, "--repeat", "500", "--max-concurrency", "8")
    assert process.stderr is not None
    process.stderr.readline()  # the first case is done
    made = [one.name for one in (tmp_path / "temporary").iterdir()]
    process.send_signal(signal.SIGINT)
    ran = ended(tmp_path, process)
    assert (ran.code, is_alone(process)) == (130, True), ran.err
    assert [name.startswith("production-tools-") for name in made] == [True]
    assert list((tmp_path / "temporary").iterdir()) == []
