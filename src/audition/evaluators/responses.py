"""What the human was told."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    Reads,
)
from audition.evaluators.terms import Terms, first_found, missing_terms, tell, tell_missing
from audition.evaluators.view import EvidenceView
from audition.matching.text import shown_text


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class HumanResponseContainsTerms(CaseEvaluator):
    """The answer contains every term.

    The answer of a turn is the last thing said to the human in it; without a turn in the scope
    it is the final answer. What was said earlier in the turn does not count.

    Attributes:
        required_terms: All must be in the answer.

    """

    layer: ClassVar[Layer] = Layer.ANSWER
    reads: ClassVar[Reads] = Reads.TERMS
    key: ClassVar[tuple[str, ...]] = ("required_terms",)

    required_terms: Terms

    def examine(self, view: EvidenceView) -> Finding:
        """Return the terms that the answer lacks."""
        answer = view.answer()
        if answer is None:
            told = f"{view.no_answer()}; looked for {tell(self.required_terms)}"
            return Finding(False, told, cause="empty")
        missing = missing_terms(self.required_terms, [answer])
        if not missing:
            return Finding(True, f"{view.answer_name()} contains {tell(self.required_terms)}")
        told, cause = tell_missing(missing, [answer])
        found = [term for term in self.required_terms if term not in missing]
        has = f"; it has {tell(found)}" if found else ""
        return Finding(False, f"{view.answer_name()} lacks {told}{has}", cause=cause)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the answer."""
        answer = view.answer()
        return [] if answer is None else [answer.raw]


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class HumanResponseContainsAnyTerm(CaseEvaluator):
    """The answer contains at least one of the terms.

    Attributes:
        accepted_terms: One of them must be in the answer.

    """

    layer: ClassVar[Layer] = Layer.ANSWER
    reads: ClassVar[Reads] = Reads.TERMS
    key: ClassVar[tuple[str, ...]] = ("accepted_terms",)

    accepted_terms: Terms

    def examine(self, view: EvidenceView) -> Finding:
        """Return the term that was found, or all that would have been accepted."""
        answer = view.answer()
        if answer is None:
            told = f"{view.no_answer()}; would accept {tell(self.accepted_terms)}"
            return Finding(False, told, cause="empty")
        for term in self.accepted_terms:
            found = first_found(term, [answer])
            if found is not None:
                return Finding(True, f"{view.answer_name()} contains {shown_text(found.text)!r}")
        told, cause = tell_missing(self.accepted_terms, [answer])
        return Finding(
            False, f"{view.answer_name()} contains none of the accepted: {told}", cause=cause
        )

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the answer."""
        answer = view.answer()
        return [] if answer is None else [answer.raw]


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class HumanResponseContainsNoTerms(CaseEvaluator):
    """Nothing that the human was told in scope, notices included, contains any of the terms.

    Silence is no proof: without a completed turn, or without any answer, it fails.

    Attributes:
        forbidden_terms: None of them may be in any response.

    """

    layer: ClassVar[Layer] = Layer.ANSWER
    reads: ClassVar[Reads] = Reads.TERMS
    key: ClassVar[tuple[str, ...]] = ("forbidden_terms",)

    forbidden_terms: Terms

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments."""
        return True

    def examine(self, view: EvidenceView) -> Finding:
        """Return the forbidden terms that were said, and where."""
        told_texts = view.told()
        said = [
            f"{tell([term])} in {found.excerpt!r}"
            for term in self.forbidden_terms
            if (found := first_found(term, told_texts)) is not None
        ]
        if said:
            return Finding(False, f"the human was told {'; '.join(said)}", cause="forbidden")
        unobserved = view.missing()
        if unobserved is not None or not view.responses():
            told = f"{unobserved or view.no_answer()}; looked for {tell(self.forbidden_terms)}"
            layer = Layer.RUN if unobserved is not None else None
            return Finding(False, told, layer=layer, cause="nothing observed")
        count = len(told_texts)
        return Finding(
            True, f"{count} message(s) to the human contain none of {tell(self.forbidden_terms)}"
        )

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return everything said to the human."""
        return [text.raw for text in view.told()]
