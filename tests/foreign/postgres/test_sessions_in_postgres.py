"""The tables of ADK and kagent on a real Postgres server, by its protocol and by psql."""

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import psycopg
import pytest
from pydantic import JsonValue

from audition.errors import RecordError
from audition.events import TurnStarted
from audition.sessions import understood
from audition.sources.kubectl import ClusterDatabase, KubectlLimits, KubectlSource
from audition.sources.postgres import PostgresSource
from audition.sources.source import SessionSource
from tests.foreign.postgres.server import PASSWORD, Server, postgres_server
from tests.sources.kubectl import on_path

pytestmark = pytest.mark.slow

# As kagent's first migration makes them.
KAGENT = """
CREATE TABLE session (id TEXT NOT NULL, user_id TEXT NOT NULL, name TEXT, created_at TIMESTAMPTZ,
    updated_at TIMESTAMPTZ, deleted_at TIMESTAMPTZ, agent_id TEXT, source TEXT,
    PRIMARY KEY (id, user_id));
CREATE TABLE event (id TEXT NOT NULL, user_id TEXT NOT NULL, session_id TEXT,
    created_at TIMESTAMPTZ, updated_at TIMESTAMPTZ, deleted_at TIMESTAMPTZ, data TEXT NOT NULL,
    PRIMARY KEY (id, user_id));
"""
# As ADK's DatabaseSessionService makes them, from 2.0 on and before.
ADK = """
CREATE TABLE events (id VARCHAR(128), app_name VARCHAR(128), user_id VARCHAR(128),
    session_id VARCHAR(128), invocation_id VARCHAR(256), timestamp TIMESTAMP, event_data JSONB,
    PRIMARY KEY (id, app_name, user_id, session_id));
"""
OLD_ADK = """
CREATE TABLE events (id VARCHAR(128), app_name VARCHAR(128), user_id VARCHAR(128),
    session_id VARCHAR(128), invocation_id VARCHAR(256), author VARCHAR(256), actions BYTEA,
    long_running_tool_ids_json TEXT, branch VARCHAR(256), timestamp TIMESTAMP, content JSONB,
    partial BOOLEAN, turn_complete BOOLEAN, error_code VARCHAR(256),
    PRIMARY KEY (id, app_name, user_id, session_id));
"""
# Whoever reads it would write.
WRITING = """
CREATE TABLE readers (n INTEGER);
CREATE FUNCTION noted() RETURNS TEXT LANGUAGE sql VOLATILE
    AS $$ INSERT INTO readers VALUES (1); SELECT text 's-1' $$;
CREATE VIEW event AS SELECT text 'e-1' AS id, noted() AS session_id, text 'ana' AS user_id,
    now() AS created_at, NULL::TIMESTAMPTZ AS deleted_at, text '{}' AS data;
"""
MOMENT = "2026-01-01T10:00:00+00:00"
ODD_ID = "s'; DROP TABLE event; --\\ :'value_1' \u2028 é"


def event(text: str, author: str = "user") -> JsonValue:
    return {"author": author, "content": {"parts": [{"text": text}]}}


