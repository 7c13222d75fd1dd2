"""What the README shows is what happens."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from audition.evaluators.builtin import BUILTIN
from audition.evaluators.case_evaluator import type_name

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\w+ title=\"(.+?)\"\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
TITLED = dict(BLOCKS)
AUDITION = Path(sys.executable).with_name("audition")


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    for name, text in TITLED.items():
        (folder / name).write_text(text, encoding="utf-8")
    return subprocess.run(  # noqa: S603  # our own command
        [AUDITION, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("dataset", ["desk.yaml", "talk.yaml"])
def test_an_agent_of_ones_own_is_evaluated_as_the_readme_says(tmp_path: Path, dataset: str) -> None:
    done = _run(tmp_path, "run", dataset)
    assert (done.returncode, "1 passed of 1" in done.stdout) == (0, True), done.stderr
    assert "warning" not in done.stderr


@pytest.mark.parametrize("team", ["echo", "by-name"])
def test_a_runtime_of_ones_own_is_evaluated_as_the_readme_says(tmp_path: Path, team: str) -> None:
    folder = tmp_path / "of_echo"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(
        '[tool.audition.applications]\necho = "echo_evaluation:application"\n', encoding="utf-8"
    )
    for name in ("echo.py", "echo_evaluation.py"):
        (folder / name).write_text(TITLED[name], encoding="utf-8")
    (folder / "desk.yaml").write_text(
        TITLED["desk.yaml"].replace("Which berth is free?", "Berth 7"), encoding="utf-8"
    )
    done = _run(tmp_path, "run", "of_echo/desk.yaml", "--team", team)
    assert (done.returncode, "1 passed of 1" in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize("name", ["politeness.py", "echo.py"])
def test_an_example_of_the_readme_runs(name: str) -> None:
    compiled = compile(TITLED[name], name, "exec")
    namespace: dict[str, object] = {"__name__": name.removesuffix(".py")}
    exec(compiled, namespace)  # noqa: S102  # our own text
    assert {"AnswersBriefly", "EchoRuntime"} & namespace.keys()


def test_every_evaluator_stands_in_the_readme() -> None:
    families = {"human_response_contains_any_term", "human_response_contains_no_terms"}
    names = {type_name(evaluator_type) for evaluator_type in BUILTIN} - families
    assert [name for name in sorted(names) if f"`{name}`" not in README] == []


def test_the_first_evaluation_runs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "examples/first_evaluation.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "evidence_of_hobby" in done.stdout
