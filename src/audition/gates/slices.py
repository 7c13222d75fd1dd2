"""How often the cases of a run passed, by tag, layer, evaluator or agent: repeats in their case."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from audition.evaluators.case_evaluator import Severity
from audition.experiment.histories import CaseHistory
from audition.experiment.plan import Check
from audition.experiment.status import Status
from audition.gates.policy import Target
from audition.gates.subjects import Subject
from audition.statistics.cases import CaseRuns


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The cases that a rule looks at.

    Attributes:
        target: What it looks at.
        cases: What became of those that were measured, in the order of the dataset.
        counts: How often each passed.
        broken: How many runs broke, of all its cases.
        unmeasured: How many runs ended and measured nothing of this.
        unseen: How many cases have no run that was measured.

    """

    target: Target
    cases: Sequence[CaseHistory]
    counts: Sequence[CaseRuns]
    broken: int
    unmeasured: int
    unseen: int

    @property
    def by_id(self) -> Mapping[str, CaseRuns]:
        """How often each case passed, by its id."""
        pairs = zip(self.cases, self.counts, strict=True)
        return {case.case_id: count for case, count in pairs}


def slice_of(subject: Subject, target: Target) -> Slice | None:
    """Return what a target means in a run, None where the run has nothing of this name."""
    each = list(_counted(subject, target))
    if not each and target.named is not None:
        return None
    seen = [(case, count) for case, count, _ in each if count.runs]
    return Slice(
        target=target,
        cases=[case for case, _ in seen],
        counts=[count for _, count in seen],
        broken=sum(case.errors for case, _, _ in each),
        unmeasured=sum(left for _, _, left in each),
        unseen=len(each) - len(seen),
    )


def _counted(subject: Subject, target: Target) -> Iterator[tuple[CaseHistory, CaseRuns, int]]:
    """Yield each case of a target, how often it passed, and how many runs measured nothing."""
    kind, name = target.named or ("", "")
    for case in subject.cases.values():
        if kind in {"", "tag"}:
            if not kind or name in case.tags:
                left = case.statuses[Status.NOT_EVALUATED]
                yield case, CaseRuns(*case.count), left
            continue
        ids = _assertions(subject.checks(case), case, _KINDS[kind], name)
        if ids:
            count = _held(case, ids)
            yield case, count, len(case.outcomes) - count.runs


def _by_name(check: Check, name: str) -> bool:
    return check.name == name


type _Fits = Callable[[Check, str], bool]

_KINDS: Mapping[str, _Fits] = {
    "layer": lambda check, name: check.layer == name and check.severity is Severity.MUST,
    "agent": lambda check, name: check.agent == name and check.severity is Severity.MUST,
    "evaluator": _by_name,
}


def _assertions(
    checks: Mapping[str, Check], case: CaseHistory, fits: _Fits, name: str
) -> frozenset[str]:
    """Return the ids of the assertions of a case that are meant."""
    found = {of for of, check in checks.items() if fits(check, name)}
    if fits is _by_name:  # as it is shown, and what was made by an evaluator that no plan knows
        found |= {of for of, one in case.assertions.items() if one.name == name}
    return frozenset(found)


def _held(case: CaseHistory, ids: frozenset[str]) -> CaseRuns:
    """Return in how many runs all of them held; one of which some are not known held only if so."""
    passed = runs = 0
    for outcome in case.outcomes:
        if not ids.isdisjoint(outcome.failed):
            runs += 1
        elif ids <= outcome.held:
            runs += 1
            passed += 1
    return CaseRuns(passed, runs)


def known_names(subject: Subject, kind: str) -> list[str]:
    """Return the names of a kind that a run has: of tags, layers, evaluators, agents or scores."""
    every: dict[str, None] = {}
    for case in subject.cases.values():
        every.update(dict.fromkeys(_NAMES[kind](subject, case)))
    return sorted(every)


def _evaluators(subject: Subject, case: CaseHistory) -> Iterator[str]:
    checks = subject.checks(case)
    yield from (check.name for check in checks.values())
    yield from (one.name for of, one in case.assertions.items() if of not in checks)


_NAMES: Mapping[str, Callable[[Subject, CaseHistory], Iterator[str] | Sequence[str]]] = {
    "tag": lambda _, case: case.tags,
    "layer": lambda subject, case: [
        check.layer for check in subject.checks(case).values() if check.layer is not None
    ],
    "agent": lambda subject, case: [
        check.agent for check in subject.checks(case).values() if check.agent is not None
    ],
    "evaluator": _evaluators,
    "score": lambda _, case: [*case.scores],
}
