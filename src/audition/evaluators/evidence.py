"""What tools gave back to the models: the only ground an answer can stand on."""

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
from audition.evaluators.terms import Terms, missing_terms, tell, tell_missing
from audition.evaluators.tools import ToolName, tell_every_call, tell_outcome
from audition.evaluators.view import EvidenceView


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class ToolEvidenceContainsTerms(CaseEvaluator):
    """What a tool gave back in calls that ended well contains every term, all calls together.

    Attributes:
        tool_name: The tool.
        required_terms: Each must be in at least one of the contents.

    """

    layer: ClassVar[Layer] = Layer.EVIDENCE
    reads: ClassVar[Reads] = Reads.TERMS
    key: ClassVar[tuple[str, ...]] = ("tool_name", "required_terms")

    tool_name: ToolName
    required_terms: Terms

    def examine(self, view: EvidenceView) -> Finding:
        """Return the terms that no content has."""
        evidence = view.evidence(self.tool_name)
        if not evidence:
            calls = view.invocations(self.tool_name)
            told = few(calls, tell_outcome) or f"it was not called; {tell_every_call(view)}"
            return Finding(
                False,
                f"no evidence of {self.tool_name}{view.scope}: {told}; "
                f"looked for {tell(self.required_terms)}",
                cause="no evidence",
            )
        missing = missing_terms(self.required_terms, evidence)
        what = f"the evidence of {self.tool_name}{view.scope} ({len(evidence)} call(s))"
        if not missing:
            return Finding(True, f"{what} contains {tell(self.required_terms)}")
        told, _ = tell_missing(missing, evidence)
        empty = all(not text.normal for text in evidence)
        return Finding(
            False,
            f"{what} lacks {told}" + ("; it is empty" if empty else ""),
            cause="empty" if empty else "absent",
        )

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the contents."""
        return [text.raw for text in view.evidence(self.tool_name)]
