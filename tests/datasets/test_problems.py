import json
from datetime import date
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from audition.datasets.problems import accepted, in_order, pointer_of, problems_of
from audition.errors import Problem
from audition.evaluators.terms import Terms

NONE: dict[str, Any] = {}
EMPTY: list[Any] = []


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")

    size: int = 1
    sure: bool = True
    share: Annotated[float, Field(gt=0, le=2)] = 1
    day: date | None = None
    pair: Annotated[tuple[str, ...], Field(max_length=2)] = ()
    terms: Terms = ("x",)
    more: Terms | None = None
    kind: Literal["one", "two"] = "one"
    count: Literal[2] = 2


class Whole(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    parts: list[Part] = []
    note: str | None = None


def problems(data: Any, *, at: str = "") -> dict[str, str]:
    with pytest.raises(ValidationError) as error:
        Whole.model_validate_json(json.dumps(data), strict=True)
    schema = Whole.model_json_schema()
    return {
        one.pointer: f"{one.found}; {one.wanted}"
        for one in problems_of(error.value, data, schema=schema, at=at)
    }


@pytest.mark.parametrize(
    ("data", "pointer", "told"),
    [
        (NONE, "/name", "is missing; it is required"),
        ({"name": 5}, "/name", "found 5; write text; quote it where it looks like a number"),
        ({"name": [5]}, "/name", "found [5]; write text"),
        ({"name": "a", "note": False}, "/note", "found False; write text; quote it"),
        ({"name": "a", "nme": 1}, "/nme", "unknown field 'nme'; did you mean 'name'?"),
        ({"name": "a", "parts": [{"sise": 1}]}, "/parts/0/sise", "did you mean 'size'?"),
        ({"name": "a", "parts": [{"size": "1"}]},
         "/parts/0/size", "found '1'; write a whole number, without quotes"),
        ({"name": "a", "parts": [{"sure": "yes"}]},
         "/parts/0/sure", "found 'yes'; write true or false, without quotes"),
        ({"name": "a", "parts": [{"share": "x"}]}, "/parts/0/share", "write a number, without"),
        ({"name": "a", "parts": [{"share": -1}]}, "/parts/0/share", "found -1; write more than 0"),
        ({"name": "a", "parts": [{"share": 3}]}, "/parts/0/share", "found 3; write 2.0 or less"),
        ({"name": "a", "parts": [{"day": "2026-13-01"}]}, "/parts/0/day",
         "found '2026-13-01'; write a day, as YYYY-MM-DD"),
        ({"name": "a", "parts": [{"pair": ["a", "b", "c"]}]}, "/parts/0/pair", "at most 2"),
        ({"name": "a", "parts": {}}, "/parts", "found {}; write a list"),
        ({"name": "a", "parts": [5]}, "/parts/0", "found 5; write an object"),
        ({"name": "a", "parts": [{"kind": "tow"}]}, "/parts/0/kind", "did you mean 'two'?"),
        ({"name": "a", "parts": [{"count": 3}]}, "/parts/0/count", "found 3; write 2"),
        ({"name": "a", "parts": [{"terms": EMPTY}]}, "/parts/0/terms", "write at least one"),
        ({"name": "a", "parts": [{"terms": [""]}]}, "/parts/0/terms/0", "is empty, blank"),
        ({"name": "a", "parts": [{"terms": [{"word": "b", "wrod": 1}]}]},
         "/parts/0/terms/0/wrod", "unknown field 'wrod'; did you mean 'word'? wanted one of word"),
        ({"name": "a", "parts": [{"terms": [{"number": 1, "tolerence": 1}]}]},
         "/parts/0/terms/0/tolerence", "did you mean 'tolerance'?"),
        ({"name": "a", "parts": [{"more": [{"any": [{"regex": "b", "x": 1}]}]}]},
         "/parts/0/more/0/any/0/x", "unknown field 'x'; did you mean 'regex'? wanted one of regex"),
        ({"name": "a", "parts": [{"terms": [{"any": ["b", {"word": ""}]}]}]},
         "/parts/0/terms/0/any/1/word", "is empty, blank"),
    ],
)  # fmt: skip
def test_a_problem_has_its_place_what_was_found_and_what_is_wanted(
    data: Any, pointer: str, told: str
) -> None:
    assert told in problems(data)[pointer]


def test_a_long_value_is_cut() -> None:
    assert problems({"name": "a", "parts": "y" * 200})["/parts"].startswith("found 'yyy")
    assert len(problems({"name": "a", "parts": "y" * 200})["/parts"]) < 130


def test_the_place_of_the_data_in_its_file_comes_first() -> None:
    assert list(problems({"name": 5}, at="/cases/0")) == ["/cases/0/name"]


@pytest.mark.parametrize(
    ("place", "data", "pointer"),
    [
        (("a", 0, "b/c"), {"a": [{"b/c": 1}]}, "/a/0/b~1c"),
        (("a", "branch", "b"), {"a": {"b": 1}}, "/a/b"),
        (("a", "b", "c"), {"a": {"b": "text", "c": 1}}, "/a/c"),
        (("any", "any", 0), {"any": ["x"]}, "/any/0"),
        (("a", 7), {"a": []}, "/a"),
    ],
)
def test_the_branches_of_unions_are_no_part_of_a_pointer(
    place: tuple[int | str, ...], data: JsonValue, pointer: str
) -> None:
    assert pointer_of(place, data) == pointer


def test_what_is_missing_ends_its_pointer() -> None:
    assert pointer_of(("a", "branch", "b"), {"a": {}}, whole=True) == "/a/b"


def test_the_name_that_was_probably_meant_comes_first() -> None:
    assert (
        accepted("serch", ["send", "search"]) == "did you mean 'search'? wanted one of search, send"
    )
    assert accepted("zzz", ["send"]) == "wanted one of send"
    assert accepted("", ["send"]) == "wanted one of send"
    assert accepted("x", []) == "there is none"
    assert accepted("x", [], otherwise="remove it") == "remove it"


def test_problems_are_ordered_as_the_places_of_the_file() -> None:
    pointers = ["/cases/10/name", "/cases/2/name", "/cases/2", "/cases/2/name", ""]
    made = [Problem(pointer=pointer, found="x", wanted="y") for pointer in pointers]
    ordered = [problem.pointer for problem in in_order(made)]
    assert ordered == ["", "/cases/2", "/cases/2/name", "/cases/10/name"]
