import asyncio
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic_evals.evaluators import (
    Evaluator,
    EvaluatorContext,
    HasMatchingSpan,
    MaxToolCalls,
)

from audition.diagnosis.layers import Diagnosis
from audition.evaluators.case_evaluator import Layer
from audition.events import CompletionReason, ModelResponded
from audition.experiment.driver import Experiment, Settings
from audition.experiment.evaluation import LABEL
from audition.experiment.exit_codes import ExitCode
from audition.experiment.journal import OUTPUTS, JournalLine
from audition.experiment.kept_lines import read_journal
from audition.experiment.manifest import MANIFEST
from audition.experiment.native_report import REPORT, load_report
from audition.experiment.status import Status
from audition.inputs import CaseInput
from audition.output import CaseOutput, RuntimeCapabilities
from audition.running_case import running_case
from audition.testing import answer, output, tool_use
from tests.experiments import experiment

TIMEOUT = output(reason=CompletionReason.TIMEOUT)


def ran(run: Experiment) -> dict[str, Status]:
    asyncio.run(run.run())
    return {result.unit.name: result.status for result in run.results()}


def test_every_case_gets_its_status(tmp_path: Path) -> None:
    run = experiment(
        tmp_path, {"good": "yes", "bad": "no", "broken": TIMEOUT, "raised": ValueError("down")}
    )
    assert ran(run) == {
        "good": Status.PASSED,
        "bad": Status.FAILED,
        "broken": Status.ERROR,
        "raised": Status.ERROR,
    }
    assert run.code is ExitCode.INFRASTRUCTURE
    assert {result.unit.name: result.error for result in run.results() if result.error} == {
        "broken": "timeout",
        "raised": "the task raised ValueError: down",
    }


def test_errors_up_to_the_tolerated_share_are_only_counted(tmp_path: Path) -> None:
    settings = Settings(tolerated_error_share=0.5)
    run = experiment(tmp_path, {"good": "yes", "broken": TIMEOUT}, settings=settings)
    ran(run)
    assert run.code is ExitCode.OK


def test_the_journal_and_the_report_hold_every_result(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"good": "yes", "bad": "no", "raised": ValueError("down")})
    ran(run)
    lines = {line.case: line for line in read_journal(run.folder)}
    assert lines["good"].assertions == {"says yes": True}
    assert (lines["bad"].failed, lines["bad"].layer) == (("says yes",), "answer")
    assert lines["raised"].status is Status.ERROR
    report = load_report(run.folder / REPORT)
    assert [case.name for case in report.cases] == ["good", "bad"]
    assert [failure.name for failure in report.failures] == ["raised"]
    assert report.cases[0].metrics["messages/@Manager"] == 1
    label = report.cases[1].labels[LABEL]
    assert (label.value, label.reason) == ("answer: omitted", "says yes")
    assert LABEL not in report.cases[0].labels


def test_a_repeat_has_its_own_line_and_name(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"good": "yes"}, settings=Settings(repeat=3, max_concurrency=1))
    assert list(ran(run)) == ["good [1/3]", "good [2/3]", "good [3/3]"]
    assert [(line.case, line.repeat, line.repeats) for line in read_journal(run.folder)] == [
        ("good", 1, 3),
        ("good", 2, 3),
        ("good", 3, 3),
    ]
    groups = load_report(run.folder / REPORT).case_groups() or []
    assert [(group.name, len(group.runs)) for group in groups] == [("good", 3)]


def test_the_repeats_of_the_file_count_unless_the_call_says_otherwise(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"good": "yes"}, cases={"good": {"repeat": 2}})
    assert len(ran(run)) == 2


def test_a_failed_repeat_fails_the_run(tmp_path: Path) -> None:
    told = iter(["yes", "no"])

    async def task(inputs: CaseInput) -> CaseOutput:
        return output(answer(next(told)), asked=inputs.message or "")

    run = experiment(tmp_path, {"good": "yes"}, settings=Settings(repeat=2))
    run.task = task
    ran(run)
    assert run.code is ExitCode.FAILED


