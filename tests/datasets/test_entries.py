import json
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from audition.datasets.authoring import Authoring
from audition.datasets.entries import Entry, EvaluatorBuilder, entry_union
from audition.evaluators.builtin import BUILTIN
from audition.evaluators.case_evaluator import EVALUATOR_CONFIG, CaseEvaluator, Finding, Layer
from audition.evaluators.completion import Completed
from audition.evaluators.responses import HumanResponseContainsAnyTerm, HumanResponseContainsTerms
from audition.evaluators.view import EvidenceView, Scope


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class SaysPlease(CaseEvaluator):
    """An evaluator of an application."""

    layer = Layer.ANSWER

    words: tuple[str, ...] = ("please",)

    def examine(self, view: EvidenceView) -> Finding:
        return Finding(view.answer() is not None, "said")


def read(written: Any, authoring: Authoring | None = None) -> Entry:
    adapter: TypeAdapter[Entry] = TypeAdapter(entry_union(authoring or Authoring()))
    return adapter.validate_json(json.dumps(written), strict=True)


def build(written: Any, **vocabularies: Any) -> tuple[CaseEvaluator | None, list[str]]:
    builder = EvaluatorBuilder(Authoring(), vocabularies)
    evaluator, problems = builder.build(read(written), written, at="/e")
    return evaluator, [str(problem) for problem in problems]


def test_an_entry_becomes_its_evaluator() -> None:
    written = {"type": "completed", "id": "done", "scope": {"turn": 0}}
    assert build(written) == (Completed(id="done", scope=Scope(turn=0)), [])


def test_an_application_may_have_one_evaluator_alone() -> None:
    authoring = Authoring(evaluator_types=[SaysPlease])
    read({"type": "says_please", "words": ["thanks"]}, authoring)
    with pytest.raises(ValidationError):
        read({"type": "completed"}, authoring)


def test_an_application_may_add_to_the_evaluators_of_the_library() -> None:
    authoring = Authoring(evaluator_types=(*BUILTIN, SaysPlease))
    assert read({"type": "says_please"}, authoring) != read({"type": "completed"}, authoring)


def test_a_vocabulary_stands_for_a_list_of_terms() -> None:
    written = {"type": "human_response_contains_any_term", "accepted_terms_ref": "cities"}
    evaluator = HumanResponseContainsAnyTerm(("Paris",))
    assert build(written, cities=("Paris",)) == (evaluator, [])


def test_an_entry_whose_vocabulary_is_not_there_is_no_evaluator() -> None:
    written = {"type": "human_response_contains_any_term", "accepted_terms_ref": "cities"}
    assert build(written) == build(written, cities=None) == (None, [])


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "/e: neither is given; give exactly one of required_terms and required_terms_ref"),
        ({"required_terms": ["x1"], "required_terms_ref": "cities"},
         "/e: both are given; give exactly one of required_terms and required_terms_ref"),
        ({"required_terms": ["x1"], "response_index": 1, "scope": {"turn": 0}},
         "/e/response_index: response_index 1 and scope.turn 0; give one of them"),
    ],
)  # fmt: skip
def test_two_ways_to_say_one_thing_exclude_each_other(fields: Any, told: str) -> None:
    written = {"type": "human_response_contains_terms", **fields}
    assert build(written, cities=("Paris",)) == (None, [told])


def test_a_response_index_keeps_the_rest_of_the_scope() -> None:
    written = {"type": "human_response_contains_terms", "required_terms": ["x1"],
               "response_index": 2, "scope": {"agent": "@K"}}  # fmt: skip
    scope = Scope(agent="@K", turn=2)
    assert build(written) == (HumanResponseContainsTerms(("x1",), scope=scope), [])


def test_what_only_the_evaluator_can_tell_is_told_at_the_entry() -> None:
    written = {"type": "tool_call_count", "tool_name": "a", "minimum": 3, "maximum": 2}
    _, problems = build(written)
    assert [problem.split("; ")[1] for problem in problems] == [
        "the maximum 2 is below the minimum 3"
    ]


def test_a_default_of_the_application_can_be_overridden() -> None:
    defaults = {"tool_call_count": {"tool_name": "search"}}
    authoring = Authoring(evaluator_defaults=defaults)
    written = {"type": "tool_call_count", "minimum": 1}
    names = [
        read(one, authoring).model_dump()["tool_name"]
        for one in (written, {**written, "tool_name": "send"})
    ]
    assert names == ["search", "send"]
