from typing import Any

import pytest

from audition.datasets.checks import (
    PlacedEvaluator,
    WrittenEvaluator,
    impossible_turn,
    only_negative,
    same_names,
    terms_in_question,
    wrong_tags,
)
from audition.evaluators.case_evaluator import CaseEvaluator
from audition.evaluators.completion import Completed
from audition.evaluators.evidence import ToolEvidenceContainsTerms
from audition.evaluators.responses import (
    HumanResponseContainsAnyTerm,
    HumanResponseContainsNoTerms,
    HumanResponseContainsTerms,
)
from audition.evaluators.tools import ToolCallCount


def placed(evaluator: CaseEvaluator, **written: Any) -> PlacedEvaluator:
    return PlacedEvaluator(pointer="/e", written=written, evaluator=evaluator)


@pytest.mark.parametrize("name", ["fee", "Fee", " fee ", "\uff46ee"])
def test_names_that_are_nearly_the_same_are_told(name: str) -> None:
    (problem,) = same_names(["fee", "other", name])
    assert (problem.pointer, "/cases/0" in problem.found) == ("/cases/2/name", True)


def test_composed_and_decomposed_letters_make_no_two_names() -> None:
    assert len(list(same_names(["caf\u00e9", "cafe\u0301", "cafe"]))) == 1


def test_a_third_case_of_one_name_is_told_of_the_first() -> None:
    told = [problem.found for problem in same_names(["a", "a", "a"])]
    assert told == ["a is already the name of /cases/0"] * 2


@pytest.mark.parametrize(
    ("written", "pointers"),
    [
        ({"response_index": 1}, ["/e/response_index"]),
        ({"scope": {"turn": 4}}, ["/e/scope/turn"]),
        ({"response_index": 0, "scope": {"turn": 0}}, []),
        ({"response_index": "1", "scope": None}, []),
    ],
)
def test_a_turn_that_can_never_exist_is_told(written: Any, pointers: list[str]) -> None:
    found = list(impossible_turn(WrittenEvaluator(pointer="/e", written=written), turns=1))
    assert [problem.pointer for problem in found] == pointers
    assert all(problem.wanted == "the case has 1 turn(s): use 0 to 0" for problem in found)


def test_an_evaluator_of_a_turn_may_not_look_at_another() -> None:
    own = WrittenEvaluator(pointer="/e", written={"scope": {"turn": 1}}, turn=1)
    other = WrittenEvaluator(pointer="/e", written={"response_index": 0}, turn=1)
    assert list(impossible_turn(own, turns=2)) == []
    (found,) = impossible_turn(other, turns=2)
    assert (found.pointer, found.found) == (
        "/e/response_index",
        "turn 0, for an evaluator of turn 1",
    )


def test_terms_that_an_echo_would_satisfy_are_told() -> None:
    asked = placed(HumanResponseContainsTerms(("gate", "pier", "harbour")))
    found = terms_in_question(asked, ["Which PIER has a gate?"])
    assert [problem.pointer for problem in found] == ["/e/required_terms/0", "/e/required_terms/1"]


def test_terms_of_a_vocabulary_are_told_where_it_is_named() -> None:
    asked = placed(HumanResponseContainsAnyTerm(("gate",)), accepted_terms_ref="places")
    (problem,) = terms_in_question(asked, ["Which gate?"])
    assert problem.pointer == "/e/accepted_terms_ref"


@pytest.mark.parametrize(
    "evaluator",
    [HumanResponseContainsNoTerms(("gate",)), ToolEvidenceContainsTerms("search", ("gate",))],
)
def test_only_what_is_asked_of_an_answer_can_be_echoed(evaluator: CaseEvaluator) -> None:
    assert list(terms_in_question(placed(evaluator), ["Which gate?"])) == []


def test_a_case_needs_something_that_asserts_a_deed() -> None:
    negative = [ToolCallCount("search", maximum=2), HumanResponseContainsNoTerms(("gate",))]
    assert [problem.pointer for problem in only_negative(3, negative)] == ["/cases/3"]
    assert list(only_negative(3, [*negative, Completed()])) == []
    assert [problem.found for problem in only_negative(0, [])] == ["no evaluator checks it"]


def test_tags_by_which_no_case_can_be_selected_are_told() -> None:
    tags: list[Any] = ["smoke", {"a": 1}, ["ok", None], [], None]
    cases = [{"metadata": {"tags": one}} for one in tags]
    assert [problem.pointer for problem in wrong_tags([*cases, {}])] == [
        "/cases/0/metadata/tags",
        "/cases/1/metadata/tags",
        "/cases/2/metadata/tags/1",
    ]
