"""The finished units of a run as they are told among all others: a line, and no evidence."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from audition.datasets.authoring import Authoring
from audition.evaluators.case_evaluator import Severity
from audition.experiment.evaluation import journal_line, scores_of
from audition.experiment.journal import CaseResult, JournalLine, UnitKey, plain_json
from audition.experiment.plan import PLAN, Check, name_id, read_plan
from audition.experiment.results import UnitResult, assertions_of, output_of, unit_result
from audition.experiment.status import WORST_FIRST, Status
from audition.experiment.units import Unit
from audition.redaction.records import Redactor


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A finished (case, repeat), as it is told among all of its run.

    Attributes:
        line: Its line in the journal.
        tags: The tags of its case.
        severities: Of the assertions that fail though they need not hold, by name.

    """

    line: JournalLine
    tags: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict[str, Severity])


def worst_first(line: JournalLine) -> tuple[int, int]:
    """Return the place of a line among all that are told: by status, then as the file has it."""
    return WORST_FIRST.index(line.status), line.position


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What became of a unit, with all its evidence.

    Attributes:
        unit: The unit, with its assertions, facts and metrics.
        row: The same as a row.
        result: Its native result.

    """

    unit: UnitResult
    row: Row
    result: CaseResult


def told_result(
    unit: Unit,
    result: CaseResult,
    authoring: Authoring,
    *,
    status: Status,
    redact: bool,
) -> UnitResult:
    """Return what became of a unit, worked out anew from its native result.

    Args:
        unit: What was run.
        result: Its native result.
        authoring: What the application adds.
        status: What became of it.
        redact: Whether the secrets of the result are taken out.

    """
    assertions = assertions_of(result, authoring.evaluator_types)
    told = unit_result(
        unit, result, assertions=assertions, status=status, fact_stages=authoring.fact_stages
    )
    return told.redacted(redactor_of(result)) if redact else told


def redactor_of(result: CaseResult) -> Redactor:
    """Return what knows the secrets of a result, which reasons and errors repeat."""
    redactor = Redactor()
    redactor.json(plain_json(result))
    return redactor


def row_of(told: UnitResult, result: CaseResult, *, tags: Sequence[str], redact: bool) -> Row:
    """Return a unit that was told anew as a row."""
    text = redactor_of(result).text if redact else str
    scores = {text(name): score for name, score in scores_of(result).items()}
    line = journal_line(told, output_of(result)).model_copy(update={"scores": scores})
    lenient = {one.name: one.severity for one in told.assertions if not one.ok}
    return Row(
        line=line,
        tags=tuple(map(text, tags)),
        severities={name: one for name, one in lenient.items() if one is not Severity.MUST},
    )


class PlanNotes:
    """What the plan of a run says of its cases that their lines do not say.

    Args:
        folder: The folder of the run; one of version 1 has no plan.

    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tags: dict[str, tuple[str, ...]] = {}
        self._lenient: dict[str, dict[str, Severity]] = {}
        self._shared: dict[str, Severity] = {}
        if (folder / PLAN).exists():
            self._read()

    def _read(self) -> None:
        head, cases = read_plan(self._folder)
        self._shared = _lenient(head.shared)
        text = Redactor().text
        same: dict[tuple[str, ...], tuple[str, ...]] = {}
        for case in cases:
            if case.tags:
                shown = same.get(case.tags) or tuple(map(text, case.tags))
                self._tags[case.case_id] = same.setdefault(case.tags, shown)
            own = _lenient(case.checks)
            if own:
                self._lenient[case.case_id] = own

    def row(self, line: JournalLine) -> Row:
        """Return a line with what the plan says of its case."""
        return Row(
            line=line,
            tags=self._tags.get(line.case_id, ()),
            severities=self._severities(line) if line.failed else {},
        )

    def _severities(self, line: JournalLine) -> Mapping[str, Severity]:
        known = {**self._shared, **self._lenient.get(line.case_id, {})}
        ids = {name: line.renamed.get(name) or name_id(name) for name in line.failed if known}
        return {name: known[of] for name, of in ids.items() if of in known}

    def missing(self, finished: Collection[UnitKey]) -> Iterator[Unit]:
        """Yield the planned units that are not finished."""
        if not (self._folder / PLAN).exists():
            return
        for case in read_plan(self._folder)[1]:
            for repeat in range(1, case.repeats + 1):
                if (case.case_id, repeat) not in finished:
                    yield Unit(
                        case=case.case,
                        case_id=case.case_id,
                        repeat=repeat,
                        repeats=case.repeats,
                        position=case.position,
                        must_pass=case.must_pass,
                    )


def _lenient(checks: Mapping[str, Check]) -> dict[str, Severity]:
    return {of: one.severity for of, one in checks.items() if one.severity is not Severity.MUST}


def unit_of(line: JournalLine) -> Unit:
    """Return the unit that a line is of."""
    return Unit(
        case=line.case,
        repeat=line.repeat,
        repeats=line.repeats,
        position=line.position,
        must_pass=line.must_pass,
        known_failure=line.known_failure,
        case_id=line.case_id,
        attempt=line.attempt,
        fingerprint=line.fingerprint,
    )
