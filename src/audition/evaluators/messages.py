"""What members of the team said to each other."""

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
from audition.evaluators.terms import Terms, missing_terms, tell, tell_missing
from audition.evaluators.view import EvidenceView, NormalTexts
from audition.records import MessageRecord


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class MessageContainsTerms(CaseEvaluator):
    """Messages from one member to another contain every term, together.

    Says whether something survived a hand-off: the answer alone does not show who dropped it.

    Attributes:
        required_terms: Each must be in at least one of the messages.
        sender: Only messages of this member, None for those of the whole team: not the human's.
        recipient: Only messages to this member, None for all.

    """

    layer: ClassVar[Layer] = Layer.ANSWER
    reads: ClassVar[Reads] = Reads.TERMS
    key: ClassVar[tuple[str, ...]] = ("sender", "recipient", "required_terms")

    required_terms: Terms
    sender: str | None = None
    recipient: str | None = None

    def examine(self, view: EvidenceView) -> Finding:
        """Return the terms that none of the messages has."""
        messages = self._messages(view)
        where = f"from {self.sender or 'anybody'} to {self.recipient or 'anybody'}{view.scope}"
        if not messages:
            told = f"no message {where}; looked for {tell(self.required_terms)}"
            return Finding(False, told, layer=Layer.ROUTE, cause="no message")
        texts = NormalTexts(view.output, [record.content for record in messages])
        missing = missing_terms(self.required_terms, texts)
        if not missing:
            told = f"{len(texts)} message(s) {where} contain {tell(self.required_terms)}"
            return Finding(True, told)
        told, cause = tell_missing(missing, texts)
        return Finding(False, f"{len(texts)} message(s) {where} lack {told}", cause=cause)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the messages between the two."""
        return [
            f"{record.sender or '?'} > {record.recipient or 'everybody'}: {record.content}"
            for record in self._messages(view)
        ]

    def _messages(self, view: EvidenceView) -> Sequence[MessageRecord]:
        return [
            record
            for record in view.messages()
            if self._is_from_sender(record, view.output.human)
            and (self.recipient is None or record.recipient == self.recipient)
        ]

    def _is_from_sender(self, record: MessageRecord, human: str) -> bool:
        # A question that has the term in it must not pass for the team's hand-off.
        return record.sender != human if self.sender is None else record.sender == self.sender
