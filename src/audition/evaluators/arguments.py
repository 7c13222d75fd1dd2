"""What tools were called with."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, JsonValue
from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import EVALUATOR_CONFIG, CaseEvaluator, Finding, Layer
from audition.evaluators.tools import ToolName, tell_endings
from audition.evaluators.view import EvidenceView
from audition.invocations import ToolInvocation
from audition.matching.json_values import JsonMode, check_expectation, matches
from audition.values import canonical_json


def _checked(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    check_expectation(value)
    return value


type Expectation = Annotated[dict[str, JsonValue], AfterValidator(_checked)]
"""Expected arguments; matchers may stand inside, see `audition.matching.json_matchers`."""


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class ToolArgumentsMatch(CaseEvaluator):
    """A tool was called with these arguments.

    Attributes:
        tool_name: The tool.
        arguments: What they must be; matchers may stand inside.
        mode: `superset`: the call has these and may have more; `exact`: these and no more;
            `subset`: none but these.
        calls: Whether one call like that is enough, or every call must be.

    """

    layer: ClassVar[Layer] = Layer.TOOL

    tool_name: ToolName
    arguments: Expectation
    mode: JsonMode = "superset"
    calls: Literal["any", "every"] = "any"

    def key_text(self) -> str:
        """Return the tool and the arguments."""
        text = canonical_json(self.arguments)
        short = text if len(text) <= 48 else f"{text[:45]}..."
        return f"{self.tool_name} {short}"

    def examine(self, view: EvidenceView) -> Finding:
        """Return the difference call by call."""
        calls = view.invocations(self.tool_name)
        if not calls:
            told = f"{self.tool_name} was not called{view.scope}"
            return Finding(False, told, cause="not called")
        wrong: list[str] = []
        for call in calls:
            why = self._difference(call)
            if why is not None:
                wrong.append(f"call {call.tool_call_id}: {why}")
            elif self.calls == "any":
                told = f"call {call.tool_call_id} of {self.tool_name} has the arguments"
                return Finding(True, told)
        if not wrong:
            return Finding(True, f"all {len(calls)} call(s) of {self.tool_name} have the arguments")
        told = f"{self.tool_name}: {'; '.join(wrong[:5])}"
        return Finding(False, told, cause="wrong arguments")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the calls of the tool."""
        return tell_endings(view.invocations(self.tool_name))

    def _difference(self, call: ToolInvocation) -> str | None:
        if call.parse_error is not None:
            return (
                f"the arguments {call.arguments_raw or ''!r:.200} do not parse: {call.parse_error}"
            )
        if call.arguments_raw is None and call.arguments is None:
            return "the arguments were not recorded"
        mismatch = matches(self.arguments, call.arguments, self.mode)
        return None if mismatch is None else str(mismatch)
