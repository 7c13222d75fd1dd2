import asyncio
from typing import Literal

import pytest
from pydantic import Field, ValidationError

from knowledge_team.tools.cards import BuiltTool, StrictCard, built_tool, result_text


class Crane(StrictCard):
    tool_type: Literal["crane"] = Field(default="crane", alias="type")


def test_a_result_is_one_text_whatever_the_order_of_its_keys() -> None:
    result = result_text({"b": [1, None], "a": "Ærø"})
    assert result == result_text({"a": "Ærø", "b": [1, None]}) == '{"a":"Ærø","b":[1,null]}'


def test_a_card_is_read_strictly_by_its_type() -> None:
    assert Crane.model_validate({"type": "crane"}) == Crane()
    with pytest.raises(ValidationError, match="Extra inputs"):
        Crane.model_validate({"type": "crane", "colour": "red"})


def hoist(weight: int) -> BuiltTool:
    async def hoist_load(height: int) -> str:
        """Hoist the load.

        Args:
            height: In metres.

        """
        return f"{weight} t, {height} m"

    return built_tool(hoist_load)


def test_each_built_tool_is_its_own_and_is_described_alike() -> None:
    one, other = hoist(1), hoist(2)
    results = [asyncio.run(tool.function_schema.function(height=9)) for tool in (one, other)]
    assert results == ["1 t, 9 m", "2 t, 9 m"]
    assert one.tool_def == other.tool_def
    assert one.tool_def.description == "Hoist the load."


def test_what_one_is_told_can_be_changed_without_the_others() -> None:
    hoist(1)
    changed = hoist(2)
    changed.function_schema.json_schema["title"] = "Crane"
    assert "title" not in hoist(3).tool_def.parameters_json_schema
