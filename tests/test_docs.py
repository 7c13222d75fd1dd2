"""What the pages in docs/ show is what is there."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from audition.application import Application
from audition.datasets.authoring import Authoring

ROOT = Path(__file__).parents[1]
REFERENCE = ROOT / "docs/reference"
RECORDING = (ROOT / "docs/how-to/record-model-calls.md").read_text("utf-8")
AUDITION = Path(sys.executable).with_name("audition")


def _berths(reports: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [AUDITION, "run", "examples/berths/berths.yaml", "--reports", reports, *options]
    return subprocess.run(  # noqa: S603  # our own command
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )


def _help(*command: str) -> str:
    done = subprocess.run(  # noqa: S603  # our own command
        [AUDITION, *command, "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def _options(*command: str) -> set[str]:
    named = re.findall(r"^  (-.+?)(?:  |$)", _help(*command), re.MULTILINE)
    return {option for one in named for option in re.findall(r"(?<![\w-])--?[\w-]+", one)}


def test_the_example_of_an_application_stands_in_its_page() -> None:
    page = (REFERENCE / "applications.md").read_text("utf-8")
    shown = dict(
        re.findall(r"^```python title=\"(.+?)\"\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    )
    assert shown == {name: (ROOT / name).read_text("utf-8") for name in shown}
    assert "examples/berths/berth_evaluation.py" in shown


@pytest.mark.parametrize(
    ("team", "code"), [((), 0), (("--team", "knows-nothing"), 1)], ids=["default", "other"]
)
def test_the_example_of_an_application_is_evaluated(
    tmp_path: Path, team: tuple[str, ...], code: int
) -> None:
    done = _berths(tmp_path, *team)
    assert done.returncode == code, done.stderr


def test_the_example_of_statistics_is_true() -> None:
    page = (REFERENCE / "statistics.md").read_text("utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    exec(example, {})  # noqa: S102  # our own page


def test_every_module_of_statistics_that_gives_a_number_has_its_row() -> None:
    page = (REFERENCE / "statistics.md").read_text("utf-8")
    basics = {"__init__", "cases", "intervals", "distributions", "means", "populations"}
    modules = {module.stem for module in (ROOT / "src/audition/statistics").glob("*.py")}
    assert [name for name in sorted(modules - basics) if f"| `{name}." not in page] == []


@pytest.mark.parametrize("described", [Application, Authoring])
def test_every_field_of_an_application_has_its_row(described: type[Any]) -> None:
    page = (REFERENCE / "applications.md").read_text("utf-8")
    _, _, rows = page.partition(f"## `{described.__name__}`")
    rows, _, _ = rows.partition("\n## ")
    assert [one.name for one in fields(described) if f"| `{one.name}` |" not in rows] == []


@pytest.mark.parametrize(
    "command",
    [
        "run",
        "rescore",
        "merge",
        "validate",
        "list",
        "show",
        "compare",
        "gate",
        "plan",
        "baseline promote",
        "baseline show",
        "sessions",
        "extract",
        "doctor",
        "schema",
    ],
)
def test_the_options_of_a_command_are_those_of_its_page(command: str) -> None:
    page = (REFERENCE / "command-line.md").read_text("utf-8")
    _, _, section = page.partition(f"## `audition {command}")
    section, _, _ = section.partition("\n## ")
    assert set(re.findall(r"`(--?[\w-]+)", section)) == _options(*command.split()) - {
        "-h",
        "--help",
    }


def test_every_command_has_its_row() -> None:
    page = (REFERENCE / "command-line.md").read_text("utf-8")
    _, _, commands = _help().partition("Commands:\n")
    names = re.findall(r"^  ([\w-]+)  ", commands, re.MULTILINE)
    assert names
    assert [name for name in names if f"| `{name}` |" not in page] == []


def test_model_calls_are_recorded_and_replayed_as_their_page_says(tmp_path: Path) -> None:
    (script,) = re.findall(r"^```sh\n(.*?)^```$", RECORDING, re.DOTALL | re.MULTILINE)
    done = subprocess.run(  # noqa: S603  # our own text
        ["bash", "-euc", script.replace("datasets/", f"{ROOT}/datasets/")],  # noqa: S607  # as the Makefile does
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{AUDITION.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.count("17 passed of 17")) == (0, 2), done.stderr


def test_a_model_is_recorded_and_replayed_in_python_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (example,) = re.findall(
        r"^```python title=\"test_desk.py\"\n(.*?)^```$", RECORDING, re.DOTALL | re.MULTILINE
    )
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "test_desk"}
    exec(compile(example, "test_desk.py", "exec"), namespace)  # noqa: S102  # our own text
    namespace["test_the_desk_answers_as_it_was_recorded"]()
    assert Path("desk.jsonl").exists()


def _ci(title: str) -> Any:
    page = (ROOT / "docs/how-to/ci.md").read_text("utf-8")
    (text,) = re.findall(
        rf'^```yaml title="{re.escape(title)}"\n(.*?)^```$', page, re.DOTALL | re.MULTILINE
    )
    return yaml.safe_load(text)


def _ran_in(folder: Path, script: str, **variables: str) -> int:
    """Return the exit code of a script of a job, as a runner starts it."""
    berths = str(ROOT / "examples/berths/berths.yaml")
    done = subprocess.run(  # noqa: S603  # our own text
        ["bash", "-eo", "pipefail", "-c", script.replace("evals/desk.yaml", berths)],  # noqa: S607  # as runners do
        cwd=folder,
        env={**os.environ, "PATH": f"{AUDITION.parent}:{os.environ['PATH']}", **variables},
        capture_output=True,
        check=False,
    )
    return done.returncode


def test_the_job_for_github_runs_goes_on_and_writes_its_summary(tmp_path: Path) -> None:
    steps = _ci(".github/workflows/evaluate.yaml")["jobs"]["evaluate"]["steps"]
    scripts = {one.get("name"): one["run"] for one in steps if "run" in one}
    summary = tmp_path / "summary.md"
    for _ in range(2):
        assert _ran_in(tmp_path, scripts["Evaluate"], GITHUB_STEP_SUMMARY=str(summary)) == 0
    assert _ran_in(tmp_path, scripts["JUnit XML"]) == 0
    assert len([*tmp_path.glob("eval-reports/*/*")]) == 1
    assert summary.read_text("utf-8").count("## Audition: <code>berths") == 2
    assert ET.parse(tmp_path / "junit.xml").getroot().get("failures") == "0"  # noqa: S314  # our own text


def test_the_job_for_gitlab_leaves_what_it_keeps(tmp_path: Path) -> None:
    job = _ci(".gitlab-ci.yml")["evaluate"]
    assert _ran_in(tmp_path, "\n".join(job["script"])) == 0
    assert _ran_in(tmp_path, "\n".join(job["after_script"])) == 0
    kept = [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]
    assert [name for name in kept if not (tmp_path / name).exists()] == []


def test_a_run_is_gated_as_the_page_says(tmp_path: Path) -> None:
    page = (ROOT / "docs/how-to/gates.md").read_text("utf-8")
    (policy,) = re.findall(
        r"^```yaml title=\"policy.yaml\"\n(.*?)^```$", page, re.DOTALL | re.MULTILINE
    )
    (tmp_path / "policy.yaml").write_text(policy, "utf-8")
    for block in re.findall(r"^```sh\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        done = subprocess.run(  # noqa: S603  # our own text
            ["bash", "-uc", block.replace("examples/", f"{ROOT}/examples/")],  # noqa: S607  # as the Makefile does
            cwd=tmp_path,
            env={**os.environ, "PATH": f"{AUDITION.parent}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in {0, 4}, done.stdout + done.stderr
        wanted = ("(exit ", "nothing changed: passed 12.1 %", "2 cases, 100 % passed")
        assert any(told in done.stdout for told in wanted)
