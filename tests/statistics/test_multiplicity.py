from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audition.statistics.multiplicity import holm

_multipletests: Any = import_module("statsmodels.stats.multitest").multipletests

P_VALUES = st.lists(st.floats(0, 1) | st.sampled_from([0.01, 0.02]), min_size=1, max_size=10)


@settings(max_examples=10)  # a call of the oracle takes a tenth of a second
@given(P_VALUES)
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    _, wanted, _, _ = _multipletests(p_values, method="holm")
    assert holm(p_values) == pytest.approx(list(wanted))


@given(P_VALUES)
def test_none_gets_smaller_and_their_order_stays(p_values: list[float]) -> None:
    pairs = sorted(zip(p_values, holm(p_values), strict=True))
    assert all(raw <= adjusted <= 1 for raw, adjusted in pairs)
    assert [adjusted for _, adjusted in pairs] == sorted(adjusted for _, adjusted in pairs)


@given(P_VALUES)
def test_equal_values_stay_equal(p_values: list[float]) -> None:
    adjusted = dict(zip(p_values, holm(p_values), strict=True))
    assert holm(p_values) == tuple(adjusted[value] for value in p_values)


def test_a_single_test_keeps_its_value() -> None:
    assert holm([0.03]) == (0.03,)


def test_no_tests_have_no_values() -> None:
    assert holm([]) == ()


@pytest.mark.parametrize("value", [float("nan"), -0.1, 1.1])
def test_what_is_no_p_value_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="p value 1 is"):
        holm([0.2, value])
