import sqlite3
from pathlib import Path
from threading import Thread

import pytest

from knowledge_team.database import Database

SCHEMA = "CREATE TABLE IF NOT EXISTS boats (name TEXT)"


def names(database: Database) -> list[str]:
    with database.transaction() as db:
        return [name for (name,) in db.execute("SELECT name FROM boats ORDER BY rowid")]


def add(database: Database, name: str) -> None:
    with database.transaction() as db:
        db.execute("INSERT INTO boats VALUES (?)", (name,))


def add_and_fail(database: Database) -> None:
    with database.transaction() as db:
        add(database, "Vela")
        db.execute("INSERT INTO trains VALUES (1)")


@pytest.fixture
def database() -> Database:
    made = Database()
    made.create(SCHEMA)
    return made


def test_what_is_written_is_there(database: Database) -> None:
    add(database, "Vela")
    assert names(database) == ["Vela"]


def test_a_transaction_that_fails_leaves_nothing_of_those_inside_it(database: Database) -> None:
    with pytest.raises(sqlite3.OperationalError):
        add_and_fail(database)
    add(database, "Orca")
    assert names(database) == ["Orca"]


def test_tables_are_made_once(database: Database) -> None:
    add(database, "Vela")
    database.create(SCHEMA)
    assert names(database) == ["Vela"]


def test_threads_wait_for_each_other(database: Database) -> None:
    threads = [Thread(target=add, args=(database, f"Boat {number}")) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names(database)) == 8


def test_a_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "boats.sqlite3"
    for name in ("Vela", "Orca"):
        database = Database(path)
        database.create(SCHEMA)
        add(database, name)
        database.close()
        database.close()
    database = Database(path)
    assert names(database) == ["Vela", "Orca"]
    database.close()
