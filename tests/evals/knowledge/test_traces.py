"""The spans of eight teams at once are each in the tree of their own case, and nowhere else."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.evals.knowledge.traces import PEOPLE

ROOT = Path(__file__).parents[3]
SCRIPT = Path(__file__).with_name("traces.py")
LOGFIRE = ROOT / "tests/foreign/logfire/requirements.txt"

type Trees = dict[str, list[dict[str, Any]]]


def run(command: list[str], *paths: str) -> str:
    """Return what a fresh process prints, in which warnings are errors."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *paths])}
    ran = subprocess.run(  # noqa: S603  # our own commands
        command, env=environ, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def install_logfire(folder: Path) -> str:
    """Install Logfire into a folder, and return that."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    run([*pip, "--require-hashes", "--no-deps", "--target", str(folder), "-r", str(LOGFIRE)])
    return str(folder)


@pytest.fixture(scope="module", params=["plain", pytest.param("logfire", marks=pytest.mark.slow)])
def trees(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Trees:
    recorder: str = request.param
    paths = [install_logfire(tmp_path_factory.mktemp("logfire"))] if recorder == "logfire" else []
    told = json.loads(run([sys.executable, "-W", "error", str(SCRIPT), recorder], *paths))
    assert told["answers"] == {name: f"{name} Solberg is a pilot." for name in PEOPLE}
    return told["trees"]


def test_each_tree_holds_the_agents_and_the_tools_of_one_case(trees: Trees) -> None:
    expected = {
        "@Manager request": 1,
        "@Knowledge request": 1,
        "@Manager response": 1,
        "@Human response": 1,
        "invoke_agent Manager": 2,
        "invoke_agent Knowledge": 1,
        "execute_tool delegate": 1,
        "execute_tool search_graph": 1,
        "chat scripted": 4,
    }
    assert set(trees) == set(PEOPLE)
    assert all(Counter(span["name"] for span in tree) == expected for tree in trees.values())


def test_no_tree_holds_anything_of_another_case(trees: Trees) -> None:
    for name, tree in trees.items():
        text = " ".join(span["text"] for span in tree)
        assert [other for other in PEOPLE if f"{other} Solberg" in text] == [name]


def test_what_an_agent_did_stands_below_the_handling_that_caused_it(trees: Trees) -> None:
    for tree in trees.values():
        above = {span["name"]: span["above"] for span in tree}
        assert above["execute_tool search_graph"] == [
            "invoke_agent Knowledge",
            "@Knowledge request",
            "@Manager request",
        ]
        assert [span["name"] for span in tree if not span["above"]] == ["@Manager request"]


MIRA = {"name": "Mira Solberg", "entity_type": "person", "description": "Mira is a pilot."}
NATIVE = {
    "cases": [
        {
            "name": "one",
            "inputs": {
                "message": "What is the profession of Mira Solberg?",
                "fixture": {"records": [MIRA]},
            },
        },
    ],
    "evaluators": [
        {"HasMatchingSpan": {"query": {"name_equals": "execute_tool search_graph"}}},
        {"ToolCorrectness": {"expected_tools": ["search_graph"]}},
        {"MaxToolCalls": 1},
    ],
}


def test_a_run_records_the_spans_that_its_evaluators_look_at(tmp_path: Path) -> None:
    path = tmp_path / "spans.json"
    path.write_text(json.dumps(NATIVE), "utf-8")
    audition = str(Path(sys.executable).with_name("audition"))
    told = run([audition, "run", str(path), "--reports", str(tmp_path), "--format", "json"])
    (case,) = json.loads(told)["cases"]
    assert case["status"] == "passed"
