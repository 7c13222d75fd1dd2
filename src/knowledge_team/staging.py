"""What ingestions under way have stated so far, kept beside the graph, where no search sees it."""

from collections.abc import Iterable
from sqlite3 import Connection

from pydantic import TypeAdapter

from knowledge_team.facts import Fact, FactName, fact_key

STAGING_SCHEMA = """
CREATE TABLE IF NOT EXISTS staged_facts (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    fact_key TEXT NOT NULL,
    fact BLOB NOT NULL,
    UNIQUE (url, fact_key)
);
"""

_UPSERT = """
INSERT INTO staged_facts (url, fact_key, fact) VALUES (?, ?, ?)
ON CONFLICT (url, fact_key) DO UPDATE SET fact = excluded.fact
"""

_FACTS = TypeAdapter[Fact](Fact)


def staged_facts(db: Connection, url: str) -> tuple[Fact, ...]:
    """Return what the page's ingestion has stated so far, in the order it first did."""
    rows = db.execute("SELECT fact FROM staged_facts WHERE url = ? ORDER BY id", (url,))
    return tuple(_FACTS.validate_json(text) for (text,) in rows)


def stage_facts(db: Connection, url: str, facts: Iterable[Fact]) -> None:
    """Add these; a fact that was stated before is stated anew."""
    rows = ((url, fact_key(fact), _FACTS.dump_json(fact)) for fact in facts)
    db.executemany(_UPSERT, rows)


def unstage_facts(db: Connection, url: str, facts: Iterable[FactName]) -> None:
    """Take these back; those that were not stated change nothing."""
    keys = ((url, fact_key(fact)) for fact in facts)
    db.executemany("DELETE FROM staged_facts WHERE url = ? AND fact_key = ?", keys)


def clear_stage(db: Connection, url: str) -> None:
    """Forget all that the page's ingestion has stated."""
    db.execute("DELETE FROM staged_facts WHERE url = ?", (url,))