def fill(
    server: Server, database: str, tables: str, rows: dict[str, list[Sequence[object]]]
) -> None:
    """Make a database with these tables and rows."""
    with psycopg.connect(server.dsn("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {database}".encode())
    with psycopg.connect(server.dsn(database)) as connection:
        connection.execute(tables.encode())
        for table, values in rows.items():
            places = ", ".join(["%s"] * len(values[0]))
            for one in values:
                connection.execute(f"INSERT INTO {table} VALUES ({places})".encode(), one)  # noqa: S608  # our own


def stored(
    name: str, user: str, session: str, data: object, at: str = MOMENT, gone: str | None = None
) -> Sequence[object]:
    return (name, user, session, at, at, gone, json.dumps(data, ensure_ascii=False))


TOLD = [event(f"line {n}\n\u2028\u0085 {n}") for n in range(30)]
"""Events that were stored in one moment, in this order, under ids that are in another one."""

ROWS: dict[str, list[Sequence[object]]] = {
    "session": [
        ("s-1", "ana", "x", MOMENT, MOMENT, None, "kagent__NS__desk", "user"),
        ("s-3", "ana", "x", MOMENT, MOMENT, MOMENT, "kagent__NS__desk", "user"),
    ],
    "event": [
        *(stored(f"{(n * 7) % 30:02}", "ana", "s-1", told) for n, told in enumerate(TOLD)),
        stored("gone", "ana", "s-1", event("gone"), gone=MOMENT),
        stored("a", "bo", "s-1", event("Mine."), "2026-01-02T10:00:00+00:00"),
        stored("b", "bo", "s-2", json.dumps(event("Twice."))),
        stored("c", "ana", "s-3", event("taken back")),
        stored("d", "cy", ODD_ID, event("odd"), "2025-01-01T10:00:00+00:00"),
    ],
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgres_server() as running:
        fill(running, "kagent", KAGENT, ROWS)
        adk = [(name, "app", "u1", "s-1", "e-1", "2026-01-01 10:00:00", json.dumps(event(name)))
               for name in ("z", "a", "m")]  # fmt: skip
        fill(running, "adk", ADK, {"events": [*adk]})
        deep = [*adk[1][:-1], "[" * 5000 + "]" * 5000]
        fill(running, "deep", ADK, {"events": [adk[0], deep, adk[2]]})
        content = json.dumps({"parts": [{"text": "Where?"}]})
        fill(running, "old", OLD_ADK, {"events": [
            ("a", "app", "u1", "s-1", "e-1", "user", b"\x80\x04cos\nsystem\n.", "[]", None,
             "2026-01-01 10:00:00", content, False, None, None)]})  # fmt: skip
        fill(running, "writing", WRITING, {})
        fill(running, "other", "CREATE TABLE ships (name TEXT);", {"ships": [("Gull",)]})
        yield running


@pytest.fixture(params=["protocol", "psql"])
def way(
    request: pytest.FixtureRequest, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Return the way to the server; that by psql goes through a kubectl that has no cluster."""
    if request.param == "psql":
        socket = f"PGHOST={shlex.quote(str(server.folder))} PGPORT={server.port}"
        inner = 'while [ "$1" != -- ]; do shift; done; shift'
        on_path(tmp_path, monkeypatch, f'#!/bin/sh\n{inner}\n{socket} exec "$@"\n')
    return cast("str", request.param)


def opened(server: Server, way: str, database: str, user: str | None = None) -> SessionSource:
    if way == "psql":
        return KubectlSource(ClusterDatabase(database=database), user=user)
    return PostgresSource(server.dsn(database), user=user)


def test_sessions_of_kagent_are_those_of_each_user(server: Server, way: str) -> None:
    infos = opened(server, way, "kagent").sessions()
    assert [(one.id, one.user, one.agent, one.frames) for one in infos] == [
        ("s-1", "bo", None, 1),
        ("s-1", "ana", "kagent__NS__desk", 30),
        ("s-2", "bo", None, 1),
        (ODD_ID, "cy", None, 1),
    ]
    assert (infos[0].updated_at or "").replace("T", " ") == "2026-01-02 10:00:00+00:00"


def test_a_session_is_in_the_order_of_storing(server: Server, way: str) -> None:
    source = opened(server, way, "kagent", "ana")
    assert list(source.record("s-1").frames) == TOLD
    assert source.record("s-1") == source.record("s-1")


def test_two_users_with_one_id_are_told_apart(server: Server, way: str) -> None:
    with pytest.raises(RecordError, match="2 sessions are 's-1', of the users ana, bo; name the"):
        opened(server, way, "kagent").record("s-1")
    assert opened(server, way, "kagent", "bo").record("s-1").frames == (event("Mine."),)


def test_what_was_deleted_is_not_there(server: Server, way: str) -> None:
    with pytest.raises(RecordError, match="no session 's-3' is there; there are: s-1"):
        opened(server, way, "kagent", "ana").record("s-3")


def test_an_event_that_was_encoded_twice_is_read(server: Server, way: str) -> None:
    assert understood(opened(server, way, "kagent").record("s-2")).frames == (event("Twice."),)


def test_an_odd_id_is_no_statement(server: Server, way: str) -> None:
    source = opened(server, way, "kagent")
    assert source.record(ODD_ID).frames == (event("odd"),)
    assert len(source.sessions()) == 4


def test_sessions_of_adk(server: Server, way: str) -> None:
    source = opened(server, way, "adk")
    assert [(one.id, one.agent, one.user) for one in source.sessions()] == [("s-1", "app", "u1")]
    assert source.record().frames == (event("z"), event("a"), event("m"))


def test_an_event_that_is_nested_too_deep_is_told_and_the_others_are_read(server: Server) -> None:
    record = PostgresSource(server.dsn("deep")).record()
    assert record.frames == (event("z"), event("m"))
    assert [one.reason for one in record.broken] == ["row 'a', no JSON: nested too deep to be read"]


def test_a_pickled_column_is_never_read(server: Server, way: str) -> None:
    found = understood(opened(server, way, "old").record())
    assert "actions" not in json.dumps(found.frames)
    started = found.adapted.events[0]
    assert isinstance(started, TurnStarted)
    assert (started.message, started.at) == ("Where?", 1767261600.0)


def test_other_tables_are_refused(server: Server, way: str) -> None:
    with pytest.raises(RecordError, match="neither a table event nor a table events"):
        opened(server, way, "other").sessions()


def test_a_database_that_is_not_there_is_told(server: Server, way: str) -> None:
    with pytest.raises(RecordError, match='database "nowhere" does not exist'):
        opened(server, way, "nowhere").sessions()


def test_a_wrong_password_is_told_without_it(server: Server) -> None:
    with pytest.raises(RecordError, match="password authentication failed") as error:
        PostgresSource(server.dsn("kagent", password="swordfish")).sessions()  # noqa: S106  # wrong
    assert not {PASSWORD, "swordfish"} & set(str(error.value).replace('"', " ").split())


def test_nothing_can_be_written(server: Server, way: str) -> None:
    with pytest.raises(RecordError, match="cannot execute INSERT in a read-only transaction"):
        opened(server, way, "writing").sessions()


def test_a_statement_that_takes_too_long_is_stopped(server: Server, way: str) -> None:
    quick: SessionSource = PostgresSource(server.dsn("kagent"), statement_seconds=0.3)
    if way == "psql":
        quick = KubectlSource(ClusterDatabase(), limits=KubectlLimits(statement_seconds=0.3))
    with psycopg.connect(server.dsn("kagent")) as other:
        other.execute("LOCK TABLE event IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(RecordError, match="canceling statement due to statement timeout"):
            quick.sessions()
