"""Files of recorded sessions, and the sessions that they name."""

from pathlib import Path
from typing import Any

import pytest

from audition.datasets.session_files import missing_sessions
from audition.sessions import SessionInput
from tests.datasets.desk import CHECKED, DESK, load, problems, recorded, session_file


def test_a_session_stands_beside_its_file(tmp_path: Path) -> None:
    recorded(tmp_path / "talk.jsonl", "s-1")
    loaded = load(tmp_path, session_file({**CHECKED, "invocation": "e-1"}, session="talk.jsonl"))
    inputs = SessionInput(
        session=str(tmp_path / "talk.jsonl"), invocation="e-1", tool_rules=tuple(DESK.tool_rules)
    )
    assert (loaded.target, loaded.dataset.cases[0].inputs) == ("session", inputs)


def test_every_session_that_is_not_there_is_told_with_the_rest(tmp_path: Path) -> None:
    data = session_file(CHECKED, {**CHECKED, "name": "two", "session": "no.jsonl", "nme": 1})
    assert problems(tmp_path, data) == {
        "/cases/0/session": "is missing; give `session` or `source` to the file, or to each case",
        "/cases/1/nme": "unknown field 'nme'; did you mean 'name'? wanted one of "
        "drop_internal_tools, evaluators, extra_tool_denylist, fact_stages, facts, invocation, "
        "known_failure, limits, metadata, must_pass, name, repeat, self_test, session, session_id, "
        "source, tags",
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


def test_a_blank_session_is_left_to_the_model() -> None:
    assert list(missing_sessions({"session": " ", "cases": []}, lambda _: False)) == []


FIXTURE = {"kind": "fixture", "path": "talk.jsonl"}


def inputs(folder: Path, case: Any = (), **fields: Any) -> Any:
    several = fields.get("session_id") == "s-1"
    recorded(folder / "talk.jsonl", *(("s-1", "s-2") if several else ("s-1",)))
    recorded(folder / "other.jsonl", "s-3")
    (read,) = load(folder, session_file({**CHECKED, **dict(case)}, **fields)).dataset.cases
    return read.inputs


def test_a_session_of_a_file_with_several_is_named_by_its_id(tmp_path: Path) -> None:
    made = inputs(tmp_path, session="talk.jsonl", session_id="s-1")
    assert (made.session, made.session_id) == (str(tmp_path / "talk.jsonl"), "s-1")
    made = inputs(tmp_path, {"session_id": "s-2"}, session="talk.jsonl", session_id="s-1")
    assert made.session_id == "s-2"


def test_an_id_of_the_file_is_not_that_of_another_place(tmp_path: Path) -> None:
    made = inputs(tmp_path, {"session": "other.jsonl"}, session="talk.jsonl", session_id="s-1")
    assert (made.session, made.session_id) == (str(tmp_path / "other.jsonl"), None)


def test_a_source_is_an_address_or_a_file(tmp_path: Path) -> None:
    made = inputs(tmp_path, source="kubectl:desk", session_id="s-1")
    assert (made.session, made.source.address, made.session_id) == (None, "kubectl:desk", "s-1")
    made = inputs(tmp_path, source="talk.jsonl", session_id="s-1")
    assert (made.session, made.source, made.session_id) == (
        str(tmp_path / "talk.jsonl"),
        None,
        "s-1",
    )
    made = inputs(tmp_path, source=FIXTURE, session_id="fixture")
    assert (made.session, made.session_id) == (str(tmp_path / "talk.jsonl"), None)


def test_what_cannot_be_a_place_is_told_where_it_stands(tmp_path: Path) -> None:
    both = {**CHECKED, "session": "gone.jsonl", "source": {"kind": "fixture", "path": "no.jsonl"}}
    nameless = {**CHECKED, "name": "two", "source": "kubectl:"}
    wrong = {**CHECKED, "name": "three", "source": {"kind": "kubectl", "pasword": "x"}}
    found = problems(tmp_path, session_file(both, nameless, wrong, source="none.db"))
    assert found == {
        "/cases/0/session": "no file 'gone.jsonl'; name a session file, relative to this one",
        "/cases/0/source": "a session and a source; give one of them",
        "/cases/0/source/path": "no file 'no.jsonl'; name a session file, relative to this one",
        "/cases/1/session_id": "is missing; name one: `audition sessions` lists those of the "
        "source",
        "/cases/2/session_id": "is missing; name one: `audition sessions` lists those of the "
        "source",
        "/cases/2/source/pasword": "unknown field 'pasword'; did you mean 'password'? wanted one "
        "of context, database, kind, namespace, password, user, user_id, workload",
        "/source": "no file 'none.db'; name a session file, relative to this one",
    }


def test_what_a_case_keeps_out_goes_before_what_the_file_does(tmp_path: Path) -> None:
    shared = {"drop_internal_tools": False, "extra_tool_denylist": ["ask"]}
    made = inputs(tmp_path, session="talk.jsonl", **shared)
    assert (made.drop_internal_tools, made.drop_tools) == (False, ("ask",))
    own: dict[str, Any] = {"drop_internal_tools": True, "extra_tool_denylist": []}
    made = inputs(tmp_path, own, session="talk.jsonl", **shared)
    assert (made.drop_internal_tools, made.drop_tools) == (True, ())


def test_an_address_in_the_place_of_a_file_is_told_without_its_password(tmp_path: Path) -> None:
    address = "postgres://u:geheim@host/desk"
    case = {**CHECKED, "session": address, "self_test": {"good": address, "bad": address}}
    found = problems(tmp_path, session_file(case))
    wanted = "no file 'postgres://…'; name a session file, relative to this one"
    places = ("/cases/0/self_test/good", "/cases/0/self_test/bad", "/cases/0/session")
    assert found == dict.fromkeys(places, wanted)
