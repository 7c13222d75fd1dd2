"""Sessions in an SQLite file: that of ADK's `DatabaseSessionService`, or of kagent's controller."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from audition.errors import RecordError
from audition.sources.source import Record, SessionInfo
from audition.sources.tables import TABLES, Rows, SessionTables, in_storing_order, layout_of

HEADER = b"SQLite format 3\x00"
"""How every file of SQLite begins."""

_BUSY_SECONDS = 5.0


class SqliteSource:
    """The sessions in an SQLite file, opened for reading at each question.

    Args:
        path: The file.
        user: Only the sessions of this user, None for those of all.

    """

    def __init__(self, path: Path, *, user: str | None = None) -> None:
        self._path = path
        self._user = user

    def sessions(self, *, agent: str | None = None, limit: int = 50) -> Sequence[SessionInfo]:
        """Return the sessions, as `SessionSource` says."""
        return self._tables().sessions(agent=agent, limit=limit)

    def record(self, session: str | None = None) -> Record:
        """Return a session, as `SessionSource` says."""
        return self._tables().record(session)

    def _tables(self) -> SessionTables:
        name = str(self._path)
        layout = layout_of(name, {table: self._columns(table) for table in TABLES})
        # The number of a row: SQLite counts up what it stores.
        return SessionTables(name, in_storing_order(layout, "rowid"), self._query, user=self._user)

    def _columns(self, table: str) -> list[str]:
        return [str(row[1]) for row in self._query(f"PRAGMA table_info({table})", ())]

    def _query(self, statement: str, values: Sequence[object]) -> Rows:
        uri = f"file:{quote(str(self._path))}?mode=ro"
        try:
            with closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS)) as connection:
                connection.text_factory = _text
                return connection.execute(statement, tuple(values)).fetchall()
        except sqlite3.Error as error:
            raise RecordError(str(self._path), str(error)) from None


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")
