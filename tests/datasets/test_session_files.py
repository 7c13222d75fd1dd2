"""Files of recorded sessions, and the sessions that they name."""

from pathlib import Path
from typing import Any

import pytest

from audition.sessions import SessionInput
from tests.datasets.desk import DESK, load, problems


def session_file(*cases: Any, **fields: Any) -> dict[str, Any]:
    return {"version": 2, "task": "session", "name": "golden", "cases": list(cases), **fields}


CHECKED = {"name": "one", "evaluators": [{"type": "completed"}]}


def test_a_session_stands_beside_its_file(tmp_path: Path) -> None:
    (tmp_path / "talk.jsonl").write_text("", "utf-8")
    loaded = load(tmp_path, session_file({**CHECKED, "invocation": "e-1"}, session="talk.jsonl"))
    inputs = SessionInput(
        session=str(tmp_path / "talk.jsonl"), invocation="e-1", tool_rules=tuple(DESK.tool_rules)
    )
    assert (loaded.target, loaded.dataset.cases[0].inputs) == ("session", inputs)


def test_every_session_that_is_not_there_is_told_with_the_rest(tmp_path: Path) -> None:
    data = session_file(CHECKED, {**CHECKED, "name": "two", "session": "no.jsonl", "nme": 1})
    assert problems(tmp_path, data) == {
        "/cases/0/session": "is missing; give `session` to the file, or to each case",
        "/cases/1/nme": "unknown field 'nme'; did you mean 'name'? wanted one of evaluators, "
        "fact_stages, facts, invocation, known_failure, limits, metadata, must_pass, name, repeat, "
        "self_test, session, tags",
        "/cases/1/session": "no file 'no.jsonl'; name a session file, relative to this one",
    }


@pytest.mark.parametrize("shared", ["gone.jsonl", "nul\0.jsonl"])
def test_the_session_of_the_file_must_be_there(tmp_path: Path, shared: str) -> None:
    found = problems(tmp_path, session_file(CHECKED, session=shared))
    assert list(found) == ["/session"]


def test_a_session_that_is_given_replaces_all_that_are_named(tmp_path: Path) -> None:
    given = tmp_path / "given.jsonl"
    for data in (session_file(CHECKED), session_file(CHECKED, session="gone.jsonl")):
        (case,) = load(tmp_path, data, session=given).dataset.cases
        assert isinstance(case.inputs, SessionInput)
        assert case.inputs.session == str(given)
