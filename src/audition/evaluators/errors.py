"""What broke in a run, whether or not it was answered."""

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, model_validator
from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    absence,
)
from audition.evaluators.completion import broken_layer
from audition.evaluators.reasons import few
from audition.evaluators.tools import tell_outcome
from audition.evaluators.view import EVERYWHERE, EvidenceView
from audition.invocations import InvocationOutcome
from audition.matching.patterns import check_pattern, find_pattern
from audition.output import CaseOutput

type ErrorRegex = Annotated[str, AfterValidator(check_pattern)]

_SHOWN = 2000
"""Characters that are looked at of one error."""

_MOST = 10
"""Errors that are told."""


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class NoErrors(CaseEvaluator):
    """Nothing broke: no agent failed, every turn came to its end, and whatever tools stand on held.

    What a tool gave back to its model as an error is its answer, which `ToolCallsSucceeded`
    judges; a call that ended with `infrastructure_error` broke.

    Attributes:
        tolerated_errors: Regular expressions; an error in which one is found does not count. What
            ended a turn counts whatever its error says.

    """

    layer: ClassVar[Layer] = Layer.RUN
    key: ClassVar[tuple[str, ...]] = ("tolerated_errors",)

    tolerated_errors: tuple[ErrorRegex, ...] = ()

    @model_validator(mode="after")
    def _is_about_all(self) -> Self:
        if self.scope != EVERYWHERE:
            msg = "an error is kept without its agent and turn: no scope can be used here"
            raise ValueError(msg)
        return self

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments."""
        return True

    def examine(self, view: EvidenceView) -> Finding:
        """Return what broke."""
        ends = list(_ends(view.output))
        every = list(_errors(view.output))
        counting = [(layer, text) for layer, text in every if not self._is_tolerated(text)]
        tolerated = f"; {len(every) - len(counting)} tolerated" if counting != every else ""
        if ends:
            layer = broken_layer(view.output.completion_reason)
        elif counting:
            layer = counting[0][0]
        else:
            return absence(view, f"nothing broke{tolerated}")
        told = [*ends, *(text for _, text in counting)]
        return Finding(False, f"{few(told, most=_MOST)}{tolerated}", layer, cause="error")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return all that broke, what is tolerated included."""
        return [*_ends(view.output), *(text for _, text in _errors(view.output))]

    def _is_tolerated(self, text: str) -> bool:
        return any(find_pattern(pattern, text) is not None for pattern in self.tolerated_errors)


def _ends(output: CaseOutput) -> Iterator[str]:
    """Yield how each turn ended that was cut off, or the case where its turns are not known."""
    for number, turn in enumerate(output.turns):
        if not turn.completed:
            yield f"turn {number} {turn.ending}"
    if not output.turns and not output.completed:
        yield f"the case ended with {output.completion_reason}"


def _errors(output: CaseOutput) -> Iterator[tuple[Layer, str]]:
    """Yield each error with the layer that it is one of, those of the run first."""
    for error in dict.fromkeys(output.errors):
        yield Layer.RUN, error[:_SHOWN]
    for call in output.tool_invocations(internal=True):
        if call.outcome is InvocationOutcome.INFRASTRUCTURE_ERROR:
            yield Layer.TOOL, tell_outcome(call)
