from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.doors import Door

APPLICATION = """\
import asyncio
from audition.application import Application
from audition.datasets.authoring import Authoring
from audition.evaluators.completion import Completed

application = Application(
    name="desk",
    version="7",
    authoring=Authoring(
        contracts={"retrieval": (Completed(),)},
        agents=frozenset({"@Human", "@Manager"}),
        tools=frozenset({"search"}),
    ),
    runtimes={"evaluation": "desk_team:EVALUATION", "production": "desk_team:PRODUCTION"},
)
"""

TEAM = """\
import pykka
from audition.runtimes.function import FunctionFactory
from audition.runtimes.scripted import Break, Wait
from audition.testing import ScriptedFactory, answer

def script(inputs):
    asked = inputs.message
    if asked.startswith("break"):
        return [[Break(error=RuntimeError("the model is gone"))]]
    if asked.startswith("slow"):
        return [[Wait(seconds=60), answer("yes")]]
    return [[answer(f"{asked} \\x1b[31myes" if asked.startswith("good") else "no \\x1b[2J")]]

async def echo(message: str) -> str:
    return f"yes, {message}"

EVALUATION = ScriptedFactory(script)
PRODUCTION = FunctionFactory(echo)
"""

PROJECT = """\
[tool.audition]
default = "desk"
[tool.audition.applications]
desk = "desk_application:application"
"""


@pytest.fixture(scope="session")
def audition(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    door = Door(tmp_path_factory.mktemp("doors"))
    yield door
    door.close()


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """Return the folder of a project whose team says yes to what is good, and no to the rest."""
    for name, text in (
        ("pyproject.toml", PROJECT),
        ("desk_application.py", APPLICATION),
        ("desk_team.py", TEAM),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path
