import asyncio
from pathlib import Path
from typing import Any

import pytest

from audition.application import Application
from audition.errors import CallError
from audition.evaluators.completion import Completed
from audition.experiment.kept import KeptRun, read_run
from audition.experiment.kept_cases import failed_unit, fixture_of, kept_case, without_contract
from tests.experiments import SAYS_YES, experiment

APPLICATION = Application(name="small")


def ran(folder: Path, answers: Any, **more: Any) -> KeptRun:
    run = experiment(folder, answers, **more)
    asyncio.run(run.run())
    return read_run(run.folder)


def fields(run: KeptRun, case: str | None = None) -> Any:
    unit = failed_unit(run, APPLICATION, case)
    return kept_case(unit, APPLICATION, origin={"kept_from": "a run"}).fields


def test_the_only_case_that_failed_is_meant(tmp_path: Path) -> None:
    run = ran(tmp_path, {"good": "yes", "bad": "no"})
    assert fields(run) == {
        "name": "bad",
        "tags": ["kept"],
        "metadata": {"kept_from": "a run"},
        "message": "bad?",
        "evaluators": [SAYS_YES],
    }
    assert fields(run, "good")["name"] == "good"


def test_which_is_meant_must_be_said_where_none_or_several_failed(tmp_path: Path) -> None:
    run = ran(tmp_path, {"one": "no", "two": "no"})
    with pytest.raises(CallError, match="2 cases that failed'; wanted --case with one of one, two"):
        failed_unit(run, APPLICATION, None)
    with pytest.raises(CallError, match="--case: found 'twoo'; did you mean 'two'"):
        failed_unit(run, APPLICATION, "twoo")
    (tmp_path / "good").mkdir()
    with pytest.raises(CallError, match="0 cases that failed'; wanted --case"):
        failed_unit(ran(tmp_path / "good", {"one": "yes"}), APPLICATION, None)


def test_a_repeat_that_failed_is_the_case(tmp_path: Path) -> None:
    run = ran(tmp_path, {"bad": "no"}, cases={"bad": {"repeat": 2}})
    assert fields(run)["name"] == "bad"


def test_what_a_case_says_of_itself_is_kept(tmp_path: Path) -> None:
    more = {
        "tags": ["slow"],
        "metadata": {"from": "a person"},
        "limits": {"timeout_seconds": 5},
        "target": "@K",
    }
    made = fields(ran(tmp_path, {"bad": "no"}, cases={"bad": more}))
    assert (made["tags"], made["metadata"], made["limits"], made["target"]) == (
        ["slow", "kept"],
        {"from": "a person", "kept_from": "a run"},
        {"timeout_seconds": 5},
        "@K",
    )


def test_a_case_whose_task_raised_was_not_judged(tmp_path: Path) -> None:
    run = ran(tmp_path, {"bad": RuntimeError("gone")})
    with pytest.raises(CallError, match="wanted a case that was judged: its task raised"):
        fields(run)


def test_an_assertion_that_no_file_can_name_is_told(tmp_path: Path) -> None:
    run = ran(tmp_path, {"bad": "no"})
    unit = failed_unit(run, APPLICATION, None)
    result: Any = unit.result
    result.assertions["says yes"].source.name = "Contains"
    made = kept_case(unit, APPLICATION, origin={})
    assert (made.fields["evaluators"], made.left_out) == ([], ["says yes"])


def test_a_case_without_a_fixture_has_none(tmp_path: Path) -> None:
    assert fixture_of(failed_unit(ran(tmp_path, {"bad": "no"}), APPLICATION, None)) is None


def test_what_the_contract_has_is_left_to_it() -> None:
    case: Any = {"name": "one", "evaluators": [{"type": "completed"}, SAYS_YES]}
    assert without_contract(case, [Completed()])["evaluators"] == [SAYS_YES]
