import pytest

from audition.gates.extrapolation import amounts
from tests.gates.runs import case, run


def test_a_total_is_of_means_and_each_case_weighs_the_same() -> None:
    short, long = case("short", "pppp"), case("long", "p")
    long.seconds[:] = [9.5]
    found = amounts(run(short, long), 10)
    assert found["seconds"].median == pytest.approx(0.5)
    assert found["seconds"].total == pytest.approx(50)
    assert found["seconds"].known == 5


def test_what_no_run_says_is_left_out() -> None:
    assert "cost_usd" not in amounts(run(case("one", "p")), 10)
