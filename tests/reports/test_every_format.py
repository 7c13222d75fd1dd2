"""Whatever the format, a run is told the same: what became of each, and what that means."""

import asyncio
import csv
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from pydantic_evals.evaluators import Evaluator, EvaluatorContext

from audition.experiment.driver import Experiment
from audition.experiment.exit_codes import ExitCode
from audition.experiment.kept import read_run
from audition.experiment.kept_lines import read_journal
from audition.experiment.native_report import REPORT
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.reports.comma_separated import comma_separated
from audition.reports.junit import junit
from audition.reports.markdown import markdown
from audition.reports.results_json import results_json
from audition.reports.table import table
from audition.reports.told_run import ToldRun
from tests.experiments import experiment
from tests.told_runs import six, told_run

CASES = Path(__file__).parents[1] / "cases"


def case(name: str) -> Any:
    return json.loads((CASES / f"{name}.json").read_text("utf-8"))


def refuse(constant: str) -> Any:
    pytest.fail(f"{constant} is not JSON")


def strict(told: ToldRun) -> Any:
    return json.loads("".join(results_json(told)), parse_constant=refuse)


def counts(told: ToldRun) -> dict[str, dict[str, int]]:
    """Return how many of each status each format tells."""
    last = "".join(table(told)).rstrip("\n").rpartition("\n")[2].partition(" of ")[0]
    data = strict(told)
    rows = csv.DictReader(StringIO("".join(comma_separated(told)), newline=""))
    summary = "".join(markdown(told)).partition("| all |")[0]
    root = ET.fromstring("".join(junit(told)))  # noqa: S314  # our own text
    of_junit = {name: int(root.attrib[name]) for name in ("failures", "errors", "skipped")}
    in_json = {**data["counts"], "not_run": data["not_run"]}
    skipped = sum(in_json[one] for one in ("not_evaluated", "known_failure", "not_run"))
    assert of_junit == {
        "failures": in_json["failed"], "errors": in_json["error"], "skipped": skipped
    }  # fmt: skip
    assert int(root.attrib["tests"]) == sum(in_json.values())
    return {
        "table": {
            name.replace(" ", "_"): int(count)
            for count, name in re.findall(r"(\d+) ([a-z_ ]+)", last)
        },
        "json": {name: count for name, count in in_json.items() if count},
        "csv": dict(Counter(row["status"] for row in rows)),
        "markdown": {
            name.replace(" ", "_"): int(count)
            for name, count in re.findall(r"^\| ([a-z ]+) \| (\d+) \|$", summary, re.MULTILINE)
        },
    }


def test_errors_failures_and_what_was_not_evaluated_are_counted_apart_everywhere() -> None:
    each = counts(six())
    assert each["table"] == {
        "error": 1, "failed": 1, "not_evaluated": 1, "known_failure": 1, "passed": 1, "not_run": 1
    }  # fmt: skip
    assert [one for one in each.values() if one != each["table"]] == []


@pytest.mark.parametrize("code", [*ExitCode, None])
def test_the_exit_code_is_the_same_everywhere(code: ExitCode | None) -> None:
    told = told_run(code=code)
    ending = told.ending
    assert "".join(table(told)).endswith(f"{ending}\n")
    assert strict(told)["exit_code"] == code
    properties = {
        one.get("name"): one.get("value")
        for one in ET.fromstring("".join(junit(told))).iter("property")  # noqa: S314  # our own text
    }
    assert properties.get("exit_code") == (None if code is None else str(int(code)))


def ran(run: Experiment) -> ToldRun:
    asyncio.run(run.run())
    return ToldRun(run=run.kept())


def test_a_bar_that_three_of_31_cases_miss_is_missed_in_every_format(tmp_path: Path) -> None:
    given = case("71-result-line-and-exit-code")
    answers = {
        one["name"]: "yes" if one["score"] >= given["bar"] else "no" for one in given["cases"]
    }
    run = experiment(tmp_path, answers)
    told = ran(run)
    assert (run.code, told.run.code) == (ExitCode.FAILED, ExitCode.FAILED)
    each = counts(told)
    of_report = counts(ToldRun(run=read_run(run.folder / REPORT)))
    each |= {f"{name} of the report": one for name, one in of_report.items()}
    each["journal"] = dict(Counter(line.status for line in read_journal(run.folder)))
    assert [name for name, one in each.items() if one != {"failed": 3, "passed": 28}] == []
    assert "".join(table(told)).endswith(
        "3 failed, 28 passed of 31: failed: an assertion that must hold does not (exit 1)\n"
    )


@dataclass
class Score(Evaluator[Any, Any, Any]):
    """A score that the file gives to each case."""

    name: str
    given: dict[str, float]

    def evaluate(self, ctx: EvaluatorContext[CaseInput, CaseOutput, Any]) -> float:
        return self.given[str(ctx.inputs.message).removesuffix("?")]

    def get_default_evaluation_name(self) -> str:
        return self.name


def test_what_measured_nan_is_not_evaluated_in_every_format(tmp_path: Path) -> None:
    given = case("43-all-nan-case")["cases"]
    run = experiment(tmp_path, {one["name"]: "yes" for one in given})
    run.loaded.dataset.evaluators += [
        Score(name, {one["name"]: float(one["scores"][name]) for one in given})
        for name in ("grounded", "relevant")
    ]
    told = ran(run)
    assert run.code is ExitCode.NOT_ENOUGH_EVIDENCE
    assert [one for one in counts(told).values() if one != {"not_evaluated": 1, "passed": 2}] == []
    summary = {"mean": 0.8, "measured": 2, "unmeasured": 1}
    data = strict(told)
    assert data["scores"] == {"grounded": summary, "relevant": summary}
    nothing = {"grounded": "measured nan", "relevant": "measured nan"}
    assert [one["unmeasured"] for one in data["cases"]] == [nothing, {}, {}]
    text = "".join(markdown(told))
    assert "| <code>grounded</code> | 0.8 | 2 | 1 |" in text
    assert "  NOT EVALUATED relevant: measured nan\n" in "".join(table(told))
