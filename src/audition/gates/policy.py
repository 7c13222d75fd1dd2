"""What a gate asks for, as it stands in a policy file. Knows nothing of files and runs."""

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

VERSION = 1
_HOW_TO_ASK_FOR_ALL = "a bar below 1; that every case passes is `must_pass: {every: true}`"


class _Rule(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Target(_Rule):
    """What a bar looks at: all cases, or one of these.

    Attributes:
        tag: The cases that have it.
        layer: The assertions of this layer that must hold, in the cases that have some.
        evaluator: The assertions of this name, or of evaluators of this type without an id.
        agent: The assertions that must hold and whose scope is this agent.

    """

    tag: str | None = Field(default=None, min_length=1)
    layer: str | None = Field(default=None, min_length=1)
    evaluator: str | None = Field(default=None, min_length=1)
    agent: str | None = Field(default=None, min_length=1)

    @property
    def named(self) -> tuple[str, str] | None:
        """The kind and the name of what it looks at, None for all cases."""
        every = (("tag", self.tag), ("layer", self.layer))
        every = (*every, ("evaluator", self.evaluator), ("agent", self.agent))
        return next(((kind, name) for kind, name in every if name is not None), None)

    def __str__(self) -> str:
        return " ".join(self.named) if self.named else "all cases"

    @model_validator(mode="after")
    def _one_target(self) -> Self:
        named = [name for name in ("tag", "layer", "evaluator", "agent") if getattr(self, name)]
        if len(named) > 1:
            msg = f"write one of {' and '.join(named)}, and another rule for the other"
            raise ValueError(msg)
        return self


class Bar(Target):
    """A pass rate that must be shown.

    Attributes:
        at_least: What the lower end of the interval must reach, above 0 and below 1.

    """

    at_least: float = Field(gt=0, lt=1, description=_HOW_TO_ASK_FOR_ALL)


class ScoreBar(_Rule):
    """The mean of a score, over cases.

    Attributes:
        score: Its name.
        at_least: The least mean; at it the bar is passed.

    """

    score: str = Field(min_length=1)
    at_least: float


class Margin(Target):
    """By how much a run may be worse than the baseline.

    Attributes:
        margin: Above 0, at most 1; 0.03 is three points.

    """

    margin: float = Field(gt=0, le=1)


class MustPassCase(_Rule):
    """A case all of whose repeats must pass.

    Attributes:
        case: Its name.
        repeats: How many of them there must be, at least.

    """

    case: str = Field(min_length=1)
    repeats: int = Field(ge=1)


class MustPass(_Rule):
    """Cases that a gate lets through only where every one of their repeats passed.

    Attributes:
        cases: By name, or with a number of repeats of their own.
        marked: Whether those with `must_pass` in the dataset file are among them.
        every: Whether all cases are; a known failure that is still excused is not.
        repeats: How many repeats each must have, at least.

    """

    cases: tuple[str | MustPassCase, ...] = ()
    marked: bool = True
    every: bool = False
    repeats: int = Field(default=1, ge=1)


class Baseline(_Rule):
    """How a run is compared with the baseline.

    Attributes:
        margin: By how much all cases together may be worse.
        also: The same of tags, layers, evaluators and agents.
        correction: What is done about several tests of harm.

    """

    margin: float | None = Field(default=None, gt=0, le=1)
    also: tuple[Margin, ...] = ()
    correction: Literal["holm", "bonferroni", "none"] = "holm"

    @property
    def margins(self) -> tuple[tuple[str, Margin], ...]:
        """All margins, each with its place below that of the baseline."""
        own = () if self.margin is None else (("/margin", Margin(margin=self.margin)),)
        return (*own, *((f"/also/{place}", one) for place, one in enumerate(self.also)))

    @model_validator(mode="after")
    def _some_margin(self) -> Self:
        if not self.margins:
            msg = "write `margin`, or a rule in `also`"
            raise ValueError(msg)
        return self


class Budgets(_Rule):
    """What a run may take.

    Attributes:
        cost_usd: US dollars of all runs together.
        tokens: Read and written, of all runs together.
        seconds_p95: The 95th percentile of the seconds of a run.
        tool_calls_per_case: The most in any run of a case.

    """

    cost_usd: float | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    seconds_p95: float | None = Field(default=None, ge=0)
    tool_calls_per_case: int | None = Field(default=None, ge=0)


class Tolerate(_Rule):
    """What is not held against a run.

    Attributes:
        errors: Share of runs that may break, from 0 to 1.
        unmeasured: Share of runs that may measure nothing.
        flaky: Share of cases that may pass at times, None for any.
        selection: Whether a run of chosen cases, or of one part of them, may pass.

    """

    errors: float = Field(default=0, ge=0, le=1)
    unmeasured: float = Field(default=0, ge=0, le=1)
    flaky: float | None = Field(default=None, ge=0, le=1)
    selection: bool = False


class Policy(_Rule):
    """What a run must be.

    Attributes:
        version: The version of this format.
        confidence: Of the intervals whose ends are compared with bars and margins.
        must_pass: Cases that must pass in every repeat.
        bars: Pass rates that must be shown.
        scores: Means of scores.
        baseline: The comparison with a baseline.
        budgets: What the run may take.
        tolerate: What is not held against it.

    """

    version: Literal[1]
    confidence: float = Field(default=0.95, ge=0.5, lt=1)
    must_pass: MustPass | None = None
    bars: tuple[Bar, ...] = ()
    scores: tuple[ScoreBar, ...] = ()
    baseline: Baseline | None = None
    budgets: Budgets | None = None
    tolerate: Tolerate = Tolerate()

    @property
    def one_sided(self) -> float:
        """The confidence of each end of an interval alone: 0.975 where that has 0.95."""
        return (1 + self.confidence) / 2

    @model_validator(mode="after")
    def _some_rule(self) -> Self:
        rules = (self.must_pass, self.bars, self.scores, self.baseline, self.budgets)
        if not any(rules) and self.tolerate.flaky is None:
            msg = "write must_pass, bars, scores, baseline or budgets: nothing is asked for"
            raise ValueError(msg)
        return self


def policy_schema() -> dict[str, Any]:
    """Return the JSON Schema of policy files, for editors."""
    made = Policy.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}
