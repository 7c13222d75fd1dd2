import asyncio
import json
import math
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import ConfusionMatrixEvaluator, EqualsExpected, Evaluator
from pydantic_evals.reporting import EvaluationReport, EvaluationReportAdapter
from pydantic_evals.reporting.analyses import ScalarResult

from audition.errors import RecordError
from audition.evaluators.responses import HumanResponseContainsTerms
from audition.experiment.native_report import REPORT, load_report, save_report
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.testing import answer, output, tool_use
from tests.experiments import experiment
from tests.stored_runs import OLDER

Typed = TypeAdapter(EvaluationReport[dict[str, Any], CaseOutput, dict[str, Any]])


DOWN = ValueError("no route to host")


async def agree(inputs: CaseInput) -> CaseOutput:
    if inputs.message == "break":
        raise DOWN
    return output(*tool_use("@K", "search", "yes"), answer("yes"), asked=inputs.message or "")


def evaluated(*messages: str) -> EvaluationReport[Any, Any, Any]:
    evaluator = HumanResponseContainsTerms(("yes",))
    cases: list[Case[Any, Any, Any]] = [
        Case(
            name=message,
            inputs=CaseInput(message=message),
            metadata={"n": 1},
            evaluators=(evaluator,),
        )
        for message in messages
    ]
    native: Dataset[Any, Any, Any] = Dataset(name="own", cases=cases)
    return asyncio.run(native.evaluate(agree, progress=False, metadata={"by": "me"}))


def test_a_report_of_pydantic_evals_is_saved_as_it_is(tmp_path: Path) -> None:
    report = evaluated("Hello?", "break")
    save_report(report, tmp_path / "new" / "folder" / "report.json")
    text = (tmp_path / "new" / "folder" / "report.json").read_bytes()
    assert json.loads(text) == json.loads(EvaluationReportAdapter.dump_json(report))
    loaded = Typed.validate_json(text)
    assert (loaded.cases[0].output, loaded.failures[0].name) == (report.cases[0].output, "break")


def test_a_report_is_saved_without_secrets_unless_it_is_asked_for(tmp_path: Path) -> None:
    report = evaluated("My password=pw-GORSE-1188 is it?")
    report.experiment_metadata = {"api_key": "ck-THISTLE-99aa88bb77cc"}
    save_report(report, tmp_path / "report.json")
    loaded = load_report(tmp_path / "report.json")
    assert loaded.cases[0].name == "My password=[redacted:password] is it?"
    assert loaded.cases[0].inputs["message"] == loaded.cases[0].name
    assert loaded.experiment_metadata == {"api_key": "[redacted:key]"}
    save_report(report, tmp_path / "whole.json", redact=False)
    assert load_report(tmp_path / "whole.json").cases[0].name == "My password=pw-GORSE-1188 is it?"


def test_a_saved_report_is_loaded_with_our_outputs(tmp_path: Path) -> None:
    save_report(evaluated("Hello?"), tmp_path / "report.json")
    loaded = load_report(tmp_path / "report.json")
    assert loaded.cases[0].output.final_response == "yes"
    assert loaded.experiment_metadata == {"by": "me"}


def test_analyses_of_a_report_are_kept(tmp_path: Path) -> None:
    report = evaluated("Hello?")
    report.analyses = [ScalarResult(title="share", value=math.nan)]
    save_report(report, tmp_path / "report.json")
    (analysis,) = load_report(tmp_path / "report.json").analyses
    assert isinstance(analysis, ScalarResult)
    assert math.isnan(analysis.value)


def test_scores_that_are_no_number_come_back_as_such(tmp_path: Path) -> None:
    report = evaluated("Hello?")
    report.cases[0].metrics["cost"] = math.nan
    save_report(report, tmp_path / "report.json")
    assert "NaN" not in (tmp_path / "report.json").read_text("utf-8").replace('"NaN"', "")
    assert math.isnan(load_report(tmp_path / "report.json").cases[0].metrics["cost"])


@pytest.mark.parametrize("text", ["\ud800", "a\x00b", "\u2028"])
def test_a_report_can_be_read_whatever_stands_in_it(tmp_path: Path, text: str) -> None:
    report = evaluated("Hello?")
    report.name = f"run {text}"
    report.experiment_metadata = {"note": text, "share": math.inf}
    report.cases[0].attributes["said"] = text
    save_report(report, tmp_path / "report.json")
    json.loads((tmp_path / "report.json").read_bytes())
    assert load_report(tmp_path / "report.json").cases[0].name == "Hello?"


def test_the_report_of_a_run_is_what_pydantic_evals_itself_loads(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"one": "yes", "two": ValueError("down"), "three": "no"})
    asyncio.run(run.run())
    text = (run.folder / REPORT).read_bytes()
    report = Typed.validate_json(text)
    assert [case.name for case in report.cases] == ["one", "three"]
    assert [failed.name for failed in report.failures] == ["two"]
    assert json.loads(text) == json.loads(Typed.dump_json(report))
    assert EvaluationReportAdapter.validate_json(text).averages() is not None


def test_a_report_in_the_shape_of_the_article_loads(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps(OLDER), "utf-8")
    out = load_report(path).cases[0].output
    assert (out.completion_reason, out.completed) == ("response", True)
    assert out.tool_invocations()[0].outcome == "ok"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "No such file or directory"),
        (b"{", "no native report: /: Invalid JSON"),
        (b"[]", "no native report: /: "),
        (b'{"name": "x"}', "no native report: /cases: Field required"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path: Path, content: bytes | None, told: str) -> None:
    path = tmp_path / "report.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RecordError) as error:
        load_report(path)
    assert told in str(error.value)


def test_report_evaluators_of_pydantic_evals_are_saved_too(tmp_path: Path) -> None:
    evaluators: list[Evaluator[Any, Any, Any]] = [EqualsExpected()]
    cases: list[Case[Any, Any, Any]] = [Case(name="a", inputs="x", expected_output="x")]
    matrix: Any = ConfusionMatrixEvaluator(predicted_from="output", expected_from="expected_output")
    native: Dataset[Any, Any, Any] = Dataset(
        name="own", cases=cases, evaluators=evaluators, report_evaluators=[matrix]
    )

    async def echo(inputs: Any) -> Any:
        return inputs

    report = asyncio.run(native.evaluate(echo, progress=False))
    save_report(report, tmp_path / "report.json")
    assert EvaluationReportAdapter.validate_json((tmp_path / "report.json").read_bytes()) == report
