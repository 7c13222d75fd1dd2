from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.statistics.cases import CaseRuns
from audition.statistics.distributions import binomial_cdf
from audition.statistics.proportions import clopper_pearson, score_interval, wilson
from tests.statistics.made_up_runs import CASE

_confint: Any = import_module("statsmodels.stats.proportion").proportion_confint

CONFIDENCES = st.sampled_from([0.5, 0.9, 0.95, 0.99])


@given(CASE, CONFIDENCES)
def test_wilson_is_that_of_statsmodels(case: CaseRuns, confidence: float) -> None:
    wanted = _confint(case.passed, case.runs, 1 - confidence, method="wilson")
    found = wilson(case.passed, case.runs, confidence=confidence)
    assert (found.low, found.high) == pytest.approx(wanted, abs=1e-12)


@given(CASE, CONFIDENCES)
def test_clopper_pearson_is_that_of_statsmodels(case: CaseRuns, confidence: float) -> None:
    wanted = _confint(case.passed, case.runs, 1 - confidence, method="beta")
    found = clopper_pearson(case.passed, case.runs, confidence=confidence)
    assert (found.low, found.high) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(("rate", "runs"), [(0.95, 20), (0.9, 30), (0.5, 7), (0.99, 100)])
def test_clopper_pearson_covers_at_least_its_confidence(rate: float, runs: int) -> None:
    covering = [k for k in range(runs + 1) if rate in clopper_pearson(k, runs)]
    exact = sum(binomial_cdf(k, runs, rate) - binomial_cdf(k - 1, runs, rate) for k in covering)
    assert exact >= 0.95


def test_35_of_35_show_with_wilson_that_the_rate_is_above_90_percent() -> None:
    assert wilson(34, 34).low < 0.9 < wilson(35, 35).low


def test_no_failure_in_n_runs_leaves_about_3_in_n() -> None:
    assert 1 - clopper_pearson(300, 300, confidence=0.9).low == pytest.approx(0.01, rel=0.01)


@given(CASE)
def test_more_runs_of_the_same_share_are_more_certain(case: CaseRuns) -> None:
    assert wilson(2 * case.passed, 2 * case.runs).width < wilson(case.passed, case.runs).width


@given(st.floats(0, 1), st.floats(0.01, 1e7))
def test_the_share_lies_in_its_interval_and_both_from_0_to_1(share: float, size: float) -> None:
    interval = score_interval(share, size, confidence=0.95)
    assert 0 <= interval.low <= share <= interval.high <= 1
    assert interval.width > 0


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_no_runs_have_no_interval(interval: Any) -> None:
    with pytest.raises(ValueError, match="there are no runs"):
        interval(0, 0)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_a_confidence_in_percent_is_refused(interval: Any) -> None:
    with pytest.raises(ValueError, match="a confidence of 95"):
        interval(1, 2, confidence=95)
