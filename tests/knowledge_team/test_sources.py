from dataclasses import replace

from knowledge_team.database import Database
from knowledge_team.sources import (
    SOURCES_SCHEMA,
    Source,
    add_later_columns,
    read_source,
    write_source,
)

VELA = Source(
    url="https://eval.invalid/vela",
    state="pending",
    pending_hash="abc",
    first_seen_at=1.5,
    last_seen_at=2.5,
)
ORCA = replace(
    VELA, url="https://eval.invalid/orca", last_seen_at=3.5, committed_hash="def", committed_at=3.0
)


def test_a_page_is_read_as_it_was_written() -> None:
    database = Database()
    database.create(SOURCES_SCHEMA)
    with database.transaction() as db:
        assert read_source(db, VELA.url) is None
        for source in (VELA, ORCA, replace(VELA, state="failed", failure="gone")):
            write_source(db, source)
        assert read_source(db, VELA.url) == replace(VELA, state="failed", failure="gone")
        assert read_source(db, ORCA.url) == ORCA


def test_the_table_of_an_older_database_gets_the_columns_that_it_lacks() -> None:
    database = Database()
    later = SOURCES_SCHEMA.index(",\n    pending_unread_characters")
    database.create(f"{SOURCES_SCHEMA[:later]});")
    with database.transaction() as db:
        row = (VELA.url, "pending", None, None, None, 1.5, 2.5, None, 3)
        db.execute("INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        for _ in range(2):  # the second time there is nothing to do
            add_later_columns(db)
        assert read_source(db, VELA.url) == replace(VELA, pending_hash=None, times_committed=3)
        write_source(db, replace(VELA, pending_unread_characters=7))
        assert read_source(db, VELA.url) == replace(VELA, pending_unread_characters=7)
