import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audition.experiment.exit_codes import ExitCode
from audition.reports.results_json import Results, results_json, results_schema
from audition.reports.told_run import ToldRun
from tests.journals import line
from tests.told_runs import failed, six, told_run

VALIDATOR: Any = jsonschema.Draft202012Validator(results_schema())
SCHEMA = Path(__file__).parents[2] / "docs" / "reference" / "results.schema.json"


def refuse(constant: str) -> Any:
    pytest.fail(f"{constant} is not JSON")


def strict(told: ToldRun) -> Any:
    data = json.loads("".join(results_json(told)), parse_constant=refuse)
    VALIDATOR.validate(data)
    return data


def test_the_schema_in_the_repository_is_that_of_the_models() -> None:
    written = json.loads(SCHEMA.read_text("utf-8"))
    assert written == results_schema(), "run `make schema`"


def test_all_that_is_told_stands_in_it() -> None:
    data = strict(six())
    assert data["counts"] == {
        "error": 1, "failed": 1, "not_evaluated": 1, "known_failure": 1, "passed": 1
    }  # fmt: skip
    assert (data["not_run"], data["not_run_cases"]) == (1, [{"case": "never", "repeat": 1}])
    assert [one["case"] for one in data["cases"]] == [
        "broken",
        "bad",
        "unmeasured",
        "known",
        "good",
    ]
    assert (data["layers"], data["tags"]["both"]["failed"]) == ({"run": 1, "answer": 2}, 1)
    bad, good = data["cases"][1], data["cases"][-1]
    assert (bad["layer"], bad["cause"], bad["tags"]) == ("answer", "omitted", ["both"])
    assert (good["cost_usd"], good["input_tokens"], good["metrics"]) == (0.25, 3, {"messages": 1})
    assert data["cases"][2]["unmeasured"] == {"grounded": "measured nan"}


def test_an_empty_run_without_an_end_has_no_exit_code() -> None:
    data = strict(told_run(code=None))
    assert (data["exit_code"], data["cases"], data["not_run_cases"]) == (None, [], [])


def test_it_is_read_by_its_models() -> None:
    read = Results.model_validate_json("".join(results_json(six())))
    assert read.exit_code == ExitCode.FAILED


def test_what_is_no_number_of_json_is_its_name() -> None:
    (case,) = strict(told_run([line("a", scores={"close": float("inf"), "far": 0.5})]))["cases"]
    assert case["scores"] == {"close": "inf", "far": 0.5}


@given(st.text(st.characters(exclude_categories=[])), st.text())
def test_any_text_is_strict_json(case: str, reason: str) -> None:
    told = told_run([failed(case, reason)], tags={case: (reason,)}, name=case)
    (one,) = strict(told)["cases"]
    assert one["tags"] == [reason]
