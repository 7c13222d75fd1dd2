"""The run that a gate judges, or compares with: where it is, and what became of its cases."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from audition.datasets.authoring import Authoring
from audition.datasets.problems import accepted
from audition.errors import CallError, RecordError
from audition.experiment.exit_codes import ExitCode
from audition.experiment.folder import runs_below
from audition.experiment.histories import CaseHistory, add_lines, read_history
from audition.experiment.journal import JournalLine
from audition.experiment.kept import KeptUnit, check_is_run, read_run, unit_results
from audition.experiment.manifest import MANIFEST, Manifest
from audition.experiment.plan import Check
from audition.experiment.results import UnitResult

LATEST = "latest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A run as a gate sees it.

    Attributes:
        path: Where it was read from.
        name: The experiment.
        cases: What became of each, by id.
        shared: The evaluators of all cases, by the id of their assertion.
        unfinished: Why it did not come to its end, None where it did.
        selection: Which part of its dataset was chosen, None where all was.

    """

    path: Path
    name: str
    cases: Mapping[str, CaseHistory]
    shared: Mapping[str, Check]
    unfinished: str | None = None
    selection: str | None = None

    def checks(self, case: CaseHistory) -> Mapping[str, Check]:
        """Return all evaluators of a case, by the id of their assertion."""
        return {**self.shared, **case.checks} if self.shared else case.checks


def find_run(named: str, *, reports: Path, baselines: Path) -> Path:
    """Return where a run is: a folder, a native report, `latest`, or a baseline by its name.

    Args:
        named: As it was given.
        reports: Where runs are kept.
        baselines: Where baselines are kept.

    Raises:
        CallError: There is none of these.

    """
    if Path(named).exists():
        return Path(named)
    promoted = sorted(path.parent.name for path in baselines.glob(f"*/{MANIFEST}"))
    if named in promoted:
        return baselines / named
    runs = runs_below(reports)
    if named == LATEST and runs:
        return runs[0]
    wanted = accepted(named, [*promoted, *([LATEST] if runs else [])], otherwise="there is none")
    what = f"a folder of a run, or a baseline in {baselines}"
    raise CallError(named, what=what, wanted=wanted)


def read_subject(path: Path, authoring: Authoring) -> Subject:
    """Return a run that is kept in a folder, or as a native report.

    Args:
        path: The folder or the file.
        authoring: What the application adds, to read a native report.

    Raises:
        RecordError: It cannot be read, or is neither.
        NewerFormat: It was written in a newer format.

    """
    if not path.is_dir():
        return _of_report(path, authoring)
    check_is_run(path)
    history = read_history(path)
    manifest = history.manifest
    return Subject(
        path=path,
        name=manifest.experiment,
        cases=history.cases,
        shared=history.shared,
        unfinished=_unfinished(manifest),
        selection=_selection(manifest),
    )


def _unfinished(manifest: Manifest) -> str | None:
    if manifest.finished_at is None:
        return "it was killed, or is running still"
    if manifest.exit_code == ExitCode.INTERRUPTED:
        return "it was interrupted"
    return manifest.stopped_by


def _selection(manifest: Manifest) -> str | None:
    chosen = manifest.selection
    told = (
        *(f"--case {name!r}" for name in chosen.names),
        *(f"--tag {name!r}" for name in chosen.tags),
        *([f"--shard {chosen.shard}"] if chosen.shard else []),
    )
    return " ".join(told) or None


def _of_report(path: Path, authoring: Authoring) -> Subject:
    """Return a native report, which knows neither tags nor which cases must pass."""
    kept = read_run(path)
    cases: dict[str, CaseHistory] = {}
    told = unit_results(kept, authoring)
    add_lines(cases, map(_Lines().of, kept.units, told))
    if not cases:
        raise RecordError(str(path), "a report without cases")
    left = (kept.planned or 0) - len(kept.units)
    return Subject(
        path=path,
        name=kept.name,
        cases=cases,
        shared={},
        unfinished=f"{left} of {kept.planned} runs are not in it" if left > 0 else None,
    )


class _Lines:
    """Makes lines of a journal of the results of a native report, which has no numbers of repeats.

    Those of one case are numbered in the order of the report.
    """

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def of(self, kept: KeptUnit, told: UnitResult) -> JournalLine:
        """Return the line of a result."""
        name = kept.result.source_case_name or kept.result.name
        self._seen[name] = self._seen.get(name, 0) + 1
        scores = getattr(kept.result, "scores", {})
        every = told.metrics
        return JournalLine(
            case=name,
            repeat=self._seen[name],
            repeats=1,
            status=told.status,
            assertions={one.name: one.ok for one in told.assertions},
            scores={one: float(score.value) for one, score in scores.items()},
            reasons={one.name: one.reason or "no reason" for one in told.assertions if not one.ok},
            error=told.error,
            seconds=told.seconds,
            cost_usd=every.get("cost_usd"),
            input_tokens=_whole(every.get("input_tokens")),
            output_tokens=_whole(every.get("output_tokens")),
            tool_calls=_whole(every.get("tool_calls")) or 0,
        )


def _whole(amount: float | None) -> int | None:
    return None if amount is None else int(amount)
