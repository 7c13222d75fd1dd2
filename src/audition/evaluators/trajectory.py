"""The trajectory of a case beside one that was expected: who spoke and which tools were called."""

from collections.abc import Sequence
from dataclasses import dataclass as plain_dataclass
from typing import Annotated, ClassVar, Self, assert_never

from annotated_types import MinLen
from pydantic import AfterValidator, Discriminator, JsonValue, Tag, model_validator
from pydantic.dataclasses import dataclass

from audition.evaluators.arguments import Expectation
from audition.evaluators.case_evaluator import (
    EVALUATOR_CONFIG,
    CaseEvaluator,
    Finding,
    Layer,
    absence,
)
from audition.evaluators.reasons import shortened
from audition.evaluators.tools import ToolName, calls_in, tell_calls, tell_endings
from audition.evaluators.trajectory_steps import made_call, steps_in
from audition.evaluators.view import EvidenceView
from audition.invocations import ToolInvocation
from audition.matching.chat_messages import check_calls, expected_calls, expected_steps, is_call
from audition.matching.json_values import JsonMode
from audition.matching.tool_calls import ArgumentRules, ToolCall
from audition.matching.trajectories import (
    Step,
    TrajectoryMismatch,
    TrajectoryMode,
    calls_of,
    match_calls,
    match_names,
    match_sequence,
    match_steps,
)


def _kind(rule: object) -> str:
    if isinstance(rule, dict):
        return "values"
    return "keys" if isinstance(rule, list | tuple) else "mode"


type Override = Annotated[
    Annotated[JsonMode, Tag("mode")]
    | Annotated[tuple[ToolName, ...], MinLen(1), Tag("keys")]
    | Annotated[Expectation, MinLen(1), Tag("values")],
    Discriminator(_kind),
]
"""A mode, the keys that are compared, or expected values by their key; see `tool_calls`."""


@plain_dataclass(frozen=True, slots=True)
class _Reference:
    """What is expected.

    Attributes:
        calls: The calls, in order.
        steps: The whole trajectory, None where the calls alone were given.

    """

    calls: list[ToolCall]
    steps: list[Step] | None = None

    @property
    def tools(self) -> frozenset[str]:
        """The tools that are called in it."""
        return frozenset([call.tool for call in self.calls])


def _read(items: Sequence[JsonValue]) -> _Reference:
    """Return the reference that chat messages, or the calls of a short list, are."""
    if any(map(is_call, items)) or not items:
        return _Reference(expected_calls(items))
    steps = expected_steps(items)
    return _Reference(calls_of(steps), steps)


def _checked(items: list[dict[str, JsonValue]]) -> list[dict[str, JsonValue]]:
    check_calls(_read(items).calls)
    return items


type ReferenceItems = Annotated[list[dict[str, JsonValue]], AfterValidator(_checked)]
"""Chat messages, or calls `{"tool": …, "arguments": {…}}`."""


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class MatchedTrajectory(CaseEvaluator):
    """What was done is what the reference shows; how the calls ended is not compared.

    Attributes:
        reference: Chat messages, or calls alone: `{"tool": …, "arguments": {…}}`, any arguments
            where there are none.
        mode: `strict`: the same steps in order, or the same calls where calls alone are given;
            `unordered`: the same calls; `superset`: at least these; `subset`: none but these;
            `allowlist`: tools of these names alone, however often.
        arguments_mode: `exact`; `superset`: the call has these arguments and may have more;
            `subset`: none but these; `ignore`: any.
        overrides: For a tool, or `*` for the others: a mode, the keys that are compared, or
            expected values by key.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    # Pydantic Evals has a TrajectoryMatch, of tool names and a score.
    written_as: ClassVar[str | None] = "trajectory_match"

    reference: ReferenceItems
    mode: TrajectoryMode = "strict"
    arguments_mode: JsonMode = "exact"
    overrides: dict[ToolName, Override] | None = None

    @model_validator(mode="after")
    def _can_fail(self) -> Self:
        calls = self._expected().calls
        if self.mode == "superset" and not calls:
            msg = "the reference has no call, so that any trajectory would do"
            raise ValueError(msg)
        if self.mode == "allowlist" and (self.overrides or self.arguments_mode != "exact"):
            msg = "an allowlist is of names: no arguments are compared"
            raise ValueError(msg)
        problems = "; ".join(self._rules().problems(calls))
        if problems:
            raise ValueError(problems)
        return self

    @property
    def asserts_absence(self) -> bool:
        """Whether doing nothing at all would do."""
        reference = self._expected()
        does_nothing = not reference.calls and not (self.mode == "strict" and reference.steps)
        return self.mode in {"subset", "allowlist"} or does_nothing

    def key_text(self) -> str:
        """Return the mode and the tools."""
        names = ",".join(dict.fromkeys(call.tool for call in self._expected().calls))
        text = f"{self.mode} {names}".strip()
        return shortened(text)

    def examine(self, view: EvidenceView) -> Finding:
        """Return the difference call by call."""
        reference = self._expected()
        invocations = calls_in(view, reference.tools)
        called = f"called{view.scope}: {tell_calls(invocations)}"
        mismatch = self._mismatch(reference, view, invocations)
        if mismatch is not None:
            return Finding(False, f"{self.mode}: {mismatch}; {called}", cause=mismatch.cause)
        told = f"{self.mode}: as expected; {called}"
        # Every other mode also says that there was nothing more.
        return Finding(True, told) if self.mode == "superset" else absence(view, told)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return every call in order."""
        return tell_endings(calls_in(view, self._expected().tools))

    def _expected(self) -> _Reference:
        """Return the reference, read once for every output."""
        read: _Reference | None = vars(self).get("_compiled")
        if read is None:
            read = vars(self)["_compiled"] = _read(self.reference)
        return read

    def _rules(self) -> ArgumentRules:
        return ArgumentRules(mode=self.arguments_mode, overrides=self.overrides or {})

    def _mismatch(
        self, reference: _Reference, view: EvidenceView, invocations: Sequence[ToolInvocation]
    ) -> TrajectoryMismatch | None:
        rules, expected = self._rules(), reference.calls
        match self.mode:
            case "strict" if reference.steps is not None:
                return match_steps(reference.steps, steps_in(view, invocations), rules)
            case "strict":
                return match_sequence(expected, steps_in(view, invocations), rules)
            case "allowlist":
                return match_names(expected, [made_call(one) for one in invocations])
            case "unordered" | "superset" | "subset":
                made = [made_call(one) for one in invocations]
                return match_calls(expected, made, self.mode, rules)
            case _:
                assert_never(self.mode)
