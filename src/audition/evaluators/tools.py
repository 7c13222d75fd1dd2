"""Which tools were called, how often, and how it ended."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar, Self

from annotated_types import Ge, MinLen
from pydantic import model_validator
from pydantic.dataclasses import dataclass

from audition.evaluators.case_evaluator import EVALUATOR_CONFIG, CaseEvaluator, Finding, Layer
from audition.evaluators.view import EvidenceView, Scope
from audition.invocations import InvocationOutcome, ToolInvocation

type ToolName = Annotated[str, MinLen(1)]
type ToolNames = Annotated[tuple[ToolName, ...], MinLen(1)]


def tell_calls(invocations: Iterable[ToolInvocation]) -> str:
    """Return the tools that were called and how often, as a reason shows them."""
    counts = Counter(invocation.tool_name for invocation in invocations)
    told = ", ".join(f"{name} x{count}" if count > 1 else name for name, count in counts.items())
    return told or "no tool"


def tell_outcome(invocation: ToolInvocation) -> str:
    """Return one invocation with its arguments, its outcome and what it gave back."""
    arguments = invocation.arguments_raw if invocation.arguments_raw is not None else "?"
    why = invocation.failure or invocation.parse_error or invocation.content or "nothing came back"
    return (
        f"{invocation.tool_name} (call {invocation.tool_call_id}, arguments {arguments[:200]}) "
        f"ended with {invocation.outcome}: {' '.join(why[:300].split())}"
    )


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class CalledRequiredTools(CaseEvaluator):
    """Each of the tools was called at least once, successfully or not.

    Attributes:
        required_tools: All must have been called.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    key: ClassVar[tuple[str, ...]] = ("required_tools",)

    required_tools: ToolNames

    def examine(self, view: EvidenceView) -> Finding:
        """Return the tools that were not called."""
        missing = [name for name in self.required_tools if not view.invocations(name)]
        called = tell_calls(view.invocations())
        if not missing:
            return Finding(True, f"called{view.scope}: {called}")
        told = f"not called{view.scope}: {', '.join(missing)}; called: {called}"
        return Finding(False, told, cause="not called")


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class DidNotCallTools(CaseEvaluator):
    """None of the tools was called.

    Attributes:
        forbidden_tools: None may have been called.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    key: ClassVar[tuple[str, ...]] = ("forbidden_tools",)
    negative: ClassVar[bool] = True

    forbidden_tools: ToolNames

    def examine(self, view: EvidenceView) -> Finding:
        """Return the forbidden calls."""
        calls = [call for name in self.forbidden_tools for call in view.invocations(name)]
        if calls:
            told = f"called{view.scope}: {'; '.join(map(tell_outcome, calls[:5]))}"
            return Finding(False, told, cause="forbidden call")
        return _absence(view, f"not called{view.scope}: {', '.join(self.forbidden_tools)}")


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class CalledOnlyAllowedTools(CaseEvaluator):
    """No tool was called but these, each any number of times.

    An allowlist cannot catch a team that did no work: assert a required tool beside it.

    Attributes:
        allowed_tools: The names that may be called; empty for none at all.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    key: ClassVar[tuple[str, ...]] = ("allowed_tools",)
    negative: ClassVar[bool] = True

    allowed_tools: tuple[ToolName, ...]

    def examine(self, view: EvidenceView) -> Finding:
        """Return the calls outside the list."""
        calls = view.invocations()
        others = [call for call in calls if call.tool_name not in self.allowed_tools]
        allowed = ", ".join(self.allowed_tools) or "no tool"
        if others:
            told = f"called{view.scope}: {tell_calls(others)}; allowed: {allowed}"
            return Finding(False, told, cause="forbidden call")
        return _absence(view, f"called{view.scope}: {tell_calls(calls)}; allowed: {allowed}")


