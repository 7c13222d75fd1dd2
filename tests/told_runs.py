"""A short way to a run that holds what the test says, and to what is told of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic_evals.evaluators import EvaluationResult, EvaluatorSpec
from pydantic_evals.reporting import ReportCase

from audition.datasets.authoring import Authoring
from audition.experiment.exit_codes import ExitCode
from audition.experiment.journal import CaseResult, JournalLine, plain_json
from audition.experiment.journal_writer import Journal
from audition.experiment.kept import KeptFolder, KeptRun
from audition.experiment.kept_rows import Row, worst_first
from audition.experiment.plan import PlanHead, PlannedCase, write_plan
from audition.experiment.status import Status
from audition.experiment.units import Unit
from audition.reports.told_run import ToldRun
from audition.testing import answer, output
from tests.journals import line, result


@dataclass(frozen=True, kw_only=True)
class Lines:
    """The results of a run that was never written."""

    lines: list[JournalLine]
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    not_run: tuple[str, ...] = ()
    redacted: bool = True

    def rows(self, authoring: Authoring, *, redact: bool) -> Iterator[Row]:
        for one in sorted(self.lines, key=worst_first):
            yield Row(line=one, tags=self.tags.get(one.case, ()))

    def results(self, rows: Iterable[Row]) -> Iterator[tuple[Row, CaseResult]]:
        return ((row, evidence(row.line)) for row in rows)

    def missing(self) -> Iterator[Unit]:
        return (Unit(case=name, position=0) for name in self.not_run)


def told_run(
    lines: Iterable[JournalLine] = (),
    *,
    code: ExitCode | None = ExitCode.FAILED,
    tags: Mapping[str, tuple[str, ...]] | None = None,
    not_run: Iterable[str] = (),
    **fields: Any,
) -> ToldRun:
    """Return a run of these lines, which stand in the dataset file in this order."""
    placed = [one.model_copy(update={"position": place}) for place, one in enumerate(lines)]
    kept = Lines(lines=placed, tags=tags or {}, not_run=tuple(not_run))
    about: dict[str, Any] = {
        "name": "small",
        "dataset": Path("datasets/small.yaml"),
        "application": None,
        "team": None,
        "planned": len(placed) + len(kept.not_run),
    }
    return ToldRun(run=KeptRun(code=code, kept=kept, **(about | fields)))


def evidence(one: JournalLine) -> ReportCase[Any, Any, Any]:
    """Return the full result that a line could be of."""
    assertions = {
        name: EvaluationResult(
            name=name, value=ok, reason=one.reasons.get(name),
            source=EvaluatorSpec(name="Other", arguments=None),
        )
        for name, ok in one.assertions.items()
    }  # fmt: skip
    said = output(answer("yes"), asked="?")
    return replace(result(one.name), assertions=assertions, output=said, metrics={"messages": 1})


def kept_run(folder: Path, count: int, *, characters: int = 10_000) -> ToldRun:
    """Return a run in a folder, of so many cases with as long an answer each; one of ten failed.

    Args:
        folder: Where its folder is made.
        count: How many cases it has.
        characters: How long each answer is.

    """
    said = output(answer("yes " * (characters // 4)), asked="?")
    run = folder / f"{count}"
    run.mkdir()
    with Journal(run) as journal:
        for number in range(count):
            make = line if number % 10 else failed
            one = make(f"case {number}", case_id=f"{number:016}", position=number, model_ids=("m",))
            text = plain_json(replace(evidence(one), output=said))
            journal.write(one, text, is_failure=False)
    planned = (
        PlannedCase(
            case=f"case {number}", case_id=f"{number:016}", position=number, repeats=1,
            tags=(f"tag {number % 7}",), inputs="", fingerprint="",
        )
        for number in range(count)
    )  # fmt: skip
    totals = write_plan(run, PlanHead(), planned)
    return ToldRun(
        run=KeptRun(
            name="small", dataset=None, application=None, team=None, planned=totals.units,
            code=ExitCode.FAILED, kept=KeptFolder(folder=run, redacted=True),
        )
    )  # fmt: skip


def failed(case: str, reason: str = 'the final answer lacks "yes"', **fields: Any) -> JournalLine:
    """Return the line of a case that failed."""
    return line(
        case,
        **{
            "status": Status.FAILED,
            "assertions": {"says yes": False},
            "failed": ("says yes",),
            "reasons": {"says yes": reason},
            "layer": "answer",
            "cause": "omitted",
            **fields,
        },
    )


def five() -> list[JournalLine]:
    """Return a line of each status."""
    until = {"reason": "slow", "until": "2999-01-01"}
    known = failed("known").model_dump() | {"status": "known_failure", "known_failure": until}
    return [
        line("good", cost_usd=0.25, input_tokens=3, output_tokens=4),
        failed("bad"),
        line("broken", status=Status.ERROR, error="timeout", layer="run", cause="timeout",
             seconds=None, assertions={}),
        line("unmeasured", status=Status.NOT_EVALUATED, assertions={},
             reasons={"grounded": "measured nan"}),
        JournalLine.model_validate(known),
    ]  # fmt: skip


def six() -> ToldRun:
    """Return a run with a case of each status, and one that was not run."""
    tags = {"good": ("short", "both"), "bad": ("both",)}
    return told_run(five(), tags=tags, not_run=["never"])
