"""Two runs compared: everything that is told of it, as values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from audition.comparison.amounts import ScoreChange, Usage, score_changes, usages
from audition.comparison.differences import Difference, differences
from audition.comparison.doubts import Doubt, doubts
from audition.comparison.moves import Move, moves
from audition.comparison.pairing import pairs
from audition.comparison.sides import Side
from audition.comparison.verdicts import CaseVerdict, Verdict, case_verdicts, count_verdicts
from audition.experiment.exit_codes import ExitCode
from audition.experiment.histories import CaseHistory
from audition.experiment.status import Status
from audition.statistics.cases import CaseRuns
from audition.statistics.left_out import RateBounds, rates_with_errors

_MEASURED = frozenset({Verdict.BROKEN, Verdict.FIXED, Verdict.FLAKY, Verdict.UNCHANGED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRun:
    """One of the two runs.

    Attributes:
        path: Where it was read from.
        experiment: Its name.
        started_at: UTC, ISO 8601; empty where that is not known.
        repeats: How many repeats of all its cases were measured.
        errors: How many broke.
        not_evaluated: How many measured nothing.
        not_run: How many were not run.
        bounds: Between what its rate over the paired cases lies, whatever those would have shown;
            None where no case is paired.

    """

    path: Path
    experiment: str
    started_at: str
    repeats: int
    errors: int
    not_evaluated: int
    not_run: int
    bounds: RateBounds | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs of the same cases, side by side.

    Attributes:
        base: The run before.
        candidate: The run after.
        doubts: What else is not the same, so that a difference may come from it.
        counts: How many cases there are of each verdict.
        differences: How the rates changed, all cases first.
        scores: How scores changed.
        usage: How seconds, cost and tokens changed.
        moves: Failures that are there before and after, elsewhere.
        cases: What became of each case.

    """

    base: ComparedRun
    candidate: ComparedRun
    doubts: Sequence[Doubt]
    counts: Mapping[Verdict, int]
    differences: Sequence[Difference]
    scores: Sequence[ScoreChange]
    usage: Sequence[Usage]
    moves: Sequence[Move]
    cases: Sequence[CaseVerdict]

    @property
    def code(self) -> ExitCode:
        """What the process says: whether a case broke that is not known to fail."""
        broke = any(one.verdict is Verdict.BROKEN and not one.known_failure for one in self.cases)
        return ExitCode.FAILED if broke else ExitCode.OK


def compare(base: Side, candidate: Side, *, confidence: float = 0.95) -> Comparison:
    """Return what changed from one run to another.

    Args:
        base: The run before.
        candidate: The run after.
        confidence: Of the intervals, between 0 and 1.

    Raises:
        ValueError: What is no confidence.

    """
    paired = list(pairs(base, candidate))
    cases = list(case_verdicts(base, candidate, paired))
    verdicts = {one.case_id: one.verdict for one in cases}
    same = [
        pair
        for pair in paired
        if pair.is_judged and verdicts[pair.candidate.case_id] is not Verdict.CHANGED
    ]
    measured = [pair for pair in same if verdicts[pair.candidate.case_id] in _MEASURED]
    return Comparison(
        base=_compared(base, [(pair.base, pair.before) for pair in same]),
        candidate=_compared(candidate, [(pair.candidate, pair.after) for pair in same]),
        doubts=doubts(base, candidate),
        counts=count_verdicts(cases),
        differences=differences(measured, confidence=confidence),
        scores=list(score_changes(measured, confidence=confidence)),
        usage=list(usages(measured, confidence=confidence)),
        moves=moves(measured),
        cases=cases,
    )


def _compared(side: Side, paired: Sequence[tuple[CaseHistory, CaseRuns]]) -> ComparedRun:
    history = side.history
    cases = history.cases.values()
    lost = [max(case.planned - runs.runs, 0) for case, runs in paired]
    return ComparedRun(
        path=history.path,
        experiment=history.manifest.experiment,
        started_at=history.manifest.started_at,
        repeats=sum(case.count.runs for case in cases),
        errors=sum(case.errors for case in cases),
        not_evaluated=sum(case.statuses[Status.NOT_EVALUATED] for case in cases),
        not_run=sum(case.not_run for case in cases),
        bounds=rates_with_errors([runs for _, runs in paired], lost) if paired else None,
    )
