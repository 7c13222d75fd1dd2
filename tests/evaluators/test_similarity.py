from typing import Any

import pytest
from pydantic import ValidationError

from audition.evaluators.case_evaluator import Finding
from audition.evaluators.similarity import AnswerIsSimilar
from audition.evaluators.view import EvidenceView, Scope
from audition.testing import answer, output


def examine(said: str, *expected: str, **fields: Any) -> Finding:
    evaluator = AnswerIsSimilar(expected, **fields)
    return evaluator.examine(EvidenceView(output(answer(said)), evaluator.scope))


def test_one_of_the_expected_answers_is_enough() -> None:
    found = examine("Berth 7 is free.", "No berth is free.", "Berth 7 is free")
    assert found.ok
    assert found.reason == (
        'the final answer is similar 96.7% to "Berth 7 is free"; '
        '84.8% to "No berth is free."; wanted at least 80%'
    )


def test_marks_and_case_make_no_difference() -> None:
    assert examine("**BERTH** 7\n\nis “free”", 'berth 7 is "free"', threshold=1).ok


def test_another_answer_is_told_with_how_like_it_is() -> None:
    found = examine("The pier is closed.", "Berth 7 is free.")
    assert (found.ok, found.cause) == (False, "unlike")
    assert "% to " in found.reason


def test_silence_is_similar_to_nothing() -> None:
    evaluator = AnswerIsSimilar(("Berth 7",), threshold=0.1)
    found = evaluator.examine(EvidenceView(output()))
    assert (found.ok, found.cause) == (False, "empty")
    told = 'the final answer is empty (ended with response); would compare with "Berth 7"'
    assert found.reason == f"{told}; wanted at least 10%"


def test_what_is_nearly_the_same_is_not_told_as_the_same() -> None:
    found = examine("a" * 4000, "a" * 3999 + "b", threshold=1)
    assert (found.ok, "similar 99.9% to" in found.reason) == (False, True)


def test_an_answer_of_megabytes_is_told_by_its_length_alone() -> None:
    found = examine("berth 7 is free " * 300_000, "Berth 7 is free.")
    assert (found.ok, found.cause) == (False, "unlike")
    assert found.reason.startswith("the final answer is similar at most 0.0% to")


def test_the_answer_of_a_turn_is_named() -> None:
    found = examine("Berth 7", "Berth 7", scope=Scope(turn=0))
    assert found.reason.startswith("the answer of turn 0 is similar 100.0%")


def test_many_expected_answers_are_told_in_part() -> None:
    found = examine("Berth 7", *(f"Pier {number}" for number in range(30)))
    assert " and 20 more; wanted" in found.reason


@pytest.mark.parametrize(
    ("expected", "threshold"),
    [((), 0.5), (("**",), 0.5), (("a",), 0), (("a",), 1.1), (("a" * 10_001,), 0.5)],
)
def test_what_cannot_be_meant_is_refused(expected: tuple[str, ...], threshold: float) -> None:
    with pytest.raises(ValidationError):
        AnswerIsSimilar(expected, threshold=threshold)


def test_what_was_looked_at_is_the_answer() -> None:
    evaluator = AnswerIsSimilar(("Berth 7",))
    assert evaluator.looked_at(EvidenceView(output(answer("Berth 8")))) == ["Berth 8"]
    assert evaluator.looked_at(EvidenceView(output())) == []
