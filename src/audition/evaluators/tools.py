"""Which tools were called, how often, and how it ended."""

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, ClassVar, Self

from annotated_types import Ge, MinLen
from pydantic import model_validator
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
from audition.evaluators.view import EvidenceView
from audition.invocations import InvocationOutcome, ToolInvocation

type ToolName = Annotated[str, MinLen(1)]
type ToolNames = Annotated[tuple[ToolName, ...], MinLen(1)]

_MOST_TOOLS = 30


def tell_calls(invocations: Iterable[ToolInvocation]) -> str:
    """Return the tools that were called and how often, as a reason shows them."""
    counts: dict[str, int] = {}
    for invocation in invocations:
        counts[invocation.tool_name] = counts.get(invocation.tool_name, 0) + 1
    told = [f"{name} x{count}" if count > 1 else name for name, count in counts.items()]
    return few(told, most=_MOST_TOOLS, separator=", ") or "no tool"


def tell_every_call(view: EvidenceView) -> str:
    """Return all that was called, for a reason that says that something was not."""
    return f"called: {tell_calls(view.invocations())}"


def tell_outcome(invocation: ToolInvocation) -> str:
    """Return one invocation with its arguments, its outcome and what it gave back."""
    why = invocation.failure or invocation.parse_error or invocation.content or "nothing came back"
    return (
        f"{invocation.tool_name} (call {invocation.tool_call_id}, "
        f"arguments {_arguments(invocation)[:200]}) "
        f"ended with {invocation.outcome}: {' '.join(why[:300].split())}"
    )


def _arguments(invocation: ToolInvocation) -> str:
    return "?" if invocation.arguments_raw is None else invocation.arguments_raw


def tell_endings(invocations: Iterable[ToolInvocation]) -> Sequence[str]:
    """Return each invocation with its arguments and how it ended, in a few words."""
    return [f"{one.tool_name} {_arguments(one)} -> {one.outcome}" for one in invocations]


