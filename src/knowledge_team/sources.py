"""The pages that were taken in, one row each: how they stand, not what they say."""

from dataclasses import asdict, dataclass, fields
from sqlite3 import Connection
from typing import Literal

from pydantic import TypeAdapter

type SourceState = Literal["pending", "committed", "failed"]
"""How the last ingestion of a page stands; what was committed before it is not touched by it."""

SOURCES_SCHEMA = """
CREATE TABLE IF NOT EXISTS sources (
    url TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    committed_hash TEXT,
    pending_hash TEXT,
    failure TEXT,
    first_seen_at REAL NOT NULL,
    last_seen_at REAL NOT NULL,
    committed_at REAL,
    times_committed INTEGER NOT NULL,
    pending_unread_characters INTEGER NOT NULL DEFAULT 0,
    committed_unread_characters INTEGER NOT NULL DEFAULT 0
);
"""

_LATER_COLUMNS = ("pending_unread_characters", "committed_unread_characters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A page that somebody wanted taken in.

    Attributes:
        url: Its address, in the spelling that owns its facts.
        state: How its last ingestion stands.
        committed_hash: The hash of the text whose facts are in the graph, None before the first.
        pending_hash: The hash of the text that is being taken in, None where none is.
        failure: Why the last ingestion failed, None where it did not.
        first_seen_at: When it was first fetched, or tried to; seconds since the epoch.
        last_seen_at: When it was last.
        committed_at: When an ingestion was last committed, None before the first.
        times_committed: How many were.
        pending_unread_characters: How much at the end of the text that is being taken in is not
            read, since the text is too long.
        committed_unread_characters: The same of the text whose facts are in the graph.

    """

    url: str
    state: SourceState
    committed_hash: str | None = None
    pending_hash: str | None = None
    failure: str | None = None
    first_seen_at: float
    last_seen_at: float
    committed_at: float | None = None
    times_committed: int = 0
    pending_unread_characters: int = 0
    committed_unread_characters: int = 0


_COLUMNS = tuple(field.name for field in fields(Source))
_NAMES, _VALUES = ", ".join(_COLUMNS), ", ".join(f":{name}" for name in _COLUMNS)
# The names are those of the fields above, so neither text can hold anything foreign.
_READ = f"SELECT {_NAMES} FROM sources WHERE url = ?"  # noqa: S608
_WRITE = f"INSERT OR REPLACE INTO sources ({_NAMES}) VALUES ({_VALUES})"  # noqa: S608
_ROWS = TypeAdapter(Source)


def add_later_columns(db: Connection) -> None:
    """Give the table of an older database the columns that it lacks."""
    there = {name for _, name, *_ in db.execute("PRAGMA table_info(sources)")}
    for name in _LATER_COLUMNS:
        if name not in there:
            db.execute(f"ALTER TABLE sources ADD COLUMN {name} INTEGER NOT NULL DEFAULT 0")


def read_source(db: Connection, url: str) -> Source | None:
    """Return the page of this address, None where it was never asked for."""
    row = db.execute(_READ, (url,)).fetchone()
    return None if row is None else _ROWS.validate_python(dict(zip(_COLUMNS, row, strict=True)))


def write_source(db: Connection, source: Source) -> None:
    """Keep this of the page, in the place of what was kept before."""
    db.execute(_WRITE, asdict(source))
