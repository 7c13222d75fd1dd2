"""What the repeats of a run show: how reliable the team is, and where it is not.

A repeat that broke measured nothing, and is in no rate. One that was run again after it had been
measured counts as it was measured first: to run until it passes says nothing of the team.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from audition.experiment.histories import CaseHistory, RunHistory
from audition.experiment.journal import plain_json
from audition.experiment.status import Status
from audition.reports.terminal import one_line
from audition.statistics.cases import CaseRuns
from audition.statistics.flakiness import flaky_probability, is_flaky
from audition.statistics.intervals import Estimate, Interval
from audition.statistics.proportions import wilson
from audition.statistics.repeats import all_pass, any_passes
from audition.statistics.variance import split_variance

FORMAT = "audition-repeats"
VERSION = 1
_MOST = 50
"""Cases of a kind that are told as text; how many more there are is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtK:
    """What k new runs of a case would show, mean over the cases that have so many.

    Attributes:
        k: How many runs.
        cases: Over how many cases: those with at least k measured repeats.
        of_cases: How many cases were measured at all.
        pass_hat: That all of them pass: pass^k.
        pass_at: That any of them passes: pass@k.

    """

    k: int
    cases: int
    of_cases: int
    pass_hat: Estimate
    pass_at: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRepeats:
    """The repeats of a case that did not always pass.

    Attributes:
        case: Its name, without secrets.
        passed: How many passed.
        runs: How many were measured: whether a case is found to be flaky depends on that.
        errors: How many broke.
        flaky_probability: That its rate lies between 0.1 and 0.9.
        reasons: Why it failed, the first ones.

    """

    case: str
    passed: int
    runs: int
    errors: int
    flaky_probability: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Where the variance of a single run comes from.

    Attributes:
        icc: The share of it between cases, from 0 to 1; None where nothing varies.
        between: The variance between cases.
        within: The variance between repeats of a case.
        with_twice_the_repeats: How wide the interval of the rate would be, as a share of its width;
            with twice the cases it is 0.71, in any case.

    """

    icc: float | None
    between: float
    within: float
    with_twice_the_repeats: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency:
    """Whether the repeats of a case do the same.

    Attributes:
        cases: How many cases have two repeats or more of which that is known.
        same: In how many of them all repeats do the same.
        interval: Between what the share of such cases lies.
        most_common: The share of repeats that do what is most common in their case, as a mean
            over cases.

    """

    cases: int
    same: int
    interval: Interval
    most_common: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """What the repeats of a run show.

    Attributes:
        cases: How many cases the run has.
        measured: How many of them were measured at least once.
        repeats: How many repeats were measured.
        errors: How many broke.
        not_evaluated: How many measured nothing.
        not_run: How many were not run.
        at: pass^k and pass@k, for each k up to the most repeats of a case.
        flaky: The cases that passed at times.
        failing: The cases that never passed.
        spread: Where the variance comes from; None where no case was measured twice, or only one.
        routes: Who wrote to whom, in order; None where that is known of no two repeats of a case.
        tools: Which agent called which tool, in order; likewise.
        late: How many repeats were measured by a later attempt, after others broke.
        again: How later attempts ended of repeats that had been measured: they are in no number.

    """

    cases: int
    measured: int
    repeats: int
    errors: int
    not_evaluated: int
    not_run: int
    at: Sequence[AtK]
    flaky: Sequence[CaseRepeats]
    failing: Sequence[CaseRepeats]
    spread: Spread | None
    routes: Consistency | None
    tools: Consistency | None
    late: int
    again: dict[Status, int]


def repeats_of(history: RunHistory, *, confidence: float = 0.95) -> Repeats:
    """Return what the repeats of a run show.

    Args:
        history: The run.
        confidence: Of the intervals, between 0 and 1.

    """
    every = list(history.cases.values())
    told = [(case, CaseRuns(*case.count)) for case in every if case.count.runs]
    runs = [of for _, of in told]
    return Repeats(
        cases=len(every),
        measured=len(told),
        repeats=sum(of.runs for of in runs),
        errors=sum(case.errors for case in every),
        not_evaluated=sum(case.statuses[Status.NOT_EVALUATED] for case in every),
        not_run=sum(case.not_run for case in every),
        at=list(_at_each_k(runs, confidence)),
        flaky=[_case(case, of) for case, of in told if is_flaky(of)],
        failing=[_case(case, of) for case, of in told if not of.passed],
        spread=_spread(runs),
        routes=_consistency([case.routes for case in every], confidence),
        tools=_consistency([case.tools for case in every], confidence),
        late=sum(case.late for case in every),
        again=dict(sum((case.again for case in every), Counter[Status]())),
    )


def _at_each_k(runs: Sequence[CaseRuns], confidence: float) -> Iterator[AtK]:
    for k in range(1, max((of.runs for of in runs), default=0) + 1):
        enough = [of for of in runs if of.runs >= k]
        yield AtK(
            k=k,
            cases=len(enough),
            of_cases=len(runs),
            pass_hat=all_pass(enough, k, confidence=confidence),
            pass_at=any_passes(enough, k, confidence=confidence),
        )


def _case(case: CaseHistory, of: CaseRuns) -> CaseRepeats:
    return CaseRepeats(
        case=case.case,
        passed=of.passed,
        runs=of.runs,
        errors=case.errors,
        flaky_probability=flaky_probability(of),
        reasons=tuple(case.reasons),
    )


def _spread(runs: Sequence[CaseRuns]) -> Spread | None:
    split = split_variance(runs) if runs else None
    if split is None:
        return None
    repeats = fmean(of.runs for of in runs)
    now = split.between + split.within / repeats
    more = split.between + split.within / (2 * repeats)
    return Spread(
        icc=split.icc,
        between=split.between,
        within=split.within,
        with_twice_the_repeats=sqrt(more / now) if now else 1.0,
    )


def _consistency(each: Sequence[Sequence[str]], confidence: float) -> Consistency | None:
    several = [done for done in each if len(done) > 1]
    if not several:
        return None
    same = sum(len(set(done)) == 1 for done in several)
    return Consistency(
        cases=len(several),
        same=same,
        interval=wilson(same, len(several), confidence=confidence),
        most_common=fmean(max(Counter(done).values()) / len(done) for done in several),
    )


def repeats_json(repeats: Repeats) -> bytes:
    """Return what the repeats show as strict JSON: its fields under a format and a version."""
    return b'{"format":"%b","version":%d,%b' % (FORMAT.encode(), VERSION, plain_json(repeats)[1:])


def repeats_text(repeats: Repeats) -> str:
    """Return what the repeats show as text that is safe for a terminal."""
    parts: tuple[Callable[[Repeats], Iterator[str]], ...] = (
        _counts_told,
        _at_told,
        _cases_told,
        _spread_told,
        _consistency_told,
        _reruns_told,
    )
    return "\n\n".join(filter(None, ("\n".join(part(repeats)) for part in parts)))


def _counts_told(repeats: Repeats) -> Iterator[str]:
    lost = ((repeats.errors, "broke"), (repeats.not_evaluated, "measured nothing"))
    lost = (*lost, (repeats.not_run, "were not run"))
    told = [f"{count} {what}" for count, what in lost if count]
    left_out = f"; in no number below: {', '.join(told)}" if told else ""
    measured = f"{repeats.measured} of {repeats.cases} cases"
    yield f"{repeats.repeats} repeats of {measured} were measured{left_out}"


def _at_told(repeats: Repeats) -> Iterator[str]:
    if repeats.at:
        yield "  k  pass^k: all of k pass       pass@k: any of k passes"
    for at in repeats.at:
        over = "" if at.cases == at.of_cases else f"  over {at.cases} of {at.of_cases} cases"
        yield f"{at.k:>3}  {_estimate(at.pass_hat):<26}  {_estimate(at.pass_at)}{over}".rstrip()


def _cases_told(repeats: Repeats) -> Iterator[str]:
    for what, cases in (("flaky", repeats.flaky), ("failing", repeats.failing)):
        yield f"{len(cases)} {what}"
        for one in cases[:_MOST]:
            broke = f", {one.errors} broke" if one.errors else ""
            reason = f": {one.reasons[0]}" if one.reasons else ""
            told = f"{one.case}: {one.passed} of {one.runs} passed{broke}{reason}"
            yield f"  {one_line(told, 400)}"
        if len(cases) > _MOST:
            yield f"  and {len(cases) - _MOST} more"


def _spread_told(repeats: Repeats) -> Iterator[str]:
    spread = repeats.spread
    if spread is None or spread.icc is None:
        return
    more = 1 - spread.with_twice_the_repeats
    yield f"variance: {spread.icc:.0%} between cases (ICC), the rest between repeats of a case"
    yield (
        f"  an interval of the rate is {1 - sqrt(0.5):.0%} narrower with twice the cases, "
        f"{more:.0%} with twice the repeats"
    )


def _consistency_told(repeats: Repeats) -> Iterator[str]:
    for what, found in (("route", repeats.routes), ("tools", repeats.tools)):
        if found is not None:
            share = Estimate(found.same / found.cases, found.interval)
            yield (
                f"the same {what} in all repeats: {found.same} of {found.cases} cases, "
                f"{_estimate(share)}; the most common in {found.most_common:.1%} of repeats"
            )


def _reruns_told(repeats: Repeats) -> Iterator[str]:
    if repeats.late:
        yield f"{repeats.late} repeats were measured by a later attempt, after others broke"
    if repeats.again:
        told = ", ".join(f"{count} {status}" for status, count in repeats.again.items())
        yield f"run again after they had been measured, and in no number here: {told}"


def _estimate(one: Estimate) -> str:
    low, high = one.interval.low, one.interval.high
    return f"{one.value:.1%} ({low:.1%} to {high:.1%})"
