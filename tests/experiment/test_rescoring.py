"""Outputs of a run, judged anew by other evaluators."""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic_evals.evaluators import Evaluator, EvaluatorContext, HasMatchingSpan, MaxDuration

from audition.application import Application
from audition.errors import CallError
from audition.events import CompletionReason
from audition.experiment.driver import Experiment, Settings
from audition.experiment.exit_codes import ExitCode
from audition.experiment.journal import JOURNAL
from audition.experiment.kept_lines import read_journal, standing_lines
from audition.experiment.manifest import MANIFEST, read_manifest
from audition.experiment.native_report import REPORT, load_report
from audition.experiment.rescoring import Rescoring, as_often, nobody
from audition.experiment.status import Status
from audition.experiment.stored import read_stored
from audition.inputs import CaseInput
from audition.output import CaseOutput
from audition.testing import answer, output, tool_use
from tests.experiments import SAYS_YES, dataset, experiment
from tests.stored_runs import ran

type Cases = Mapping[str, Mapping[str, Any]]

SAYS_NO = [SAYS_YES | {"required_terms": ["no"], "id": "says no"}]
KNOWN = {"reason": "slow", "until": "2099-01-01"}


def rescored(
    folder: Path,
    run: Path,
    cases: Cases,
    *evaluators: Evaluator[Any, Any, Any],
    into: str = "again",
    settings: Settings | None = None,
    redact: bool = True,
    **fields: Any,
) -> Experiment:
    """Judge what a run has kept by a dataset of these cases, and these evaluators for all."""
    kept = folder / into
    kept.mkdir(exist_ok=True)
    stored = read_stored(run)
    loaded = as_often(dataset(folder, cases, **fields), stored)
    loaded.dataset.evaluators += evaluators
    again = Experiment(
        loaded=loaded,
        application=Application(name="small", version="9"),
        task=nobody,
        folder=kept,
        settings=settings or Settings(),
        team=stored.team,
        redact=redact,
        on_note=list[str]().append,
    )
    again.rescoring = Rescoring(stored=stored, loaded=loaded, evaluation=again.evaluation)
    asyncio.run(again.run())
    return again


def statuses(run: Experiment) -> dict[str, str]:
    return {one.unit.name: str(one.status) for one in run.results()}


def asked(run: Experiment) -> Rescoring:
    assert run.rescoring is not None
    return run.rescoring


def test_a_changed_evaluator_judges_what_was_said_without_the_team(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "yes", "two": "no"})
    again = rescored(tmp_path, run, {"one": {"evaluators": SAYS_NO}, "two": {}})
    assert statuses(again) == {"one": "failed", "two": "failed"}
    assert again.code is ExitCode.FAILED
    (first, _) = standing_lines(again.folder)
    assert first.assertions == {"says no": False}
    assert [case.output.final_response for case in load_report(again.folder / REPORT).cases] == [
        "yes",
        "no",
    ]


def test_the_manifest_says_what_was_judged_and_of_which_team(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "yes"}, team="production")
    again = rescored(tmp_path, run, {"one": {}, "new": {}})
    before, manifest = read_manifest(run), read_manifest(again.folder)
    assert manifest.rescored_from is not None
    assert manifest.rescored_from.path == str(run)
    assert manifest.rescored_from.left_out == {"new in the dataset": ("new",)}
    assert (manifest.application_version, manifest.team) == (
        before.application_version,
        "production",
    )
    assert (manifest.units, again.code) == (2, ExitCode.NOT_ENOUGH_EVIDENCE)


def test_each_repeat_that_stands_is_judged_once(tmp_path: Path) -> None:
    told = iter(["no", "yes", "yes"])

    async def task(inputs: CaseInput) -> CaseOutput:
        return output(answer(next(told)), asked=inputs.message or "")

    run = experiment(tmp_path, {"one": "yes"}, settings=Settings(repeat=2, max_concurrency=1))
    run.task = task
    asyncio.run(run.run())
    run.settings = Settings(repeat=2, retry=frozenset({Status.FAILED}))
    asyncio.run(run.run())
    assert len(list(read_journal(run.folder))) == 3
    again = rescored(tmp_path, run.folder, {"one": {}})
    assert statuses(again) == {"one [1/2]": "failed", "one [2/2]": "passed"}
    assert [line.attempt for line in read_journal(again.folder)] == [1, 1]


