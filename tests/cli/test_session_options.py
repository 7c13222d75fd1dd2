"""What the commands share that read a recorded session."""

import json
from pathlib import Path

import pytest

from audition.cli.session_options import recorded
from audition.events import MessageSent
from audition.sessions import SessionInput
from tests.cli.doors import Door

ASKED = {"author": "user", "invocationId": "e-1", "content": {"parts": [{"text": "Which?"}]}}


def test_a_session_is_a_recording_and_what_was_lost_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text(f'{json.dumps(ASKED)}\n{{"torn', "utf-8")
    recording = recorded(SessionInput(session=str(path)))
    (said,) = [event for event in recording.events if isinstance(event, MessageSent)]
    assert (said.content, recording.human) == ("Which?", "user")
    assert "1 " in capsys.readouterr().err


@pytest.mark.parametrize("command", ["extract", "record", "add-case"])
def test_the_commands_name_a_session_alike(audition: Door, tmp_path: Path, command: str) -> None:
    told = " ".join(audition(command, "--help", cwd=tmp_path).out.split())
    assert "--session ID The session, where the source has several." in told
    assert "--invocation ID Only this invocation of it." in told
