"""What is told of a Postgres database that cannot be asked; its answers are in tests/foreign."""

import sys

import pytest

from audition.errors import RecordError, SetupError
from audition.sources.postgres import PostgresSource

UNREADABLE = (
    "postgres://ana:hun/ter2@host/db",
    "postgres://ana:12/hunter2@host/db",
    "postgres://ana:hunter2@ter2@host/db",
    "postgres://ana:hunter2@[::1/db",
    "host=x password=hun ter2",
)


@pytest.mark.parametrize("dsn", UNREADABLE)
def test_nothing_is_told_of_a_name_that_is_not_read(dsn: str) -> None:
    with pytest.raises(RecordError) as error:
        PostgresSource(dsn)
    assert str(error.value).startswith("postgres: this names no database; wanted postgres://USER:")
    assert "hun" not in str(error.value)


@pytest.mark.parametrize(
    "dsn",
    ["postgres://ana:hunter2@127.0.0.1:1/db", "host=127.0.0.1 port=1 dbname=db password=hunter2"],
)
def test_a_server_that_is_not_there_is_told_by_its_place(dsn: str) -> None:
    with pytest.raises(RecordError, match=r"postgres://127\.0\.0\.1:1/db: .*refused") as error:
        PostgresSource(dsn).sessions()
    assert "hunter2" not in str(error.value)


def test_a_password_that_the_driver_tells_is_covered() -> None:
    dsn = "postgres://127.0.0.1:1/db?password=hunter2&sslmode=hunter2"
    with pytest.raises(RecordError, match=r'invalid sslmode value: "\*\*\*"'):
        PostgresSource(dsn).sessions()


def test_a_driver_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(SetupError, match=r'wanted: pip install "audition\[postgres\]"'):
        PostgresSource("postgres://127.0.0.1/db")
