"""From the name of a model to the model.

The setting `KNOWLEDGE_MODEL` is one of

- nothing or `scripted`: the rule-based model of this package, which needs no network;
- `provider:model`, where pydantic-ai knows the provider: that model, whose key pydantic-ai takes
  from the environment by itself;
- `module:factory` otherwise: what the factory returns when it is called without arguments.

A known provider wins over a module of the same name. Keys are never read here.
"""

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import cast

from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import infer_provider_class

from knowledge_team.catalog import DEFAULT_MODEL
from knowledge_team.errors import ModelSettingError
from knowledge_team.failures import failure_line
from knowledge_team.scripted.model import scripted_model

MODEL_VARIABLE = "KNOWLEDGE_MODEL"
"""The environment variable that names the model."""

SCRIPTED = "scripted"
"""The name of the rule-based model."""


def resolve_model(reference: str = DEFAULT_MODEL, environ: Mapping[str, str] = os.environ) -> Model:
    """Return the model of this name.

    Args:
        reference: A setting as above; `default` takes it from the environment.
        environ: Where `KNOWLEDGE_MODEL` is looked up.

    Raises:
        ModelSettingError: The name leads to no model; the text says where it ended.

    """
    setting = environ.get(MODEL_VARIABLE, "") if reference == DEFAULT_MODEL else reference
    setting = setting.strip() or SCRIPTED
    if setting == SCRIPTED:
        return scripted_model()
    prefix, colon, name = setting.partition(":")
    if not (prefix and colon and name):
        raise ModelSettingError(setting, "want scripted, provider:model or module:factory")
    return _provided(setting) if _is_provider(prefix) else _manufactured(setting, prefix, name)


def _is_provider(prefix: str) -> bool:
    try:
        infer_provider_class(prefix)
    except ValueError:
        return False
    except ImportError:
        return True  # known, but its package is not installed: `infer_model` says which
    return True


def _provided(setting: str) -> Model:
    try:
        return infer_model(setting)
    except Exception as error:
        raise ModelSettingError(setting, failure_line(error)) from error


def _manufactured(setting: str, module: str, name: str) -> Model:
    factory = _factory(setting, module, name)
    try:
        model = factory()
    except Exception as error:
        raise ModelSettingError(setting, f"{name}() raised {failure_line(error)}") from error
    if not isinstance(model, Model):
        found = type(model).__name__
        raise ModelSettingError(setting, f"{name}() returned {found}, not a pydantic-ai Model")
    # The isinstance check cannot know the model's type parameter, and nobody here needs it.
    return cast("Model", model)


def _factory(setting: str, module: str, name: str) -> Callable[[], object]:
    try:
        factory = getattr(import_module(module), name, None)
    except Exception as error:
        problem = f"no provider, and no module to import: {failure_line(error)}"
        raise ModelSettingError(setting, problem) from error
    if not callable(factory):
        raise ModelSettingError(setting, f"module {module} has no callable {name}")
    return factory
