"""Which evaluators can still be believed where secrets were taken out of an output.

A forbidden term that is no more in a text may have been the secret, and a required one too. So
what depends on a text with a placeholder is not evaluated, unless something was found beside it.
"""

from functools import cached_property
from typing import Any

from pydantic_evals.evaluators import (
    Evaluator,
    IsInstance,
    MaxDuration,
    MaxModelRequests,
    MaxToolCalls,
    ToolCorrectness,
    TrajectoryMatch,
)
from pydantic_evals.otel.span_tree import SPAN_TREE_ADAPTER, SpanTree

from audition.evaluators.case_evaluator import CaseEvaluator, Reads
from audition.evaluators.view import EvidenceView
from audition.output import CaseOutput
from audition.redaction.stand_ins import PLACEHOLDER, PLACEHOLDERS

WHY = "cannot be rescored: secrets were taken out of what it looks at"

_OF_NAMES = (
    *(IsInstance, MaxDuration, MaxModelRequests, MaxToolCalls, ToolCorrectness, TrajectoryMatch),
)
"""Evaluators of Pydantic Evals that compare names, numbers and times alone."""

_NOTHING = "\ua7ff"
"""What stands in the place of a placeholder where a term is looked for: a letter of no language."""


class TakenOut:
    """An output that was kept, and what of it is no more as it was judged.

    Args:
        output: The output.
        spans: The spans that were kept with it, None where none were.

    """

    def __init__(self, output: CaseOutput, spans: SpanTree | None) -> None:
        self._output = output
        self._text = output.model_dump_json()
        kept = b"" if spans is None else SPAN_TREE_ADAPTER.dump_json(spans)
        self._is_anywhere = _holds_one(self._text) or PLACEHOLDER.encode() in kept

    def why_not(self, evaluator: Evaluator[Any, Any, Any]) -> str | None:
        """Return why the verdict of an evaluator would say nothing, None where it says something.

        Args:
            evaluator: An evaluator that has not seen the output.

        """
        if not self._is_anywhere or isinstance(evaluator, _OF_NAMES):
            return None
        if not isinstance(evaluator, CaseEvaluator):
            return WHY
        return WHY if self._is_in_doubt(evaluator) else None

    def _is_in_doubt(self, evaluator: CaseEvaluator) -> bool:
        match type(evaluator).reads:
            case Reads.NAMES:
                return False
            case Reads.OUTCOMES:
                contents = [one.content for one in self._output.tool_evidence]
                return bool(self._output.tool_rules) and any(map(_holds_one, contents))
            case Reads.TERMS:
                return self._shows_one(evaluator) and not self._has_found(evaluator)
            case Reads.SHOWN:
                return self._shows_one(evaluator)
            case Reads.ANYTHING:
                return True

    def _shows_one(self, evaluator: CaseEvaluator) -> bool:
        shown = evaluator.looked_at(EvidenceView(self._output, evaluator.scope))
        return any(map(_holds_one, shown))

    def _has_found(self, evaluator: CaseEvaluator) -> bool:
        """Return whether its terms stand beside the placeholders: then they did so before."""
        finding = evaluator.examine(EvidenceView(self._without, evaluator.scope))
        return finding.ok is not evaluator.asserts_absence

    @cached_property
    def _without(self) -> CaseOutput:
        return CaseOutput.model_validate_json(PLACEHOLDERS.sub(_NOTHING, self._text))


def _holds_one(text: str) -> bool:
    return PLACEHOLDER in text
