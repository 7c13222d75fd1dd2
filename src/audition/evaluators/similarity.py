"""How like the answer is to one that was expected."""

import math
from collections.abc import Sequence
from typing import Annotated, ClassVar

from annotated_types import Gt, Le, MaxLen, MinLen
from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    Reads,
)
from audition.evaluators.reasons import few
from audition.evaluators.terms import CLOSE
from audition.evaluators.view import EvidenceView
from audition.matching.similarity import likeness
from audition.matching.terms import TermText, describe
from audition.matching.text import normalise

type ExpectedAnswer = Annotated[TermText, MaxLen(10_000)]
"""A text to compare; longer ones would take seconds."""

_MOST = 10


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class AnswerIsSimilar(CaseEvaluator):
    """The answer as a whole is written much like one of several, in the normal form of both.

    Likeness of letters, not of meaning: 7 berths and 8 berths are nearly the same.

    Attributes:
        expected_answers: One of them is enough.
        threshold: The least similarity, above 0, to 1 for the same text.

    """

    layer: ClassVar[Layer] = Layer.ANSWER
    reads: ClassVar[Reads] = Reads.SHOWN
    key: ClassVar[tuple[str, ...]] = ("expected_answers",)

    expected_answers: Annotated[tuple[ExpectedAnswer, ...], MinLen(1)]
    threshold: Annotated[float, Gt(0), Le(1)] = CLOSE

    def examine(self, view: EvidenceView) -> Finding:
        """Return the similarity of each, the most similar first."""
        answer = view.answer()
        wanted = f"wanted at least {self.threshold:.0%}"
        if answer is None:
            told = f"{view.no_answer()}; would compare with {describe(self.expected_answers[0])}"
            return Finding(False, f"{told}; {wanted}", cause="empty")
        compared = [
            (*likeness(normalise(expected), answer.normal, self.threshold), expected)
            for expected in self.expected_answers
        ]
        compared.sort(key=lambda one: -one[0])
        best, is_exact, _ = compared[0]
        shown = few(compared, lambda one: _tell(*one), most=_MOST)
        told = f"{view.answer_name()} is similar {shown}; {wanted}"
        ok = is_exact and best >= self.threshold
        return Finding(ok, told, cause=None if ok else "unlike")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the answer."""
        answer = view.answer()
        return [] if answer is None else [answer.raw]


def _tell(similarity: float, is_exact: bool, expected: str) -> str:  # noqa: FBT001  # as it was made
    # Rounded down: what is nearly the same is not the same.
    percent = math.floor(similarity * 1000) / 10
    return f"{'' if is_exact else 'at most '}{percent}% to {describe(expected)}"
