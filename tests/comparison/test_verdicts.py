import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.comparison.pairing import pairs
from audition.comparison.sides import Known, Side
from audition.comparison.verdicts import (
    CaseVerdict,
    Verdict,
    case_verdicts,
    count_verdicts,
    is_broken,
)
from audition.experiment.manifest import Selection
from audition.statistics.cases import CaseRuns
from tests.comparison.made_up_sides import case, check, side

WORDS = st.text("pfenk", min_size=1, max_size=6)


def verdicts(base: Side, candidate: Side) -> list[CaseVerdict]:
    return list(case_verdicts(base, candidate, list(pairs(base, candidate))))


def verdict(before: str, after: str) -> CaseVerdict:
    (found,) = verdicts(side({"one": before}), side({"one": after}))
    return found


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("p", "f", Verdict.BROKEN),
        ("f", "p", Verdict.FIXED),
        ("k", "p", Verdict.FIXED),
        ("p", "p", Verdict.UNCHANGED),
        ("f", "f", Verdict.UNCHANGED),
        ("f", "k", Verdict.UNCHANGED),
        ("pp", "ff", Verdict.BROKEN),
        ("pppp", "f", Verdict.BROKEN),
        ("ppppp", "ppppf", Verdict.FLAKY),
        ("ppppp", "ppfff", Verdict.FLAKY),
        ("ppppp", "pffff", Verdict.BROKEN),
        ("pppf", "f", Verdict.FLAKY),
        ("ppf", "pff", Verdict.FLAKY),
        ("pppppfffff", "ffffffffff", Verdict.BROKEN),
        ("pe", "fn", Verdict.BROKEN),
        ("e", "p", Verdict.NOT_MEASURED),
        ("p", "n", Verdict.NOT_MEASURED),
    ],
)
def test_what_became_of_a_case_is_a_matter_of_evidence(
    before: str, after: str, expected: Verdict
) -> None:
    assert verdict(before, after).verdict is expected


@given(WORDS, WORDS)
def test_swapping_the_sides_swaps_broken_and_fixed(before: str, after: str) -> None:
    swapped = {Verdict.BROKEN: Verdict.FIXED, Verdict.FIXED: Verdict.BROKEN}
    found = verdict(before, after).verdict
    assert verdict(after, before).verdict is swapped.get(found, found)


@given(st.integers(1, 8), st.integers(1, 8), st.data())
def test_no_case_is_broken_and_fixed(one: int, other: int, data: st.DataObject) -> None:
    before = CaseRuns(data.draw(st.integers(0, one)), one)
    after = CaseRuns(data.draw(st.integers(0, other)), other)
    assert not (is_broken(before, after) and is_broken(after, before))


def test_what_broke_has_its_reasons_and_those_from_before() -> None:
    found = verdict("ppppppppppf", "ffffffffff")
    assert (found.base, found.candidate) == (CaseRuns(10, 11), CaseRuns(0, 10))
    assert found.candidate_reasons == found.base_reasons == ("says yes: lacks yes",)
    assert verdict("p", "f").base_reasons == ()


def test_what_was_not_measured_says_why() -> None:
    found = verdict("ee", "p")
    assert (found.why, found.base_reasons) == (("base: 2 error",), ("timeout",))
    (unrun,) = verdicts(side({"one": "p"}), side({}, case("one", "", planned=3)))
    assert unrun.why == ("candidate: 3 not run",)


def test_a_case_without_a_common_assertion_is_not_measured() -> None:
    base, candidate = (
        side({}, case("one", "p", checks={}), shared=check(version=version)) for version in (1, 2)
    )
    (found,) = verdicts(base, candidate)
    assert found.verdict is Verdict.NOT_MEASURED


def test_cases_of_one_side_alone_are_new_or_gone() -> None:
    found = verdicts(side({"old": "p", "kept": "p"}), side({"kept": "p", "added": "f"}))
    assert [(one.case, one.verdict) for one in found] == [
        ("kept", Verdict.UNCHANGED),
        ("added", Verdict.NEW),
        ("old", Verdict.GONE),
    ]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (Selection(names=("kept",)), Verdict.NOT_SELECTED),
        (Selection(names=("kept", "old")), Verdict.GONE),
        (Selection(tags=("fast",)), Verdict.NOT_SELECTED),
        (Selection(tags=("slow",)), Verdict.GONE),
        (Selection(shard="1/2"), Verdict.NOT_SELECTED),
    ],
)
def test_what_a_run_did_not_choose_is_not_gone(chosen: Selection, expected: Verdict) -> None:
    base = side({"kept": "p"}, case("old", "p", tags=("slow",)))
    gone = verdicts(base, side({"kept": "p"}, selection=chosen))[-1]
    assert (gone.case, gone.verdict) == ("old", expected)
    added = verdicts(side({"kept": "p"}, selection=chosen), base)[-1]
    assert added.verdict is (Verdict.NEW if expected is Verdict.GONE else expected)


def test_a_changed_case_says_what_changed_and_is_not_compared() -> None:
    (found,) = verdicts(side({"one": "p"}), side({}, case("one", "f", inputs="other")))
    assert (found.verdict, found.why, found.base) == (Verdict.CHANGED, ("inputs",), None)


def test_known_failures_are_marked() -> None:
    assert verdict("p", "k").known_failure
    assert not verdict("p", "fk").known_failure
    assert not verdict("k", "p").known_failure


def test_every_verdict_is_counted() -> None:
    counts = count_verdicts([verdict("p", "f"), verdict("p", "f")])
    assert (counts[Verdict.BROKEN], counts[Verdict.GONE]) == (2, 0)


def test_between_a_folder_and_a_report_names_are_all_there_is() -> None:
    base, candidate = side({"one": "p"}), side({}, case("one", "f", inputs="x"), known=Known.REPORT)
    (found,) = verdicts(base, candidate)
    assert found.verdict is Verdict.BROKEN
