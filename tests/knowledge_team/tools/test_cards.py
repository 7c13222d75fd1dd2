from typing import Literal

import pytest
from pydantic import Field, ValidationError

from knowledge_team.tools.cards import StrictCard, result_text


class Crane(StrictCard):
    tool_type: Literal["crane"] = Field(default="crane", alias="type")


def test_a_result_is_one_text_whatever_the_order_of_its_keys() -> None:
    result = result_text({"b": [1, None], "a": "Ærø"})
    assert result == result_text({"a": "Ærø", "b": [1, None]}) == '{"a":"Ærø","b":[1,null]}'


def test_a_card_is_read_strictly_by_its_type() -> None:
    assert Crane.model_validate({"type": "crane"}) == Crane()
    with pytest.raises(ValidationError, match="Extra inputs"):
        Crane.model_validate({"type": "crane", "colour": "red"})
