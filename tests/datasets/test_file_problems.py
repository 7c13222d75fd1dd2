"""Our files, whole: what is told of a file that is wrong or doubtful."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from audition.datasets.authoring import Authoring
from audition.datasets.loading import build_dataset
from audition.datasets.reading import read_source
from audition.errors import DatasetError
from audition.inputs import CaseInput
from tests.datasets.desk import CASES, FIXTURES, REQUIRED, Page, PageInput, file, load, problems


def test_everything_that_is_wrong_is_told_at_once_in_order(tmp_path: Path) -> None:
    data = {
        "version": 2,
        "task": "retrieval",
        "name": "desk",
        "knowlege": FIXTURES,
        "knowledge": {**FIXTURES, "default_fixture": "hmoe"},
        "contract": "strict",
        "vocabularies": {"cities": ["Paris", ""]},
        "tool_rules": [{"tool_name": "serch", "contains": "x1"}],
        "cases": [
            {"name": "one", "message": "Who?", "target": "@Manger", "fixture": "shop",
             "evaluators": [
                 {"type": "complted"},
                 {"type": "tool_call_count", "tool_name": "serch", "minimun": 1},
                 {"type": "tool_call_count", "tool_name": "send"},
                 {"type": "human_response_contains_terms", "required_terms": [""]},
                 {"type": "human_response_contains_any_term", "accepted_terms_ref": "citis"},
                 {"type": "human_response_contains_terms", "required_terms": ["x1"],
                  "response_index": 1},
                 {"type": "tool_calls_succeeded", "scope": {"agent": "@Manger", "turn": 2}},
                 {"type": "followed_route", "expected_route": ["@Human>@Manger"]},
                 {"type": "message_contains_terms", "required_terms": ["x1"], "sender": "@Know"},
                 {"type": "completed", "severity": "mus"},
             ]},
            {"name": "ONE ", "message": "", "repeat": 0},
            {"name": "three", "message": 3, "tags": [1], "limits": {"timeout": 1}},
        ],
    }  # fmt: skip
    found = problems(tmp_path, data)
    assert list(found) == [
        "/cases/0/evaluators/0/type",
        "/cases/0/evaluators/1/minimun",
        "/cases/0/evaluators/1/tool_name",
        "/cases/0/evaluators/2",
        "/cases/0/evaluators/3/required_terms/0",
        "/cases/0/evaluators/4/accepted_terms_ref",
        "/cases/0/evaluators/5/response_index",
        "/cases/0/evaluators/6/scope/agent",
        "/cases/0/evaluators/6/scope/turn",
        "/cases/0/evaluators/7/expected_route/0",
        "/cases/0/evaluators/8/sender",
        "/cases/0/evaluators/9/severity",
        "/cases/0/fixture",
        "/cases/0/target",
        "/cases/1/message",
        "/cases/1/name",
        "/cases/1/repeat",
        "/cases/2/limits/timeout",
        "/cases/2/message",
        "/cases/2/tags/0",
        "/contract",
        "/knowledge/default_fixture",
        "/knowlege",
        "/tool_rules/0/tool_name",
        "/vocabularies/cities/1",
    ]
    assert "did you mean 'knowledge'?" in found["/knowlege"]
    assert "did you mean 'search'?" in found["/cases/0/evaluators/1/tool_name"]
    assert "did you mean '@Manager'?" in found["/cases/0/target"]
    assert "did you mean 'cities'?" in found["/cases/0/evaluators/4/accepted_terms_ref"]
    assert "did you mean 'completed'?" in found["/cases/0/evaluators/0/type"]
    assert "did you mean 'must'?" in found["/cases/0/evaluators/9/severity"]
    assert "quote it where it looks like a number" in found["/cases/2/message"]


def test_the_text_of_an_error_has_file_pointer_found_and_wanted(tmp_path: Path) -> None:
    with pytest.raises(DatasetError) as error:
        load(tmp_path, {**file(REQUIRED), "nme": 1})
    assert str(error.value) == (
        f"{tmp_path / 'desk.json'}#/nme: unknown field 'nme'; did you mean 'name'? wanted one of "
        "$schema, application, cases, contract, default_metadata, knowledge, limits, name, task, "
        "tool_rules, version, vocabularies"
    )


def test_a_newer_version_is_refused_as_newer(tmp_path: Path) -> None:
    found = problems(tmp_path, {**file(REQUIRED, version=3), "new_field": 1})
    told = "version 3, written for a newer Audition; this one reads version 2"
    assert found == {"/version": told}


def test_an_older_version_is_no_version_2(tmp_path: Path) -> None:
    assert list(problems(tmp_path, file(REQUIRED, version=1))) == ["/version"]


def test_a_misspelt_task_is_told_with_all_the_rest(tmp_path: Path) -> None:
    found = problems(tmp_path, {**file(REQUIRED, task="retreival"), "nme": 1})
    assert list(found) == ["/nme", "/task"]
    wanted = "did you mean 'retrieval'? wanted one of conversation, retrieval, session"
    told = f"found 'retreival'; {wanted}"
    assert found["/task"] == told


def test_a_missing_task_is_told(tmp_path: Path) -> None:
    data = file(REQUIRED)
    del data["task"]
    assert problems(tmp_path, data) == {
        "/task": "is missing; wanted one of conversation, retrieval, session"
    }


def test_what_has_no_type_is_told_with_the_types_there_are(tmp_path: Path) -> None:
    data = file({"id": "x"}, REQUIRED, knowledge={"fixtures": {"home": {"url": "h"}}})
    found = problems(tmp_path, data)
    assert found["/cases/0/evaluators/0/type"].startswith("is missing; wanted one of answer_is")
    assert found["/knowledge/source"] == "is missing; wanted one of fixtures, running_system"


def test_names_that_nobody_can_tell_apart_are_refused() -> None:
    with pytest.raises(DatasetError) as error:
        build_dataset(read_source(CASES / "31-duplicate-case-names.json"), Authoring())
    found = {one.pointer: one.found for one in error.value.problems if one.pointer.endswith("name")}
    assert found["/cases/2/name"] == "harbour-hours is already the name of /cases/0"
    assert "the name of /cases/4" in found["/cases/5/name"]
    assert "/cases/3/name" in found


def test_a_term_of_the_question_is_a_warning() -> None:
    loaded = build_dataset(read_source(CASES / "30-term-from-question.json"), Authoring())
    (warning,) = loaded.warnings
    assert warning.pointer == "/cases/0/evaluators/0/required_terms/0"
    assert warning.found == '"Gannet Pier" already stands in the question'


def test_a_vocabulary_with_a_term_of_the_question_is_a_warning_where_it_is_named(
    tmp_path: Path,
) -> None:
    entry = {"type": "human_response_contains_any_term", "accepted_terms_ref": "words"}
    loaded = load(tmp_path, file(entry, vocabularies={"words": ["who"]}))
    pointers = [warning.pointer for warning in loaded.warnings]
    assert pointers == ["/cases/0/evaluators/0/accepted_terms_ref"]


@pytest.mark.parametrize(
    ("evaluators", "told"),
    [
        ([], "no evaluator checks it"),
        ([{"type": "did_not_call_tools", "forbidden_tools": ["send"]},
          {"type": "tool_call_count", "tool_name": "search", "maximum": 3}],
         "all its evaluators assert that something is absent"),
    ],
)  # fmt: skip
def test_a_case_that_asserts_nothing_but_absence_is_a_warning(
    tmp_path: Path, evaluators: list[Any], told: str
) -> None:
    bare = Authoring(input_type=PageInput, fixture_type=Page)
    (warning,) = load(tmp_path, file(*evaluators), bare).warnings
    assert (warning.pointer, warning.found) == ("/cases/0", told)


def test_fixtures_for_an_application_whose_inputs_take_none_are_told(tmp_path: Path) -> None:
    found = problems(tmp_path, file({"type": "completed"}), Authoring())
    assert "refused by the inputs of the application" in found["/cases/0/fixture"]


class NeedsFixture(CaseInput):
    fixture: Page


def test_inputs_that_need_a_fixture_are_told_where_there_is_none(tmp_path: Path) -> None:
    data = file({"type": "completed"}, knowledge={"source": "running_system"})
    found = problems(tmp_path, data, Authoring(input_type=NeedsFixture, fixture_type=Page))
    assert "Field required" in found["/cases/0/fixture"]


def test_a_case_without_any_fixture_is_told(tmp_path: Path) -> None:
    data = deepcopy(file(REQUIRED))
    del data["knowledge"]["default_fixture"]
    assert problems(tmp_path, data) == {
        "/cases/0/fixture": "is missing, and there is no default; wanted one of home"
    }
