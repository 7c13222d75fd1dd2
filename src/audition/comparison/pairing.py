"""The cases of both runs, and which of their assertions are the same on both sides.

A name is no identity of content: what the team was given, and what an evaluator asks, may have
changed under it. So cases are paired by what tells them apart and by the fingerprint of their
inputs, and assertions by that of their evaluators.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from audition.comparison.sides import Known, Side
from audition.evaluators.case_evaluator import Severity
from audition.experiment.histories import CaseHistory, Outcome
from audition.experiment.plan import Check
from audition.experiment.status import Status
from audition.statistics.cases import CaseRuns

_FAILED = frozenset({Status.FAILED, Status.KNOWN_FAILURE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A case that is in both runs.

    Attributes:
        base: What it did before.
        candidate: What it did after.
        changed: What of it is another now: `inputs`, or `evaluators: …`; empty where it is the
            same case, with or without more evaluators.
        common: The evaluators of the assertions that are the same on both sides, by id; None for
            one that is known by its name alone.
        must: The ids of those of them that must hold.
        is_judged: Whether the verdicts of both sides can be compared: some that must hold are the
            same, or neither side has any.
        before: How often the case passed before, by what both sides must hold alone.
        after: The same after.
        all_hold: Whether there are repeats on both sides, all of which passed, and in which every
            common assertion holds.

    """

    base: CaseHistory
    candidate: CaseHistory
    changed: tuple[str, ...]
    common: Mapping[str, Check | None]
    must: frozenset[str]
    is_judged: bool
    before: CaseRuns
    after: CaseRuns
    all_hold: bool

    def runs_of(self, assertions: Iterable[str]) -> tuple[CaseRuns, CaseRuns]:
        """Return how often all of some assertions held before and after, where all were measured.

        Args:
            assertions: The ids of common ones.

        """
        if self.all_hold:
            return self.before, self.after
        ids = frozenset(assertions)
        return _held(self.base.outcomes, ids), _held(self.candidate.outcomes, ids)


def pairs(base: Side, candidate: Side) -> Iterator[Pair]:
    """Yield the cases that are in both runs, in the order of the candidate."""
    is_told = base.known is candidate.known is not Known.NOTHING
    for case_id, after in candidate.history.cases.items():
        before = base.history.cases.get(case_id)
        if before is not None:
            yield _pair(base, candidate, before, after, is_told=is_told)


def _pair(
    base: Side, candidate: Side, before: CaseHistory, after: CaseHistory, *, is_told: bool
) -> Pair:
    old, new = _assertions(base, before), _assertions(candidate, after)
    common = _unchanged(old, new) if is_told else {of: old[of] for of in old if of in new}
    base_must, candidate_must = _must(old), _must(new)
    ids = frozenset(common)
    must = base_must & candidate_must & ids
    passed = (
        _passed(before.outcomes, must, base_must),
        _passed(after.outcomes, must, candidate_must),
    )
    return Pair(
        base=before,
        candidate=after,
        changed=tuple(_changes(before, after, candidate)) if is_told else (),
        common=common,
        must=must,
        is_judged=bool(must) or not (base_must or candidate_must),
        before=passed[0],
        after=passed[1],
        all_hold=all(
            runs.runs and runs.passed == len(side.outcomes) and _all_held(side.outcomes, ids)
            for side, runs in zip((before, after), passed, strict=True)
        ),
    )


def _assertions(side: Side, case: CaseHistory) -> dict[str, Check | None]:
    """Return the evaluators of a case by the id of their assertion, those that were seen too."""
    return {**dict.fromkeys(case.names), **side.history.shared, **case.checks}


def _unchanged(
    old: Mapping[str, Check | None], new: Mapping[str, Check | None]
) -> dict[str, Check | None]:
    """Return what is the same on both sides.

    Assertions that no plan knows come from evaluators that are none of ours and give several, and
    nobody knows which: where one of those is another now, none of them is the same.
    """
    same: dict[str, Check | None] = {}
    is_foreign_gone = False
    for of, check in old.items():
        if of in new and _same(check, new[of]):
            same[of] = check
        else:
            is_foreign_gone |= check is not None and check.layer is None
    return {of: check for of, check in same.items() if check} if is_foreign_gone else same


def _same(check: Check | None, other: Check | None) -> bool:
    """Return whether both are the same evaluator; of two that no plan knows, that is believed."""
    if check is other or check is None or other is None:
        return check is other
    return check.fingerprint == other.fingerprint


def _must(assertions: Mapping[str, Check | None]) -> frozenset[str]:
    return frozenset(
        of for of, check in assertions.items() if check is None or check.severity is Severity.MUST
    )


def _changes(before: CaseHistory, after: CaseHistory, candidate: Side) -> Iterator[str]:
    if before.inputs != after.inputs:
        yield "inputs"
    lost: list[Check] = []
    for of, check in before.checks.items():
        now = candidate.history.check(after, of)
        if now is None or now.fingerprint != check.fingerprint:
            lost.append(check)
    if lost:
        there = {check.name for check in after.checks.values()}
        told = dict.fromkeys(
            f"{check.name} {'changed' if check.name in there else 'gone'}" for check in lost
        )
        yield f"evaluators: {', '.join(told)}"


def _passed(outcomes: Sequence[Outcome], must: frozenset[str], own: frozenset[str]) -> CaseRuns:
    """Return how many repeats passed by what both sides must hold, of those where that is known.

    One that failed though no assertion did lacked a value that its next message needs.
    """
    passed = failed = 0
    for one in outcomes:
        if one.failed & must or (one.status in _FAILED and not one.failed & own):
            failed += 1
        elif one.status is Status.PASSED or must <= one.held:
            passed += 1
    return case_runs(passed, passed + failed)


def _all_held(outcomes: Sequence[Outcome], assertions: frozenset[str]) -> bool:
    return all(assertions <= one.held for one in outcomes)


def _held(outcomes: Sequence[Outcome], assertions: frozenset[str]) -> CaseRuns:
    passed = failed = 0
    for one in outcomes:
        if one.failed & assertions:
            failed += 1
        elif assertions <= one.held:
            passed += 1
    return case_runs(passed, passed + failed)


case_runs = lru_cache(maxsize=10_000)(CaseRuns)
"""The same few counts come with every case."""
