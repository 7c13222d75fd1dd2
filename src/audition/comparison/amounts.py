"""How numbers changed: scores, and what a case took in seconds, cost and tokens."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from audition.comparison.pairing import Pair
from audition.experiment.histories import CaseHistory
from audition.statistics.intervals import Interval
from audition.statistics.mean_differences import mean_difference
from audition.statistics.samples import Quantile, median_ratio, quantile

type Samples = tuple[list[Sequence[float]], list[Sequence[float]]]

_USED: Mapping[str, Callable[[CaseHistory], Sequence[float]]] = {
    "seconds": lambda case: case.seconds,
    "cost_usd": lambda case: case.costs_usd,
    "tokens": lambda case: case.tokens,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the repeats took, those that broke included.

    Attributes:
        name: `seconds`, `cost_usd` or `tokens`.
        cases: How many cases have it on both sides.
        base_median: The median before; each case weighs the same.
        candidate_median: The same after.
        base_p95: The 95th percentile before.
        candidate_p95: The same after.
        ratio: The median over cases of after / before; None where no case took anything before.

    """

    name: str
    cases: int
    base_median: Quantile
    candidate_median: Quantile
    base_p95: Quantile
    candidate_p95: Quantile
    ratio: Quantile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChange:
    """How a score changed, mean over cases.

    Attributes:
        name: Its name.
        cases: How many cases have it on both sides.
        base: The mean before.
        candidate: The mean after.
        difference: Candidate minus base, case by case.
        interval: Between what that lies, None where that cannot be told.

    """

    name: str
    cases: int
    base: float
    candidate: float
    difference: float
    interval: Interval | None


def usages(paired: Sequence[Pair], *, confidence: float = 0.95) -> Iterator[Usage]:
    """Yield what seconds, cost and tokens became, those that are known."""
    for name, of in _USED.items():
        base, candidate = _samples(paired, of)
        if not base:
            continue
        median, late = (
            [quantile(side, share, confidence=confidence) for side in (base, candidate)]
            for share in (0.5, 0.95)
        )
        yield Usage(
            name=name,
            cases=len(base),
            base_median=median[0],
            candidate_median=median[1],
            base_p95=late[0],
            candidate_p95=late[1],
            ratio=_ratio(base, candidate, confidence),
        )


def _ratio(
    base: Sequence[Sequence[float]], candidate: Sequence[Sequence[float]], confidence: float
) -> Quantile | None:
    both = [(old, new) for old, new in zip(base, candidate, strict=True) if sum(old) > 0]
    if not both:
        return None
    return median_ratio(*map(list, zip(*both, strict=True)), confidence=confidence)


def score_changes(paired: Sequence[Pair], *, confidence: float = 0.95) -> Iterator[ScoreChange]:
    """Yield what each score became, by name."""
    names = sorted({name for pair in paired for name in pair.candidate.scores})
    for name in names:

        def of(case: CaseHistory, name: str = name) -> Sequence[float]:
            return [score for score in case.scores.get(name, ()) if isfinite(score)]

        base, candidate = _samples(paired, of)
        if base:
            told = mean_difference(base, candidate, confidence=confidence)
            yield ScoreChange(
                name=name,
                cases=len(base),
                base=told.base,
                candidate=told.candidate,
                difference=told.value,
                interval=told.interval,
            )


def _samples(paired: Sequence[Pair], of: Callable[[CaseHistory], Sequence[float]]) -> Samples:
    """Return the numbers of the cases that have some on both sides."""
    both = [(old, new) for pair in paired if (old := of(pair.base)) and (new := of(pair.candidate))]
    return [old for old, _ in both], [new for _, new in both]