def test_what_raised_stays_an_error_with_its_reason(tmp_path: Path) -> None:
    answers = {
        "raised": ValueError("down"),
        "late": output(reason=CompletionReason.TIMEOUT),
        "fine": "yes",
    }
    run = ran(tmp_path, answers)
    for cases in ({}, {"raised": {"message": "else?"}, "late": {"message": "else?"}}):
        into = f"again {len(cases)}"
        again = rescored(tmp_path, run, {name: cases.get(name, {}) for name in answers}, into=into)
        assert statuses(again) == {"raised": "error", "late": "error", "fine": "passed"}
        errors = {one.unit.name: one.error for one in again.results() if one.error}
        assert errors == {"raised": "the task raised ValueError: down", "late": "timeout"}
        assert again.code is ExitCode.INFRASTRUCTURE


def test_a_rate_limit_of_the_run_is_not_waited_for(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": ValueError("status_code: 400")})
    journal = run / "outputs.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"code: 400", b"code: 429"))
    again = rescored(tmp_path, run, {"one": {}})
    assert [line.attempt for line in read_journal(again.folder)] == [1]


def test_tags_known_failures_and_must_pass_are_those_of_the_dataset(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "no"})
    again = rescored(tmp_path, run, {"one": {"known_failure": KNOWN, "must_pass": True}})
    assert statuses(again) == {"one": "known_failure"}
    (line,) = read_journal(again.folder)
    assert line.must_pass


def test_tool_rules_are_those_of_the_dataset(tmp_path: Path) -> None:
    said = output(*tool_use("@K", "search", "denied"), answer("yes"))
    run = ran(tmp_path, {"one": said})
    rules = [{"tool_name": "search", "contains": "denied"}]
    succeeded = [{"type": "tool_calls_succeeded"}]
    again = rescored(tmp_path, run, {"one": {"evaluators": succeeded}}, tool_rules=rules)
    assert statuses(again) == {"one": "failed"}


def test_a_native_evaluator_sees_the_time_and_the_spans_of_the_run(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "yes"})
    outputs = run / "outputs.jsonl"
    text = outputs.read_bytes()
    (took,) = re.findall(rb'"task_duration":([0-9.e-]+)', text)
    outputs.write_bytes(text.replace(took, b"9." + b"0" * (len(took) - 2)))
    agent = HasMatchingSpan({"name_equals": "invoke_agent @Manager"})
    again = rescored(tmp_path, run, {"one": {}}, MaxDuration(1.0), agent)
    (result,) = again.results()
    assert {one.name: one.ok for one in result.assertions} == {
        "says yes": True,
        "MaxDuration": False,
        "HasMatchingSpan": True,
    }
    assert result.seconds == 9
    assert asked(again).without_spans == 1


def test_an_assertion_about_a_secret_does_not_pass_since_it_was_taken_out(tmp_path: Path) -> None:
    said = output(answer("yes, use sk-abcdefghijklmnopqrstuv"))
    forbidden = {"type": "human_response_contains_no_terms", "id": "no key"}
    key = {**forbidden, "forbidden_terms": ["sk-abcdefghijklmnopqrstuv"]}
    run = ran(tmp_path, {"one": said}, cases={"one": {"evaluators": [SAYS_YES, key]}})
    assert [line.assertions for line in read_journal(run)] == [{"says yes": True, "no key": False}]
    again = rescored(tmp_path, run, {"one": {"evaluators": [SAYS_YES, key]}})
    (line,) = read_journal(again.folder)
    assert (line.status, line.assertions) == (Status.NOT_EVALUATED, {"says yes": True})
    assert line.reasons["no key"].startswith("cannot be rescored: secrets were taken out")
    assert asked(again).in_doubt == ["one: no key"]


