from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from audition.datasets.schema_names import Step, branches_at, fields_at
from audition.matching.terms import Term


class Car(BaseModel):
    kind: Literal["car"]
    doors: int


class Boat(BaseModel):
    kind: Literal["boat"]
    sails: list[Term] | None = None


class Yard(BaseModel):
    things: list[Annotated[Car | Boat, Field(discriminator="kind")]] | None = None
    by_name: dict[str, Car]


SCHEMA = Yard.model_json_schema()


@pytest.mark.parametrize(
    ("steps", "names"),
    [
        ([], ["things", "by_name"]),
        ([("by_name", True), ("any", True)], ["kind", "doors"]),
        ([("things", True), (0, True), ("boat", False)], ["kind", "sails"]),
        ([("things", True), (0, True), ("boat", False), ("sails", True), (0, True),
          ("number", False)], ["number", "tolerance", "decimal_comma"]),
        ([("things", True), (0, True), ("boat", False), ("sails", True), (0, True)],
         ["any", "word", "number", "tolerance", "decimal_comma", "regex"]),
        ([("nothing", True), (0, True), ("here", True)], []),
    ],
)  # fmt: skip
def test_a_place_has_the_fields_of_the_model_that_is_selected(
    steps: list[Step], names: list[str]
) -> None:
    assert fields_at(SCHEMA, steps) == names


def test_a_union_has_the_words_that_select_its_models() -> None:
    steps: list[Step] = [("things", True), (0, True)]
    assert sorted(branches_at(SCHEMA, steps)) == ["boat", "car"]


def test_a_schema_that_tells_nothing_has_no_names() -> None:
    empty: dict[str, Any] = {}
    assert (fields_at(empty, []), branches_at(empty, [("a", True)])) == ([], [])
