import asyncio
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from audition.events import CompletionReason
from audition.experiment.driver import Experiment
from audition.experiment.exit_codes import ExitCode
from audition.experiment.kept_lines import read_journal
from audition.experiment.native_report import REPORT, load_report
from audition.experiment.status import Status
from audition.reports.table import Subject, as_json, table
from audition.testing import output
from audition.trajectory import ChatMessage
from tests.experiments import SAYS_YES, experiment

CASE_71 = json.loads(
    (Path(__file__).parent.parent / "cases" / "71-result-line-and-exit-code.json").read_text(
        "utf-8"
    )
)


def ran(folder: Path, answers: Any, **more: Any) -> Experiment:
    run = experiment(folder, answers, **more)
    asyncio.run(run.run())
    return run


def shown(run: Experiment) -> str:
    return table(run.results(), run.code, Subject(name=run.name, planned=run.planned))


def test_failures_and_their_reasons_come_first(tmp_path: Path) -> None:
    broken = output(reason=CompletionReason.TIMEOUT)
    run = ran(tmp_path, {"good": "yes", "bad": "no", "broken": broken})
    lines = shown(run).split("\n")
    assert lines[0] == "broken: error, first failing layer run: timeout"
    assert lines[1] == "  timeout"
    assert lines[2].startswith("  FAIL says yes: the final answer is empty (ended with timeout)")
    assert lines[3] == "bad: failed, first failing layer answer: omitted"
    assert lines[4].startswith('  FAIL says yes: the final answer lacks "yes"')
    assert lines[6] == "small/set"
    assert [line.split()[:2] for line in lines[8:11]] == [
        ["error", "broken"],
        ["failed", "bad"],
        ["passed", "good"],
    ]
    assert lines[-1] == (
        "1 error, 1 failed, 1 passed of 3: "
        "broken: more cases than are tolerated, or the run itself (exit 3)"
    )


def test_what_only_should_hold_is_told_and_fails_nothing(tmp_path: Path) -> None:
    cases = {"good": {"evaluators": [{**SAYS_YES, "severity": "should"}, {"type": "completed"}]}}
    text = shown(ran(tmp_path, {"good": "no"}, cases=cases))
    assert text.startswith("good: passed\n  FAIL (should) says yes: ")
    assert text.endswith("1 passed of 1: passed (exit 0)")


HELD = "KNOWN until 2026-03-01, and it passed: remove `known_failure` (slow)"
EXCUSE = {"known_failure": {"reason": "slow", "until": "2026-03-01"}}


@pytest.mark.parametrize(
    ("answer", "today", "told"),
    [
        ("no", date(2026, 3, 1), ["one: known_failure, ", "  KNOWN until 2026-03-01: slow"]),
        ("no", date(2026, 3, 2), ["one: failed, ",
                                  "  KNOWN until 2026-03-01, which is over: slow"]),
        ("yes", date(2026, 3, 1), ["one: passed", f"  {HELD}"]),
    ],
)  # fmt: skip
def test_a_known_failure_is_told_with_its_reason_and_its_day(
    tmp_path: Path, answer: str, today: date, told: list[str]
) -> None:
    run = ran(tmp_path, {"one": answer}, cases={"one": EXCUSE}, today=today)
    lines = shown(run).split("\n")
    assert lines[0].startswith(told[0])
    assert lines[1] == told[1]
    (case,) = as_json(run.results(), run.code, Subject(name="small"))["cases"]
    assert case["known_failure"] == EXCUSE["known_failure"]


def test_a_run_in_which_all_is_well_is_short(tmp_path: Path) -> None:
    text = shown(ran(tmp_path, {"good": "yes"}))
    assert text.split("\n")[0] == "small/set"
    assert text.endswith("1 passed of 1: passed (exit 0)")


def test_a_run_that_was_interrupted_says_so() -> None:
    text = table([], ExitCode.INTERRUPTED, Subject(name="small"))
    assert text.endswith("no case of 0: interrupted (exit 130)")


def test_nothing_of_an_answer_reaches_the_terminal_raw(tmp_path: Path) -> None:
    evil = "\x1b]0;title\x07 \x1b[2J \u202e no"
    run = ran(tmp_path, {"bad": evil}, cases={"bad": {"name": "bad \x1b[31m"}})
    assert "\x1b" not in shown(run)
    assert "\u202e" not in shown(run)
    assert "bad \\x1b[31m" in shown(run)


