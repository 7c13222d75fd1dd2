"""Our files, whole: what is read."""

from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from audition.datasets.authoring import Authoring
from audition.datasets.formats import KnownFailure
from audition.datasets.loading import build_dataset
from audition.datasets.reading import read_source
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.responses import HumanResponseContainsAnyTerm, HumanResponseContainsTerms
from audition.evaluators.tools import CalledRequiredTools
from audition.evaluators.view import Scope
from audition.fact_stages import final_answer, tool_evidence
from audition.matching.terms import AnyTerm
from tests.datasets.desk import CASES, DESK, REQUIRED, Page, PageInput, file, load, problems


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


STAGED = Authoring(fact_stages=(final_answer("answered"), tool_evidence("found", "search")))


def test_the_facts_of_a_case_are_kept_with_it(tmp_path: Path) -> None:
    case = {
        "name": "one",
        "message": "Who?",
        "evaluators": [REQUIRED],
        "facts": ["Mara", {"any": ["Oren", "Castell"]}],
        "fact_stages": ["found"],
    }
    bare = {"version": 2, "task": "retrieval", "name": "desk", "cases": [case]}
    loaded = load(tmp_path, bare, STAGED)
    assert loaded.dataset.cases[0].metadata == {
        "facts": ["Mara", {"any": ["Oren", "Castell"]}],
        "fact_stages": ["found"],
    }
    case["fact_stages"] = ["fuond"]
    told = "unknown stage 'fuond'; did you mean 'found'? wanted one of answered, found"
    assert problems(tmp_path, bare, STAGED) == {"/cases/0/fact_stages/0": told}
    del case["facts"], case["fact_stages"]
    case["fact_stages"] = ["found"]
    assert list(problems(tmp_path, bare, STAGED)) == ["/cases/0/fact_stages"]
    case["facts"] = ["Mara"]
    del case["fact_stages"]
    assert list(problems(tmp_path, bare, Authoring())) == ["/cases/0/facts"]
