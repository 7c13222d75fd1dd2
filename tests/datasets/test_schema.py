import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from audition.datasets.authoring import Authoring
from audition.datasets.schema import dataset_schema
from audition.evaluators.builtin import BUILTIN, by_type_name

OLDER = json.loads(
    (Path(__file__).parent.parent / "cases" / "older-rag-components.json").read_text("utf-8")
)


class Page(BaseModel):
    url: str


def errors(data: Any, authoring: Authoring | None = None) -> list[str]:
    validator: Any = Draft202012Validator(dataset_schema(authoring or Authoring()))
    return [error.json_path for error in validator.iter_errors(data)]


def test_the_schema_is_one_itself() -> None:
    Draft202012Validator.check_schema(dataset_schema(Authoring(fixture_type=Page)))


def test_the_example_of_the_article_is_valid() -> None:
    assert errors(OLDER) == []


@pytest.mark.parametrize(
    "change",
    [{"version": 3}, {"nme": 1}, {"cases": []}, {"task": "other"}, {"name": 5}],
    ids=lambda change: next(iter(change)),
)
def test_what_the_loader_refuses_the_schema_refuses(change: dict[str, Any]) -> None:
    assert errors({**OLDER, **change})


def test_a_fixture_is_checked_by_its_type() -> None:
    knowledge = {"source": "fixtures", "default_fixture": "a", "fixtures": {"a": {"url": 5}}}
    assert errors({**OLDER, "knowledge": knowledge}, Authoring(fixture_type=Page))


def test_every_evaluator_is_in_the_schema() -> None:
    text = json.dumps(dataset_schema(Authoring()))
    assert all(f'"{name}"' in text for name in by_type_name(BUILTIN))


@pytest.mark.parametrize(
    ("leg", "well"),
    [
        ("@Human>@Manager", True),
        (["@Human", "@Manager"], True),
        ("@Human", False),
        ("@Human> ", False),
        (">@Manager", False),
        ("@Human>@Manager>@Knowledge", False),
        (["@Human"], False),
    ],
    ids=str,
)
def test_a_leg_of_a_route_may_be_written_in_two_ways(leg: Any, *, well: bool) -> None:
    route = {"type": "followed_route", "expected_route": [leg]}
    cases = [{**OLDER["cases"][0], "evaluators": [route]}]
    assert (errors({**OLDER, "cases": cases}) == []) is well