def test_so_many_cases_run_at_a_time(tmp_path: Path) -> None:
    running: list[int] = [0, 0]

    async def task(inputs: CaseInput) -> CaseOutput:
        running[0] += 1
        running[1] = max(running)
        await asyncio.sleep(0.01)
        running[0] -= 1
        return output(answer("yes"), asked=inputs.message or "")

    answers = dict.fromkeys("abcdefgh", "yes")
    run = experiment(tmp_path, answers, settings=Settings(max_concurrency=3))
    run.task = task
    ran(run)
    assert (running[1], len([*run.results()])) == (3, 8)


def test_the_bounds_of_the_call_are_those_of_every_case(tmp_path: Path) -> None:
    seen: list[CaseInput] = []

    async def task(inputs: CaseInput) -> CaseOutput:
        seen.append(inputs)
        return output(answer("yes"))

    settings = Settings(timeout_seconds=2, deadline_seconds=3)
    run = experiment(tmp_path, {"one": "yes"}, settings=settings)
    run.task = task
    ran(run)
    assert (seen[0].timeout_seconds, seen[0].deadline_seconds) == (2, 3)


def test_each_result_is_told_when_it_is_there(tmp_path: Path) -> None:
    told: list[JournalLine] = []
    run = experiment(tmp_path, {"one": "yes", "two": "no"}, on_result=told.append)
    ran(run)
    assert told == list(read_journal(run.folder))
    assert [(line.layer, line.cause) for line in told] == [(None, None), ("answer", "omitted")]
    assert list(told[1].reasons) == ["says yes"]
    wanted = Diagnosis(layer=Layer.ANSWER, cause="omitted", assertion="says yes")
    assert [result.diagnosis for result in run.results()] == [wanted, None]


class Breaks(Evaluator[Any, Any, Any]):
    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> bool:
        raise NotImplementedError


class ScoresOnly(Evaluator[Any, Any, Any]):
    def evaluate(self, ctx: EvaluatorContext[Any, Any, Any]) -> float:
        return 0.5


def test_an_evaluator_that_raises_breaks_its_case(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"good": "yes"})
    run.loaded.dataset.evaluators = [Breaks()]
    assert ran(run) == {"good": Status.ERROR}
    (result,) = run.results()
    assert result.error is not None
    assert result.error.startswith("the evaluator Breaks could not run: NotImplementedError")


def test_a_case_with_scores_alone_is_not_evaluated(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"good": "yes"}, cases={"good": {"evaluators": []}})
    run.loaded.dataset.evaluators = [ScoresOnly()]
    assert ran(run) == {"good": Status.NOT_EVALUATED}
    assert run.code is ExitCode.NOT_ENOUGH_EVIDENCE


def test_costs_tokens_and_models_are_kept(tmp_path: Path) -> None:
    used = [
        ModelResponded(
            agent="@K", model_name="small", input_tokens=7, output_tokens=2, cost_usd=cost
        )
        for cost in (0.5, 0, 0.25)
    ]
    run = experiment(tmp_path, {"good": output(*used, answer("yes"))})
    ran(run)
    (line,) = read_journal(run.folder)
    assert (line.cost_usd, line.input_tokens, line.output_tokens) == (0.75, 21, 6)
    manifest = json.loads((run.folder / MANIFEST).read_text("utf-8"))
    assert (manifest["model_ids"], manifest["exit_code"]) == (["small"], 0)
    assert manifest["capabilities"]["tool_evidence"] is True


@pytest.mark.parametrize(
    ("unknown", "kept"),
    [
        ({"cost_usd": None}, (None, 14, 4)),
        ({"input_tokens": 0, "output_tokens": 0}, (1.0, None, None)),
    ],
    ids=["price", "tokens"],
)
def test_of_what_is_not_known_of_each_answer_no_sum_is_kept(
    tmp_path: Path, unknown: Any, kept: tuple[Any, ...]
) -> None:
    used = ModelResponded(agent="@K", input_tokens=7, output_tokens=2, cost_usd=0.5)
    run = experiment(
        tmp_path, {"good": output(used, replace(used, **unknown), answer("yes")), "bare": "yes"}
    )
    ran(run)
    of = {line.case: line for line in read_journal(run.folder)}
    bare, good = of["bare"], of["good"]
    assert (good.cost_usd, good.input_tokens, good.output_tokens) == kept
    assert (bare.cost_usd, bare.input_tokens, bare.output_tokens) == (None, None, None)


