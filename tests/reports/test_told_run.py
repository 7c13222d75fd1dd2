import json
import math

import pytest

from audition.experiment.exit_codes import ExitCode
from audition.experiment.status import Status
from audition.redaction.stand_ins import PLACEHOLDER
from tests.journals import line
from tests.told_runs import failed, six, told_run


def test_rows_add_up() -> None:
    told = six()
    totals = told.totals
    assert told.counts == {
        "error": 1, "failed": 1, "not_evaluated": 1, "known_failure": 1, "passed": 1, "not_run": 1
    }  # fmt: skip
    assert (told.planned, totals.finished, totals.layers) == (6, 5, {"run": 1, "answer": 2})
    assert totals.tags["both"] == {Status.FAILED: 1, Status.PASSED: 1}
    assert (totals.seconds.amount, totals.cost_usd.amount) == (2.0, 0.25)
    assert (totals.input_tokens.amount, totals.output_tokens.amount) == (3, 4)


def test_what_is_not_known_of_one_is_not_known_of_all() -> None:
    lines = [line("a", cost_usd=1.0), line("b", model_ids=("m",)), line("c", cost_usd=1.0)]
    assert told_run(lines).totals.cost_usd.amount is None
    assert told_run([lines[0], line("b"), lines[2]]).totals.cost_usd.amount == 2.0


def test_what_measured_nothing_is_in_no_mean() -> None:
    lines = [
        line("a", scores={"close": 0.5}),
        line("b", scores={"close": math.nan}),
        line("c", reasons={"close": "measured nan", "says yes": "it holds"}),
    ]
    (total,) = told_run(lines).totals.scores.values()
    assert (total.mean, total.measured, total.unmeasured) == (0.5, 1, 2)
    assert told_run(lines[2:]).totals.scores["close"].mean is None


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        (ExitCode.OK, "passed (exit 0)"),
        (ExitCode.INTERRUPTED, "interrupted (exit 130)"),
        (None, "did not come to its end"),
    ],
)
def test_an_ending_has_its_exit_code(code: ExitCode | None, ending: str) -> None:
    assert told_run(code=code).ending == ending


def test_a_run_says_what_it_is_about() -> None:
    assert told_run(application="desk", team="slow").title == "small, application desk, team slow"


def test_what_was_not_run_is_told_by_number_where_nobody_kept_its_name() -> None:
    told = told_run([failed("bad")], not_run=["never"], planned=4)
    assert [unit.name for unit in told.missing()] == ["never", "not run, 1 of 3", "not run, 2 of 3"]
    more = told_run([failed("bad")], not_run=["never", "neither"], planned=2)
    assert [unit.name for unit in more.missing()] == ["never"]


def test_the_name_of_a_run_is_told_without_its_secret() -> None:
    secret = "sk-ant-api03-" + "a1B2" * 24  # gitleaks:allow
    told = told_run(name=f"of {secret}")
    assert (secret in told.name, PLACEHOLDER in told.name) == (False, True)


def test_chat_messages_are_those_of_the_output() -> None:
    told = told_run([line("a")])
    (unit,) = told.units()
    assert [one["role"] for one in told.trajectory(unit)] == ["user", "assistant"]
    assert json.dumps(told.trajectory(unit))
