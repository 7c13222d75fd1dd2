"""What became of each case from one run to the other.

One repeat is no evidence: a case that passes at times would be called broken by every second run.
So a case is broken where all its repeats passed and none does now, or where chance alone would
seldom leave so few of the passes to the candidate. With one run on each side, that is any case
that passed and fails now.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audition.comparison.pairing import Pair
from audition.comparison.sides import Side
from audition.datasets.selection import could_select
from audition.experiment.histories import CaseHistory
from audition.experiment.status import Status
from audition.statistics.cases import CaseRuns
from audition.statistics.one_case import drop_by_chance

SURPRISING = 0.05
"""The probability below which a drop of one case is not taken for chance."""

_REASONS = 3


class Verdict(StrEnum):
    """What became of a case; the first that applies, in the order in which they are looked for."""

    NEW = "new"
    GONE = "gone"
    NOT_SELECTED = "not_selected"
    CHANGED = "changed"
    NOT_MEASURED = "not_measured"
    BROKEN = "broken"
    FIXED = "fixed"
    FLAKY = "flaky"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseVerdict:
    """What became of a case.

    Attributes:
        case: Its name, without secrets.
        case_id: What tells it from all others.
        verdict: What became of it.
        must_pass: A gate must not let it fail.
        known_failure: Its failures in the candidate are known ones, and excused.
        tags: Its tags.
        base: How often it passed before, of how often that was measured; None where it was not
            compared.
        candidate: The same after.
        why: What of it changed, or why it was not measured or not selected; else empty.
        base_reasons: Why repeats of it failed or broke before, the first ones.
        candidate_reasons: The same after.

    """

    case: str
    case_id: str
    verdict: Verdict
    must_pass: bool = False
    known_failure: bool = False
    tags: tuple[str, ...] = ()
    base: CaseRuns | None = None
    candidate: CaseRuns | None = None
    why: tuple[str, ...] = ()
    base_reasons: tuple[str, ...] = ()
    candidate_reasons: tuple[str, ...] = ()


def case_verdicts(base: Side, candidate: Side, paired: Sequence[Pair]) -> Iterator[CaseVerdict]:
    """Yield what became of each case of either run: in the order of the candidate, then gone ones.

    Args:
        base: The run before.
        candidate: The run after.
        paired: The cases that are in both.

    """
    both = {pair.candidate.case_id: pair for pair in paired}
    for case_id, case in candidate.history.cases.items():
        pair = both.get(case_id)
        yield _one_sided(case, base, Verdict.NEW) if pair is None else _paired(pair)
    for case_id, case in base.history.cases.items():
        if case_id not in both:
            yield _one_sided(case, candidate, Verdict.GONE)


def _one_sided(case: CaseHistory, other: Side, verdict: Verdict) -> CaseVerdict:
    selection = other.history.manifest.selection
    is_chosen = could_select(selection.names, selection.tags, selection.shard, case.case, case.tags)
    side = "base" if verdict is Verdict.NEW else "candidate"
    return CaseVerdict(
        case=case.case,
        case_id=case.case_id,
        verdict=verdict if is_chosen else Verdict.NOT_SELECTED,
        must_pass=case.must_pass,
        tags=case.tags,
        why=() if is_chosen else (f"the {side} is a run of some cases alone",),
    )


def _paired(pair: Pair) -> CaseVerdict:
    before, after = pair.before, pair.after
    verdict, why = _verdict(pair, before, after)
    return CaseVerdict(
        case=pair.candidate.case,
        case_id=pair.candidate.case_id,
        verdict=verdict,
        must_pass=pair.candidate.must_pass,
        known_failure=_is_excused(pair.candidate),
        tags=pair.candidate.tags,
        base=None if verdict is Verdict.CHANGED else before,
        candidate=None if verdict is Verdict.CHANGED else after,
        why=why,
        base_reasons=_reasons(pair.base, pair, before),
        candidate_reasons=_reasons(pair.candidate, pair, after),
    )


def _verdict(pair: Pair, before: CaseRuns, after: CaseRuns) -> tuple[Verdict, tuple[str, ...]]:
    if pair.changed:
        return Verdict.CHANGED, pair.changed
    if not pair.is_judged:
        return Verdict.NOT_MEASURED, ("no assertion that must hold is the same on both sides",)
    if not before.runs or not after.runs:
        lost = (("base", pair.base, before), ("candidate", pair.candidate, after))
        why = [f"{side}: {_ended(case)}" for side, case, runs in lost if not runs.runs]
        return Verdict.NOT_MEASURED, tuple(why)
    if is_broken(before, after):
        return Verdict.BROKEN, ()
    if is_broken(after, before):
        return Verdict.FIXED, ()
    is_flaky = any(0 < side.passed < side.runs for side in (before, after))
    return (Verdict.FLAKY if is_flaky else Verdict.UNCHANGED), ()


def is_broken(before: CaseRuns, after: CaseRuns) -> bool:
    """Return whether a case passes less than before, by more than one that is flaky might."""
    if before.passed == before.runs and not after.passed:
        return True
    return drop_by_chance(before, after) <= SURPRISING


def _ended(case: CaseHistory) -> str:
    counts = Counter({str(status): count for status, count in case.statuses.items()})
    counts["not run"] = case.not_run
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count)


def _is_excused(case: CaseHistory) -> bool:
    return not case.statuses[Status.FAILED] and bool(case.statuses[Status.KNOWN_FAILURE])


def _reasons(case: CaseHistory, pair: Pair, runs: CaseRuns) -> tuple[str, ...]:
    """Return why the common assertions that must hold failed; else why anything broke."""
    if runs.passed == runs.runs and not case.errors:
        return ()
    failed = [of for of in case.first_reasons if of in pair.must]
    told = [f"{case.names[of]}: {case.first_reasons[of]}" for of in failed]
    return tuple((told or case.reasons)[:_REASONS])


def count_verdicts(verdicts: Sequence[CaseVerdict]) -> Mapping[Verdict, int]:
    """Return how many cases there are of each verdict, those of which there are none too."""
    counts = Counter(one.verdict for one in verdicts)
    return {verdict: counts[verdict] for verdict in Verdict}