def test_the_same_is_told_as_json(tmp_path: Path) -> None:
    run = ran(tmp_path, {"good": "yes", "bad": "no"})
    data = json.loads(
        json.dumps(as_json(run.results(), run.code, Subject(name=run.name, planned=run.planned)))
    )
    assert (data["dataset"], data["exit_code"]) == ("small/set", 1)
    assert data["counts"] == {
        "error": 0, "failed": 1, "not_evaluated": 0, "known_failure": 0, "passed": 1
    }  # fmt: skip
    bad, good = data["cases"]
    assert (bad["case"], bad["status"], bad["layer"], bad["cause"]) == (
        "bad", "failed", "answer", "omitted"
    )  # fmt: skip
    (assertion,) = bad["assertions"]
    assert (assertion["id"], assertion["ok"], assertion["severity"]) == ("says yes", False, "must")
    assert (good["layer"], good["error"], good["repeat"]) == (None, None, 1)
    assert (good["metrics"]["messages"], good["metrics"]["tool_calls"]) == (1, 0)


def test_json_says_which_case_a_gate_must_not_let_fail(tmp_path: Path) -> None:
    run = ran(tmp_path, {"good": "yes", "bad": "no"}, cases={"bad": {"must_pass": True}})
    data = as_json(run.results(), run.code, Subject(name=run.name, planned=run.planned))
    assert [case["must_pass"] for case in data["cases"]] == [True, False]


def test_a_task_that_raised_took_no_time(tmp_path: Path) -> None:
    run = ran(tmp_path, {"raised": ValueError("down")})
    assert (
        as_json(run.results(), run.code, Subject(name=run.name, planned=run.planned))["cases"][0][
            "seconds"
        ]
        is None
    )
    assert "\nerror   raised  0/0\n" in shown(run)


def test_a_run_without_an_end_has_no_exit_code() -> None:
    assert table([], None, Subject(name="small")).endswith("no case of 0: did not come to its end")
    assert as_json([], None, Subject(name="small"))["exit_code"] is None


@pytest.mark.parametrize("bar", [CASE_71["bar"]])
def test_table_json_journal_report_and_exit_code_tell_the_same(tmp_path: Path, bar: float) -> None:
    scores = {case["name"]: "yes" if case["score"] >= bar else "no" for case in CASE_71["cases"]}
    run = ran(tmp_path, scores)
    data = as_json(run.results(), run.code, Subject(name=run.name, planned=run.planned))
    report = load_report(run.folder / REPORT)
    held = [all(one.value for one in case.assertions.values()) for case in report.cases]
    statuses = [line.status for line in read_journal(run.folder)]
    assert shown(run).endswith(
        "3 failed, 28 passed of 31: failed: an assertion that must hold does not (exit 1)"
    )
    assert (data["counts"]["passed"], data["counts"]["failed"]) == (28, 3)
    assert (held.count(True), statuses.count(Status.PASSED)) == (28, 28)
    assert (run.code, data["exit_code"], data["outcome"][:6]) == (1, 1, "failed")


def test_what_was_not_run_is_counted(tmp_path: Path) -> None:
    run = ran(tmp_path, {"good": "yes"})
    subject = Subject(name="small", application="desk", planned=3)
    text = table(run.results(), ExitCode.INTERRUPTED, subject)
    assert text.split("\n")[0] == "small, application desk"
    assert text.endswith("1 passed, 2 not run of 3: interrupted (exit 130)")
    assert as_json(run.results(), ExitCode.INTERRUPTED, subject)["not_run"] == 2
    assert table([], None, subject).endswith("no case, 3 not run of 3: did not come to its end")


def test_nothing_of_the_names_reaches_the_terminal_raw() -> None:
    assert "\x1b" not in table([], None, Subject(name="a\x1b[2J", team="b\x1b[2J"))


def test_a_trajectory_stands_under_the_line_of_its_case(tmp_path: Path) -> None:
    run = ran(tmp_path, {"good": "yes", "bad": "no"})
    told: dict[int, list[ChatMessage]] = {
        0: [{"role": "user", "content": "good?"}],
        1: [{"role": "user", "content": "bad?"}],
    }
    subject = Subject(name="small")
    lines = table(run.results(), run.code, subject, told).split("\n")
    rows = [
        line.split()[1] for line in lines if line.startswith(("failed ", "passed ", "    user"))
    ]
    assert rows == ["bad", "bad?", "good", "good?"]
    cases = as_json(run.results(), run.code, subject, told)["cases"]
    assert [case["trajectory"] for case in cases] == [told[1], told[0]]
    assert "trajectory" not in as_json(run.results(), run.code, subject)["cases"][0]
