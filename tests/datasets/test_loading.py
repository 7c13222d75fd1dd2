"""Our files, whole: what is read, and what is told of a file that is wrong."""

import json
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from audition.datasets.authoring import Authoring
from audition.datasets.formats import KnownFailure
from audition.datasets.loading import LoadedDataset, build_dataset
from audition.datasets.reading import read_source
from audition.errors import DatasetError
from audition.evaluators.completion import Completed
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.responses import HumanResponseContainsAnyTerm, HumanResponseContainsTerms
from audition.evaluators.tools import CalledRequiredTools, DidNotCallTools
from audition.evaluators.view import Scope
from audition.inputs import CaseInput
from audition.matching.terms import AnyTerm
from audition.sessions import SessionInput
from audition.tool_rules import ToolRule

CASES = Path(__file__).parent.parent / "cases"


class Page(BaseModel):
    model_config = ConfigDict(extra="forbid")

    url: str


class PageInput(CaseInput):
    fixture: Page | None = None


FIXTURES = {"source": "fixtures", "default_fixture": "home", "fixtures": {"home": {"url": "h"}}}
DESK = Authoring(
    input_type=PageInput,
    fixture_type=Page,
    contracts={"retrieval": (Completed(), DidNotCallTools(("send",), id="nothing is sent"))},
    agents=frozenset({"@Human", "@Manager", "@Knowledge"}),
    tools=frozenset({"search", "send"}),
    evaluator_defaults={"tool_evidence_contains_terms": {"tool_name": "search"}},
    tool_rules=(ToolRule(tool_name="search", contains="denied"),),
)


def file(*evaluators: Any, **fields: Any) -> dict[str, Any]:
    """Return a good file of one case with these evaluators."""
    case = {"name": "one", "message": "Who?", "evaluators": list(evaluators)}
    return {"version": 2, "task": "retrieval", "name": "desk", "knowledge": FIXTURES,
            "cases": [case], **fields}  # fmt: skip


def load(
    tmp_path: Path, data: Any, authoring: Authoring = DESK, session: Path | None = None
) -> LoadedDataset:
    path = tmp_path / "desk.json"
    path.write_text(json.dumps(data), "utf-8")
    return build_dataset(read_source(path), authoring, session=session)


def problems(tmp_path: Path, data: Any, authoring: Authoring = DESK) -> dict[str, str]:
    with pytest.raises(DatasetError) as error:
        load(tmp_path, data, authoring)
    assert error.value.path == str(tmp_path / "desk.json")
    return {one.pointer: f"{one.found}; {one.wanted}" for one in error.value.problems}


REQUIRED = {"type": "called_required_tools", "required_tools": ["search"]}


def test_the_example_of_the_article_loads_unchanged() -> None:
    loaded = build_dataset(read_source(CASES / "older-rag-components.json"), Authoring())
    (case,) = loaded.dataset.cases
    terms = ("retriever", "generator", "quality component")
    assert (loaded.task, loaded.target) == ("retrieval", "running_system")
    assert case.evaluators == [ToolEvidenceContainsTerms("search_graph", terms)]
    assert case.metadata == {"topic": "overview", "knowledge_source": "running_system"}


def test_a_case_has_its_fixture_its_limits_and_all_tool_rules(tmp_path: Path) -> None:
    data = file(REQUIRED, limits={"timeout_seconds": 5, "deadline_seconds": 9},
                tool_rules=[{"tool_name": "send", "contains": "lost"}])  # fmt: skip
    data["cases"][0]["limits"] = {"timeout_seconds": 2.5}
    (case,) = load(tmp_path, data).dataset.cases
    assert isinstance(case.inputs, PageInput)
    assert case.inputs.fixture == Page(url="h")
    assert (case.inputs.timeout_seconds, case.inputs.deadline_seconds) == (2.5, 9)
    assert [rule.tool_name for rule in case.inputs.tool_rules] == ["search", "send"]
    assert case.metadata == {"knowledge_source": "fixtures", "fixture": "home"}


