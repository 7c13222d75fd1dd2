"""The verdict of a rule on counts, and on nothing else: `planning` tries it on made-up runs.

Of an interval of 95 % each end alone is wrong in 2.5 % at most, so a team that is exactly at the
bar passes by chance that often, and fails as often.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from audition.gates.findings import Verdict
from audition.statistics.cases import CaseRuns, case_rates
from audition.statistics.intervals import Estimate
from audition.statistics.means import CaseMean, case_mean
from audition.statistics.multiplicity import holm
from audition.statistics.paired import rate_difference
from audition.statistics.permutation import permutation_test
from audition.statistics.proportions import score_interval
from audition.statistics.rates import pass_rate

_MOST_CASES = 10**7


def bar_verdict(rate: Estimate, at_least: float) -> Verdict:
    """Return whether a rate is shown to reach a bar, or not to, or neither."""
    if rate.interval.low >= at_least:
        return Verdict.PASSED
    return Verdict.FAILED if rate.interval.high < at_least else Verdict.NOT_ENOUGH


def decide_bar(cases: Sequence[CaseRuns], at_least: float, *, confidence: float) -> Verdict:
    """Return the verdict of a bar on the pass rate; not enough evidence where there is no case."""
    if not cases:
        return Verdict.NOT_ENOUGH
    return bar_verdict(pass_rate(cases, confidence=confidence), at_least)


def cases_wanted(cases: Sequence[CaseRuns], at_least: float, *, confidence: float) -> int | None:
    """Return how many cases like these would show the bar; None where no number would.

    The rate and the worth of a case are taken to stay as they are.
    """
    mean = case_mean(case_rates(cases), [case.runs for case in cases])
    if mean.value <= at_least:
        return None
    low, high = len(cases), _MOST_CASES
    while low < high:
        middle = (low + high) // 2
        if _low_with(mean, middle / len(cases), confidence) >= at_least:
            high = middle
        else:
            low = middle + 1
    return low if low < _MOST_CASES else None


def _low_with(mean: CaseMean, times: float, confidence: float) -> float:
    size = mean.effective_cases * times
    return score_interval(mean.value, size, confidence=confidence).low


def decide_must_pass(case: CaseRuns, repeats: int) -> Verdict:
    """Return whether every repeat of a case passed, and there are enough of them."""
    if case.passed < case.runs:
        return Verdict.FAILED
    return Verdict.PASSED if case.runs >= repeats else Verdict.NOT_ENOUGH


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A run beside its baseline, on the cases of both.

    Attributes:
        difference: Of the pass rates, below 0 where it is worse; with its interval.
        harm: p value of the claim that it got worse, None where that makes no difference.

    """

    difference: Estimate
    harm: float | None


type Pair = tuple[Sequence[CaseRuns], Sequence[CaseRuns]]
"""The runs of the baseline and of the run: the same cases, in the same order."""


def compared(pair: Pair, margin: float, *, confidence: float) -> Compared:
    """Return a run beside its baseline; harm is tested only where the margin is not kept."""
    difference = rate_difference(*pair, confidence=confidence)
    kept = difference.interval.low > -margin
    return Compared(difference=difference, harm=None if kept else permutation_test(*pair).harm)


def margin_verdicts(
    comparisons: Sequence[Compared | None], *, confidence: float, correction: str
) -> list[tuple[Verdict, float | None]]:
    """Return the verdict of each margin, with the corrected p value of harm where it counts.

    A margin is kept where the lower end of the interval is above it: all must be, so that none of
    them needs a correction. Where it is not kept and the run is shown to be worse at all, it fails.

    Args:
        comparisons: One a margin, None where no case can be compared.
        confidence: Of the intervals; harm is shown with half of what it leaves.
        correction: "holm", "bonferroni" or "none": any false alarm among all tests of harm has the
            stated probability, or each has.

    """
    raw = [1.0 if one is None or one.harm is None else one.harm for one in comparisons]
    match correction:
        case "holm":
            adjusted = holm(raw)
        case "bonferroni":
            adjusted = tuple(min(1.0, p * len(raw)) for p in raw)
        case _:
            adjusted = tuple(raw)
    level = (1 - confidence) / 2
    verdicts: list[tuple[Verdict, float | None]] = []
    for one, p in zip(comparisons, adjusted, strict=True):
        if one is not None and one.harm is None:
            verdicts.append((Verdict.PASSED, None))
        elif one is not None and p < level:
            verdicts.append((Verdict.FAILED, p))
        else:
            verdicts.append((Verdict.NOT_ENOUGH, None if one is None else p))
    return verdicts
