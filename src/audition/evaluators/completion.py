"""Whether the conversation was held to its end."""

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
from audition.evaluators.reasons import few
from audition.evaluators.view import EvidenceView
from audition.events import CompletionReason
from audition.output import CaseOutput
from audition.records import TurnRecord

_TRANSPORT = frozenset({CompletionReason.START_FAILED, CompletionReason.TRANSPORT_CLOSED})

_SHOWN, _MOST = 2_000, 20
"""Characters that are told of an error, and errors that are told."""


def broken_layer(reason: CompletionReason) -> Layer:
    """Return the layer that a conversation was lost in which ended for this reason."""
    if reason is CompletionReason.MISSING_VALUE:
        return Layer.ANSWER  # the conversation was held, and its next message could not be written
    if reason is CompletionReason.BUDGET:
        return Layer.BUDGET
    return Layer.TRANSPORT if reason in _TRANSPORT else Layer.RUN


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class Completed(CaseEvaluator):
    """Every turn in scope was answered, and nothing broke.

    A turn that fell quiet without an answer did not complete the job, though it is over.
    """

    layer: ClassVar[Layer] = Layer.RUN
    reads: ClassVar[Reads] = Reads.NAMES
    refuses_agent: ClassVar[str | None] = "a turn is everybody's"

    def examine(self, view: EvidenceView) -> Finding:
        """Return the turns that were not answered, and the errors."""
        output = view.output
        turns = view.turns()
        bad = [
            f"turn {position} {turn.ending}"
            for position, turn in enumerate(turns, view.scope.turn or 0)
            if turn.reason is not CompletionReason.RESPONSE
        ]
        if not output.turns and output.completion_reason is not CompletionReason.RESPONSE:
            bad.append(f"the case ended with {output.completion_reason}")
        elif not turns and output.turns:
            bad.append(view.no_answer())
        if output.errors:
            bad.append(few(output.errors, _tell_error, most=_MOST))
        if not bad:
            return Finding(True, f"{len(turns)} turn(s) answered, no error")
        detail = f" ({output.completion_detail})" if output.completion_detail else ""
        return Finding(
            False,
            f"{'; '.join(bad)}{detail}",
            layer=broken_layer(output.completion_reason),
            cause=_cause(output, turns),
        )


def _cause(output: CaseOutput, turns: Sequence[TurnRecord]) -> str:
    if not output.completed:
        return str(output.completion_reason)
    if output.errors:
        return "error"
    return "no answer" if turns else "no such turn"


def _tell_error(error: str) -> str:
    return f"error: {error[:_SHOWN]}"
