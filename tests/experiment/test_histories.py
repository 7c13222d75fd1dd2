import asyncio
from pathlib import Path
from typing import Any

import pytest

from audition.events import CompletionReason
from audition.experiment.driver import Settings
from audition.experiment.histories import (
    Blame,
    CaseHistory,
    Count,
    Outcome,
    add_lines,
    read_history,
)
from audition.experiment.plan import name_id
from audition.experiment.status import Status
from audition.testing import output
from tests.experiments import experiment
from tests.journals import line

TIMEOUT = output(reason=CompletionReason.TIMEOUT)

type Fields = dict[str, Any]

PASSED: Fields = {}
FAILED: Fields = {
    "status": Status.FAILED,
    "assertions": {"says yes": False},
    "reasons": {"says yes": "lacks yes"},
    "layer": "answer",
    "cause": "omitted",
    "agent": "@Manager",
}
ERROR: Fields = {"status": Status.ERROR, "error": "timeout", "layer": "run"}
CUT: Fields = {"status": Status.NOT_EVALUATED, "cut": "the time of the run was over"}
NAN: Fields = {"status": Status.NOT_EVALUATED, "reasons": {"grounded": "measured nan"}}


def history(*repeats: list[Fields]) -> CaseHistory:
    """Return the history of a case with these attempts of each repeat."""
    cases: dict[str, CaseHistory] = {}
    lines = [
        line("one", repeat=repeat, repeats=len(repeats), attempt=attempt, **fields)
        for repeat, attempts in enumerate(repeats, 1)
        for attempt, fields in enumerate(attempts, 1)
    ]
    add_lines(cases, lines)
    (found,) = cases.values()
    return found


def test_errors_and_what_measured_nothing_leave_the_count_and_stay_in_sight() -> None:
    case = history([PASSED], [FAILED], [ERROR], [NAN], [CUT])
    assert case.count == Count(1, 2)
    assert (case.errors, case.statuses[Status.NOT_EVALUATED], case.not_run) == (1, 1, 1)
    assert case.is_flaky
    told = {"says yes: lacks yes", "timeout", "grounded: measured nan"}
    assert {*case.reasons} == told


def test_whether_each_assertion_held_is_known_of_each_repeat() -> None:
    case = history([PASSED], [FAILED], [ERROR], [NAN])
    of = frozenset({name_id("says yes")})
    assert [one.held for one in case.outcomes] == [of, frozenset(), of]
    assert [one.failed for one in case.outcomes] == [frozenset(), of, frozenset()]


def test_scores_alone_are_measured_and_one_that_is_no_number_is_not() -> None:
    scores: Fields = {"status": Status.NOT_EVALUATED, "assertions": {}, "scores": {"near": 0.8}}
    case = history([scores], [{**scores, "reasons": {"grounded": "measured nan"}}], [PASSED])
    assert (case.scored, case.unmeasured) == (1, 1)


def test_an_assertion_is_counted_by_its_own_runs() -> None:
    case = history([PASSED], [FAILED], [ERROR])
    (found,) = case.assertions.values()
    assert (found.name, found.passed, found.runs, found.reason) == ("says yes", 1, 2, "lacks yes")
    assert list(case.assertions) == [name_id("says yes")]
    assert case.blames == [Blame("answer", "omitted", "@Manager"), Blame("run", None, None)]


@pytest.mark.parametrize(
    ("attempts", "count", "late", "again"),
    [
        ([ERROR, PASSED], Count(1, 1), 1, 0),
        ([FAILED, PASSED], Count(0, 1), 0, 1),
        ([ERROR, FAILED, PASSED, PASSED], Count(0, 1), 1, 2),
        ([CUT, PASSED], Count(1, 1), 1, 0),
        ([ERROR, ERROR], Count(0, 0), 0, 0),
    ],
)
def test_the_first_attempt_that_was_measured_counts_and_the_others_are_told_apart(
    attempts: list[Fields], count: Count, late: int, again: int
) -> None:
    case = history(attempts)
    assert (case.count, case.late, case.again.total()) == (count, late, again)


def test_a_known_failure_was_measured_and_did_not_pass() -> None:
    assert history([{"status": Status.KNOWN_FAILURE}]).count == Count(0, 1)


def test_the_history_of_a_run_has_every_planned_case(tmp_path: Path) -> None:
    answers = {"good": "yes", "bad": "no", "broken": TIMEOUT}
    cases = {"good": {"tags": ["old"], "must_pass": True}}
    run = experiment(tmp_path, answers, cases=cases, settings=Settings(repeat=2))
    asyncio.run(run.run())
    told = read_history(run.folder)
    good, bad, broken = told.cases.values()
    assert (good.count, bad.count, broken.count) == (Count(2, 2), Count(0, 2), Count(0, 0))
    assert (good.tags, good.must_pass, good.planned, broken.errors) == (("old",), True, 2, 2)
    check = told.check(good, name_id("says yes"))
    assert check is not None
    assert (check.name, check.layer) == ("says yes", "answer")
    assert len({*good.routes}) == 1


def test_each_measured_repeat_keeps_which_assertions_held_in_it() -> None:
    case = history([PASSED], [ERROR], [FAILED])
    says_yes = frozenset({name_id("says yes")})
    blame = Blame("answer", "omitted", "@Manager")
    assert case.outcomes == [
        Outcome(Status.PASSED, says_yes, frozenset(), None),
        Outcome(Status.FAILED, frozenset(), says_yes, blame),
    ]
