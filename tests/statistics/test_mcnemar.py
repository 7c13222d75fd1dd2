from importlib import import_module
from typing import Any

import pytest
from hypothesis import given

from audition.statistics.cases import CaseRuns
from audition.statistics.mcnemar import McNemar, mcnemar
from tests.statistics.made_up_runs import ONE_RUN_PAIRS, runs

_mcnemar: Any = import_module("statsmodels.stats.contingency_tables").mcnemar


def changed(*, broken: int, fixed: int) -> McNemar:
    before = runs(*[(1, 1)] * broken, *[(0, 1)] * fixed)
    after = runs(*[(0, 1)] * broken, *[(1, 1)] * fixed)
    return mcnemar(before, after)


@given(ONE_RUN_PAIRS)
def test_the_two_sided_test_is_that_of_statsmodels(pairs: list[tuple[CaseRuns, CaseRuns]]) -> None:
    found = mcnemar([before for before, _ in pairs], [after for _, after in pairs])
    wanted = _mcnemar([[0, found.broken], [found.fixed, 0]], exact=True).pvalue
    assert found.two_sided == pytest.approx(float(wanted))


@given(ONE_RUN_PAIRS)
def test_the_other_way_round_breaks_what_was_fixed(
    pairs: list[tuple[CaseRuns, CaseRuns]],
) -> None:
    before, after = [one for one, _ in pairs], [other for _, other in pairs]
    found, mirror = mcnemar(before, after), mcnemar(after, before)
    assert (mirror.broken, mirror.fixed) == (found.fixed, found.broken)
    assert mirror.two_sided == pytest.approx(found.two_sided)


def test_5_broken_and_none_fixed_is_the_least_that_shows_harm() -> None:
    assert changed(broken=4, fixed=0).harm > 0.05 > changed(broken=5, fixed=0).harm
    assert changed(broken=5, fixed=0).two_sided > 0.05 > changed(broken=6, fixed=0).two_sided


def test_what_was_fixed_is_no_harm() -> None:
    assert changed(broken=0, fixed=10).harm == 1


def test_no_change_is_no_surprise() -> None:
    found = mcnemar(runs((1, 1), (0, 1)), runs((1, 1), (0, 1)))
    assert found == McNemar(broken=0, fixed=0, harm=1, two_sided=1)


def test_repeats_are_refused() -> None:
    with pytest.raises(ValueError, match="case 1 has 1 and 2 runs; wanted one and one"):
        mcnemar(runs((1, 1), (1, 1)), runs((1, 1), (1, 2)))
