"""How often the intervals of `audition.statistics` hold what they are said to hold.

`python -m benchmarks.coverage` prints the tables of docs/reference/statistics.md, in some minutes;
`--simulations 200` in one. Each simulation draws cases, runs of each, and asks for the interval;
all numbers are percent of the simulations.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from math import exp, sqrt
from statistics import fmean, stdev
from typing import Any, Protocol

from audition.statistics.cases import CaseRuns, case_rates
from audition.statistics.intervals import Estimate, Interval
from audition.statistics.paired import rate_difference
from audition.statistics.proportions import wilson
from audition.statistics.rates import pass_rate
from audition.statistics.repeats import all_pass, any_passes
from audition.statistics.samples import quantile

_numpy: Any = import_module("numpy")
_t: Any = import_module("scipy.stats").t

type Draw = Callable[[Any, tuple[int, int]], Any]
"""A generator and a shape in, an array of rates out."""
type Method = Callable[[Sequence[CaseRuns], float], Interval]
type Pair = tuple[list[CaseRuns], list[CaseRuns]]

CASES = (20, 50, 100, 300)
FEWER = CASES[:3]
REPEATS: dict[str, tuple[int, ...]] = {
    "1": (1,),
    "3": (3,),
    "5": (5,),
    "10": (10,),
    "1, 3, 5 or 10": (1, 3, 5, 10),
}
_OUTCOMES = [[CaseRuns(passed, runs) for passed in range(runs + 1)] for runs in range(11)]


def _beta(a: float, b: float) -> Draw:
    return lambda generator, shape: generator.beta(a, b, shape)


def _mixed(share: float, most: float, rest: float) -> Draw:
    return lambda generator, shape: _numpy.where(generator.random(shape) < share, most, rest)


POPULATIONS: dict[str, tuple[Draw, float]] = {
    "Beta(2, 2)": (_beta(2, 2), 0.5),
    "Beta(6, 1)": (_beta(6, 1), 6 / 7),
    "Beta(19, 1)": (_beta(19, 1), 0.95),
    "all 0.9": (_mixed(1, 0.9, 0.9), 0.9),
    "all 0.98": (_mixed(1, 0.98, 0.98), 0.98),
    "80 % 1, 20 % 0.3": (_mixed(0.8, 1, 0.3), 0.86),
    "90 % 0.98, 10 % 0.5": (_mixed(0.9, 0.98, 0.5), 0.932),
    "97 % 1, 3 % 0": (_mixed(0.97, 1, 0), 0.97),
}


def _some(rates: Any, share: float, others: Any, generator: Any) -> Any:
    return _numpy.where(generator.random(rates.shape) < share, others, rates)


CHANGES: dict[str, tuple[Callable[[Any, Any], Any], Callable[[float], float]]] = {
    "nothing": (lambda rates, _: rates, lambda _: 0.0),
    "each case x 0.9": (lambda rates, _: 0.9 * rates, lambda mean: -0.1 * mean),
    "10 % of cases break": (
        lambda rates, generator: _some(rates, 0.1, 0.0, generator),
        lambda mean: -0.1 * mean,
    ),
    "3 % of cases break": (
        lambda rates, generator: _some(rates, 0.03, 0.0, generator),
        lambda mean: -0.03 * mean,
    ),
    "10 % of cases turn round": (
        lambda rates, generator: _some(rates, 0.1, 1 - rates, generator),
        lambda mean: 0.1 * (1 - 2 * mean),
    ),
}


def _generator(seed: int) -> Any:
    return _numpy.random.default_rng(seed)


def _samples(rates: Any, repeats: Sequence[int], generator: Any) -> list[list[CaseRuns]]:
    """Return the runs of each row of rates."""
    runs = generator.choice(repeats, rates.shape)
    passed = generator.binomial(runs, rates)
    return [
        [_OUTCOMES[of][some] for some, of in zip(*row, strict=True)]
        for row in zip(passed.tolist(), runs.tolist(), strict=True)
    ]


def _share(hits: Sequence[bool]) -> float:
    return 100 * fmean(hits)


def _coverage(
    truth: float, samples: Sequence[Any], method: Callable[[Any, float], Interval]
) -> tuple[float, float]:
    """Return how often the interval of 95 % holds, and how often the bound of 95 % is too high."""
    slack = 1e-9
    wide = [method(sample, 0.95) for sample in samples]
    low = [method(sample, 0.9).low for sample in samples]
    held = [one.low - slack <= truth <= one.high + slack for one in wide]
    return _share(held), _share([one > truth + slack for one in low])


def _student(cases: Sequence[CaseRuns], confidence: float) -> Interval:
    rates = case_rates(cases)
    return _student_of(rates, confidence)


@cache
def _t_quantile(confidence: float, cases: int) -> float:
    return float(_t.ppf((1 + confidence) / 2, cases - 1))


def _student_of(values: Sequence[float], confidence: float) -> Interval:
    far = _t_quantile(confidence, len(values)) * stdev(values) / sqrt(len(values))
    return Interval(low=fmean(values) - far, high=fmean(values) + far, confidence=confidence)


def _pooled(cases: Sequence[CaseRuns], confidence: float) -> Interval:
    passed, runs = sum(case.passed for case in cases), sum(case.runs for case in cases)
    return wilson(passed, runs, confidence=confidence)


METHODS: dict[str, Method] = {
    "`pass_rate`": lambda cases, confidence: pass_rate(cases, confidence=confidence).interval,
    "t of the case rates": _student,
    "Wilson of all runs pooled": _pooled,
}


def _row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def _head(*cells: str) -> None:
    print()
    _row(*cells)
    _row(*["---"] * len(cells))


def _told(values: Sequence[tuple[float, float]]) -> tuple[str, ...]:
    held, wrong = [one for one, _ in values], [other for _, other in values]
    inside = _share([93 <= one <= 97 for one in held])
    below, above = sum(one < 93 for one in held), sum(one > 97 for one in held)
    spread = f"{min(held):.1f} / {fmean(held):.1f} / {max(held):.1f}"
    return spread, f"{inside:.0f} %", str(below), str(above), f"{max(wrong):.1f}"


_TOLD = ("coverage: least / mean / most", "93 to 97", "below", "above", "bound: most wrong")


def rates(simulations: int) -> None:
    """Print the pass rate: each setting, then each method over all."""
    generator = _generator(1)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in METHODS}
    _head("rates of the cases", "cases", *(f"runs: {name}" for name in REPEATS))
    for name, (draw, truth) in POPULATIONS.items():
        for cases in CASES:
            cells: list[str] = []
            for repeats in REPEATS.values():
                drawn = draw(generator, (simulations, cases))
                samples = _samples(drawn, repeats, generator)
                for method, interval in METHODS.items():
                    found[method].append(_coverage(truth, samples, interval))
                cells.append("{:.1f} / {:.1f}".format(*found["`pass_rate`"][-1]))
            _row(name, cases, *cells)
    _head("interval", *_TOLD)
    for name, values in found.items():
        _row(name, *_told(values))


def differences(simulations: int) -> None:
    """Print the difference of two runs, by what changed and how many cases, over all else."""
    generator = _generator(2)
    _head("what changed", "cases", "interval", *_TOLD)
    for change, (after, moved) in CHANGES.items():
        for cases in FEWER:
            ours: list[tuple[float, float]] = []
            students: list[tuple[float, float]] = []
            for draw, mean in POPULATIONS.values():
                for repeats in REPEATS.values():
                    before = draw(generator, (simulations, cases))
                    base = _samples(before, repeats, generator)
                    candidate = _samples(after(before, generator), repeats, generator)
                    pairs = [*zip(base, candidate, strict=True)]
                    ours.append(_coverage(moved(mean), pairs, _difference))
                    students.append(_coverage(moved(mean), pairs, _difference_by_t))
            _row(change, cases, "`rate_difference`", *_told(ours))
            _row(change, cases, "t of the differences", *_told(students))


def _difference(pair: Pair, confidence: float) -> Interval:
    return rate_difference(*pair, confidence=confidence).interval


def _difference_by_t(pair: Pair, confidence: float) -> Interval:
    before, after = case_rates(pair[0]), case_rates(pair[1])
    return _student_of([b - a for a, b in zip(before, after, strict=True)], confidence)


class _OfK(Protocol):
    def __call__(
        self, cases: Sequence[CaseRuns], k: int, *, confidence: float = 0.95
    ) -> Estimate: ...


_OF_K: Mapping[str, tuple[_OfK, Callable[[Any, int], Any]]] = {
    "pass^k": (all_pass, lambda rates, k: rates**k),
    "pass@k": (any_passes, lambda rates, k: 1 - (1 - rates) ** k),
}


def repeats_of_k(simulations: int) -> None:
    """Print pass^k and pass@k, by k of how many runs, over populations and cases."""
    generator = _generator(3)
    _head("", "k of n runs", "interval", *_TOLD)
    for name, (estimate, of) in _OF_K.items():
        for k, runs in ((2, 3), (3, 3), (3, 5), (5, 5), (5, 10), (8, 10)):
            ours: list[tuple[float, float]] = []
            students: list[tuple[float, float]] = []
            for draw, _ in POPULATIONS.values():
                truth = float(of(draw(generator, (1, 2_000_000)), k).mean())
                for cases in CASES:
                    drawn = draw(generator, (simulations, cases))
                    samples = _samples(drawn, (runs,), generator)
                    ours.append(_coverage(truth, samples, partial(_interval_of, estimate, k)))
                    students.append(_coverage(truth, samples, partial(_t_of, estimate, k)))
            _row(name, f"{k} of {runs}", "ours", *_told(ours))
            _row(name, f"{k} of {runs}", "t of the cases", *_told(students))


def _interval_of(estimate: _OfK, k: int, cases: Sequence[CaseRuns], confidence: float) -> Interval:
    return estimate(cases, k, confidence=confidence).interval


def _t_of(estimate: _OfK, k: int, cases: Sequence[CaseRuns], confidence: float) -> Interval:
    one_by_one = {case: estimate([case], k).value for case in set(cases)}
    return _student_of([one_by_one[case] for case in cases], confidence)


def quantiles(simulations: int) -> None:
    """Print the coverage of quantiles of log-normal seconds, half of their variance the case's."""
    generator = _generator(4)
    _head("quantile", "cases", *(f"runs: {name}" for name in REPEATS))
    for share, truth in ((0.5, 1.0), (0.95, exp(1.6448536 * sqrt(2)))):
        for cases in CASES:
            cells: list[str] = []
            for repeats in REPEATS.values():
                held = [_holds(share, truth, cases, repeats, generator) for _ in range(simulations)]
                cells.append(f"{_share(held):.1f}")
            _row(share, cases, *cells)


def _holds(share: float, truth: float, cases: int, repeats: Sequence[int], generator: Any) -> bool:
    slow, each = generator.normal(size=(cases, 1)), generator.normal(size=(cases, max(repeats)))
    seconds = _numpy.exp(slow + each).tolist()
    kept = generator.choice(repeats, cases).tolist()
    found = quantile([runs[:of] for runs, of in zip(seconds, kept, strict=True)], share)
    low, high = found.low, found.high
    return (low is None or low <= truth) and (high is None or truth <= high)


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--simulations", type=int, default=2000, help="of each setting")
    parser.add_argument("--only", choices=TABLES, help="one table")
    arguments = parser.parse_args()
    chosen: str | None = arguments.only
    for name, table in TABLES.items():
        if chosen in {None, name}:
            table(arguments.simulations)
    return 0


TABLES: dict[str, Callable[[int], None]] = {
    "rates": rates,
    "differences": differences,
    "repeats": repeats_of_k,
    "quantiles": quantiles,
}


if __name__ == "__main__":
    sys.exit(main())
