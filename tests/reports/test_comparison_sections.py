from typing import Any

import pytest

from audition.comparison.comparing import compare
from audition.comparison.sides import Side
from audition.reports.comparison_sections import Section, sections
from tests.comparison.made_up_sides import case, side


def told(base: Side, candidate: Side) -> dict[str, Section]:
    return {section.title: section for section in sections(compare(base, candidate))}


def test_what_makes_the_runs_incomparable_is_told_first() -> None:
    found = told(side({"a": "p"}), side({"a": "p"}, application="other"))
    first, *_ = found.values()
    assert first.title == "Not the same, so a difference may come from it"
    assert first.lines == ["application: desk -> other"]


def test_the_summary_has_the_rate_with_its_interval_and_test() -> None:
    lines = told(side({"a": "pp", "b": "pp"}), side({"a": "pp", "b": "pf"}))["Summary"].lines
    assert lines[2] == "cases: 1 flaky, 1 unchanged"
    assert lines[3].startswith("pass rate: 100.0 % -> 75.0 %, -25.0 points (-")
    assert lines[3].endswith("(permutation)")


def test_what_was_left_out_bounds_the_rate_both_ways() -> None:
    lines = told(side({"a": "pp"}), side({"a": "pe"}))["Summary"].lines
    assert lines[2] == (
        "  1 repeats measured, 1 broke; rate 50.0 % to 100.0 %"
        " whatever those of the paired cases would have shown"
    )


def test_nothing_in_common_is_told() -> None:
    found = told(side({"a": "p"}), side({"b": "p"}))
    assert "pass rate: no case was measured on both sides" in found["Summary"].lines
    assert (found["New (1)"].lines, found["Gone (1)"].lines) == (["b"], ["a"])


def test_what_broke_is_told_with_its_runs_and_reasons() -> None:
    before = case("a", "ppppppppppf", must_pass=True)
    after = case("a", "ffffffffff", must_pass=True)
    assert told(side({}, before), side({}, after))["Broken (1)"].lines == [
        "a: 10 of 11 -> 0 of 10, must pass",
        "  now: says yes: lacks yes",
        "  before: says yes: lacks yes",
    ]


def test_a_changed_case_says_what_changed() -> None:
    found = told(side({"a": "p"}), side({}, case("a", "f", inputs="other")))
    assert found["Changed: not compared (1)"].lines == ["a: inputs"]


def test_failures_that_moved_are_told_though_the_rate_did_not_change() -> None:
    after = case("a", "f")
    after.outcomes[0] = after.outcomes[0]._replace(
        blame=after.outcomes[0].blame and after.outcomes[0].blame._replace(layer="tool", agent="@K")
    )
    found = told(side({"a": "f"}), side({}, after))
    assert found["Failures that moved"].lines == ["1 from answer to tool/@K: a"]
    assert found["Summary"].lines[-1] == "failures that moved: 1, which no pass rate shows"


def test_long_lists_are_cut_and_say_how_many_more_there_are() -> None:
    names = [str(number) for number in range(30)]
    lines = told(side(dict.fromkeys(names, "f")), side(dict.fromkeys(names, "p")))
    assert lines["Fixed (30)"].lines[-1] == "and 10 more"


@pytest.mark.parametrize(("before", "after", "mark"), [("p", "f", "worse"), ("f", "p", "better")])
def test_an_evaluator_that_changed_is_marked(before: str, after: str, mark: str) -> None:
    names = [str(number) for number in range(8)]
    found = told(side(dict.fromkeys(names, before)), side(dict.fromkeys(names, after)))
    assert [(row[0], row[-1]) for row in found["Evaluators"].rows] == [("says yes", mark)]


def test_numbers_are_told_with_their_intervals() -> None:
    fields: dict[str, Any] = {"tokens": [4000], "scores": {"tone": [0.5]}}
    before = [case(str(number), "p", **fields) for number in range(8)]
    after = [
        case(str(number), "p", tokens=[5000 + number], scores={"tone": [0.6 + number]})
        for number in range(8)
    ]
    found = told(side({}, *before), side({}, *after))
    (tone,) = found["Scores: mean over cases"].rows
    assert tone[:4] == ("tone", "8", "0.5", "4.1")
    assert tone[4].startswith("+3.6 (")
    tokens = found["Used: each case weighs the same"].rows[-1]
    assert tokens[:4] == ("tokens", "8", "4,000 (4,000 to 4,000)", "5,004 (5,000 to 5,007)")
