import json

import pytest

from audition.comparison.comparing import Comparison, compare
from audition.reports.comparison_text import comparison_json, comparison_markdown, comparison_text
from tests.comparison.made_up_sides import case, side

HOSTILE = "a\x1b[2J | <b>*x*\nnext"


def hostile() -> Comparison:
    return compare(side({HOSTILE: "p"}), side({HOSTILE: "f"}))


def test_the_text_is_safe_for_a_terminal_and_a_line_stays_one() -> None:
    text = comparison_text(hostile())
    assert "\x1b" not in text
    assert "  a\\x1b[2J | <b>*x* next: 1 of 1 -> 0 of 1\n    now: says yes: lacks yes\n" in text


def test_what_was_said_is_no_markup() -> None:
    text = comparison_markdown(hostile())
    assert r"- a\\x1b\[2J \| \<b\>\*x\* next: 1 of 1 -\> 0 of 1" in text
    assert "\n| name | cases | base | candidate | difference |" in text
    assert "\n| --- | --- |" in text


def test_columns_stand_below_each_other() -> None:
    head, row = comparison_text(hostile()).partition("Evaluators\n")[2].splitlines()[1:3]
    assert head.index("cases") == row.index("1  ")


def test_the_json_is_strict_and_has_every_field() -> None:
    base = side({"a": "p"}, case("b", "p", scores={"tone": [1.0]}, seconds=[0.5]))
    candidate = side({"a": "f"}, case("b", "p", scores={"tone": [2.0]}, seconds=[0.5]))
    told = json.loads(comparison_json(compare(base, candidate)), parse_constant=pytest.fail)
    assert (told["format"], told["version"]) == ("audition-comparison", 1)
    assert (told["counts"]["broken"], told["cases"][0]["verdict"]) == (1, "broken")
    assert told["cases"][0]["candidate"] == {"passed": 0, "runs": 1}
    assert told["differences"][0]["interval"]["confidence"] == 0.95
    assert told["scores"][0]["interval"] is None