def test_a_case_may_choose_its_fixture(tmp_path: Path) -> None:
    data = deepcopy(file(REQUIRED))
    data["knowledge"]["fixtures"]["shop"] = {"url": "s"}
    data["cases"][0]["fixture"] = "shop"
    (case,) = load(tmp_path, data).dataset.cases
    assert isinstance(case.inputs, PageInput)
    assert case.inputs.fixture == Page(url="s")


def test_a_file_that_gives_no_knowledge_needs_no_fixture(tmp_path: Path) -> None:
    data = file(REQUIRED)
    del data["knowledge"]
    loaded = load(tmp_path, data)
    assert (loaded.target, loaded.dataset.cases[0].metadata) == ("team", {})
    data["cases"][0]["fixture"] = "home"
    assert "/cases/0/fixture" in problems(tmp_path, data)


def test_tags_metadata_and_the_plan_of_a_case_are_kept(tmp_path: Path) -> None:
    data = file(REQUIRED, default_metadata={"a": 1, "b": 2})
    data["cases"][0] |= {
        "tags": ["smoke"], "metadata": {"b": 3}, "must_pass": True, "repeat": 4,
        "known_failure": {"reason": "the model lies", "until": "2031-05-01"},
    }  # fmt: skip
    loaded = load(tmp_path, data)
    assert loaded.dataset.cases[0].metadata == {
        "a": 1, "b": 3, "tags": ["smoke"], "knowledge_source": "fixtures", "fixture": "home"
    }  # fmt: skip
    plan = loaded.plans["one"]
    assert (plan.must_pass, plan.repeat) == (True, 4)
    excuse = KnownFailure(reason="the model lies", until=date(2031, 5, 1))
    assert plan.known_failure == excuse


def test_the_contract_of_the_task_is_added_to_every_case(tmp_path: Path) -> None:
    loaded = load(tmp_path, file(REQUIRED))
    assert tuple(loaded.dataset.evaluators) == tuple(DESK.contracts["retrieval"])
    assert loaded.dataset.cases[0].evaluators == [CalledRequiredTools(("search",))]


def test_a_contract_is_narrowed_with_a_reason(tmp_path: Path) -> None:
    narrowed = {"name": "retrieval", "without": [{"id": "completed", "reason": "it is slow"}]}
    loaded = load(tmp_path, file(REQUIRED, contract=narrowed))
    names = [one.get_default_evaluation_name() for one in loaded.dataset.evaluators]
    assert names == ["nothing is sent"]


@pytest.mark.parametrize(
    ("contract", "pointer", "told"),
    [
        ("retreival", "/contract", "unknown contract 'retreival'; did you mean 'retrieval'?"),
        ({"name": "strict"}, "/contract/name", "wanted one of retrieval"),
        ({"name": "retrieval", "without": [{"id": "complete", "reason": "x"}]},
         "/contract/without/0/id", "no assertion 'complete'; did you mean 'completed'?"),
        ({"name": "retrieval", "without": [{"id": "completed"}]},
         "/contract/without/0/reason", "is missing; it is required"),
    ],
)  # fmt: skip
def test_a_contract_that_is_not_there_is_told(
    tmp_path: Path, contract: Any, pointer: str, told: str
) -> None:
    found = problems(tmp_path, file(REQUIRED, contract=contract))
    assert told in found[pointer]


def test_generated_names_are_unique_in_a_case_and_stable(tmp_path: Path) -> None:
    data = file({"type": "completed"}, REQUIRED, REQUIRED, {**REQUIRED, "id": "again"})
    names = [
        [
            one.get_default_evaluation_name()
            for one in load(tmp_path, data).dataset.cases[0].evaluators
        ]
        for _ in range(2)
    ]
    name = "called_required_tools(search)"
    assert names[0] == names[1] == ["completed#2", name, f"{name}#2", "again"]


def test_an_id_that_is_taken_is_told(tmp_path: Path) -> None:
    data = file(
        {**REQUIRED, "id": "nothing is sent"}, {**REQUIRED, "id": "x"}, {**REQUIRED, "id": "x"}
    )
    assert problems(tmp_path, data) == {
        "/cases/0/evaluators/0/id": "the id 'nothing is sent' is taken in this case; "
        "give each evaluator an id of its own",
        "/cases/0/evaluators/2/id": "the id 'x' is taken in this case; "
        "give each evaluator an id of its own",
    }


