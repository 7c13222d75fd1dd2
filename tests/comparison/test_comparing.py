from hypothesis import given
from hypothesis import strategies as st

from audition.comparison.comparing import compare
from audition.comparison.differences import Family
from audition.comparison.verdicts import Verdict
from audition.experiment.exit_codes import ExitCode
from tests.comparison.made_up_sides import case, side

RUNS = st.dictionaries(
    st.sampled_from("abcdefgh"), st.text("pfenk", min_size=1, max_size=4), max_size=8
)


@given(RUNS)
def test_a_run_beside_itself_has_nothing_broken_and_nothing_changed(runs: dict[str, str]) -> None:
    found = compare(side(runs), side(runs))
    assert (found.code, found.moves, found.doubts) == (ExitCode.OK, [], [])
    assert {one.verdict for one in found.cases} <= {
        Verdict.UNCHANGED,
        Verdict.FLAKY,
        Verdict.NOT_MEASURED,
    }
    assert all((one.difference, one.p_worse > 0.5) == (0, True) for one in found.differences)


@given(RUNS, RUNS)
def test_swapping_the_runs_swaps_what_became_of_them(
    one: dict[str, str], other: dict[str, str]
) -> None:
    there, back = compare(side(one), side(other)), compare(side(other), side(one))
    swapped = {"broken": "fixed", "fixed": "broken", "new": "gone", "gone": "new"}
    counts = {swapped.get(verdict, verdict): count for verdict, count in there.counts.items()}
    assert counts == dict(back.counts)
    assert [-each.difference for each in there.differences] == [
        each.difference for each in back.differences
    ]


@given(RUNS, RUNS)
def test_the_order_of_the_cases_makes_no_difference(
    one: dict[str, str], other: dict[str, str]
) -> None:
    found = compare(side(one), side(other))
    turned = compare(side(dict(reversed(one.items()))), side(dict(reversed(other.items()))))
    assert turned.counts == found.counts
    assert {each.case: each.verdict for each in turned.cases} == {
        each.case: each.verdict for each in found.cases
    }


def test_a_case_that_broke_is_the_exit_code_unless_it_is_known_to_fail() -> None:
    assert compare(side({"a": "p"}), side({"a": "f"})).code is ExitCode.FAILED
    assert compare(side({"a": "p"}), side({"a": "k"})).code is ExitCode.OK
    assert compare(side({"a": "ppp"}), side({"a": "ppf"})).code is ExitCode.OK


def test_changed_cases_are_in_no_rate() -> None:
    base = side({"same": "p"}, case("other", "p"))
    found = compare(base, side({"same": "p"}, case("other", "f", inputs="x")))
    (overall,) = [one for one in found.differences if one.family is Family.ALL]
    assert (overall.cases, overall.candidate) == (1, 1)
    assert found.candidate.bounds is not None
    assert found.candidate.bounds.low == 1


def test_what_was_not_measured_bounds_the_rate_both_ways() -> None:
    found = compare(side({"a": "pp", "b": "pp"}), side({"a": "pe", "b": "ne"})).candidate
    assert (found.repeats, found.errors, found.not_evaluated) == (1, 2, 1)
    assert found.bounds is not None
    assert (found.bounds.low, found.bounds.judged, found.bounds.high) == (0.25, 1, 1)
