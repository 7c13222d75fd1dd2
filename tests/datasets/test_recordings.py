"""What a session file names is looked at before anything starts."""

from pathlib import Path

import pytest

from audition.errors import DatasetError
from tests.datasets.desk import CHECKED, load, problems, recorded, session_file


def test_a_recording_that_cannot_be_judged_is_told_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("# notes", "utf-8")
    recorded(tmp_path / "two.jsonl", "s-1", "s-2")
    of_notes = {**CHECKED, "name": "two", "session": "notes.txt"}
    found = problems(tmp_path, session_file(CHECKED, of_notes, session="two.jsonl"))
    assert list(found) == ["/cases/1/session", "/session"]
    assert "2 sessions are there, and one is wanted: s-1, s-2; name a session" in found["/session"]
    assert "notes.txt: no session that is known here" in found["/cases/1/session"]


def test_an_unknown_invocation_is_told_with_those_that_are_there(tmp_path: Path) -> None:
    recorded(tmp_path / "talk.jsonl", "s-1")
    asked = session_file({**CHECKED, "invocation": "e-9"}, session="talk.jsonl")
    ((place, told),) = problems(tmp_path, asked).items()
    assert place == "/cases/0/invocation"
    assert "no invocation 'e-9'; there are: e-1; name an invocation" in told


def test_an_invocation_is_looked_up_in_a_session_that_is_given(tmp_path: Path) -> None:
    recorded(tmp_path / "given.jsonl", "s-1")
    asked = session_file({**CHECKED, "invocation": "e-9"})
    with pytest.raises(DatasetError, match=r"/cases/0/invocation: .* no invocation 'e-9'"):
        load(tmp_path, asked, session=tmp_path / "given.jsonl")
