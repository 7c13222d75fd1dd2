"""What the rules of a gate found, and what they mean together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import JsonValue

from audition.evaluators.reasons import few
from audition.experiment.exit_codes import ExitCode


class Verdict(StrEnum):
    """What a rule says of a run; broken is one of which more runs broke than are tolerated."""

    PASSED = "passed"
    FAILED = "failed"
    BROKEN = "broken"
    NOT_ENOUGH = "not enough evidence"


WORST_FIRST = (Verdict.FAILED, Verdict.BROKEN, Verdict.NOT_ENOUGH, Verdict.PASSED)
"""A failure was seen, whatever else is not known."""

EXIT_CODES: Mapping[Verdict, ExitCode] = {
    Verdict.FAILED: ExitCode.FAILED,
    Verdict.BROKEN: ExitCode.INFRASTRUCTURE,
    Verdict.NOT_ENOUGH: ExitCode.NOT_ENOUGH_EVIDENCE,
    Verdict.PASSED: ExitCode.OK,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one rule found.

    Attributes:
        rule: JSON pointer of the rule in the policy; of those that always hold, too.
        subject: What it looked at, in words.
        verdict: What it says.
        told: Why, in words and numbers, on a line.
        numbers: The same for machines.
        warns: Whether it has something to say also where it passed.

    """

    rule: str
    subject: str
    verdict: Verdict
    told: str
    numbers: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    warns: bool = False

    @property
    def is_of_every_gate(self) -> bool:
        """Whether every gate asks for this, so that no policy need say so."""
        return self.rule in {"", "/tolerate/errors", "/tolerate/unmeasured", "/tolerate/selection"}

    def __str__(self) -> str:
        return f"{self.subject}: {self.told}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What all rules mean together.

    Attributes:
        name: The experiment.
        run: Where it was read from.
        baseline: Where the baseline was read from, None where there is none.
        findings: Of every rule, in the order of the policy; at least one.
        failing: Cases that failed, also such as no rule is about, by name.

    """

    name: str
    run: str
    baseline: str | None
    findings: Sequence[Finding]
    failing: Sequence[str] = ()

    @property
    def verdict(self) -> Verdict:
        """The worst of its findings."""
        found = {finding.verdict for finding in self.findings}
        return next(verdict for verdict in WORST_FIRST if verdict in found)

    @property
    def code(self) -> ExitCode:
        """The exit code of the verdict."""
        return EXIT_CODES[self.verdict]

    @property
    def deciding(self) -> Sequence[Finding]:
        """The findings that made the verdict."""
        return [finding for finding in self.findings if finding.verdict is self.verdict]

    @property
    def sentence(self) -> str:
        """The verdict with its exit code, the rule that decided with its numbers, and what else."""
        told = [*map(str, self.deciding[:1]), *self._besides()]
        if self.verdict is Verdict.PASSED:
            asked = [one for one in self.findings if not one.is_of_every_gate]
            told = [few(asked, most=2), *(str(one) for one in self.findings if one.warns)]
        return f"{self.verdict} (exit {int(self.code)}): {'; '.join(filter(None, told))}"

    def _besides(self) -> Iterator[str]:
        """Yield what else is the matter with a run that did not pass."""
        more = len(self.deciding) - 1
        if more:
            yield f"{more} more rule{'' if more == 1 else 's'} decided the same"
        if self.verdict is Verdict.FAILED:
            yield from (str(one) for one in self.findings if one.verdict is Verdict.BROKEN)
        elif self.verdict is Verdict.BROKEN and self.failing:
            yield f"{len(self.failing)} failed beside that: {few(self.failing)}"
