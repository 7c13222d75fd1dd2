"""What a model can do, as JSON and back: a replay has to say the same without the model. No I/O."""

from collections.abc import Iterable
from typing import cast

from pydantic import JsonValue
from pydantic_ai.native_tools import SUPPORTED_NATIVE_TOOLS
from pydantic_ai.profiles import ModelProfile

_NATIVE_TOOLS = "supported_native_tools"


def plain_profile(profile: ModelProfile) -> dict[str, JsonValue]:
    """Return a profile without what is code: it shapes what is sent, and a replay sends nothing."""
    fields = cast("dict[str, object]", profile)
    plain: dict[str, JsonValue] = {}
    for name, value in sorted(fields.items()):
        if value is None or isinstance(value, str | int | float):
            plain[name] = value
        elif name == _NATIVE_TOOLS or _is_of_texts(value):
            plain[name] = [*sorted(_text(item) for item in cast("Iterable[object]", value))]
    return plain


def read_profile(plain: dict[str, JsonValue]) -> ModelProfile:
    """Return the profile that was made plain, without tools of a kind that is no longer known."""
    fields: dict[str, object] = {
        name: frozenset(cast("list[str]", value)) if isinstance(value, list) else value
        for name, value in plain.items()
    }
    kinds = cast("frozenset[str]", fields.get(_NATIVE_TOOLS, ()))
    tools = frozenset(tool for tool in SUPPORTED_NATIVE_TOOLS if tool.kind in kinds)
    return cast("ModelProfile", {**fields, _NATIVE_TOOLS: tools})


def _is_of_texts(value: object) -> bool:
    return isinstance(value, frozenset) and all(
        isinstance(item, str) for item in cast("Iterable[object]", value)
    )


def _text(item: object) -> str:
    return item if isinstance(item, str) else str(getattr(item, "kind", item))