def _absence(view: EvidenceView, told: str) -> Finding:
    """Return that something is absent, where enough was observed to say so."""
    missing = view.missing()
    if missing is None:
        return Finding(True, told)
    return Finding(False, missing, layer=Layer.RUN, cause="nothing observed")


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

    def generated_id(self) -> str:
        """Return a name that also tells the bounds apart."""
        top = "" if self.maximum is None else str(self.maximum)
        return (
            super()
            .generated_id()
            .replace(
                "tool_call_count", f"tool_call_count({self.tool_name} {self.minimum}..{top})", 1
            )
        )

    def examine(self, view: EvidenceView) -> Finding:
        """Return the count, and what of it failed."""
        calls = view.invocations(self.tool_name)
        bad = sum(call.outcome is not InvocationOutcome.OK for call in calls)
        failed = f", {bad} of them not ok" if bad else ""
        told = (
            f"{self.tool_name} was called {len(calls)} time(s){view.scope}{failed}; "
            f"wanted {self._wanted()}"
        )
        if len(calls) < self.minimum:
            return Finding(False, told, cause="not called" if not calls else "called too seldom")
        if self.maximum is not None and len(calls) > self.maximum:
            return Finding(False, told, layer=Layer.BUDGET, cause="called too often")
        return Finding(True, told) if self.minimum else _absence(view, told)


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class ToolCallsSucceeded(CaseEvaluator):
    """There was a call, and every call ended well: it returned, and no rule calls it a failure.

    Attributes:
        tool_names: Only calls of these tools, each of which must have been called; empty for the
            calls of all tools.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    key: ClassVar[tuple[str, ...]] = ("tool_names",)

    tool_names: tuple[ToolName, ...] = ()

    def examine(self, view: EvidenceView) -> Finding:
        """Return the calls that did not end well, or that there was none."""
        calls = _selected(view, self.tool_names)
        silent = _not_called(calls, self.tool_names, view.scope)
        if silent is not None:
            return Finding(False, silent, cause="not called")
        bad = [call for call in calls if call.outcome is not InvocationOutcome.OK]
        if not bad:
            told = f"{len(calls)} call(s){view.scope} ended well: {tell_calls(calls)}"
            return Finding(True, told)
        told = f"{len(bad)} of {len(calls)} call(s){view.scope} did not end well: "
        return Finding(
            False, told + "; ".join(map(tell_outcome, bad[:5])), cause=_cause(bad[0].outcome)
        )


@dataclass(config=EVALUATOR_CONFIG, repr=False)
class AnyToolCallSucceeded(CaseEvaluator):
    """At least one call of each tool ended well, whatever was stumbled over before.

    Attributes:
        tool_names: The tools; each needs a call that ended well.

    """

    layer: ClassVar[Layer] = Layer.TOOL
    key: ClassVar[tuple[str, ...]] = ("tool_names",)

    tool_names: ToolNames

    def examine(self, view: EvidenceView) -> Finding:
        """Return the tools without a call that ended well."""
        calls = _selected(view, self.tool_names)
        good = {call.tool_name for call in calls if call.outcome is InvocationOutcome.OK}
        without = [name for name in self.tool_names if name not in good]
        if not without:
            told = f"ended well at least once{view.scope}: {', '.join(self.tool_names)}"
            return Finding(True, told)
        tried = [call for call in calls if call.tool_name in without]
        told = "; ".join(map(tell_outcome, tried[:5])) or "not called"
        cause = _cause(tried[-1].outcome) if tried else "not called"
        told = f"never ended well{view.scope}: {', '.join(without)}; {told}"
        return Finding(False, told, cause=cause)


def _selected(view: EvidenceView, names: Sequence[str]) -> Sequence[ToolInvocation]:
    if not names:
        return view.invocations()
    return [call for name in names for call in view.invocations(name)]


def _not_called(calls: Sequence[ToolInvocation], names: Sequence[str], scope: Scope) -> str | None:
    called = {call.tool_name for call in calls}
    silent = [name for name in names if name not in called]
    if silent:
        return f"not called{scope}: {', '.join(silent)}"
    return None if calls else f"no tool was called{scope}"


def _cause(outcome: InvocationOutcome) -> str:
    words = {
        InvocationOutcome.DOMAIN_FAILURE: "domain failure",
        InvocationOutcome.UNANSWERED: "unanswered",
        InvocationOutcome.PENDING: "pending",
        InvocationOutcome.REJECTED: "rejected",
    }
    return words.get(outcome, "failed")
