from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.statistics.cases import CaseRuns
from audition.statistics.mcnemar import mcnemar
from audition.statistics.sign_flip import SignFlip, sign_flip
from tests.statistics.made_up_runs import CASE, ONE_RUN_PAIRS, beta, runs, runs_of, seeded

type CasePairs = list[tuple[CaseRuns, CaseRuns]]


def flipped(pairs: CasePairs) -> SignFlip:
    return sign_flip([before for before, _ in pairs], [after for _, after in pairs], seed=1)


@given(ONE_RUN_PAIRS)
def test_with_one_run_a_case_it_is_mcnemars_exact_test(pairs: CasePairs) -> None:
    found = flipped(pairs)
    wanted = mcnemar([before for before, _ in pairs], [after for _, after in pairs])
    assert (found.harm, found.two_sided) == pytest.approx((wanted.harm, wanted.two_sided))


@given(st.lists(st.tuples(CASE, CASE), min_size=1, max_size=8))
def test_it_counts_all_patterns_of_signs(pairs: CasePairs) -> None:
    differences = [
        after.passed / after.runs - before.passed / before.runs for before, after in pairs
    ]
    total, slack = sum(differences), 1e-9
    sums = [
        sum(sign * each for sign, each in zip(signs, differences, strict=True))
        for signs in product((-1, 1), repeat=len(pairs))
    ]
    found = flipped(pairs)
    assert found.draws is None
    assert found.harm == pytest.approx(sum(one <= total + slack for one in sums) / len(sums))
    extreme = sum(abs(one) >= abs(total) - slack for one in sums)
    assert found.two_sided == pytest.approx(extreme / len(sums))


@given(st.lists(st.tuples(CASE, CASE), min_size=1, max_size=12))
def test_the_other_way_round_is_as_surprising(pairs: CasePairs) -> None:
    found, mirror = flipped(pairs), flipped([(after, before) for before, after in pairs])
    assert mirror.two_sided == found.two_sided
    assert mirror.harm + found.harm >= 1


def test_drawing_comes_near_to_counting() -> None:
    """8200 cases that all changed are too many to count."""
    base = runs(*[(0, 1)] * 4000, *[(1, 1)] * 4200)
    candidate = runs(*[(1, 1)] * 4000, *[(0, 1)] * 4200)
    found = sign_flip(base, candidate, seed=1)
    assert found.draws == 9999
    assert found.harm == pytest.approx(mcnemar(base, candidate).harm, abs=0.006)
    assert found.two_sided == pytest.approx(mcnemar(base, candidate).two_sided, abs=0.009)


def test_fifty_thousand_cases_are_drawn_and_repeatable() -> None:
    random = seeded(2)
    rates = [beta(6, 1)(random) for _ in range(50_000)]
    base, candidate = runs_of(rates, (5,), random), runs_of(rates, (5,), random)
    found = sign_flip(base, candidate, seed=3, draws=999)
    assert found.draws == 999
    assert found == sign_flip(base, candidate, seed=3, draws=999)
    assert found.harm > 0.001


def test_where_nothing_changed_alarms_are_as_rare_as_they_should_be() -> None:
    random, alarms = seeded(4), 0
    for _ in range(1000):
        rates = [beta(6, 1)(random) for _ in range(40)]
        base, candidate = runs_of(rates, (1, 3, 5), random), runs_of(rates, (1, 3, 5), random)
        alarms += sign_flip(base, candidate, seed=1).harm <= 0.05
    assert 25 < alarms < 72


def test_no_change_is_no_surprise() -> None:
    cases = runs((1, 2), (3, 3))
    assert sign_flip(cases, cases, seed=1) == SignFlip(harm=1, two_sided=1, draws=None)


def test_no_draws_are_refused() -> None:
    with pytest.raises(ValueError, match="0 draws; wanted at least one"):
        sign_flip(runs((1, 1)), runs((1, 1)), seed=1, draws=0)


def test_no_cases_are_refused() -> None:
    with pytest.raises(ValueError, match="there are no cases"):
        sign_flip([], [], seed=1)
