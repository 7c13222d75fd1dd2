import pytest

from audition.comparison.pairing import Pair, pairs
from audition.comparison.sides import Known
from audition.evaluators.case_evaluator import Severity
from audition.experiment.plan import name_id
from audition.experiment.status import Status
from audition.statistics.cases import CaseRuns
from tests.comparison.made_up_sides import SAYS_YES, case, check, pair, side, with_lines
from tests.journals import line


def two_checks(*repeats: tuple[bool, bool], **more: object) -> Pair:
    """Return a pair whose candidate has another evaluator, and held both as the repeats say."""
    base = case("one", "p" * len(repeats))
    after = case("one", "", checks={**check(), **check("is short")}, planned=len(repeats), **more)
    for number, (old, new) in enumerate(repeats, 1):
        status = Status.PASSED if old and new else Status.FAILED
        held = {SAYS_YES: old, "is short": new}
        with_lines(after, line("one", repeat=number, status=status, assertions=held))
    return pair(base, after)


def test_an_evaluator_that_was_added_is_in_no_verdict() -> None:
    found = two_checks((True, False), (False, True), (False, False))
    assert (found.changed, found.before, found.after) == ((), CaseRuns(3, 3), CaseRuns(1, 3))


def test_what_the_added_one_could_not_measure_is_measured_by_the_others() -> None:
    after = case("one", "", checks={**check(), **check("judge")}, planned=1)
    with_lines(after, line("one", status=Status.NOT_EVALUATED))
    assert pair(case("one", "p"), after).after == CaseRuns(1, 1)


def test_a_repeat_that_failed_though_no_assertion_did_has_failed() -> None:
    after = case("one", "", planned=1)
    with_lines(after, line("one", status=Status.FAILED))
    assert pair(case("one", "p"), after).after == CaseRuns(0, 1)


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ({"inputs": "i"}, {"inputs": "j"}, ("inputs",)),
        ({}, {"checks": check(version=2)}, ("evaluators: says yes changed",)),
        ({}, {"checks": {}}, ("evaluators: says yes gone",)),
        ({}, {"checks": {**check(), **check("more")}}, ()),
        ({"checks": {**check(), **check("more")}}, {}, ("evaluators: more gone",)),
    ],
)
def test_a_case_is_another_where_its_inputs_or_its_own_evaluators_are(
    before: dict[str, object], after: dict[str, object], changed: tuple[str, ...]
) -> None:
    assert pair(case("one", "p", **before), case("one", "p", **after)).changed == changed


def test_an_evaluator_of_its_own_that_all_cases_now_share_is_the_same() -> None:
    base, candidate = side({}, case("one", "p")), side({}, case("one", "p", checks={}),
                                                       shared=check())  # fmt: skip
    (found,) = pairs(base, candidate)
    assert (found.changed, found.must) == ((), {name_id(SAYS_YES)})


@pytest.mark.parametrize("shared", [{}, check(version=2)])
def test_a_shared_evaluator_that_changed_makes_no_case_another(shared: dict[str, object]) -> None:
    base = side({}, case("one", "p", checks={}), shared=check())
    candidate = side({}, case("one", "p", checks={}), shared=shared)  # type: ignore[arg-type]
    (found,) = pairs(base, candidate)
    assert (found.changed, found.is_judged, dict(found.common)) == ((), False, {})


def test_what_should_hold_is_in_no_verdict() -> None:
    soft = check(severity=Severity.SHOULD)
    found = pair(case("one", "p", checks=soft), case("one", "p", checks=soft))
    assert (found.must, found.is_judged, found.after) == (frozenset(), True, CaseRuns(1, 1))
    assert list(found.common) == [name_id(SAYS_YES)]


def test_assertions_that_no_plan_knows_are_the_same_while_no_foreign_evaluator_changed() -> None:
    judge = check("judge", layer=None)
    before, after = (case("one", "", checks=judge, planned=1) for _ in range(2))
    for one in (before, after):
        with_lines(one, line("one", assertions={"judge_pass": True}))
    assert set(pair(before, after).common) == {name_id("judge"), name_id("judge_pass")}
    base, candidate = (side({}, case("one", "", checks={}, planned=1), shared=check(
        "judge", layer=None, version=version)) for version in (1, 2))  # fmt: skip
    for one in (base, candidate):
        (made,) = one.history.cases.values()
        with_lines(made, line("one", assertions={"judge_pass": True}))
    (found,) = pairs(base, candidate)
    assert dict(found.common) == {}


@pytest.mark.parametrize("known", [Known.NOTHING, Known.REPORT])
def test_where_fingerprints_say_nothing_a_name_is_all_there_is(known: Known) -> None:
    (found,) = pairs(
        side({}, case("one", "p", inputs="i")), side({}, case("one", "f", inputs="j"), known=known)
    )
    assert (found.changed, found.after) == ((), CaseRuns(0, 1))


def test_assertions_are_counted_where_all_of_them_were_measured() -> None:
    found = pair(case("one", "pf"), case("one", "pfen"))
    assert not found.all_hold
    assert found.runs_of([name_id(SAYS_YES)]) == (CaseRuns(1, 2), CaseRuns(1, 2))
    every = pair(case("one", "pp"), case("one", "p"))
    assert every.all_hold
    assert every.runs_of([name_id(SAYS_YES)]) == (CaseRuns(2, 2), CaseRuns(1, 1))
