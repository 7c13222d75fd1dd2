"""Which tools were used, by name alone, as the suites of kagent-agentevals ask it."""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    Reads,
    absence,
)
from audition.evaluators.tools import ToolNames, calls_in, tell_calls, tell_endings
from audition.evaluators.view import EvidenceView
from audition.invocations import InvocationOutcome, ToolInvocation

_NEVER_RAN = frozenset({InvocationOutcome.REJECTED, InvocationOutcome.PENDING})


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class ToolsUsed(CaseEvaluator):
    """The tools that were used are these, whatever their arguments and however they ended.

    A call that was rejected, or still waits for its approval, used no tool. It was a call all the
    same, and one of a tool that is not named is one too many.

    Attributes:
        expected: The names; one that stands there twice is expected twice.
        mode: `superset`: each was used, others may have been; `subset`: no other was called, these
            any number of times; `unordered`: each was used as often as it stands there, no other.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    reads: ClassVar[Reads] = Reads.NAMES

    expected: ToolNames
    mode: Literal["superset", "subset", "unordered"] = "superset"

    @property
    def asserts_absence(self) -> bool:
        """Whether doing nothing at all would do."""
        return self.mode == "subset"

    def key_text(self) -> str:
        """Return the mode and the first of the tools."""
        first, *others = dict.fromkeys(self.expected)
        return f"{self.mode} {first}{f' +{len(others)}' if others else ''}"

    def examine(self, view: EvidenceView) -> Finding:
        """Return the tools that were used too seldom, too often, or should not have been called."""
        calls = calls_in(view, self.expected)
        told = f"{self.mode} of {', '.join(self.expected)}; called{view.scope}: {tell_calls(calls)}"
        unused = [call for call in calls if call.outcome in _NEVER_RAN]
        if unused:
            told += f"; of these never ran: {tell_calls(unused)}"
        for problem, cause in self._problems(calls):
            return Finding(False, f"{problem}; {told}", cause=cause)
        # Both other modes also say that there was nothing more.
        return Finding(True, told) if self.mode == "superset" else absence(view, told)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return every call."""
        return tell_endings(calls_in(view, self.expected))

    def _problems(self, calls: Sequence[ToolInvocation]) -> list[tuple[str, str]]:
        wanted = Counter(self.expected)
        used = Counter(call.tool_name for call in calls if call.outcome not in _NEVER_RAN)
        others = [call for call in calls if call.tool_name not in wanted]
        problems: list[tuple[str, str]] = []
        if self.mode != "superset" and others:
            problems.append((f"not expected: {tell_calls(others)}", "forbidden call"))
        if self.mode != "subset" and (missing := wanted - used):
            problems.append((f"not used: {_counted(missing)}", "not called"))
        if self.mode == "unordered" and (surplus := used - wanted):
            problems.append((f"too often: {_counted(surplus)}", "called too often"))
        return problems


def _counted(names: Counter[str]) -> str:
    return ", ".join(f"{name} x{count}" if count > 1 else name for name, count in names.items())
