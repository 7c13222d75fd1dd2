"""Sessions in a Postgres database: that of ADK's `DatabaseSessionService`, or of kagent.

The driver is the extra `postgres`, imported at the first question. A password that stands in what
names the database is in no text.
"""

from collections.abc import Sequence
from typing import Any

from audition.errors import RecordError, SetupError
from audition.sources.source import Record, SessionInfo
from audition.sources.tables import (
    TABLES,
    Query,
    Rows,
    SessionTables,
    in_storing_order,
    layout_of,
)

CONNECT_SECONDS = 10
STATEMENT_SECONDS = 60.0

_NAME = "postgres"
_NO_DRIVER = 'psycopg is not installed; wanted: pip install "audition[postgres]"'
_UNREADABLE = (
    "this names no database; wanted postgres://USER:PASSWORD@HOST:PORT/DATABASE, every @ / : ? and"
    " # of a user or a password written as %40 %2F %3A %3F and %23"
)
_COLUMNS = (
    "SELECT table_name, column_name FROM information_schema.columns"
    " WHERE table_schema = ANY (current_schemas(false)) AND table_name IN (?, ?, ?)"
    " ORDER BY table_name, ordinal_position"
)


class PostgresSource:
    """The sessions in a Postgres database, which is connected to at each question.

    Args:
        dsn: What names the database, as libpq reads it: a URL, or `host=… dbname=…`. What it
            leaves out comes from libpq's own environment variables and files.
        user: Only the sessions of this user, None for those of all.
        statement_seconds: How long the database may take for one answer.

    Raises:
        SetupError: The driver is not installed.
        RecordError: The database is named in a way that libpq does not read.

    """

    def __init__(
        self,
        dsn: str,
        *,
        user: str | None = None,
        statement_seconds: float = STATEMENT_SECONDS,
    ) -> None:
        fields = _fields_of(dsn)
        place = ":".join(str(fields[key]) for key in ("host", "port") if fields.get(key))
        self._name = f"postgres://{place}/{fields.get('dbname') or ''}"
        self._secrets = [str(fields[key]) for key in ("password", "sslpassword") if fields.get(key)]
        self._dsn = dsn
        self._user = user
        self._seconds = statement_seconds

    def sessions(self, *, agent: str | None = None, limit: int = 50) -> Sequence[SessionInfo]:
        """Return the sessions, as `SessionSource` says."""
        return self._tables().sessions(agent=agent, limit=limit)

    def record(self, session: str | None = None) -> Record:
        """Return a session, as `SessionSource` says."""
        return self._tables().record(session)

    def _tables(self) -> SessionTables:
        return tables_in_postgres(self._name, self._query, user=self._user)

    def _query(self, statement: str, values: Sequence[object]) -> Rows:
        import psycopg  # noqa: PLC0415  # an extra
        from psycopg.types.json import set_json_loads  # noqa: PLC0415  # as above

        try:
            with psycopg.connect(
                self._dsn,
                autocommit=True,
                connect_timeout=CONNECT_SECONDS,
                tcp_user_timeout=int(1000 * self._seconds),
                client_encoding="utf8",
                application_name="audition",
            ) as connection:
                # As the text that is stored: it is read in one place, whatever the database.
                set_json_loads(_as_text, connection)
                for setting in settings(self._seconds):
                    connection.execute(setting.encode())
                asked = statement.replace("?", "%s").encode()
                return connection.execute(asked, values).fetchall()
        except psycopg.Error as error:
            raise RecordError(self._name, self._told(error)) from None

    def _told(self, error: Exception) -> str:
        text = " ".join(str(error).split()) or type(error).__name__
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


def _as_text(stored: str | bytes) -> str:
    return stored if isinstance(stored, str) else stored.decode("utf-8", "replace")


def settings(statement_seconds: float) -> tuple[str, ...]:
    """Return what is said to the database before anything is asked."""
    return (
        f"SET statement_timeout = {int(1000 * statement_seconds)}",
        "SET default_transaction_read_only = on",
    )


def tables_in_postgres(name: str, query: Query, *, user: str | None) -> SessionTables:
    """Return the sessions in a Postgres database.

    Args:
        name: The database, for texts.
        query: Asks it.
        user: Only the sessions of this user, None for those of all.

    Raises:
        RecordError: It cannot be asked, or has none of the tables that are known here.

    """
    columns: dict[str, list[str]] = {}
    for table, column in query(_COLUMNS, TABLES):
        columns.setdefault(str(table), []).append(str(column))
    # The place of a row in its table, which grows while nothing is taken out of it.
    layout = in_storing_order(layout_of(name, columns), "ctid")
    return SessionTables(name, layout, query, user=user)


def _fields_of(dsn: str) -> dict[str, Any]:
    """Return what a DSN says; nothing of one that is not read is told: it may be a password."""
    try:
        import psycopg  # noqa: PLC0415  # an extra
        from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415  # as above
    except ImportError:
        raise SetupError(_NO_DRIVER) from None
    try:
        fields: dict[str, Any] = dict(conninfo_to_dict(dsn))
    except (psycopg.Error, ValueError):
        raise RecordError(_NAME, _UNREADABLE) from None
    # libpq takes the first @ or / for the end of a password, so that its rest names the host.
    if any(
        mark in str(fields.get(key, "")) for key in ("host", "port", "dbname") for mark in "@?#"
    ):
        raise RecordError(_NAME, _UNREADABLE)
    return fields
