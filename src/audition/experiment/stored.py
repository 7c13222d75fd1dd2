"""The outputs of a run, or of a native report, to be judged anew; and what of them cannot be."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from pydantic import JsonValue, ValidationError
from pydantic_core import to_jsonable_python
from pydantic_evals import Case
from pydantic_evals.reporting import ReportCase, ReportCaseFailure

from audition.errors import RecordError
from audition.experiment.journal import JOURNAL, CaseResult, JournalLine, UnitKey
from audition.experiment.kept import is_run
from audition.experiment.kept_lines import read_results, standing_lines
from audition.experiment.manifest import Manifest, file_sha256, read_manifest
from audition.experiment.native_report import load_any_report, load_result
from audition.experiment.plan import PLAN, Check, PlannedCase, name_id, read_plan
from audition.experiment.results import output_of
from audition.experiment.units import PlannedUnit
from audition.output import CaseOutput
from audition.redaction.records import Redactor

NEW = "new in the dataset"
GONE = "not in the dataset"
CHANGED = "other inputs than in the run"
NEVER_RUN = "never run to its end"
FOREIGN = "no output of ours"

_REPEAT = re.compile(r" \[([0-9]{1,6})/([0-9]{1,6})\]$")


@dataclass(slots=True, kw_only=True)
class StoredCase:
    """A case of a run.

    Attributes:
        name: Its name, without secrets.
        repeats: How often it was run, or was to be.
        plan: What the plan of the run says of it, None where there is none.

    """

    name: str
    repeats: int
    plan: PlannedCase | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """What was kept of a run, to be judged anew.

    Attributes:
        path: The folder of the run, or the native report.
        sha256: SHA-256 of its journal, or of the report.
        manifest: The manifest of the run, None for a report.
        application: The application that was evaluated, None where that is not known.
        team: The team that was evaluated, None where there is none or that is not known.
        redacted: Whether secrets may have been taken out of what is kept.
        cases: The cases by their ids.
        shared: The evaluators of all cases when it was run, by the id of their assertion.
        lines: The line of each (case, repeat) that counts; none for a report.
        results: The results of a report by (case, repeat); none for the folder of a run.

    """

    path: Path
    sha256: str
    manifest: Manifest | None = None
    application: str | None = None
    team: str | None = None
    redacted: bool = True
    cases: Mapping[str, StoredCase]
    shared: Mapping[str, Check] = field(default_factory=dict[str, Check])
    lines: Mapping[UnitKey, JournalLine] = field(default_factory=dict[UnitKey, JournalLine])
    results: Mapping[UnitKey, CaseResult] = field(default_factory=dict[UnitKey, CaseResult])

    def result(self, key: UnitKey) -> CaseResult:
        """Return what was kept of a (case, repeat) that was run to its end.

        Raises:
            RecordError: It cannot be read.

        """
        if key in self.results:
            return self.results[key]
        (kept,) = read_results(self.path, [self.lines[key]])
        try:
            return load_result(kept)
        except ValidationError:
            raise RecordError(str(self.path), f"{kept.line.name!r}: {FOREIGN}") from None

    def why_not(self, planned: PlannedUnit, now: PlannedCase) -> str | None:
        """Return why a (case, repeat) cannot be judged anew, None where it can.

        What broke says nothing about the team, whatever it was asked, and stays an error.

        Args:
            planned: What is to be judged.
            now: What the dataset says of its case.

        """
        key = planned.unit.key
        if now.case_id not in self.cases:
            return NEW
        if key not in self.lines and key not in self.results:
            return NEVER_RUN
        if not self.is_same(planned, now):
            return None if has_broken(self.result(key)) else CHANGED
        stored = self.results.get(key)
        is_foreign = isinstance(stored, ReportCase) and output_of(stored) is None
        return FOREIGN if is_foreign else None

    def is_same(self, planned: PlannedUnit, now: PlannedCase) -> bool:
        """Return whether a case gives the team what it gave when it was run."""
        before = self.cases[now.case_id].plan
        if before is not None and before.asked is not None:
            return before.asked == now.asked
        if before is not None and before.inputs == now.inputs:
            return True
        return _gives_the_same(self.result(planned.unit.key).inputs, planned.case)


def has_broken(result: CaseResult) -> bool:
    """Return whether the task raised, or the conversation did not come to its end."""
    if isinstance(result, ReportCaseFailure):
        return True
    output = output_of(result)
    return output is not None and not output.completed


def read_stored(path: Path) -> StoredRun:
    """Return what can be judged anew of a run or a native report.

    Raises:
        RecordError: It cannot be read, or is neither.
        NewerFormat: It was written in a newer format.

    """
    return _of_folder(path) if is_run(path) else _of_report(path)


def _of_folder(folder: Path) -> StoredRun:
    manifest = read_manifest(folder)
    lines = {
        (line.case_id or name_id(line.case), line.repeat): line for line in standing_lines(folder)
    }
    cases: dict[str, StoredCase] = {}
    shared: Mapping[str, Check] = {}
    if (folder / PLAN).exists():
        head, planned = read_plan(folder)
        shared = head.shared
        cases = {
            one.case_id: StoredCase(name=one.case, repeats=one.repeats, plan=one) for one in planned
        }
    for (case_id, _), line in lines.items():
        cases.setdefault(case_id, StoredCase(name=line.case, repeats=line.repeats))
    return StoredRun(
        path=folder,
        sha256=file_sha256(folder / JOURNAL) or "",
        manifest=manifest,
        application=manifest.application,
        team=manifest.team,
        redacted=manifest.redacted or manifest.rescored_from is not None,
        cases=cases,
        shared=shared,
        lines={key: line for key, line in lines.items() if line.cut is None},
    )


def _of_report(path: Path) -> StoredRun:
    report = load_any_report(path)
    about = report.experiment_metadata or {}
    results: dict[UnitKey, CaseResult] = {}
    cases: dict[str, StoredCase] = {}
    told = Counter[str]()
    for result in (*report.cases, *report.failures):
        name = result.source_case_name or result.name
        told[name] += 1
        number, repeats = _repeat(result, told[name])
        case = cases.setdefault(name_id(name), StoredCase(name=name, repeats=repeats))
        case.repeats = max(case.repeats, repeats)
        results[name_id(name), number] = _with_our_output(result)
    return StoredRun(
        path=path,
        sha256=file_sha256(path) or "",
        application=str(about["application"]) if about.get("application") else None,
        team=str(about["team"]) if about.get("team") else None,
        cases=cases,
        results=results,
    )


def _repeat(result: CaseResult, number: int) -> tuple[int, int]:
    """Return which repeat a result is, and of how many at least."""
    named = _REPEAT.search(result.name) if result.source_case_name is not None else None
    return (number, number) if named is None else (int(named[1]), int(named[2]))


def _with_our_output(result: CaseResult) -> CaseResult:
    """Return a result with its output as one of ours, None in its place where it is none."""
    if not isinstance(result, ReportCase):
        return result
    try:
        return replace(result, output=CaseOutput.model_validate(result.output))
    except ValidationError:
        return replace(result, output=None)


def _gives_the_same(before: object, case: Case[Any, Any, Any]) -> bool:
    """Return whether inputs that were kept, maybe by another tool, are those of a case."""
    now = Redactor().whole(cast("JsonValue", to_jsonable_python(case.inputs)))
    kept = cast("JsonValue", to_jsonable_python(before))
    if isinstance(now, dict) and not isinstance(kept, dict):
        return now.get("message") == kept
    return _agree(kept, now)


def _agree(before: JsonValue, now: JsonValue) -> bool:
    """Return whether two values differ in nothing that both have, but for bounds and rules."""
    if before == now:
        return True
    if isinstance(before, dict) and isinstance(now, dict):
        both = [key for key in before if key in now and not _is_no_question(key)]
        return bool(both) and all(_agree(before[key], now[key]) for key in both)
    if isinstance(before, list) and isinstance(now, list):
        return len(before) == len(now) and all(map(_agree, before, now))
    return False


def _is_no_question(key: str) -> bool:
    return key == "tool_rules" or key.endswith("_seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """What of a dataset can be judged anew.

    Attributes:
        keys: What tells each such (case, repeat).
        left_out: The names of the cases that cannot, by the reason.

    """

    keys: frozenset[UnitKey]
    left_out: Mapping[str, Sequence[str]]


def sort_out(
    stored: StoredRun,
    units: Iterator[PlannedUnit],
    now: Mapping[str, PlannedCase],
    gone: Sequence[str],
) -> Sorted:
    """Return what can be judged anew.

    Args:
        stored: The run.
        units: What the dataset has.
        now: What it says of its cases, by their ids.
        gone: The names of cases of the run that it has no more.

    """
    keys: set[UnitKey] = set()
    left_out: defaultdict[str, dict[str, None]] = defaultdict(dict)
    left_out[GONE].update(dict.fromkeys(gone))
    for planned in units:
        case = now[planned.unit.case_id]
        why = stored.why_not(planned, case)
        if why is None:
            keys.add(planned.unit.key)
        else:
            left_out[why][case.case] = None
    told = {why: list(names) for why, names in left_out.items() if names}
    return Sorted(keys=frozenset(keys), left_out=told)
