from typing import Any

import pytest
from pydantic_evals import Case, Dataset

from audition.datasets.selection import could_select, select_case, select_cases
from audition.errors import CallError


def dataset() -> Dataset[Any, Any, Any]:
    cases: list[Case[Any, Any, Any]] = [
        Case(name="gates", inputs=1, metadata={"tags": ["smoke", "harbour"]}),
        Case(name="fees", inputs=2, metadata={"tags": ["harbour"]}),
        Case(name="bare", inputs=3),
    ]
    return Dataset(name="all", cases=cases)


def kept(**chosen: Any) -> list[str | None]:
    some = dataset()
    select_cases(some, **chosen)
    return [case.name for case in some.cases]


def test_one_case_is_kept_by_its_name() -> None:
    some = dataset()
    select_case(some, "fees")
    assert [case.name for case in some.cases] == ["fees"]


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        ({}, ["gates", "fees", "bare"]),
        ({"names": ["bare", "gates"]}, ["gates", "bare"]),
        ({"tags": ["harbour"]}, ["gates", "fees"]),
        ({"tags": ["smoke", "other"]}, ["gates"]),
        ({"names": ["fees", "gates"], "tags": ["smoke"]}, ["gates"]),
    ],
)
def test_cases_are_kept_by_name_and_by_tag(chosen: Any, names: list[str]) -> None:
    assert kept(**chosen) == names


def test_an_unknown_case_is_told_with_the_one_that_was_meant() -> None:
    with pytest.raises(CallError, match="case: found 'gate'; did you mean 'gates'"):
        kept(names=["gate"])


def test_tags_that_no_case_has_are_told_with_those_that_exist() -> None:
    told = (
        r"tags: found \['slow'\]; wanted a case with one of them; there are \['harbour', 'smoke'\]"
    )
    with pytest.raises(CallError, match=told):
        kept(tags=["slow"])
    with pytest.raises(CallError):
        kept(names=["bare"], tags=["smoke"])


@pytest.mark.parametrize(
    ("names", "tags", "shard", "could"),
    [
        ((), (), None, True),
        (("one",), (), None, True),
        (("two",), (), None, False),
        ((), ("old", "new"), None, True),
        ((), ("new",), None, False),
        (("one",), ("new",), None, False),
        ((), (), "1/2", False),
    ],
)
def test_a_case_could_be_selected_by_its_name_and_its_tags(
    names: tuple[str, ...],
    tags: tuple[str, ...],
    shard: str | None,
    could: bool,  # noqa: FBT001  # a parameter of the test
) -> None:
    assert could_select(names, tags, shard, "one", ["old"]) is could
