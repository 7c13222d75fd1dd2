"""Which model the environment asks for, and what is said where it asks for none that is there."""

import asyncio
import sys
from pathlib import Path

import pytest
from pydantic_ai import Agent
from pydantic_ai.models import Model

from audition.errors import SetupError
from audition.models.recorded import RecordingModel, ReplayModel, from_environment


def ask(model: Model) -> str:
    return asyncio.run(Agent(model, name="desk").run("Which berth?")).output


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "calls.jsonl"


@pytest.fixture
def factories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "sea_models.py").write_text(
        "from pydantic_ai.models.test import TestModel\n"
        "def calm(): return TestModel(custom_output_text='Berth 7')\n"
        "def wrong(): return 'a text'\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return "sea_models"


@pytest.mark.usefixtures("factories")
def test_the_environment_names_a_live_model_to_record_and_none_to_replay(path: Path) -> None:
    calls = {"AUDITION_MODEL_CALLS": str(path)}
    live = from_environment({**calls, "AUDITION_MODEL": "sea_models:calm"})
    assert isinstance(live, RecordingModel)
    assert ask(live) == "Berth 7"
    replay = from_environment({**calls, "AUDITION_MODEL": " "})
    assert isinstance(replay, ReplayModel)
    assert ask(replay) == "Berth 7"


@pytest.mark.usefixtures("factories")
@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({}, "AUDITION_MODEL_CALLS is not set"),
        ({"AUDITION_MODEL_CALLS": "none.jsonl"}, "there is no none.jsonl; set AUDITION_MODEL"),
        ({"AUDITION_MODEL": "sea_models:wrong"}, "sea_models:wrong must be a function that"),
        ({"AUDITION_MODEL": "sea_models:calm_"}, "sea_models has no calm_"),
        ({"AUDITION_MODEL": "no_such_module:calm"}, "importing no_such_module raised"),
        ({"AUDITION_MODEL": "calm"}, "wanted .module:object."),
        (
            {"AUDITION_MODEL": "audition.models.recorded:from_environment"},
            "must be a function that returns a live model",
        ),
        ({"AUDITION_MODEL": "openai:calm"}, "AUDITION_MODEL: openai:calm: "),
    ],
)
def test_an_environment_that_names_no_model_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], told: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    given = environ if "AUDITION_MODEL" not in environ else {"AUDITION_MODEL_CALLS": str(path)}
    with pytest.raises(SetupError, match=told):
        from_environment({**given, **environ})