def test_a_run_that_kept_its_secrets_is_judged_whole(tmp_path: Path) -> None:
    said = output(answer("yes, use sk-abcdefghijklmnopqrstuv, not [redacted:key]"))
    key = {"type": "human_response_contains_no_terms", "forbidden_terms": ["sk-abcdef"]}
    run = ran(tmp_path, {"one": said}, redact=False)
    assert statuses(rescored(tmp_path, run, {"one": {"evaluators": [key]}})) == {"one": "failed"}


def test_a_rescoring_that_kept_secrets_does_not_give_back_those_of_its_run(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": output(answer("yes, use sk-abcdefghijklmnopqrstuv"))})
    key = {"type": "human_response_contains_no_terms", "forbidden_terms": ["sk-abcdef"]}
    cases = {"one": {"evaluators": [key]}}
    again = rescored(tmp_path, run, cases, redact=False)
    assert not read_manifest(again.folder).redacted
    third = rescored(tmp_path, again.folder, cases, into="third")
    assert statuses(again) == statuses(third) == {"one": "not_evaluated"}


def test_an_unchanged_evaluator_that_says_something_else_is_told(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "yes", "two": "yes"})
    journal = run / JOURNAL
    text = journal.read_text("utf-8")
    journal.write_text(text.replace('"says yes":true', '"says yes":false', 1), "utf-8")
    again = rescored(tmp_path, run, {"one": {}, "two": {}})
    assert asked(again).disagreements == ["one: says yes was failed in the run, and is passed"]
    changed = [SAYS_YES | {"required_terms": ["ye"]}]
    other = rescored(tmp_path, run, {"one": {"evaluators": changed}, "two": {}}, into="other")
    assert asked(other).disagreements == []


class Judge(Evaluator[Any, CaseOutput, Any]):
    """Cannot be reached while it is down, and counts how often it was asked."""

    def __init__(self) -> None:
        self.down = True
        self.asked = 0

    def evaluate(self, ctx: EvaluatorContext[Any, CaseOutput, Any]) -> bool:
        self.asked += 1
        if self.down and "two" in str(ctx.inputs.message):
            raise ConnectionError
        return True


def test_a_rescoring_is_gone_on_with_and_no_judge_is_asked_twice(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "yes", "two": "yes"})
    judge = Judge()
    first = rescored(tmp_path, run, {"one": {}, "two": {}}, judge)
    assert (statuses(first), judge.asked) == ({"one": "passed", "two": "error"}, 2)
    judge.down = False
    retry = Settings(retry=frozenset({Status.ERROR}))
    again = rescored(tmp_path, run, {"one": {}, "two": {}}, judge, settings=retry)
    assert (statuses(again), judge.asked) == ({"one": "passed", "two": "passed"}, 3)
    assert read_manifest(again.folder).rescored_from is not None


def test_a_rescoring_is_not_gone_on_with_on_other_results(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "yes"})
    rescored(tmp_path, run, {"one": {}})
    (run / JOURNAL).write_bytes((run / JOURNAL).read_bytes().replace(b'"seconds":', b'"seconds": '))
    with pytest.raises(CallError, match="other results in"):
        rescored(tmp_path, run, {"one": {}})


def test_what_was_judged_anew_can_be_judged_once_more(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "yes", "two": ValueError("down")})
    again = rescored(tmp_path, run, {"one": {}, "two": {}})
    third = rescored(tmp_path, again.folder, {"one": {}, "two": {}}, into="third")
    assert statuses(third) == {"one": "passed", "two": "error"}
    report = rescored(tmp_path, again.folder / REPORT, {"one": {}, "two": {}}, into="report")
    assert statuses(report) == {"one": "passed", "two": "error"}
    assert (again.folder / MANIFEST).exists()


def test_a_result_that_cannot_be_read_is_an_error_of_its_case(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "yes", "two": "yes"})
    outputs = run / "outputs.jsonl"
    outputs.write_bytes(outputs.read_bytes().replace(b'"response"', b'"rXsponse"', 1))
    again = rescored(tmp_path, run, {"one": {}, "two": {}})
    assert sorted(statuses(again).values()) == ["error", "passed"]
