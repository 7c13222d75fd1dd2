"""In which order tools were called."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from annotated_types import MinLen
from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    Reads,
    absence,
)
from audition.evaluators.reasons import few, shortened
from audition.evaluators.tools import ToolName, calls_in, tell_endings
from audition.evaluators.view import EvidenceView

_SHOWN = 30


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class CalledToolsInOrder(CaseEvaluator):
    """Tools were called in this order, successfully or not; by when they were called.

    Attributes:
        ordered_tools: The tools in their order; one may stand in it more than once.
        adjacent: Whether no other call may lie between them. The runtime's own calls count only
            where they are named.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    reads: ClassVar[Reads] = Reads.NAMES
    key: ClassVar[tuple[str, ...]] = ("ordered_tools",)

    ordered_tools: Annotated[tuple[ToolName, ...], MinLen(2)]
    adjacent: bool = False

    def key_text(self) -> str:
        """Return the tools in their order."""
        return shortened(">".join(self.ordered_tools))

    def examine(self, view: EvidenceView) -> Finding:
        """Return the first tool that was not called after those before it."""
        called = [call.tool_name for call in calls_in(view, self.ordered_tools)]
        taken = (_longest_run if self.adjacent else _taken)(self.ordered_tools, called)
        told = f"called{view.scope}: {_tell(called)}"
        if taken == len(self.ordered_tools):
            # One that was lost may have lain between them.
            is_sure = not (self.adjacent and view.output.dropped_events)
            return Finding(True, told) if is_sure else absence(view, told)
        missing = self.ordered_tools[taken]
        after = f" {self._after()} {_tell(self.ordered_tools[:taken])}" if taken else ""
        return Finding(
            False,
            f"{missing} was not called{after}; wanted {_tell(self.ordered_tools)}; {told}",
            cause="wrong order" if missing in called else "not called",
        )

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return every call in order."""
        return tell_endings(calls_in(view, self.ordered_tools))

    def _after(self) -> str:
        return "directly after" if self.adjacent else "after"


def _taken(wanted: Sequence[str], called: Sequence[str]) -> int:
    """Return how many of the tools were called one after the other, others between them."""
    taken = 0
    for name in called:
        if taken < len(wanted) and name == wanted[taken]:
            taken += 1
    return taken


def _longest_run(wanted: Sequence[str], called: Sequence[str]) -> int:
    """Return how many of the tools were called in a row at most, from the first on."""
    return max((_run_at(wanted, called, start) for start in range(len(called))), default=0)


def _run_at(wanted: Sequence[str], called: Sequence[str], start: int) -> int:
    for length, name in enumerate(wanted):
        if called[start + length : start + length + 1] != [name]:
            return length
    return len(wanted)


def _tell(names: Sequence[str]) -> str:
    return few(names, most=_SHOWN, separator=", ") or "no tool"
