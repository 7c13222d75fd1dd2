from typing import Any

import pytest

from audition.comparison.doubts import Doubt, doubts
from audition.comparison.sides import Known
from audition.experiment.manifest import Selection
from tests.comparison.made_up_sides import case, check, side


def test_of_the_same_there_is_no_doubt() -> None:
    assert doubts(side({"a": "p"}), side({"a": "f"})) == []


@pytest.mark.parametrize(
    ("about", "doubt"),
    [
        ({"application": "other"}, Doubt(what="application", base="desk", candidate="other")),
        (
            {"application_version": "2"},
            Doubt(what="version of the application", base="1", candidate="2"),
        ),
        (
            {"configuration": {"k": "v"}},
            Doubt(what="configuration", base="{}", candidate='{"k":"v"}'),
        ),
        (
            {"selection": Selection(shard="1/2")},
            Doubt(what="selection of cases", base="{}", candidate='{"shard":"1/2"}'),
        ),
        ({"redacted": False}, Doubt(what="secrets taken out", base="true", candidate="false")),
        ({"python": "3.13.0"}, Doubt(what="Python", base="3.12.1", candidate="3.13.0")),
        ({"dataset_name": "other"}, Doubt(what="dataset", base="small", candidate="other")),
    ],
)
def test_what_is_not_the_same_is_told(about: dict[str, Any], doubt: Doubt) -> None:
    assert doubts(side({"a": "p"}), side({"a": "p"}, **about)) == [doubt]


def test_models_seeds_and_packages_are_compared_where_both_are_known() -> None:
    base = side({"a": "p"}, model_ids=["m1"], limits={"seed": 0}, packages={"pykka": "4", "x": "1"})
    other = side({"a": "p"}, model_ids=["m2"], limits={"seed": 7}, packages={"pykka": "5"})
    told = {one.what: (one.base, one.candidate) for one in doubts(base, other)}
    assert told == {
        "models": ('["m1"]', '["m2"]'),
        "limit: seed": ("0", "7"),
        "packages": ("pykka 4", "pykka 5"),
    }
    assert doubts(base, side({"a": "p"})) == []


def test_runs_of_which_nothing_tells_any_more_are_unfinished() -> None:
    (told,) = doubts(side({"a": "p"}), side({"a": "p"}, units=3))
    assert (told.what, told.candidate) == ("unfinished", "2 repeats not run: it was left")


def test_repeats_and_runs_that_did_not_end_are_told() -> None:
    unrun = side({}, case("a", "p", planned=3), finished_at=None, stopped_by="--fail-fast")
    told = {one.what: (one.base, one.candidate) for one in doubts(side({"a": "p"}), unrun)}
    assert told == {
        "repeats of a case": ("[1]", "[3]"),
        "unfinished": ("no", "2 repeats not run: --fail-fast"),
    }


def test_an_evaluator_of_all_cases_that_changed_is_named() -> None:
    base = side({"a": "p"}, shared={**check("grounded"), **check("completed")})
    candidate = side({"a": "p"}, shared={**check("grounded", version=2), **check("completed")})
    what = "evaluators of all cases on one side alone"
    assert doubts(base, candidate) == [Doubt(what=what, base="grounded", candidate="grounded")]


@pytest.mark.parametrize("known", [Known.NOTHING, Known.REPORT])
def test_it_is_told_where_cases_are_paired_by_name_alone(known: Known) -> None:
    (doubt,) = doubts(side({"a": "p"}), side({"a": "p"}, known=known))
    assert doubt.what.startswith("cases and evaluators are paired by name alone")
