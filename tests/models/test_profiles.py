import json

from pydantic import JsonValue
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.native_tools import WebSearchTool
from pydantic_ai.profiles import InlineDefsJsonSchemaTransformer, ModelProfile

from audition.models.profiles import plain_profile, read_profile


def test_what_a_model_can_do_is_the_same_after_it_was_kept() -> None:
    for model in (TestModel(), FunctionModel(lambda messages, info: None)):  # pyright: ignore[reportArgumentType]
        kept = read_profile(json.loads(json.dumps(plain_profile(model.profile))))
        assert kept == {name: model.profile.get(name) for name in kept}
        assert {"supports_tools", "supported_native_tools"} <= kept.keys()


def test_code_in_a_profile_is_left_out() -> None:
    profile = ModelProfile(
        json_schema_transformer=InlineDefsJsonSchemaTransformer, supports_tools=False
    )
    assert plain_profile(profile) == {"supports_tools": False}


def test_a_tool_of_an_unknown_kind_is_left_out() -> None:
    plain: dict[str, JsonValue] = {"supported_native_tools": ["web_search", "tide_tables"]}
    assert read_profile(plain) == {"supported_native_tools": frozenset({WebSearchTool})}