def test_a_vocabulary_stands_for_its_terms(tmp_path: Path) -> None:
    entry = {"type": "human_response_contains_any_term", "accepted_terms_ref": "cities"}
    data = file(entry, REQUIRED, vocabularies={"cities": ["Paris", {"any": ["Rome", "Roma"]}]})
    evaluator = load(tmp_path, data).dataset.cases[0].evaluators[0]
    terms = ("Paris", AnyTerm(any=("Rome", "Roma")))
    assert evaluator == HumanResponseContainsAnyTerm(terms)


def test_a_response_index_is_the_turn_of_the_scope(tmp_path: Path) -> None:
    entry = {"type": "human_response_contains_terms", "required_terms": ["x1"], "response_index": 0}
    loaded = load(tmp_path, file(entry))
    expected = HumanResponseContainsTerms(("x1",), scope=Scope(turn=0))
    assert loaded.dataset.cases[0].evaluators == [expected]


def test_an_argument_with_a_default_of_the_application_may_be_left_out(tmp_path: Path) -> None:
    entry = {"type": "tool_evidence_contains_terms", "required_terms": ["x1"]}
    loaded = load(tmp_path, file(entry))
    expected = ToolEvidenceContainsTerms("search", ("x1",))
    assert loaded.dataset.cases[0].evaluators == [expected]


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
    told = "found 'retreival'; did you mean 'retrieval'? wanted one of retrieval, session"
    assert found["/task"] == told


def test_a_missing_task_is_told(tmp_path: Path) -> None:
    data = file(REQUIRED)
    del data["task"]
    assert problems(tmp_path, data) == {"/task": "is missing; wanted one of retrieval, session"}


def test_what_has_no_type_is_told_with_the_types_there_are(tmp_path: Path) -> None:
    data = file({"id": "x"}, REQUIRED, knowledge={"fixtures": {"home": {"url": "h"}}})
    found = problems(tmp_path, data)
    assert found["/cases/0/evaluators/0/type"].startswith("is missing; wanted one of answered_")
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


def session_file(*cases: Any, **fields: Any) -> dict[str, Any]:
    return {"version": 2, "task": "session", "name": "golden", "cases": list(cases), **fields}


CHECKED = {"name": "one", "evaluators": [{"type": "completed"}]}


def test_a_session_stands_beside_its_file(tmp_path: Path) -> None:
    (tmp_path / "talk.jsonl").write_text("", "utf-8")
    loaded = load(tmp_path, session_file({**CHECKED, "invocation": "e-1"}, session="talk.jsonl"))
    inputs = SessionInput(
        session=str(tmp_path / "talk.jsonl"), invocation="e-1", tool_rules=tuple(DESK.tool_rules)
    )
    assert (loaded.target, loaded.dataset.cases[0].inputs) == ("session", inputs)


def test_every_session_that_is_not_there_is_told_with_the_rest(tmp_path: Path) -> None:
    data = session_file(CHECKED, {**CHECKED, "name": "two", "session": "no.jsonl", "nme": 1})
    assert problems(tmp_path, data) == {
        "/cases/0/session": "is missing; give `session` to the file, or to each case",
        "/cases/1/nme": "unknown field 'nme'; did you mean 'name'? wanted one of evaluators, "
        "invocation, known_failure, limits, metadata, must_pass, name, repeat, session, tags",
        "/cases/1/session": "no file 'no.jsonl'; name a session file, relative to this one",
    }


@pytest.mark.parametrize("shared", ["gone.jsonl", "nul\0.jsonl"])
def test_the_session_of_the_file_must_be_there(tmp_path: Path, shared: str) -> None:
    found = problems(tmp_path, session_file(CHECKED, session=shared))
    assert list(found) == ["/session"]


def test_a_session_that_is_given_replaces_all_that_are_named(tmp_path: Path) -> None:
    given = tmp_path / "given.jsonl"
    for data in (session_file(CHECKED), session_file(CHECKED, session="gone.jsonl")):
        (case,) = load(tmp_path, data, session=given).dataset.cases
        assert isinstance(case.inputs, SessionInput)
        assert case.inputs.session == str(given)
