"""How the pass rates changed, over all cases and in parts of them, and how sure that is.

The more parts are looked at, the more of them change by chance: p values are adjusted within their
family. Tags, layers and agents share cases and assertions, and are there to find where to look.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from statistics import fmean

from audition.comparison.pairing import Pair
from audition.evaluators.case_evaluator import Severity
from audition.experiment.plan import Check
from audition.statistics.cases import CaseRuns, case_rates
from audition.statistics.intervals import Interval
from audition.statistics.mcnemar import mcnemar
from audition.statistics.multiplicity import holm
from audition.statistics.paired import rate_difference
from audition.statistics.permutation import permutation_test

type Part = tuple[Family, str]
type RunsOfCases = tuple[list[CaseRuns], list[CaseRuns]]


class Family(StrEnum):
    """What the parts of a comparison are."""

    ALL = "all"
    EVALUATOR = "evaluator"
    TAG = "tag"
    LAYER = "layer"
    AGENT = "agent"


class ExactTest(StrEnum):
    """Which exact test the p values are of."""

    MCNEMAR = "mcnemar"
    PERMUTATION = "permutation"
    NORMAL = "permutation, normal approximation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How a pass rate changed. Rates are means over cases, each over its own repeats.

    Attributes:
        family: What it is one of.
        name: Which; empty for all cases.
        cases: How many cases were measured on both sides.
        base: The rate before, from 0 to 1.
        candidate: The rate after.
        difference: Candidate minus base.
        interval: Between what the difference lies.
        test: What the p values are of.
        p_worse: How probable so bad a difference is, had nothing changed.
        p_changed: How probable so large a difference is, in either direction.
        adjusted_p_worse: The same, adjusted for how many there are in the family (Holm).
        adjusted_p_changed: Likewise.

    """

    family: Family
    name: str
    cases: int
    base: float
    candidate: float
    difference: float
    interval: Interval
    test: ExactTest
    p_worse: float
    p_changed: float
    adjusted_p_worse: float
    adjusted_p_changed: float


def differences(paired: Iterable[Pair], *, confidence: float = 0.95) -> list[Difference]:
    """Return how the rates changed: of all cases first, then by family, and by name in each.

    Args:
        paired: The cases that were measured on both sides.
        confidence: Of the intervals.

    """
    parts: defaultdict[Part, RunsOfCases] = defaultdict(lambda: ([], []))
    for pair in paired:
        of_case = _parts(pair)
        if pair.all_hold:
            for base, candidate in [parts[part] for part in of_case]:
                base.append(pair.before)
                candidate.append(pair.after)
            continue
        for part, assertions in of_case.items():
            before, after = pair.runs_of(assertions) if assertions else (pair.before, pair.after)
            if before.runs and after.runs:
                base, candidate = parts[part]
                base.append(before)
                candidate.append(after)
    found = [_difference(family, name, runs, confidence) for (family, name), runs in parts.items()]
    each = (
        _adjusted(sorted((one for one in found if one.family is family), key=_name))
        for family in Family
    )
    return [one for family in each for one in family]


def _name(one: Difference) -> str:
    return one.name


def _parts(pair: Pair) -> dict[Part, list[str]]:
    """Return what a case is part of, with the assertions that are meant; none for its verdict."""
    found: dict[Part, list[str]] = {(Family.ALL, ""): []}
    for tag in pair.candidate.tags:
        found[Family.TAG, tag] = []
    for of, check in pair.common.items():
        for part in _parts_of(pair, of, check):
            if part in found:
                found[part].append(of)
            else:
                found[part] = [of]
    return found


def _parts_of(pair: Pair, assertion: str, check: Check | None) -> Sequence[Part]:
    if check is not None:
        return _parts_of_check(check.name, check.layer, check.agent, check.severity)
    name = pair.candidate.names.get(assertion)
    return [] if name is None else [(Family.EVALUATOR, name)]


@lru_cache
def _parts_of_check(
    name: str, layer: str | None, agent: str | None, severity: Severity
) -> Sequence[Part]:
    """Return what an assertion is part of: of layers and agents, those that must hold alone."""
    places = [(Family.LAYER, layer), (Family.AGENT, agent)] if severity is Severity.MUST else []
    return [(Family.EVALUATOR, name), *((family, place) for family, place in places if place)]


def _difference(family: Family, name: str, runs: RunsOfCases, confidence: float) -> Difference:
    base, candidate = runs
    told = rate_difference(base, candidate, confidence=confidence)
    test, worse, changed = _tested(base, candidate)
    return Difference(
        family=family,
        name=name,
        cases=len(base),
        base=fmean(case_rates(base)),
        candidate=fmean(case_rates(candidate)),
        difference=told.value,
        interval=told.interval,
        test=test,
        p_worse=worse,
        p_changed=changed,
        adjusted_p_worse=worse,
        adjusted_p_changed=changed,
    )


def _tested(
    base: Sequence[CaseRuns], candidate: Sequence[CaseRuns]
) -> tuple[ExactTest, float, float]:
    if all(one.runs == 1 for side in (base, candidate) for one in side):
        single = mcnemar(base, candidate)
        return ExactTest.MCNEMAR, single.harm, single.two_sided
    told = permutation_test(base, candidate)
    return ExactTest.PERMUTATION if told.exact else ExactTest.NORMAL, told.harm, told.two_sided


def _adjusted(family: Sequence[Difference]) -> Iterator[Difference]:
    worse = holm([one.p_worse for one in family])
    changed = holm([one.p_changed for one in family])
    for one, p_worse, p_changed in zip(family, worse, changed, strict=True):
        yield replace(one, adjusted_p_worse=p_worse, adjusted_p_changed=p_changed)
