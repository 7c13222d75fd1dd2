"""A run as every format tells it: the same rows in the same order, and the same counts.

Nothing is held of the results but what they add up to: each format reads them as it goes.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice

from audition.datasets.authoring import Authoring
from audition.experiment.exit_codes import ExitCode
from audition.experiment.journal import JournalLine
from audition.experiment.kept import KeptRun
from audition.experiment.kept_rows import Row, Told
from audition.experiment.results import output_of
from audition.experiment.status import WORST_FIRST, Status
from audition.experiment.units import Unit
from audition.redaction.records import Redactor
from audition.reports.trajectory_text import redacted_messages
from audition.trajectory import ChatMessage, chat_messages

_OUTCOME = {
    ExitCode.OK: "passed",
    ExitCode.FAILED: "failed: an assertion that must hold does not",
    ExitCode.USAGE: "refused: what it was run with is wrong",
    ExitCode.INFRASTRUCTURE: "broken: more cases than are tolerated, or the run itself",
    ExitCode.NOT_ENOUGH_EVIDENCE: "not enough evidence: something was not evaluated",
    ExitCode.INTERRUPTED: "interrupted",
    None: "did not come to its end",
}


@dataclass(slots=True)
class ScoreTotal:
    """What the values of one score add up to; what measured nothing is no zero.

    Attributes:
        measured: How many values there are.
        unmeasured: How many could not be measured.
        total: The sum of the values.

    """

    measured: int = 0
    unmeasured: int = 0
    total: float = 0.0

    def add(self, score: float) -> None:
        """Count a value; one that is no finite number is no measurement."""
        if math.isfinite(score):
            self.measured += 1
            self.total += score
        else:
            self.unmeasured += 1

    @property
    def mean(self) -> float | None:
        """The mean of the values, None without any."""
        return self.total / self.measured if self.measured else None


@dataclass(slots=True)
class Sum:
    """What an amount adds up to, None as soon as it is not known of one that a model answered."""

    amount: float | None = 0

    def add(self, amount: float | None, *, matters: bool) -> None:
        """Add an amount, None where it is not known; that matters not where no model answered."""
        if amount is None:
            self.amount = None if matters else self.amount
        elif self.amount is not None:
            self.amount += amount


@dataclass(slots=True, kw_only=True)
class Totals:
    """What the rows of a run add up to.

    Attributes:
        statuses: How many have each status.
        layers: How many did not pass, by first failing layer.
        tags: How many have each status, by tag.
        scores: The scores, by name.
        seconds: Time that all took together.
        cost_usd: What the models cost.
        input_tokens: Tokens read by models.
        output_tokens: Tokens written by models.

    """

    statuses: Counter[Status] = field(default_factory=Counter[Status])
    layers: Counter[str] = field(default_factory=Counter[str])
    tags: dict[str, Counter[Status]] = field(default_factory=dict[str, Counter[Status]])
    scores: dict[str, ScoreTotal] = field(default_factory=dict[str, ScoreTotal])
    seconds: Sum = field(default_factory=Sum)
    cost_usd: Sum = field(default_factory=Sum)
    input_tokens: Sum = field(default_factory=Sum)
    output_tokens: Sum = field(default_factory=Sum)

    def add(self, row: Row) -> None:
        """Count a row."""
        line = row.line
        self.statuses[line.status] += 1
        if line.layer is not None and line.status is not Status.PASSED:
            self.layers[line.layer] += 1
        for tag in row.tags:
            self.tags.setdefault(tag, Counter[Status]())[line.status] += 1
        self._add_scores(line)
        self.seconds.add(line.seconds, matters=False)
        asked = bool(line.model_ids)
        self.cost_usd.add(line.cost_usd, matters=asked)
        self.input_tokens.add(line.input_tokens, matters=asked)
        self.output_tokens.add(line.output_tokens, matters=asked)

    def _add_scores(self, line: JournalLine) -> None:
        for name, score in line.scores.items():
            self.scores.setdefault(name, ScoreTotal()).add(score)
        for name in unmeasured(line):
            self.scores.setdefault(name, ScoreTotal()).unmeasured += 1

    @property
    def finished(self) -> int:
        """How many there are."""
        return self.statuses.total()


def unmeasured(line: JournalLine) -> dict[str, str]:
    """Return why an evaluator measured nothing, by its name."""
    return {name: why for name, why in line.reasons.items() if name not in line.assertions}


@dataclass(frozen=True, kw_only=True)
class ToldRun:
    """A run that is told.

    Attributes:
        run: What is kept of it.
        authoring: What its application adds.
        redact: False to tell secrets too.
        show_trajectory: Whether the chat messages of each case are told.

    """

    run: KeptRun
    authoring: Authoring = field(default_factory=Authoring)
    redact: bool = True
    show_trajectory: bool = False

    @property
    def name(self) -> str:
        """The name of the dataset."""
        return Redactor().text(self.run.name) if self.redact else self.run.name

    @property
    def title(self) -> str:
        """What the run is about."""
        about = (("application", self.run.application), ("team", self.run.team))
        return ", ".join([self.name, *(f"{what} {name}" for what, name in about if name)])

    @property
    def outcome(self) -> str:
        """What the exit code means."""
        return _OUTCOME[self.run.code]

    @property
    def ending(self) -> str:
        """How the run ended, with its exit code where it came to its end."""
        code = self.run.code
        return self.outcome if code is None else f"{self.outcome} (exit {int(code)})"

    @cached_property
    def totals(self) -> Totals:
        """What the rows add up to."""
        totals = Totals()
        for row in self.rows():
            totals.add(row)
        return totals

    @property
    def not_run(self) -> int:
        """How many units were planned and not run."""
        return max((self.run.planned or 0) - self.totals.finished, 0)

    @property
    def planned(self) -> int:
        """How many units there are, run or not."""
        return self.totals.finished + self.not_run

    @property
    def counts(self) -> dict[str, int]:
        """How many units there are of each status, and how many were not run."""
        counts = {str(status): self.totals.statuses[status] for status in WORST_FIRST}
        return {**counts, "not_run": self.not_run}

    def rows(self) -> Iterator[Row]:
        """Yield a row for each finished unit, the worst first."""
        return self.run.rows(self.authoring, redact=self.redact)

    def units(self) -> Iterator[Told]:
        """Yield each finished unit with all its evidence, the worst first."""
        return self.run.unit_results(self.authoring, redact=self.redact)

    def missing(self) -> Iterator[Unit]:
        """Yield each unit that was not run; one whose name nobody kept has a number for it."""
        return islice(chain(self.run.kept.missing(), self._unnamed()), self.not_run)

    def _unnamed(self) -> Iterator[Unit]:
        for number in range(self.not_run):
            yield Unit(case=f"not run, {number + 1} of {self.not_run}", position=number)

    def trajectory(self, told: Told) -> Sequence[ChatMessage]:
        """Return the chat messages of a unit; none where its task raised."""
        output = output_of(told.result)
        if output is None:
            return ()
        messages: Callable[..., list[ChatMessage]] = (
            redacted_messages if self.redact else chat_messages
        )
        return messages(output)
