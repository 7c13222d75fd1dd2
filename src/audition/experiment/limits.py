"""What a run may take in time and use, and when it starts no more cases."""

import time
from collections import Counter
from dataclasses import dataclass, field

from audition.experiment.journal import JournalLine
from audition.experiment.status import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of a whole run, each None for no bound.

    A case that has begun is not taken back, so a budget may be overrun by what the cases use that
    are running when it is spent.

    Attributes:
        seconds: Longest time from the start of this process's part of the run.
        tokens: Most tokens read and written by models.
        cost_usd: Most that models may cost in US dollars.
        tool_calls: Most tools called by the team.
        fail_fast: Start nothing more once a case failed in this process.

    """

    seconds: float | None = None
    tokens: int | None = None
    cost_usd: float | None = None
    tool_calls: int | None = None
    fail_fast: bool = False


@dataclass(slots=True, kw_only=True)
class Spent:
    """What a run used so far, earlier attempts and processes included.

    Attributes:
        limits: What it may use.
        started_at: When this process's part began, by the monotonic clock.
        tokens: Tokens read and written by models, as far as they are counted.
        cost_usd: What models cost, as far as prices are known.
        tool_calls: Tools called by the team.
        unknown: How many results lack a count of tokens or a price, by which of both.
        failed: The name of the first case that failed in this process, None while none did.

    """

    limits: Limits
    started_at: float = field(default_factory=time.monotonic)
    tokens: int = 0
    cost_usd: float = 0.0
    tool_calls: int = 0
    unknown: Counter[str] = field(default_factory=Counter[str])
    failed: str | None = None

    def add(self, line: JournalLine, *, is_earlier: bool = False) -> None:
        """Count a result.

        Args:
            line: Its line in the journal.
            is_earlier: It is of an earlier process, whose failures stop nothing here.

        """
        if line.input_tokens is not None and line.output_tokens is not None:
            self.tokens += line.input_tokens + line.output_tokens
        elif line.model_ids:
            self.unknown["tokens"] += 1
        if line.cost_usd is not None:
            self.cost_usd += line.cost_usd
        elif line.model_ids:
            self.unknown["cost"] += 1
        self.tool_calls += line.tool_calls
        if line.status is Status.FAILED and not is_earlier and self.failed is None:
            self.failed = line.case

    @property
    def seconds_left(self) -> float | None:
        """What is left of the time of the run, None where it has no bound."""
        if self.limits.seconds is None:
            return None
        return self.started_at + self.limits.seconds - time.monotonic()

    def reason_to_stop(self) -> str | None:
        """Return why no more cases may be started, None while they may."""
        left = self.seconds_left
        if left is not None and left <= 0:
            return f"the run had {self.limits.seconds:g} s"
        if self.limits.fail_fast and self.failed is not None:
            return f"{self.failed} failed, and the first failure ends the run"
        return self._spent() or self._unknown()

    def _spent(self) -> str | None:
        each = (
            ("tokens", self.tokens, self.limits.tokens),
            ("US dollars", self.cost_usd, self.limits.cost_usd),
            ("tool calls", self.tool_calls, self.limits.tool_calls),
        )
        for what, used, most in each:
            if most is not None and used >= most:
                return f"{used:g} {what} are used, of {most:g} that the run may use"
        return None

    def _unknown(self) -> str | None:
        if self.limits.cost_usd is not None and self.unknown["cost"]:
            return "what a model costs is not known, so its budget cannot be kept"
        if self.limits.tokens is not None and self.unknown["tokens"]:
            return "a model's tokens are not counted, so their budget cannot be kept"
        return None
