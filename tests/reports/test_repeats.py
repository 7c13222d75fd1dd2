import json
from pathlib import Path
from typing import Any

import pytest

from audition.experiment.histories import read_history
from audition.experiment.journal import JournalLine
from audition.experiment.status import Status
from audition.reports.repeats import Repeats, repeats_json, repeats_of, repeats_text
from audition.statistics.cases import CaseRuns
from audition.statistics.repeats import all_pass
from tests.comparison.made_up_sides import REPEATS, case, manifest, side, with_lines
from tests.journals import line, written

REPORTED: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "cases/39-pass-hat-k-and-pass-at-k.json").read_text("utf-8")
)
EXPECTED = REPORTED["expected"]
LETTERS = {"pass": "p", "fail": "f", "error:infrastructure": "e"}


def reported(folder: Path, name: str) -> Repeats:
    """Return what is told of the journal of a reported run."""
    lines: list[JournalLine] = [
        line(of, repeat=number, repeats=len(results), **REPEATS[LETTERS[result]])
        for of, results in REPORTED[name].items()
        for number, result in enumerate(results, 1)
    ]
    written(folder, *lines)
    manifest().write(folder)
    return repeats_of(read_history(folder))


def shown(cases: dict[str, str]) -> Repeats:
    return repeats_of(side(cases).history)


def test_both_are_computed_without_bias_from_five_repeats(tmp_path: Path) -> None:
    told, expected = reported(tmp_path, "five"), EXPECTED["five.json"]
    hat = {str(at.k): pytest.approx(at.pass_hat.value) for at in told.at}
    assert expected["pass_hat"] == hat | {"6": "not available"}
    reach = {str(at.k): at.pass_at.value for at in told.at}
    assert {k: reach[k] for k in expected["pass_at"]} == pytest.approx(expected["pass_at"])
    assert [one.case for one in told.flaky] == expected["flaky"]
    assert [one.case for one in told.failing] == expected["failing"]


def test_of_one_run_nothing_is_said_of_two(tmp_path: Path) -> None:
    told = reported(tmp_path, "one")
    assert [(at.k, at.pass_hat.value) for at in told.at] == [(1, 0.5)]
    assert (told.spread, told.flaky) == (None, [])


def test_a_case_with_too_few_runs_is_neither_0_nor_1(tmp_path: Path) -> None:
    told = reported(tmp_path, "uneven")
    assert [(at.k, at.cases) for at in told.at] == [(1, 2), (2, 2), (3, 1), (4, 1), (5, 1)]
    assert told.at[2].pass_hat == all_pass([CaseRuns(5, 5)], 3)
    assert "over 1 of 2 cases" in repeats_text(told).splitlines()[5]


def test_a_repeat_that_broke_measured_nothing_and_is_told(tmp_path: Path) -> None:
    told, expected = reported(tmp_path, "lost"), EXPECTED["lost.json"]
    (flaky,) = told.flaky
    assert (flaky.runs, flaky.passed, told.errors) == (
        expected["n"], expected["c"], expected["errors"],
    )  # fmt: skip
    assert told.at[1].pass_hat.value == expected["pass_hat_2"]
    assert repeats_text(told).startswith(
        "4 repeats of 1 of 1 cases were measured; in no number below: 1 broke"
    )


def test_runs_again_until_it_passes_are_told_apart_and_count_for_nothing() -> None:
    again = with_lines(
        case("again", "", planned=2),
        line("again", status=Status.FAILED, assertions={"says yes": False}),
        line("again", attempt=2),
        line("again", repeat=2, status=Status.ERROR),
        line("again", repeat=2, attempt=2),
    )
    told = repeats_of(side({}, again).history)
    assert (told.at[0].pass_hat.value, told.late, told.again) == (0.5, 1, {Status.PASSED: 1})
    assert "run again after they had been measured, and in no number here: 1 passed" in (
        repeats_text(told)
    )


def test_what_varies_says_whether_cases_or_repeats_are_worth_more() -> None:
    apart = shown({"a": "pppp", "b": "ffff", "c": "pppp"}).spread
    alike = shown({"a": "pfpf", "b": "fpfp", "c": "ppff"}).spread
    assert apart is not None
    assert alike is not None
    assert (apart.icc, apart.with_twice_the_repeats) == (1, 1)
    assert (alike.icc, alike.with_twice_the_repeats) == (0, pytest.approx(0.5**0.5))
    assert shown({"a": "pp", "b": "pp"}).spread is not None
    assert "variance" not in repeats_text(shown({"a": "pp", "b": "pp"}))


def test_routes_and_tools_are_consistent_where_all_repeats_are_the_same() -> None:
    same, other = case("a", "", routes=["x", "x", "x"]), case("b", "", routes=["x", "y", "x", "z"])
    told = repeats_of(side({}, same, other, case("c", "", routes=["x"])).history)
    assert told.routes is not None
    assert (told.routes.cases, told.routes.same, told.routes.most_common) == (2, 1, 0.75)
    assert told.tools is None
    assert "the same route in all repeats: 1 of 2 cases, 50.0%" in repeats_text(told)


def test_flaky_cases_are_apart_from_failing_ones_with_their_runs() -> None:
    text = repeats_text(shown({"a\x1b": "ppf", "b": "ff", "c": "pp"}))
    assert "1 flaky\n  a\\x1b: 2 of 3 passed: says yes: lacks yes\n1 failing\n  b: 0 of 2" in text


def test_many_cases_are_told_in_bounds() -> None:
    text = repeats_text(shown({str(number): "pf" for number in range(60)}))
    assert "60 flaky\n" in text
    assert "  and 10 more\n" in text


def test_the_json_is_strict_and_has_every_field() -> None:
    told = json.loads(repeats_json(shown({"a": "pf", "b": "ee"})), parse_constant=pytest.fail)
    assert (told["format"], told["version"], told["measured"]) == ("audition-repeats", 1, 1)
    assert told["at"][1]["pass_hat"]["value"] == 0
    assert told["flaky"][0]["passed"] == 1


def test_nothing_measured_is_no_error() -> None:
    assert repeats_text(shown({"a": "e"})).startswith("0 repeats of 0 of 1 cases were measured")
    assert repeats_text(shown({})).startswith("0 repeats of 0 of 0 cases")
