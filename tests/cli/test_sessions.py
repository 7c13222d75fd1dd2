"""`audition sessions`: what a source has."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.doors import Door

RECORDING = Path(__file__).parents[1] / "recordings/kagent/demo/weather-grounded.jsonl"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "sessions.db"
    rows = [
        ("e-1", "ana", "s-\x1b[2J1", "2026-01-01"),
        ("e-2", "ana", "s-2", "2026-01-03"),
        ("e-3", "bo", "s-2", "2026-01-02"),
    ]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            "CREATE TABLE session (id, user_id, agent_id, deleted_at);"
            "CREATE TABLE event (id, user_id, session_id, created_at, deleted_at, data);"
            "INSERT INTO session VALUES ('s-2', 'ana', 'kagent__NS__desk', NULL);"
        )
        connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, NULL, '{}')", rows)
    return path


def test_sessions_are_a_table_that_is_safe_to_print(audition: Door, database: Path) -> None:
    done = audition("sessions", database, cwd=database.parent)
    assert (done.code, done.err) == (0, "")
    assert [line.split() for line in done.out.splitlines()] == [
        ["SESSION", "FRAMES", "AGENT", "USER", "UPDATED"],
        ["s-2", "1", "kagent__NS__desk", "ana", "2026-01-03"],
        ["s-2", "1", "?", "bo", "2026-01-02"],
        ["s-\\x1b[2J1", "1", "?", "ana", "2026-01-01"],
    ]


def test_what_a_source_does_not_say_has_no_column(audition: Door, tmp_path: Path) -> None:
    done = audition("sessions", RECORDING, cwd=tmp_path)
    assert done.out.splitlines()[0].split() == ["SESSION", "FRAMES", "AGENT"]


def test_sessions_are_chosen_by_agent_user_and_number(audition: Door, database: Path) -> None:
    def listed(*options: str) -> list[tuple[str, str]]:
        done = audition("sessions", database, "--format", "json", *options, cwd=database.parent)
        return [(one["id"], one["user"]) for one in json.loads(done.out)["sessions"]]

    assert listed("--agent", "DESK") == [("s-2", "ana")]
    assert listed("--user", "bo") == [("s-2", "bo")]
    assert listed("--limit", "2") == [("s-2", "ana"), ("s-2", "bo")]


def test_no_session_ends_with_1(audition: Door, database: Path) -> None:
    done = audition("sessions", database, "--agent", "nobody", cwd=database.parent)
    assert (done.code, done.out, done.err) == (1, "", "no session found\n")
    told = audition("sessions", database, "--user", "x", "--format", "json", cwd=database.parent)
    assert (told.code, json.loads(told.out)) == (1, {"sessions": []})


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("ships.json", "ships.json: no session that is known here: 1 frame(s): an object with"),
        ("gone.json", "gone.json: No such file or directory"),
        ("mysql://ana:hunter2@host/db", "source: found 'mysql://…'; wanted a file, -, postgres:"),
        ("kubectl:-x", "namespace: found '-x'; wanted a name of Kubernetes"),
    ],
)
def test_what_cannot_be_read_ends_with_2(
    audition: Door, tmp_path: Path, source: str, told: str
) -> None:
    (tmp_path / "ships.json").write_text('{"ship": 1}')
    done = audition("sessions", source, cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"audition: {told}")


def test_the_environment_names_a_source_where_the_call_does_not(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "audition", "sessions"],
        env={**os.environ, "AUDITION_SOURCE": str(RECORDING)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[1].startswith("weather-grounded")


def test_without_a_source_the_call_is_wrong(audition: Door, tmp_path: Path) -> None:
    done = audition("sessions", cwd=tmp_path)
    assert done.code == 2
    assert "SOURCE" in done.err
