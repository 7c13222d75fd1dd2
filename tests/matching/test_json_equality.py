import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from audition.matching.json_equality import is_part_of, same_json
from audition.matching.json_values import matches


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


SMALL = st.recursive(
    st.sampled_from([None, True, 1, "1"]),
    lambda inside: (
        st.lists(inside, max_size=2) | st.dictionaries(st.sampled_from("ab"), inside, max_size=2)
    ),
    max_leaves=4,
)


@given(SMALL, SMALL)
def test_a_part_is_what_matches_a_partial_mode(one: JsonValue, other: JsonValue) -> None:
    assert is_part_of(one, other) is (matches(one, other, "superset") is None)
    assert is_part_of(one, other) is (matches(other, one, "subset") is None)
    assert same_json(one, other) is (is_part_of(one, other) and is_part_of(other, one))
