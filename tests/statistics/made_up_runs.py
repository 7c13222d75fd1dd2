"""Runs of cases: any that Hypothesis likes, and such as are drawn from a population."""

from collections.abc import Callable, Sequence
from random import Random

from hypothesis import strategies as st

from audition.statistics.cases import CaseRuns

CASE = st.sampled_from([CaseRuns(passed, of) for of in range(1, 13) for passed in range(of + 1)])
CASES = st.lists(CASE, min_size=1, max_size=12)
PAIRS = st.lists(st.tuples(CASE, CASE), min_size=1, max_size=12)
ONE_RUN = st.sampled_from([CaseRuns(0, 1), CaseRuns(1, 1)])
ONE_RUN_PAIRS = st.lists(st.tuples(ONE_RUN, ONE_RUN), min_size=1, max_size=25)

type Population = Callable[[Random], float]


def seeded(seed: int | str) -> Random:
    return Random(seed)  # noqa: S311  # the same in every run


def beta(a: float, b: float) -> Population:
    return lambda random: random.betavariate(a, b)


def always(rate: float) -> Population:
    return lambda _: rate


def mixed(share: float, most: float, rest: float) -> Population:
    return lambda random: most if random.random() < share else rest


def runs_of(rates: Sequence[float], repeats: Sequence[int], random: Random) -> list[CaseRuns]:
    drawn: list[CaseRuns] = []
    for rate in rates:
        runs = random.choice(repeats)
        drawn.append(CaseRuns(random.binomialvariate(runs, rate), runs))
    return drawn


def exchanged(cases: Sequence[CaseRuns]) -> list[CaseRuns]:
    """Return the cases with what passed and what failed exchanged."""
    return [CaseRuns(case.runs - case.passed, case.runs) for case in cases]


def runs(*pairs: tuple[int, int]) -> list[CaseRuns]:
    return [CaseRuns(passed, of) for passed, of in pairs]
