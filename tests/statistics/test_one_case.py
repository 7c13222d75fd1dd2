from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.statistics.cases import CaseRuns
from audition.statistics.one_case import drop_by_chance

_scipy: Any = import_module("scipy.stats")


@st.composite
def runs(draw: st.DrawFn) -> CaseRuns:
    count = draw(st.integers(1, 12))
    return CaseRuns(draw(st.integers(0, count)), count)


@given(runs(), runs())
def test_it_is_fishers_test(base: CaseRuns, candidate: CaseRuns) -> None:
    table = [
        [candidate.passed, candidate.runs - candidate.passed],
        [base.passed, base.runs - base.passed],
    ]
    expected = _scipy.fisher_exact(table, alternative="less").pvalue
    assert drop_by_chance(base, candidate) == pytest.approx(expected)


def test_one_repeat_less_is_no_evidence() -> None:
    assert drop_by_chance(CaseRuns(5, 5), CaseRuns(4, 5)) == 0.5
    assert drop_by_chance(CaseRuns(5, 5), CaseRuns(1, 5)) == pytest.approx(6 / 252)


def test_without_runs_nothing_is_surprising() -> None:
    assert drop_by_chance(CaseRuns(0, 0), CaseRuns(0, 3)) == 1
