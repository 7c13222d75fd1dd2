"""From what a user writes to a source."""

import json
import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest

from audition.errors import CallError, RecordError
from audition.sniff import shape_named
from audition.sources.addresses import is_file_address, open_source, source_address
from audition.sources.files import FileSource
from audition.sources.kagent_rest import KagentRestSource
from audition.sources.kubectl import KubectlSource
from audition.sources.postgres import PostgresSource
from audition.sources.sqlite import SqliteSource
from tests.sources.kagent_server import serving
from tests.sources.kubectl import on_path

NOTHING: Mapping[str, str] = {}


def test_a_database_is_known_by_its_first_bytes_and_not_by_its_name(tmp_path: Path) -> None:
    for name in ("a.db", "a.jsonl"):
        connection = sqlite3.connect(tmp_path / name)
        connection.execute("CREATE TABLE events (id, session_id, author, content)")
        connection.close()
        assert isinstance(open_source(str(tmp_path / name)), SqliteSource)
    (tmp_path / "b.db").write_text("{}")
    for file in (str(tmp_path / "b.db"), str(tmp_path / "gone.db"), "-"):
        assert isinstance(open_source(file), FileSource)


def test_a_user_of_a_file_that_knows_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CallError, match="user: found 'ana'; wanted none: no file of frames says"):
        open_source(str(tmp_path / "a.jsonl"), user="ana")


def test_a_pipe_is_not_read_to_find_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert isinstance(open_source(str(tmp_path / "pipe")), FileSource)


def test_the_shape_of_a_file_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"x": 1}')
    source = open_source(str(tmp_path / "a.jsonl"), shape=shape_named("adk"))
    assert source.record().frames == ({"x": 1},)


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("postgres://ana@127.0.0.1/db", PostgresSource),
        ("postgresql://ana@127.0.0.1/db", PostgresSource),
        ("http://127.0.0.1:8083", KagentRestSource),
        ("https://kagent.example.org", KagentRestSource),
        ("kubectl:", KubectlSource),
        ("kubectl:harbour/pg-0", KubectlSource),
    ],
)
def test_a_scheme_says_what_it_is(address: str, kind: type) -> None:
    assert isinstance(open_source(address, environ=NOTHING), kind)


@pytest.mark.parametrize("address", ["mysql://ana:hunter2@host/db", "s3://bucket/x"])
def test_another_scheme_is_refused_without_what_stands_behind_it(address: str) -> None:
    with pytest.raises(CallError, match="wanted a file, -, postgres://") as error:
        open_source(address)
    assert "hunter2" not in str(error.value)


def test_what_an_address_leaves_out_comes_from_the_environment() -> None:
    with serving() as kagent:
        kagent.answer("/api/sessions", [])
        environ = {"KAGENT_URL": kagent.url, "KAGENT_TOKEN": "t\n", "KAGENT_USER_ID": "bo"}
        open_source("kagent:", environ=environ).sessions()
        open_source(kagent.url, environ=environ, user="ana").sessions()
        open_source(kagent.url, environ=NOTHING).sessions()
    assert [path.partition("=")[2] for path in kagent.asked] == ["bo", "ana", "admin%40kagent.dev"]
    assert kagent.tokens == ["Bearer t", "Bearer t", None]


def test_a_database_may_be_named_by_the_environment() -> None:
    environ = {"KAGENT_DB_DSN": "host=127.0.0.1 port=1 dbname=kagent"}
    with pytest.raises(RecordError, match=r"postgres://127\.0\.0\.1:1/kagent: "):
        open_source("postgres:", environ=environ).sessions()


@pytest.mark.parametrize("alone", ["postgres:", "kagent:"])
def test_an_environment_that_names_nothing_is_told(alone: str) -> None:
    with pytest.raises(CallError, match=r"wanted KAGENT_(DB_DSN|URL) in the environment"):
        open_source(alone, environ=NOTHING)


def test_where_kubectl_looks_is_said_by_the_address_then_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kubectl = on_path(tmp_path, monkeypatch)
    kubectl.fails(1)
    environ = {
        "KAGENT_NAMESPACE": "east",
        "KAGENT_CONTEXT": "spare",
        "KAGENT_DB_PASSWORD": "hunter2",
        "AUDITION_DB_USER": "reader",
        "AUDITION_DB_NAME": "records",
    }
    for address, context in (("kubectl:", None), ("kubectl:west/sts/pg", "main")):
        with pytest.raises(RecordError):
            open_source(address, context=context, environ=environ).sessions()
    first, second = kubectl.arguments(0), kubectl.arguments(1)
    told = ["-n", "east", "exec", "-i", "deploy/kagent-postgresql", "--"]
    assert first[:8] == ["--context", "spare", *told]
    assert second[:7] == ["--context", "main", "-n", "west", "exec", "-i", "sts/pg"]
    assert first[-4:] == ["-U", "reader", "-d", "records"]
    assert kubectl.given(0)[0] == "hunter2"


def test_the_environment_is_that_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as kagent:
        kagent.answer("/api/sessions/s-1", {"events": [{"data": json.dumps({"author": "user"})}]})
        monkeypatch.setenv("KAGENT_URL", kagent.url)
        assert open_source("kagent:").record("s-1").frames == ({"author": "user"},)


@pytest.mark.parametrize("text", ["talks.jsonl", "kubectl:desk", "postgres:", "kagent:"])
def test_an_address_without_a_password_is_kept_as_it_is(text: str) -> None:
    made = source_address(text, user="ana", context="c")
    assert (made.address, made.user, made.context, made.settings) == (text, "ana", "c", {})


def test_an_address_that_may_hold_a_password_is_opened_and_never_told() -> None:
    rest = source_address("http://ana:pw-1@kagent.example.org:8083")
    assert isinstance(rest.open(), KagentRestSource)
    assert isinstance(source_address("postgres://ana:pw-1@db/d").open(), PostgresSource)
    assert "pw-1" not in rest.model_dump_json() + repr(rest)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a/b.jsonl", True), ("-", True), ("kubectl:", False), ("ftp://a", False), ("kagent:", False)],
)
def test_what_is_no_scheme_is_a_file(text: str, *, expected: bool) -> None:
    assert is_file_address(text) is expected