def test_an_interrupted_run_keeps_what_was_finished(tmp_path: Path) -> None:
    async def task(inputs: CaseInput) -> CaseOutput:
        if inputs.message == "slow?":
            await asyncio.sleep(60)
        return output(answer("yes"), asked=inputs.message or "")

    async def interrupted(run: Experiment) -> None:
        finished = asyncio.Event()
        run.on_result = lambda _: finished.set()
        running = asyncio.create_task(run.run())
        await finished.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    run = experiment(tmp_path, {"quick": "yes", "slow": "yes"})
    run.task = task
    asyncio.run(interrupted(run))
    assert [line.case for line in read_journal(run.folder)] == ["quick"]
    assert [case.name for case in load_report(run.folder / REPORT).cases] == ["quick"]
    manifest = json.loads((run.folder / MANIFEST).read_text("utf-8"))
    assert (run.code, manifest["exit_code"]) == (ExitCode.INTERRUPTED, 130)


def crash(line: JournalLine) -> None:
    raise ZeroDivisionError(line.name)


def test_the_manifest_of_a_run_that_crashed_says_what_the_process_says(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"good": "yes"}, on_result=crash)
    with pytest.raises(ZeroDivisionError):
        ran(run)
    manifest = json.loads((run.folder / MANIFEST).read_text("utf-8"))
    assert (run.code, manifest["exit_code"]) == (ExitCode.INFRASTRUCTURE, 3)


def test_a_known_failure_is_an_excuse_until_its_day_by_the_day_of_the_run(tmp_path: Path) -> None:
    excuse = {"known_failure": {"reason": "slow", "until": "2026-03-01"}}
    found: list[ExitCode] = []
    for day in (1, 2):
        (tmp_path / str(day)).mkdir()
        run = experiment(
            tmp_path / str(day), {"bad": "no"}, cases={"bad": excuse}, today=date(2026, 3, day)
        )
        ran(run)
        found.append(run.code)
    assert found == [ExitCode.OK, ExitCode.FAILED]


def test_a_line_says_place_gate_time_and_blame(tmp_path: Path) -> None:
    route = {"type": "followed_route", "expected_route": ["a>b"]}
    says = {"type": "human_response_contains_terms", "required_terms": ["yes"], "id": "says"}
    should = {**route, "id": "should", "severity": "should"}
    run = experiment(
        tmp_path,
        {"bad": "no", "raised": ValueError("down")},
        cases={"bad": {"evaluators": [should, says, route], "must_pass": True}},
    )
    ran(run)
    bad, raised = sorted(read_journal(run.folder), key=lambda line: line.position)
    assert bad.failed == ("followed_route", "says", "should")
    assert (bad.must_pass, raised.must_pass, raised.seconds) == (True, False, None)


def test_an_answer_that_cannot_be_written_loses_no_case(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"odd": "yes \ud800 \x00 \x1b[31m", "good": "yes"})
    assert ran(run) == {"odd": Status.PASSED, "good": Status.PASSED}
    assert len(load_report(run.folder / REPORT).cases) == 2


def test_should_and_info_never_fail_a_case(tmp_path: Path) -> None:
    should = {
        "type": "human_response_contains_terms",
        "required_terms": ["please"],
        "severity": "should",
    }
    info = {"type": "called_required_tools", "required_tools": ["search"], "severity": "info"}
    cases = {"good": {"evaluators": [{"type": "completed"}, should, info]}}
    run = experiment(tmp_path, {"good": "yes"}, cases=cases)
    assert ran(run) == {"good": Status.PASSED}
    (result,) = run.results()
    assert (result.diagnosis, sum(not one.ok for one in result.assertions)) == (None, 2)


