from math import exp
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.statistics.distributions import binomial_cdf
from audition.statistics.samples import median_ratio, quantile
from tests.statistics.made_up_runs import seeded

SECONDS = st.floats(0, 1000)
SAMPLES = st.lists(st.lists(SECONDS, min_size=1, max_size=5), min_size=1, max_size=25)


@given(st.lists(SECONDS, min_size=1, max_size=60))
def test_with_one_run_a_case_the_median_is_the_median(values: list[float]) -> None:
    assert quantile([[value] for value in values], 0.5).value == pytest.approx(median(values))


@given(SAMPLES, st.sampled_from([0.1, 0.5, 0.95]))
def test_the_quantile_lies_in_its_interval(samples: list[list[float]], share: float) -> None:
    found = quantile(samples, share)
    assert found.low is None or found.low <= found.value
    assert found.high is None or found.value <= found.high


@pytest.mark.parametrize(("cases", "share"), [(20, 0.5), (51, 0.5), (100, 0.95), (400, 0.95)])
def test_the_ends_are_the_innermost_that_cover(cases: int, share: float) -> None:
    found = quantile([[rank] for rank in range(1, cases + 1)], share)
    assert found.low is not None
    assert found.high is not None
    low, high = int(found.low), int(found.high)
    assert binomial_cdf(low - 1, cases, share) <= 0.025 < binomial_cdf(low, cases, share)
    assert 1 - binomial_cdf(high - 1, cases, share) <= 0.025
    assert 1 - binomial_cdf(high - 2, cases, share) > 0.025


@pytest.mark.parametrize(("cases", "there"), [(71, False), (72, True)])
def test_a_95th_percentile_takes_72_cases_for_an_upper_end(cases: int, there: object) -> None:
    found = quantile([[rank] for rank in range(cases)], 0.95)
    assert (found.high is not None) is there


@pytest.mark.parametrize("runs", [1, 5])
@pytest.mark.parametrize("share", [0.5, 0.95])
def test_an_interval_of_95_percent_holds_the_quantile(runs: int, share: float) -> None:
    """Log-normal seconds, half of their variance between cases."""
    random = seeded(runs)
    truth = exp({0.5: 0, 0.95: 1.6448536 * 2**0.5}[share])
    held = 0
    for _ in range(250):
        centres = [random.gauss() for _ in range(80)]
        found = quantile([[exp(c + random.gauss()) for _ in range(runs)] for c in centres], share)
        held += (found.low or 0) <= truth and (found.high is None or truth <= found.high)
    assert held > 225


def test_a_case_of_many_runs_weighs_no_more_than_one_of_few() -> None:
    assert quantile([[9] * 50, [1], [2]], 0.5).value == 2


def test_a_ratio_is_of_the_same_case() -> None:
    base = [[10.0, 30.0], [1.0], [4.0]]
    candidate = [[10.0], [2.0, 1.0], [2.0]]
    assert median_ratio(base, candidate).value == 0.5


def test_slow_cases_do_not_hide_that_all_got_slower() -> None:
    base = [[2.0**case] for case in range(20)]
    candidate = [[1.25 * seconds for seconds in runs] for runs in base]
    found = median_ratio(base, candidate)
    assert (found.low, found.value, found.high) == (1.25, 1.25, 1.25)


@pytest.mark.parametrize(
    ("before", "after"), [((0.0,), (1.0,)), ((), (1.0,)), ((1.0,), ())], ids=str
)
def test_a_case_without_a_ratio_is_named(
    before: tuple[float, ...], after: tuple[float, ...]
) -> None:
    with pytest.raises(ValueError, match="case 0 has no ratio"):
        median_ratio([before], [after])


def test_runs_of_other_cases_are_refused() -> None:
    with pytest.raises(ValueError, match="1 cases beside 0"):
        median_ratio([[1.0]], [])


@pytest.mark.parametrize("samples", [[], [[1.0], []]], ids=str)
def test_samples_without_runs_are_refused(samples: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="and a run in each case"):
        quantile(samples, 0.5)


def test_a_share_in_percent_is_refused() -> None:
    with pytest.raises(ValueError, match="share 95 of 1 cases"):
        quantile([[1.0]], 95)
