import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.reports.comma_separated import COLUMNS, comma_separated
from audition.reports.told_run import ToldRun
from tests.journals import line
from tests.told_runs import failed, six, told_run


def records(told: ToldRun) -> list[dict[str, str]]:
    text = "".join(comma_separated(told))
    assert text.endswith("\r\n")
    return list(csv.DictReader(StringIO(text, newline=""), strict=True))


def test_each_unit_is_a_record_run_or_not() -> None:
    told = {one["case"]: one["status"] for one in records(six())}
    assert told == {
        "broken": "error", "bad": "failed", "unmeasured": "not_evaluated",
        "known": "known_failure", "good": "passed", "never": "not_run",
    }  # fmt: skip


def test_a_record_has_layer_reasons_amounts_and_tags() -> None:
    good, bad = (next(one for one in records(six()) if one["case"] == name)
                 for name in ("good", "bad"))  # fmt: skip
    assert (bad["layer"], bad["cause"], bad["assertions_held"], bad["assertions"]) == (
        "answer", "omitted", "0", "1"
    )  # fmt: skip
    assert bad["reasons"] == 'FAIL says yes: the final answer lacks "yes"'
    assert (good["seconds"], good["cost_usd"], good["tags"]) == ("0.5", "0.25", "short; both")
    assert (good["input_tokens"], good["output_tokens"]) == ("3", "4")


def test_scores_and_repeats_are_told() -> None:
    (one,) = records(told_run([line("a", repeat=2, repeats=3, scores={"close": -0.5})]))
    assert (one["repeat"], one["repeats"], one["scores"]) == ("2", "3", "close=-0.5")


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\uff1d1", "\n@x"]
)
def test_no_cell_is_a_formula(name: str) -> None:
    (one,) = records(told_run([failed(name, agent=name)], tags={name: (name,)}))
    assert [one[column][0] for column in ("case", "agent", "tags")] == ["'", "'", "'"]


@given(st.text(st.characters(exclude_categories=[])), st.text())
def test_any_text_is_one_record_of_all_columns(case: str, reason: str) -> None:
    text = "".join(comma_separated(told_run([failed(case, reason), line("b")])))
    head, *rows = csv.reader(StringIO(text, newline=""), strict=True)
    assert (tuple(head), [len(row) for row in rows]) == (COLUMNS, [len(COLUMNS)] * 2)
    text.encode()