def _no_call(view: EvidenceView, told: str) -> Finding:
    """Return that there was no such call, and whether one would have been seen."""
    note = "" if view.shows_tools() else "; this runtime does not say that it shows tool calls"
    return absence(view, f"{told}{note}")


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class CalledRequiredTools(CaseEvaluator):
    """Each of the tools was called at least once, successfully or not.

    Attributes:
        required_tools: All must have been called.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    reads: ClassVar[Reads] = Reads.NAMES
    key: ClassVar[tuple[str, ...]] = ("required_tools",)

    required_tools: ToolNames

    def examine(self, view: EvidenceView) -> Finding:
        """Return the tools that were not called."""
        silent = not_called(view, self.required_tools)
        if silent is not None:
            return Finding(False, silent, cause="not called")
        return Finding(True, f"called{view.scope}: {tell_calls(view.invocations())}")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return every call."""
        return tell_endings(view.invocations())


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class DidNotCallTools(CaseEvaluator):
    """None of the tools was called.

    Attributes:
        forbidden_tools: None may have been called.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    reads: ClassVar[Reads] = Reads.NAMES
    key: ClassVar[tuple[str, ...]] = ("forbidden_tools",)

    forbidden_tools: ToolNames

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments."""
        return True

    def examine(self, view: EvidenceView) -> Finding:
        """Return the forbidden calls."""
        calls = selected_invocations(view, self.forbidden_tools)
        if calls:
            told = f"called{view.scope}: {few(calls, tell_outcome)}"
            return Finding(False, told, cause="forbidden call")
        return _no_call(view, f"not called{view.scope}: {', '.join(self.forbidden_tools)}")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the calls of these tools."""
        return tell_endings(selected_invocations(view, self.forbidden_tools))


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class CalledOnlyAllowedTools(CaseEvaluator):
    """No tool was called but these, each any number of times.

    An allowlist cannot catch a team that did no work: assert a required tool beside it.

    Attributes:
        allowed_tools: The names that may be called; empty for none at all.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    reads: ClassVar[Reads] = Reads.NAMES
    key: ClassVar[tuple[str, ...]] = ("allowed_tools",)

    allowed_tools: tuple[ToolName, ...]

    @property
    def asserts_absence(self) -> bool:
        """It does, whatever its arguments."""
        return True

    def examine(self, view: EvidenceView) -> Finding:
        """Return the calls outside the list."""
        calls = view.invocations()
        others = [call for call in calls if call.tool_name not in self.allowed_tools]
        allowed = ", ".join(self.allowed_tools) or "no tool"
        if others:
            told = f"called{view.scope}: {tell_calls(others)}; allowed: {allowed}"
            return Finding(False, told, cause="forbidden call")
        return _no_call(view, f"called{view.scope}: {tell_calls(calls)}; allowed: {allowed}")

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return every call."""
        return tell_endings(view.invocations())


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class ToolCallCount(CaseEvaluator):
    """A tool was called so many times, failed calls included.

    Too few calls are the tool layer's fault, too many the budget's.

    Attributes:
        tool_name: The tool.
        minimum: Fewest calls.
        maximum: Most calls, None for any number.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    reads: ClassVar[Reads] = Reads.NAMES

    tool_name: ToolName
    minimum: Annotated[int, Ge(0)] = 0
    maximum: Annotated[int, Ge(0)] | None = None

    @model_validator(mode="after")
    def _can_fail(self) -> Self:
        if self.maximum is None and self.minimum == 0:
            msg = "any count would do: give a minimum above 0 or a maximum"
            raise ValueError(msg)
        if self.maximum is not None and self.maximum < self.minimum:
            msg = f"the maximum {self.maximum} is below the minimum {self.minimum}"
            raise ValueError(msg)
        return self

    @property
    def asserts_absence(self) -> bool:
        """Whether no call at all would do."""
        return self.minimum == 0

    def _wanted(self) -> str:
        if self.maximum is None:
            return f"at least {self.minimum}"
        return (
            f"at most {self.maximum}" if not self.minimum else f"{self.minimum} to {self.maximum}"
        )

    def key_text(self) -> str:
        """Return the tool and the bounds."""
        top = "" if self.maximum is None else str(self.maximum)
        return f"{self.tool_name} {self.minimum}..{top}"

    def examine(self, view: EvidenceView) -> Finding:
        """Return the count, and what of it failed."""
        calls = view.invocations(self.tool_name)
        bad = len([call for call in calls if call.outcome is not InvocationOutcome.OK])
        failed = f", {bad} of them not ok" if bad else ""
        told = (
            f"{self.tool_name} was called {len(calls)} time(s){view.scope}{failed}; "
            f"wanted {self._wanted()}"
        )
        if not calls and self.minimum:
            return Finding(False, f"{told}; {tell_every_call(view)}", cause="not called")
        if len(calls) < self.minimum:
            return Finding(False, told, cause="called too seldom")
        if self.maximum is not None and len(calls) > self.maximum:
            return Finding(False, told, layer=Layer.BUDGET, cause="called too often")
        return Finding(True, told) if self.maximum is None else _no_call(view, told)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the calls of the tool."""
        return tell_endings(view.invocations(self.tool_name))


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class ToolCallsSucceeded(CaseEvaluator):
    """There was a call, and every call ended well: it returned, and no rule calls it a failure.

    Attributes:
        tool_names: Only calls of these tools, each of which must have been called; empty for the
            calls of all tools.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    reads: ClassVar[Reads] = Reads.OUTCOMES
    key: ClassVar[tuple[str, ...]] = ("tool_names",)

    tool_names: tuple[ToolName, ...] = ()

    def examine(self, view: EvidenceView) -> Finding:
        """Return the calls that did not end well, or that there was none."""
        calls = selected_invocations(view, self.tool_names)
        silent = not_called(view, self.tool_names)
        if silent is not None:
            return Finding(False, silent, cause="not called")
        bad = [call for call in calls if call.outcome is not InvocationOutcome.OK]
        if not bad:
            told = f"{len(calls)} call(s){view.scope} ended well: {tell_calls(calls)}"
            # One that was lost may have ended badly.
            return absence(view, told) if view.output.dropped_events else Finding(True, told)
        told = f"{len(bad)} of {len(calls)} call(s){view.scope} did not end well: "
        return Finding(False, told + few(bad, tell_outcome), cause=_cause(bad[0].outcome))

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the calls that count."""
        return tell_endings(selected_invocations(view, self.tool_names))


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class AnyToolCallSucceeded(CaseEvaluator):
    """At least one call of each tool ended well, whatever was stumbled over before.

    Attributes:
        tool_names: The tools; each needs a call that ended well.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    reads: ClassVar[Reads] = Reads.OUTCOMES
    key: ClassVar[tuple[str, ...]] = ("tool_names",)

    tool_names: ToolNames

    def examine(self, view: EvidenceView) -> Finding:
        """Return the tools without a call that ended well."""
        calls = selected_invocations(view, self.tool_names)
        good = {call.tool_name for call in calls if call.outcome is InvocationOutcome.OK}
        without = [name for name in self.tool_names if name not in good]
        if not without:
            told = f"ended well at least once{view.scope}: {', '.join(self.tool_names)}"
            return Finding(True, told)
        tried = [call for call in calls if call.tool_name in without]
        told = few(tried, tell_outcome) or f"not called; {tell_every_call(view)}"
        cause = _cause(tried[-1].outcome) if tried else "not called"
        told = f"never ended well{view.scope}: {', '.join(without)}; {told}"
        return Finding(False, told, cause=cause)

    def looked_at(self, view: EvidenceView) -> Sequence[str]:
        """Return the calls of these tools."""
        return tell_endings(selected_invocations(view, self.tool_names))


def calls_in(view: EvidenceView, named: Collection[str]) -> Sequence[ToolInvocation]:
    """Return the invocations in scope in order; the runtime's own only where they are named."""
    calls = view.invocations()
    own = [call for name in sorted({*named}) for call in view.invocations(name) if call.internal]
    return sorted((*calls, *own), key=lambda call: call.seq) if own else calls


def selected_invocations(view: EvidenceView, names: Sequence[str]) -> Sequence[ToolInvocation]:
    """Return the invocations of these tools, tool by tool; of all where none is named."""
    if not names:
        return view.invocations()
    return [call for name in names for call in view.invocations(name)]


def not_called(view: EvidenceView, names: Sequence[str]) -> str | None:
    """Return which of the tools has no call, or that there is none at all; None where each has."""
    silent = [name for name in names if not view.invocations(name)]
    if silent:
        return f"not called{view.scope}: {', '.join(silent)}; {tell_every_call(view)}"
    return None if names or view.invocations() else f"no tool was called{view.scope}"


def _cause(outcome: InvocationOutcome) -> str:
    words = {
        InvocationOutcome.DOMAIN_FAILURE: "domain failure",
        InvocationOutcome.UNANSWERED: "unanswered",
        InvocationOutcome.PENDING: "pending",
        InvocationOutcome.REJECTED: "rejected",
    }
    return words.get(outcome, "failed")
