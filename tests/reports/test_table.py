import asyncio
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from audition.events import CompletionReason
from audition.experiment.driver import Experiment
from audition.experiment.exit_codes import ExitCode
from audition.reports.results_json import results_json
from audition.reports.row_text import MOST_PASSED
from audition.reports.table import table
from audition.reports.told_run import ToldRun
from audition.testing import output
from tests.experiments import SAYS_YES, experiment
from tests.journals import line
from tests.told_runs import failed, told_run


def ran(folder: Path, answers: Any, **more: Any) -> Experiment:
    run = experiment(folder, answers, **more)
    asyncio.run(run.run())
    return run


def shown(run: Experiment) -> str:
    return text(ToldRun(run=run.kept()))


def text(told: ToldRun) -> str:
    return "".join(table(told)).removesuffix("\n")


def as_json(run: Experiment) -> Any:
    return json.loads("".join(results_json(ToldRun(run=run.kept()))))


def test_failures_and_their_reasons_come_first(tmp_path: Path) -> None:
    broken = output(reason=CompletionReason.TIMEOUT)
    run = ran(tmp_path, {"good": "yes", "bad": "no", "broken": broken})
    lines = shown(run).split("\n")
    assert lines[0] == "broken: error, first failing layer run: timeout"
    assert lines[1] == "  timeout"
    assert lines[2].startswith("  FAIL says yes: the final answer is empty (ended with timeout)")
    assert lines[3] == "bad: failed, first failing layer answer: omitted"
    assert lines[4].startswith('  FAIL says yes: the final answer lacks "yes"')
    assert lines[6] == "small/set, application small"
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
    told = shown(ran(tmp_path, {"good": "no"}, cases=cases))
    assert told.startswith("good: passed\n  FAIL (should) says yes: ")
    assert told.endswith("1 passed of 1: passed (exit 0)")


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
    (case,) = as_json(run)["cases"]
    assert case["known_failure"] == EXCUSE["known_failure"]


def test_a_run_in_which_all_is_well_is_short(tmp_path: Path) -> None:
    told = shown(ran(tmp_path, {"good": "yes"}))
    assert told.split("\n")[0] == "small/set, application small"
    assert told.endswith("1 passed of 1: passed (exit 0)")


def test_a_run_that_was_interrupted_says_so() -> None:
    told = text(told_run(code=ExitCode.INTERRUPTED))
    assert told.endswith("no case of 0: interrupted (exit 130)")


def test_nothing_of_an_answer_reaches_the_terminal_raw(tmp_path: Path) -> None:
    evil = "\x1b]0;title\x07 \x1b[2J \u202e no"
    run = ran(tmp_path, {"bad": evil}, cases={"bad": {"name": "bad \x1b[31m"}})
    assert "\x1b" not in shown(run)
    assert "\u202e" not in shown(run)
    assert "bad \\x1b[31m" in shown(run)


def test_the_same_is_told_as_json(tmp_path: Path) -> None:
    run = ran(tmp_path, {"good": "yes", "bad": "no"})
    data = as_json(run)
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
    data = as_json(run)
    assert [case["must_pass"] for case in data["cases"]] == [True, False]


def test_a_task_that_raised_took_no_time(tmp_path: Path) -> None:
    run = ran(tmp_path, {"raised": ValueError("down")})
    assert as_json(run)["cases"][0]["seconds"] is None
    assert "\nerror   raised  0/0\n" in shown(run)


def test_a_run_without_an_end_has_no_exit_code() -> None:
    assert text(told_run(code=None)).endswith("no case of 0: did not come to its end")


def test_what_was_not_run_is_counted() -> None:
    told = told_run([line("good")], code=ExitCode.INTERRUPTED, application="desk", planned=3)
    lines = text(told).split("\n")
    assert lines[0] == "small, application desk"
    assert lines[-1] == "1 passed, 2 not run of 3: interrupted (exit 130)"
    empty = told_run(code=None, planned=3)
    assert text(empty).endswith("no case, 3 not run of 3: did not come to its end")


def test_nothing_of_the_names_reaches_the_terminal_raw() -> None:
    assert "\x1b" not in text(told_run(name="a\x1b[2J", team="b\x1b[2J"))


def test_a_trajectory_stands_under_the_line_of_its_case(tmp_path: Path) -> None:
    run = ran(tmp_path, {"good": "yes", "bad": "no"})
    told = ToldRun(run=run.kept(), show_trajectory=True)
    lines = text(told).split("\n")
    rows = [
        line.split()[1] for line in lines if line.startswith(("failed ", "passed ", "    user"))
    ]
    assert rows == ["bad", "bad?", "good", "good?"]
    cases = json.loads("".join(results_json(told)))["cases"]
    assert [case["trajectory"][0]["content"] for case in cases] == ["bad?", "good?"]
    assert "trajectory" not in as_json(run)["cases"][0]


def test_those_that_passed_are_listed_up_to_a_number_and_the_others_counted() -> None:
    good = [line(f"good {number}") for number in range(MOST_PASSED + 2)]
    bad = [failed(f"bad {number}") for number in range(MOST_PASSED + 2)]
    lines = text(told_run([*good, *bad])).split("\n")
    assert sum(one.startswith("passed") for one in lines) == MOST_PASSED
    assert sum(one.startswith("failed") for one in lines) == len(bad)
    assert lines[-3] == "and 2 more that passed, which `--format csv` of `audition show` lists"
    every = text(replace(told_run(good), show_trajectory=True)).split("\n")
    assert sum(one.startswith("passed") for one in every) == len(good)