NOTHING_SEEN = output(answer("yes")).model_copy(update={"capabilities": RuntimeCapabilities()})


def with_spans(folder: Path, told: CaseOutput, *evaluators: Evaluator[Any, Any, Any]) -> Experiment:
    run = experiment(folder, {"one": told})
    run.loaded.dataset.evaluators.extend(evaluators)
    return run


def test_span_evaluators_see_the_records_of_a_run_that_brought_no_spans(tmp_path: Path) -> None:
    told = output(*tool_use("@K", "search", "x"), answer("yes"))
    run = with_spans(tmp_path, told, MaxToolCalls(1), HasMatchingSpan({"name_contains": "search"}))
    assert run.evaluation.may_look_at_spans
    assert ran(run) == {"one": Status.PASSED}


def test_a_budget_does_not_hold_on_a_run_without_any_spans(tmp_path: Path) -> None:
    run = with_spans(tmp_path, NOTHING_SEEN, MaxToolCalls(1))
    assert ran(run) == {"one": Status.FAILED}


def test_a_span_evaluator_on_a_run_without_any_spans_says_so(tmp_path: Path) -> None:
    run = with_spans(tmp_path, NOTHING_SEEN, HasMatchingSpan({"name_contains": "search"}))
    assert ran(run) == {"one": Status.ERROR}
    assert "the run made no spans, and its records show neither" in (
        next(run.results()).error or ""
    )


def test_our_own_evaluators_look_at_no_spans(tmp_path: Path) -> None:
    assert not experiment(tmp_path, {"good": "yes"}).evaluation.may_look_at_spans


@pytest.mark.parametrize("size", [10, 500_000])
def test_a_result_is_kept_without_secrets_however_large(tmp_path: Path, size: int) -> None:
    said = f"yes, {'the key of the berth: ' * (size // 20)} password=pw-GORSE-1188"
    run = experiment(tmp_path, {"good": said})
    asyncio.run(run.run())
    assert "pw-GORSE-1188" not in (run.folder / OUTPUTS).read_text("utf-8")
    (kept,) = load_report(run.folder / REPORT).cases
    assert kept.output.final_response == said.replace("pw-GORSE-1188", "[redacted:password]")


def test_secrets_are_kept_where_that_is_asked_for(tmp_path: Path) -> None:
    run = experiment(tmp_path, {"good": "yes, password=pw-GORSE-1188"}, redact=False)
    asyncio.run(run.run())
    assert "pw-GORSE-1188" in (run.folder / OUTPUTS).read_text("utf-8")


def test_a_case_is_told_its_name_and_repeat(tmp_path: Path) -> None:
    seen: list[tuple[str | None, int]] = []

    async def task(inputs: CaseInput) -> CaseOutput:
        case = running_case()
        assert case is not None
        seen.append((case.name, case.repeat))
        return output(answer("yes"))

    run = experiment(tmp_path, {"good": "yes", "other": "yes"}, settings=Settings(repeat=2))
    run.task = task
    ran(run)
    assert seen == [("good", 1), ("other", 1), ("good", 2), ("other", 2)]
    assert running_case() is None


def test_what_is_not_the_teams_doing_is_an_error_whatever_the_team_makes_of_it(
    tmp_path: Path,
) -> None:
    async def task(inputs: CaseInput) -> CaseOutput:
        case = running_case()
        assert case is not None
        if case.name == "broken":
            case.problems.append("the recording lacks a call")
        return output(answer("yes, all is well"))

    run = experiment(tmp_path, {"good": "yes", "broken": "yes"})
    run.task = task
    assert ran(run) == {"good": Status.PASSED, "broken": Status.ERROR}
    assert run.code is ExitCode.INFRASTRUCTURE
    (broken,) = [result for result in run.results() if result.unit.name == "broken"]
    assert broken.error == "error: the recording lacks a call"
