import pytest
from pydantic import JsonValue

from audition.matching.json_equality import same_json


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1.0, True),
        (0, -0.0, True),
        (True, 1, False),
        (False, 0, False),
        (None, False, False),
        (None, "", False),
        ("1", 1, False),
        ([True], [1], False),
        ({"a": [1, {"b": None}]}, {"a": [1.0, {"b": None}]}, True),
        ({"a": None}, {}, False),
        ({}, [], False),
        ([1, 2], [1], False),
        (9007199254740993, 9007199254740992.0, False),
    ],
)
def test_values_are_the_same_by_the_types_of_json(
    one: JsonValue, other: JsonValue, *, same: bool
) -> None:
    assert same_json(one, other) == same_json(other, one) == same
