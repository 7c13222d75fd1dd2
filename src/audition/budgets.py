"""What one case may use, kept by ending its turn: a fold over events like every policy."""

from pydantic import BaseModel, ConfigDict, Field

from audition.completion import CompletionPolicy
from audition.events import CompletionReason, Event, ModelResponded, ToolCalled
from audition.inputs import CaseInput


class Budget(BaseModel):
    """What a case may use, each None for no bound.

    Attributes:
        tokens: Most tokens that its models may read and write.
        cost_usd: Most that they may cost in US dollars.
        tool_calls: Most tools that its agents may call.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    tokens: int | None = Field(default=None, ge=1)
    cost_usd: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    tool_calls: int | None = Field(default=None, ge=1)


def budget_of(inputs: CaseInput) -> Budget | None:
    """Return what a case may use, None where it has no bound."""
    given = (inputs.max_tokens, inputs.max_cost_usd, inputs.max_tool_calls)
    if given == (None, None, None):
        return None
    return Budget(tokens=given[0], cost_usd=given[1], tool_calls=given[2])


class Budgeted:
    """A completion policy that also ends a turn once the case has used more than it may.

    Args:
        policy: Decides where that is not so.
        budget: What the case may use, over all its turns.

    """

    def __init__(self, policy: CompletionPolicy, budget: Budget) -> None:
        self._policy = policy
        self._budget = budget
        self._tokens = 0
        self._cost_usd = 0.0
        self._tool_calls = 0
        self.exceeded: str | None = None
        self.settle_seconds = policy.settle_seconds

    def begin_turn(self, turn: int) -> None:
        """Let the policy forget the turn before; what was used stays used."""
        self._policy.begin_turn(turn)

    def feed(self, turn: int | None, event: Event) -> None:
        """Add what an event used."""
        self._policy.feed(turn, event)
        if isinstance(event, ModelResponded):
            self._tokens += event.input_tokens + event.output_tokens
            self._cost_usd += event.cost_usd or 0
        elif isinstance(event, ToolCalled) and not event.internal:
            self._tool_calls += 1
        else:
            return
        self.exceeded = self.exceeded or self._over()
        if self.exceeded:
            self.settle_seconds = 0.0  # nothing more is waited for

    def quiet(self) -> None:
        """Tell the policy that nothing more will happen."""
        self._policy.quiet()

    def reason(self) -> CompletionReason | None:
        """Return `budget` once more was used than may be, else what the policy says."""
        return CompletionReason.BUDGET if self.exceeded else self._policy.reason()

    def waiting_for(self) -> str:
        """Return what the policy is still missing."""
        return self._policy.waiting_for()

    def _over(self) -> str | None:
        each = (
            ("tokens", self._tokens, self._budget.tokens),
            ("US dollars", self._cost_usd, self._budget.cost_usd),
            ("tool calls", self._tool_calls, self._budget.tool_calls),
        )
        for what, used, most in each:
            if most is not None and used > most:
                return f"{used:g} {what}, of {most:g} that the case may use"
        return None
