import json
import math
from typing import Any

import pytest
from pydantic_evals.evaluators import EvaluationResult, EvaluatorSpec

from audition.experiment.journal import plain_json
from audition.experiment.status import Status
from tests.journals import line, result


def test_a_line_names_its_unit_as_the_native_report_does() -> None:
    once, again = line("one"), line("one", repeat=2, repeats=3, case_id="c1")
    assert (once.name, once.key) == ("one", ("one", 1))
    assert (again.name, again.key) == ("one [2/3]", ("c1", 2))


@pytest.mark.parametrize(
    "fields",
    [
        {"status": Status.ERROR},
        {"status": Status.NOT_EVALUATED, "cut": "the time of the run was over"},
    ],
)
def test_an_error_and_what_the_run_cut_short_measured_nothing(fields: dict[str, Any]) -> None:
    assert not line("one", **fields).measured
    assert line("one", status=Status.FAILED).measured


def strict(text: bytes) -> Any:
    """Return what a reader makes of it that takes no NaN, no Infinity and no broken text."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    return json.loads(text.decode("utf-8"), parse_constant=refuse)


def score(value: float) -> EvaluationResult[Any]:
    source = EvaluatorSpec(name="S", arguments=None)
    return EvaluationResult(name="s", value=value, reason=None, source=source)


def test_nan_and_infinity_are_written_as_text() -> None:
    odd = result(
        "one", metrics={"m": math.inf}, attributes={"a": [math.nan]}, scores={"s": score(math.nan)}
    )
    kept = strict(plain_json(odd))
    assert (kept["metrics"], kept["attributes"]) == ({"m": "Infinity"}, {"a": ["NaN"]})
    assert kept["scores"]["s"]["value"] == "NaN"


@pytest.mark.parametrize("value", ["\ud800", b"\xff", {"\udfff": 1}, {"deep": ["x\ud800"]}])
def test_text_that_cannot_be_written_becomes_text_that_can(value: Any) -> None:
    kept = strict(plain_json(result("one", attributes={"a": value}, scores={"s": score(math.nan)})))
    assert (kept["name"], "\ufffd" in json.dumps(kept, ensure_ascii=False)) == ("one", True)
    assert kept["scores"]["s"]["value"] == "nan"


def test_an_object_that_json_does_not_know_is_written_as_its_repr() -> None:
    kept = strict(plain_json(result("one", attributes={"a": 3j})))
    assert kept["attributes"] == {"a": "3j"}
