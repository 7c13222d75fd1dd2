import sys
from pathlib import Path

import pytest

from knowledge_team.errors import ModelSettingError
from knowledge_team.models import resolve_model


@pytest.fixture(autouse=True)
def factories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dock_models.py").write_text(
        "from pydantic_ai.models.test import TestModel\n"
        "def calm(): return TestModel(model_name='calm')\n"
        "def stormy(): raise LookupError('no harbour in sight')\n"
        "def wrong(): return 'a text'\n"
        "number = 3\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])


@pytest.mark.parametrize("environ", [{}, {"KNOWLEDGE_MODEL": ""}, {"KNOWLEDGE_MODEL": "scripted"}])
def test_the_scripted_model_is_the_default(environ: dict[str, str]) -> None:
    assert resolve_model(environ=environ).model_name == "scripted"


def test_the_environment_names_a_factory() -> None:
    model = resolve_model(environ={"KNOWLEDGE_MODEL": "dock_models:calm"})
    assert model.model_name == "calm"


def test_a_reference_wins_over_the_environment() -> None:
    environ = {"KNOWLEDGE_MODEL": "dock_models:wrong"}
    assert resolve_model("scripted", environ).model_name == "scripted"


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("dock_models:stormy", r"stormy\(\) raised LookupError: no harbour in sight"),
        ("dock_models:wrong", r"wrong\(\) returned str, not a pydantic-ai Model"),
        ("dock_models:number", "module dock_models has no callable number"),
        ("dock_models:absent", "module dock_models has no callable absent"),
        ("no_such_module:calm", "no provider, and no module to import"),
        ("calm", "want scripted, provider:model or module:factory"),
        ("dock_models:", "want scripted, provider:model or module:factory"),
    ],
)
def test_a_setting_that_leads_nowhere_says_where_it_ended(setting: str, said: str) -> None:
    with pytest.raises(ModelSettingError, match=said):
        resolve_model(setting)


def test_a_known_provider_is_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without the provider's package, or without a key: either way pydantic-ai says so.
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelSettingError, match="model 'openai:calm': ") as raised:
        resolve_model("openai:calm")
    assert "no module to import" not in raised.value.problem
