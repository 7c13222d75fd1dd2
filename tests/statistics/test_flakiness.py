from importlib import import_module
from typing import Any

import pytest
from hypothesis import given

from audition.statistics.cases import CaseRuns
from audition.statistics.flakiness import flaky_probability, is_flaky
from tests.statistics.made_up_runs import CASE, exchanged

_beta: Any = import_module("scipy.stats").beta


@pytest.mark.parametrize(("passed", "flaky"), [(0, False), (1, True), (4, True), (5, False)])
def test_what_passes_at_times_is_flaky(passed: int, flaky: bool) -> None:  # noqa: FBT001  # a row of a table
    assert is_flaky(CaseRuns(passed, 5)) is flaky


@given(CASE)
def test_the_probability_is_that_of_scipys_posterior(case: CaseRuns) -> None:
    posterior = _beta(case.passed + 0.5, case.runs - case.passed + 0.5)
    wanted = float(posterior.cdf(0.9) - posterior.cdf(0.1))
    assert flaky_probability(case) == pytest.approx(wanted, abs=1e-9)


@given(CASE)
def test_passes_and_failures_are_alike(case: CaseRuns) -> None:
    (other,) = exchanged([case])
    assert flaky_probability(other) == pytest.approx(flaky_probability(case), abs=1e-9)


def test_few_runs_leave_it_open() -> None:
    found = [round(flaky_probability(CaseRuns(*case)), 2) for case in ((0, 0), (5, 5), (4, 5))]
    assert found == [0.59, 0.29, 0.80]


def test_rates_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match=r"rates from 0\.9 to 0\.1"):
        flaky_probability(CaseRuns(1, 2), low=0.9, high=0.1)
