from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.statistics.cases import CaseRuns
from audition.statistics.mcnemar import mcnemar
from audition.statistics.permutation import Permutation, permutation_test
from tests.statistics.made_up_runs import (
    CASE,
    ONE_RUN_PAIRS,
    PAIRS,
    always,
    beta,
    runs,
    runs_of,
    seeded,
)

type CasePairs = list[tuple[CaseRuns, CaseRuns]]

SMALL = st.sampled_from([CaseRuns(passed, of) for of in (1, 2, 3) for passed in range(of + 1)])


def permuted(pairs: CasePairs) -> Permutation:
    return permutation_test([before for before, _ in pairs], [after for _, after in pairs])


def exchanges(before: CaseRuns, after: CaseRuns) -> list[float]:
    """Return the differences of a case whose sides are exchanged, or whose runs are dealt anew."""
    if before.runs == after.runs:
        difference = after.passed / after.runs - before.passed / before.runs
        return [difference, -difference]
    passed = before.passed + after.passed
    outcomes = [1] * passed + [0] * (before.runs + after.runs - passed)
    return [
        sum(dealt) / after.runs - (passed - sum(dealt)) / before.runs
        for dealt in combinations(outcomes, after.runs)
    ]


@given(ONE_RUN_PAIRS)
def test_with_one_run_a_case_it_is_mcnemars_exact_test(pairs: CasePairs) -> None:
    found = permuted(pairs)
    wanted = mcnemar([before for before, _ in pairs], [after for _, after in pairs])
    assert (found.harm, found.two_sided) == pytest.approx((wanted.harm, wanted.two_sided))


@given(st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=4))
def test_it_counts_all_ways_to_exchange(pairs: CasePairs) -> None:
    total, slack = sum(b.passed / b.runs - a.passed / a.runs for a, b in pairs), 1e-9
    ways = [exchanges(*pair) for pair in pairs]
    sums = [sum(differences) for differences in product(*ways)]
    found = permuted(pairs)
    assert found.exact
    assert found.harm == pytest.approx(sum(one <= total + slack for one in sums) / len(sums))
    extreme = sum(abs(one) >= abs(total) - slack for one in sums)
    assert found.two_sided == pytest.approx(extreme / len(sums))


@given(PAIRS)
def test_the_other_way_round_is_as_surprising(pairs: CasePairs) -> None:
    found, mirror = permuted(pairs), permuted([(after, before) for before, after in pairs])
    assert mirror.two_sided == pytest.approx(found.two_sided)
    assert mirror.harm + found.harm >= 1


@given(st.lists(CASE, min_size=1, max_size=20))
def test_no_change_is_no_surprise(cases: list[CaseRuns]) -> None:
    assert permutation_test(cases, cases) == Permutation(harm=1, two_sided=1, exact=True)


def test_what_is_too_much_to_count_is_as_near_as_a_normal_distribution() -> None:
    base = runs(*[(0, 1)] * 4000, *[(1, 1)] * 4150)
    candidate = runs(*[(1, 1)] * 4000, *[(0, 1)] * 4150)
    found, wanted = permutation_test(base, candidate), mcnemar(base, candidate)
    assert not found.exact
    assert found.harm == pytest.approx(wanted.harm, abs=1e-5)
    assert found.two_sided == pytest.approx(wanted.two_sided, abs=1e-5)


def test_fifty_thousand_cases_are_not_counted() -> None:
    random = seeded(2)
    rates = [beta(6, 1)(random) for _ in range(50_000)]
    base, candidate = runs_of(rates, (3, 5), random), runs_of(rates, (3, 5), random)
    found = permutation_test(base, candidate)
    assert not found.exact
    assert found.harm > 0.001


@pytest.mark.parametrize(
    ("before", "after", "cases"),
    [((5,), (5,), 40), ((1, 3, 5), (1, 3, 5), 40), ((1,), (10,), 20), ((10,), (1,), 20)],
    ids=["same runs", "mixed runs", "one and ten", "ten and one"],
)
def test_where_nothing_changed_alarms_are_as_rare_as_they_should_be(
    before: tuple[int, ...], after: tuple[int, ...], cases: int
) -> None:
    random, draw, alarms = seeded(cases), beta(19, 1), 0
    for _ in range(800):
        rates = [draw(random) for _ in range(cases)]
        base, candidate = runs_of(rates, before, random), runs_of(rates, after, random)
        alarms += permutation_test(base, candidate).harm <= 0.05
    assert alarms < 60


def test_harm_is_found() -> None:
    random = seeded(5)
    base = runs_of([always(0.9)(random)] * 100, (5,), random)
    candidate = runs_of([always(0.75)(random)] * 100, (3, 5), random)
    assert permutation_test(base, candidate).harm < 0.01


def test_no_cases_are_refused() -> None:
    with pytest.raises(ValueError, match="there are no cases"):
        permutation_test([], [])


def test_runs_of_other_cases_are_refused() -> None:
    with pytest.raises(ValueError, match="0 cases beside 1"):
        permutation_test([], runs((1, 1)))
