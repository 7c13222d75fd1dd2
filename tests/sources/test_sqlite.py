"""The tables of ADK and kagent, in files of SQLite."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import JsonValue

from audition.errors import RecordError
from audition.sessions import output_of, understood
from audition.sources.sqlite import SqliteSource

KAGENT = """
CREATE TABLE session (id TEXT, user_id TEXT, name TEXT, agent_id TEXT, deleted_at TEXT);
CREATE TABLE event (id TEXT, user_id TEXT, session_id TEXT, created_at TEXT, deleted_at TEXT,
                    data TEXT, PRIMARY KEY (id, user_id));
"""
ADK = """
CREATE TABLE events (id TEXT, app_name TEXT, user_id TEXT, session_id TEXT, invocation_id TEXT,
                     timestamp TEXT, event_data TEXT);
"""
OLD_ADK = """
CREATE TABLE events (id TEXT, app_name TEXT, user_id TEXT, session_id TEXT, invocation_id TEXT,
                     author TEXT, actions BLOB, long_running_tool_ids_json TEXT, branch TEXT,
                     timestamp TEXT, content TEXT, partial INTEGER, error_code TEXT);
"""


def event(text: str, author: str = "user") -> JsonValue:
    return {"author": author, "content": {"parts": [{"text": text}]}}


def database(tmp_path: Path, tables: str, *rows: tuple[str, tuple[object, ...]]) -> Path:
    path = tmp_path / "sessions.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(tables)
        for table, values in rows:
            places = ", ".join("?" * len(values))
            connection.execute(f"INSERT INTO {table} VALUES ({places})", values)  # noqa: S608
    return path


def kagent(tmp_path: Path) -> Path:
    def row(event_id: str, user: str, session: str, at: str, told: object, gone: object = None):  # noqa: ANN202
        return ("event", (event_id, user, session, at, gone, told))

    return database(
        tmp_path,
        KAGENT,
        ("session", ("s-1", "ana", "x", "kagent__NS__desk", None)),
        ("session", ("s-3", "ana", "x", "kagent__NS__desk", "2026-01-02")),
        row("z", "ana", "s-1", "2026-01-01 10:00:00", json.dumps(event("Where?"))),
        row("a", "ana", "s-1", "2026-01-01 10:00:00", json.dumps(event("Berth 4.", "desk"))),
        row("c", "ana", "s-1", "2026-01-01 10:00:02", json.dumps(event("gone")), "2026-01-02"),
        row("d", "bo", "s-1", "2026-01-01 11:00:00", json.dumps(json.dumps(event("Mine")))),
        row("f", "ana", "s-3", "2026-01-01 12:00:00", json.dumps(event("taken back"))),
        row("e", "bo", "s-2", "2026-01-01 09:00:00", '{"torn'),
    )


def test_sessions_of_kagent_are_listed_the_latest_first(tmp_path: Path) -> None:
    source = SqliteSource(kagent(tmp_path))
    assert [(one.id, one.agent, one.user, one.frames) for one in source.sessions()] == [
        ("s-1", None, "bo", 1),
        ("s-1", "kagent__NS__desk", "ana", 2),
        ("s-2", None, "bo", 1),
    ]
    assert [one.user for one in source.sessions(agent="DESK")] == ["ana"]
    assert len(source.sessions(limit=1)) == 1


def test_a_session_that_was_deleted_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no session 's-3' is there; there are: s-1, s-2"):
        SqliteSource(kagent(tmp_path)).record("s-3")


def test_events_without_a_table_of_sessions_are_sessions_too(tmp_path: Path) -> None:
    path = kagent(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE session")
    assert [one.id for one in SqliteSource(path, user="ana").sessions()] == ["s-3", "s-1"]


def test_a_session_is_that_of_one_user_in_the_order_of_storing(tmp_path: Path) -> None:
    path = kagent(tmp_path)
    record = SqliteSource(path, user="ana").record("s-1")
    assert record.frames == (event("Where?"), event("Berth 4.", "desk"))
    assert record.name == f"{path}, session s-1"
    with pytest.raises(RecordError, match="2 sessions are 's-1', of the users ana, bo; name the"):
        SqliteSource(path).record("s-1")


def test_an_event_that_was_encoded_twice_is_read_and_a_torn_one_told(tmp_path: Path) -> None:
    source = SqliteSource(kagent(tmp_path), user="bo")
    assert understood(source.record("s-1")).frames == (event("Mine"),)
    (broken,) = source.record("s-2").broken
    assert broken.reason.startswith("row 'e', no JSON: ")


def test_sessions_of_adk(tmp_path: Path) -> None:
    rows = [("events", (name, "app", "u1", "s-1", "e-1", f"2026-01-01 10:00:0{n}", json.dumps(
        event(name)))) for n, name in enumerate(["Where?", "Berth 4."])]  # fmt: skip
    source = SqliteSource(database(tmp_path, ADK, *rows))
    assert [(one.id, one.agent, one.user) for one in source.sessions()] == [("s-1", "app", "u1")]
    assert source.record().frames == (event("Where?"), event("Berth 4."))


def test_of_two_applications_with_one_session_id_the_agent_says_which(tmp_path: Path) -> None:
    rows = [
        ("events", (app, app, "ana", "s-1", "i", "2026-01-01", json.dumps(event(app))))
        for app in ("desk", "harbour")
    ]
    source = SqliteSource(database(tmp_path, ADK, *rows))
    assert source.record("harbour/s-1").frames == (event("harbour"),)
    with pytest.raises(RecordError, match="name the agent too: desk/s-1 or harbour/s-1"):
        source.record("s-1")


def test_a_pickled_column_is_never_read(tmp_path: Path) -> None:
    content = json.dumps({"parts": [{"text": "Where?"}]})
    row = ("a", "app", "u1", "s-1", "e-1", "user", b"\x80\x04cos\nsystem\n.", "[]", None,
           "2026-01-01 10:00:00", content, 0, None)  # fmt: skip
    torn = ("b", *row[1:5], "desk", *row[6:10], content[:9], 0, None)
    record = SqliteSource(database(tmp_path, OLD_ADK, *(("events", one) for one in (row, torn))))
    found = understood(record.record())
    assert all("actions" not in json.dumps(frame) for frame in found.frames)
    out = output_of(found.adapted, source="")
    assert [turn.message for turn in out.turns] == ["Where?"]
    assert [(one.index, one.reason) for one in out.dropped] == [(1, "not an ADK event")]
    assert out.dropped_events == 1


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    path = database(tmp_path, "CREATE TABLE ships (name TEXT);")
    with pytest.raises(RecordError, match="neither a table event nor a table events"):
        SqliteSource(path).sessions()


def test_what_is_no_database_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("no database at all" * 100)
    with pytest.raises(RecordError, match="not a database"):
        SqliteSource(tmp_path / "a.db").sessions()
    with pytest.raises(RecordError, match="unable to open"):
        SqliteSource(tmp_path / "gone.db").sessions()
    assert not (tmp_path / "gone.db").exists()
