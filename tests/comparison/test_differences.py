import pytest

from audition.comparison.differences import Difference, ExactTest, Family, differences
from audition.comparison.pairing import pairs
from audition.comparison.sides import Side
from audition.experiment.histories import CaseHistory
from audition.experiment.status import Status
from audition.statistics.cases import CaseRuns
from audition.statistics.multiplicity import holm
from audition.statistics.paired import rate_difference
from audition.statistics.permutation import permutation_test
from tests.comparison.made_up_sides import case, check, side, with_lines
from tests.journals import line

CHECKS = {
    **check("routes", layer="route"),
    **check("searches", layer="tool", agent="@Knowledge"),
    **check("short", severity="should"),
}


def compared(base: Side, candidate: Side) -> dict[tuple[Family, str], Difference]:
    return {(one.family, one.name): one for one in differences(pairs(base, candidate))}


def checked(name: str, *failed: str) -> CaseHistory:
    made = case(name, "", checks=CHECKS, planned=1)
    held = {name: name not in failed for name in ("routes", "searches", "short")}
    status = Status.FAILED if {"routes", "searches"} & {*failed} else Status.PASSED
    return with_lines(made, line(name, status=status, assertions=held))


def test_single_runs_have_mcnemars_test() -> None:
    names = [f"case {number}" for number in range(8)]
    base = side(dict.fromkeys(names, "p"))
    candidate = side(dict(zip(names, "fffffppp", strict=True)))
    found = compared(base, candidate)[Family.ALL, ""]
    assert (found.cases, found.base, found.candidate) == (8, 1, 0.375)
    assert found.test is ExactTest.MCNEMAR
    assert (found.p_worse, found.p_changed) == pytest.approx((1 / 32, 1 / 16))


def test_repeats_have_the_permutation_test_over_cases() -> None:
    base, candidate = side({"a": "ppp", "b": "ppf"}), side({"a": "pff", "b": "ffff"})
    found = compared(base, candidate)[Family.ALL, ""]
    runs = [CaseRuns(3, 3), CaseRuns(2, 3)], [CaseRuns(1, 3), CaseRuns(0, 4)]
    told, expected = permutation_test(*runs), rate_difference(*runs)
    assert (found.test, found.p_worse) == (ExactTest.PERMUTATION, told.harm)
    assert (found.difference, found.interval) == (expected.value, expected.interval)


def test_layers_and_agents_are_those_of_what_must_hold() -> None:
    names = ["a", "b", "c", "d"]
    base = side({}, *(checked(name) for name in names))
    candidate = side(
        {}, checked("a", "searches"), checked("b", "short"), checked("c", "routes"), checked("d")
    )
    found = {part: one.candidate for part, one in compared(base, candidate).items()}
    assert found == {
        (Family.ALL, ""): 0.5,
        (Family.EVALUATOR, "routes"): 0.75,
        (Family.EVALUATOR, "searches"): 0.75,
        (Family.EVALUATOR, "short"): 0.75,
        (Family.LAYER, "route"): 0.75,
        (Family.LAYER, "tool"): 0.75,
        (Family.AGENT, "@Knowledge"): 0.75,
    }


def test_tags_are_parts_and_each_family_is_adjusted_for_itself() -> None:
    before = [case(str(one), "p", tags=(f"t{one % 2}",)) for one in range(12)]
    after = [case(str(one), "f" if one % 2 else "p", tags=(f"t{one % 2}",)) for one in range(12)]
    found = compared(side({}, *before), side({}, *after))
    even, odd, every = found[Family.TAG, "t0"], found[Family.TAG, "t1"], found[Family.ALL, ""]
    assert (odd.p_worse, odd.adjusted_p_worse) == pytest.approx((1 / 64, 1 / 32))
    assert (even.adjusted_p_worse, odd.adjusted_p_worse) == holm([even.p_worse, odd.p_worse])
    assert every.adjusted_p_worse == every.p_worse


def test_an_evaluator_with_a_name_for_each_case_is_one_part() -> None:
    before, after = (
        [
            with_lines(
                case(text, "", planned=1, checks={
                    of: told.model_copy(update={"name": "terms"})
                    for of, told in check(f"terms({text})").items()
                }),
                line(text, assertions={f"terms({text})": True}),
            )
            for text in ("7", "Gannet")
        ]
        for _ in range(2)
    )  # fmt: skip
    found = compared(side({}, *before), side({}, *after))
    assert found[Family.EVALUATOR, "terms"].cases == 2


def test_without_measured_cases_there_is_no_difference() -> None:
    assert compared(side({"a": "e"}), side({"a": "p"})) == {}


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_cases_makes_no_difference(order: int) -> None:
    runs = {"a": "pp", "b": "pf", "c": "ff"}
    candidate = dict([*{"a": "pf", "b": "ff", "c": "fp"}.items()][::order])
    found = compared(side(runs), side(candidate))[Family.ALL, ""]
    assert (found.difference, found.p_worse) == (pytest.approx(-1 / 6), 0.5)


def test_a_case_that_failed_though_all_assertions_hold_counts_as_failed() -> None:
    base, candidate = case("a", "p"), case("a", "", planned=1)
    with_lines(candidate, line("a", status=Status.FAILED))
    found = compared(side({}, base), side({}, candidate))
    assert (found[Family.ALL, ""].candidate, found[Family.LAYER, "answer"].candidate) == (0, 1)
