"""What each case of a run did over its repeats, read from plan and journal alone.

The case is the unit of every statistic, so its repeats are counted within it. What broke, and what
measured nothing, leaves the count of what was measured and stays in sight.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from audition.experiment.journal import JournalLine
from audition.experiment.kept_lines import counts_in, read_journal
from audition.experiment.manifest import Manifest, read_manifest
from audition.experiment.plan import PLAN, Check, PlannedCase, name_id, read_plan
from audition.experiment.status import Status

_MEASURED = (Status.PASSED, Status.FAILED, Status.KNOWN_FAILURE)


class Count(NamedTuple):
    """How often something held, of how often that was measured."""

    passed: int
    runs: int


class Blame(NamedTuple):
    """Where a repeat lost its answer.

    Attributes:
        layer: The first failing layer.
        cause: What went wrong there, None where it is not known.
        agent: The agent that is to blame, None where it is not known.

    """

    layer: str
    cause: str | None
    agent: str | None


class Outcome(NamedTuple):
    """What one measured repeat showed.

    Attributes:
        status: What became of it.
        held: The ids of the assertions that hold.
        failed: The ids of those that fail, of any severity.
        blame: Where it lost its answer, None where nothing failed.

    """

    status: Status
    held: frozenset[str]
    failed: frozenset[str]
    blame: Blame | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssertionHistory:
    """What became of one assertion over the repeats of a case.

    Attributes:
        name: Its name, without secrets.
        passed: How often it held.
        runs: How often it was measured.
        reason: Why it failed the first time, None where it never did.

    """

    name: str
    passed: int
    runs: int
    reason: str | None


@dataclass(slots=True, kw_only=True)
class CaseHistory:
    """What became of one case over its repeats.

    Attributes:
        case: Its name, without secrets.
        case_id: What tells it from all others.
        position: Its place in the dataset.
        planned: How many repeats were to be run.
        tags: Its tags.
        must_pass: A gate must not let it fail.
        known_failure: Until when it is known to fail, None where it is not.
        inputs: Fingerprint of what the team was given, empty where that was not kept.
        checks: Its own evaluators by the id of their assertion; those of all cases are in `Run`.
        statuses: How many repeats ended how.
        outcomes: Of each repeat that was measured, in the order they were finished.
        names: The names of its assertions by their id.
        first_reasons: Why assertions failed the first time, by the same ids.
        scores: The values of each score, by name.
        blames: Of each repeat that failed or broke, where that is known.
        reasons: Why repeats failed or broke, each once, the first ones.
        seconds: Of each repeat where it is known.
        costs_usd: Of each repeat where it is known.
        tokens: Read and written, of each repeat where both are counted.
        tool_calls: Of each repeat.
        routes: Digest of who wrote to whom, of each repeat that has one.
        tools: Digest of which agent called which tool, likewise.
        scored: How many repeats were not evaluated for want of assertions, and have scores.
        late: How many repeats were measured only by a later attempt, after others broke.
        again: How later attempts of repeats ended that had been measured: they count for nothing.

    """

    case: str
    case_id: str
    position: int = 0
    planned: int = 1
    tags: tuple[str, ...] = ()
    must_pass: bool = False
    known_failure: date | None = None
    inputs: str = ""
    checks: Mapping[str, Check] = field(default_factory=dict[str, Check])
    statuses: Counter[Status] = field(default_factory=Counter[Status])
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    names: dict[str, str] = field(default_factory=dict[str, str])
    first_reasons: dict[str, str] = field(default_factory=dict[str, str])
    scores: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    blames: list[Blame] = field(default_factory=list[Blame])
    reasons: list[str] = field(default_factory=list[str])
    seconds: list[float] = field(default_factory=list[float])
    costs_usd: list[float] = field(default_factory=list[float])
    tokens: list[int] = field(default_factory=list[int])
    tool_calls: list[int] = field(default_factory=list[int])
    routes: list[str] = field(default_factory=list[str])
    tools: list[str] = field(default_factory=list[str])
    scored: int = 0
    late: int = 0
    again: Counter[Status] = field(default_factory=Counter[Status])

    @property
    def count(self) -> Count:
        """How often it passed, of how often it was measured; a known failure did not pass."""
        runs = sum(self.statuses[status] for status in _MEASURED)
        return Count(self.statuses[Status.PASSED], runs)

    @property
    def unmeasured(self) -> int:
        """How many repeats ended and measured nothing, or not all: neither passed nor failed."""
        return self.statuses[Status.NOT_EVALUATED] - self.scored

    @property
    def assertions(self) -> dict[str, AssertionHistory]:
        """What became of each assertion, by the id of its name; counted when it is asked for."""
        return {
            of: AssertionHistory(
                name=name,
                passed=sum(of in one.held for one in self.outcomes),
                runs=sum(of in one.held or of in one.failed for one in self.outcomes),
                reason=self.first_reasons.get(of),
            )
            for of, name in self.names.items()
        }

    @property
    def errors(self) -> int:
        """How many repeats broke."""
        return self.statuses[Status.ERROR]

    @property
    def not_run(self) -> int:
        """How many repeats were not run."""
        return max(self.planned - self.statuses.total(), 0)

    @property
    def is_flaky(self) -> bool:
        """Whether some of its repeats passed and some did not."""
        passed, runs = self.count
        return 0 < passed < runs


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHistory:
    """What became of every case of a run.

    Attributes:
        path: Where it was read from.
        manifest: What was run, with what.
        shared: The evaluators of all cases, by the id of their assertion.
        cases: In the order of the dataset, by id.

    """

    path: Path
    manifest: Manifest
    shared: Mapping[str, Check]
    cases: Mapping[str, CaseHistory]

    @property
    def lost(self) -> int:
        """How many (case, repeat) were planned of which nothing tells any more.

        Where the plan of a run is gone or cut, a case without a line would else pass by absence.
        """
        told = sum(case.planned for case in self.cases.values())
        return max((self.manifest.units or 0) - told, 0)

    def check(self, case: CaseHistory, assertion: str) -> Check | None:
        """Return the evaluator of an assertion, None where it is not known.

        Args:
            case: The case.
            assertion: The id of the assertion's name.

        """
        return case.checks.get(assertion) or self.shared.get(assertion)


_REASONS = 5
"""Reasons of a case that are kept."""


def read_history(folder: Path) -> RunHistory:
    """Return what became of every case of a run.

    Raises:
        RecordError: The folder holds no run, or what it holds cannot be read.
        NewerFormat: It was written in a newer format.

    """
    manifest = read_manifest(folder)
    shared: Mapping[str, Check] = {}
    cases: dict[str, CaseHistory] = {}
    of_cases: dict[str, str] | None = None
    if (folder / PLAN).exists():
        head, planned = read_plan(folder)
        shared, of_cases = head.shared, {}
        for case in planned:
            cases[case.case_id] = _planned(case)
            of_cases[case.case_id] = case.fingerprint
    lines = (line for line in read_journal(folder) if counts_in(line, of_cases))
    add_lines(cases, lines)
    return RunHistory(path=folder, manifest=manifest, shared=shared, cases=cases)


def _planned(case: PlannedCase) -> CaseHistory:
    return CaseHistory(
        case=case.case,
        case_id=case.case_id,
        position=case.position,
        planned=case.repeats,
        tags=case.tags,
        must_pass=case.must_pass,
        known_failure=case.known_failure,
        inputs=case.inputs,
        checks=case.checks,
    )


def add_lines(cases: dict[str, CaseHistory], lines: Iterable[JournalLine]) -> None:
    """Add the lines of a journal to the histories of their cases, which are made where missing.

    Args:
        cases: By id.
        lines: In the order they were written; of each repeat the first attempt that was measured
            counts, else the last.

    """
    unmeasured: defaultdict[str, dict[int, JournalLine]] = defaultdict(dict)
    measured: defaultdict[str, set[int]] = defaultdict(set)
    for line in lines:
        of = line.case_id or name_id(line.case)
        case = cases.get(of) or cases.setdefault(of, _unplanned(line, of))
        if line.repeat in measured[of]:
            case.again[line.status] += 1
        elif line.measured:
            case.late += unmeasured[of].pop(line.repeat, None) is not None
            measured[of].add(line.repeat)
            _add(case, line)
        else:
            unmeasured[of][line.repeat] = line
    for of, left in unmeasured.items():
        for line in left.values():
            if line.cut is None:  # what the run cut short counts as not run
                _add(cases[of], line)


def _unplanned(line: JournalLine, of: str) -> CaseHistory:
    return CaseHistory(
        case=line.case,
        case_id=of,
        position=line.position,
        planned=line.repeats,
        must_pass=line.must_pass,
        known_failure=line.known_failure and line.known_failure.until,
    )


def _add(case: CaseHistory, line: JournalLine) -> None:
    case.statuses[line.status] += 1
    blame = None if line.layer is None else Blame(line.layer, line.cause, line.agent)
    if line.measured:
        case.outcomes.append(_outcome(case, line, blame))
        case.scored += _is_scored(line)
    for name, score in line.scores.items():
        case.scores.setdefault(name, []).append(score)
    if blame is not None:
        case.blames.append(blame)
    for reason in _reasons(line):
        if reason not in case.reasons and len(case.reasons) < _REASONS:
            case.reasons.append(reason)
    _measure(case, line)


def _is_scored(line: JournalLine) -> bool:
    """Return whether it was judged by scores alone, all of which are numbers."""
    is_open = line.status is Status.NOT_EVALUATED
    return is_open and bool(line.scores) and not (line.assertions or line.reasons)


def _outcome(case: CaseHistory, line: JournalLine, blame: Blame | None) -> Outcome:
    ids = {name: line.renamed.get(name) or _known_id(name) for name in line.assertions}
    case.names.update(zip(ids.values(), ids, strict=True))
    lost = [name for name, ok in line.assertions.items() if not ok]
    for name in lost:
        if name in line.reasons:
            case.first_reasons.setdefault(ids[name], line.reasons[name])
    failed = frozenset(ids[name] for name in lost)
    return Outcome(line.status, frozenset(ids.values()) - failed, failed, blame)


_known_id = lru_cache(maxsize=10_000)(name_id)
"""The same few names come with every case."""


def _measure(case: CaseHistory, line: JournalLine) -> None:
    if line.seconds is not None:
        case.seconds.append(line.seconds)
    if line.cost_usd is not None:
        case.costs_usd.append(line.cost_usd)
    if line.input_tokens is not None and line.output_tokens is not None:
        case.tokens.append(line.input_tokens + line.output_tokens)
    case.tool_calls.append(line.tool_calls)
    if line.route is not None and line.tools is not None:
        case.routes.append(line.route)
        case.tools.append(line.tools)


def _reasons(line: JournalLine) -> Iterator[str]:
    if line.error is not None:
        yield line.error
    for name, reason in line.reasons.items():
        yield f"{name}: {reason}"
