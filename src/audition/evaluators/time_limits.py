"""How long it took, against a limit."""

import math
from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    Reads,
    absence,
)
from audition.evaluators.reasons import few
from audition.evaluators.tools import ToolName, tell_every_call
from audition.evaluators.view import EvidenceView

type Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class TookAtMost(CaseEvaluator):
    """The turns in scope took no longer than this together, or each call of a tool did not.

    What has no time, by the clock of its source, is not known to be within a limit, and fails.
    Without a tool, the limit is that of the turn in the scope, or of all turns together.

    Attributes:
        seconds: The limit.
        tool_name: Each call of this tool, of which there must be one; None for turns.

    """

    layer: ClassVar[Layer] = Layer.BUDGET
    reads: ClassVar[Reads] = Reads.NAMES
    key: ClassVar[tuple[str, ...]] = ("seconds", "tool_name")

    seconds: Seconds
    tool_name: ToolName | None = None

    def agent_refusal(self) -> str | None:
        """Return that a turn is everybody's, where it is about turns."""
        told = "a turn is everybody's, and no tool_name is given"
        return told if self.tool_name is None else None

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments: who does nothing is quick."""
        return True

    def key_text(self) -> str:
        """Return the limit, and the tool if there is one."""
        return f"{'' if self.tool_name is None else f'{self.tool_name} '}{self.seconds:g} s"

    def examine(self, view: EvidenceView) -> Finding:
        """Return the times, and which of them is beyond the limit or not known."""
        return self._of_turns(view) if self.tool_name is None else self._of_calls(view)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return each turn, or each call of the tool, with its time."""
        return [f"{name}: {_tell(seconds)}" for name, seconds in self._times(view)]

    def _times(self, view: EvidenceView) -> Sequence[tuple[str, float | None]]:
        """Return the names and the seconds of what counts, None where they are not known."""
        if self.tool_name is not None:
            calls = view.invocations(self.tool_name)
            return [(f"call {one.tool_call_id}", _known(one.seconds)) for one in calls]
        turns = enumerate(view.turns(), view.scope.turn or 0)
        return [(f"turn {number}", _known(turn.seconds)) for number, turn in turns]

    def _of_turns(self, view: EvidenceView) -> Finding:
        times = self._times(view)
        known = [seconds for _, seconds in times if seconds is not None]
        told = f"took{view.scope} {_tell(math.fsum(known))}; wanted at most {self.seconds:g} s"
        if math.fsum(known) > self.seconds:
            return Finding(False, told, cause="took too long")
        return self._unless_unknown(view, told, times)

    def _of_calls(self, view: EvidenceView) -> Finding:
        times = self._times(view)
        slow = [(name, it) for name, it in times if it is not None and it > self.seconds]
        wanted = f"wanted at most {self.seconds:g} s each"
        if slow:
            told = few(slow, lambda one: f"{one[0]} took {_tell(one[1])}", separator=", ")
            count = f"{len(slow)} of {len(times)} call(s)"
            told = f"{count} of {self.tool_name}{view.scope} were too slow: {told}; {wanted}"
            return Finding(False, told, cause="took too long")
        if not times:
            told = f"{self.tool_name} was not called{view.scope}, so that no time is known"
            told = f"{told}; {tell_every_call(view)}"
            return Finding(False, told, layer=Layer.TOOL, cause="not called")
        longest = max((seconds for _, seconds in times if seconds is not None), default=None)
        told = f"{len(times)} call(s) of {self.tool_name}{view.scope}: the longest took "
        return self._unless_unknown(view, f"{told}{_tell(longest)}; {wanted}", times)

    def _unless_unknown(
        self, view: EvidenceView, told: str, times: Sequence[tuple[str, float | None]]
    ) -> Finding:
        observed = absence(view, told)
        unknown = [name for name, seconds in times if seconds is None]
        if not observed.ok or (times and not unknown):
            return observed
        which = few(unknown, separator=", ") or "any turn"
        return Finding(False, f"the time of {which} is not known; {told}", cause="time not known")


def _known(seconds: float | None) -> float | None:
    """Return a time that is one: by the clocks of two machines, an end may be before its start."""
    return seconds if seconds is not None and 0 <= seconds < math.inf else None


def _tell(seconds: float | None) -> str:
    return "a time that is not known" if seconds is None else f"{seconds:.3g} s"
