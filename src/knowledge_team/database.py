"""One SQLite connection, in memory or in a file: one thread at a time, transactions whole."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock


class Database:
    """A connection that the stores of one team share.

    Args:
        path: The file, made where there is none; None for a database in memory.

    """

    def __init__(self, path: Path | None = None) -> None:
        # Re-entrant: a transaction over two stores is made of the transactions of each.
        self._lock = RLock()
        self._depth = 0
        self._db = sqlite3.connect(":memory:" if path is None else path, check_same_thread=False)

    def create(self, schema: str) -> None:
        """Make the tables that are not there yet."""
        with self._lock:
            self._db.executescript(schema)

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """Yield the connection; what is written is kept as a whole, or after an error not at all.

        A transaction inside another is part of it.
        """
        with self._lock:
            self._depth += 1
            try:
                if self._depth > 1:
                    yield self._db
                else:
                    with self._db:
                        yield self._db
            finally:
                self._depth -= 1

    def close(self) -> None:
        """Let go of the file; closing twice does nothing."""
        with self._lock:
            self._db.close()
