"""The knowledge graph in SQLite: in memory, or one file. Thread safe, parameterised SQL only."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from sqlite3 import Connection
from typing import Literal, Self

from knowledge_team.database import Database
from knowledge_team.embedding import Vector, embed
from knowledge_team.facts import Entity, Fact, Hit, Relation, fact_text
from knowledge_team.ranking import Ranked, by_name, by_shared_words, by_similarity, fused
from knowledge_team.words import content_words, name_key, plain_words

type SearchMode = Literal["hybrid", "vector", "keyword"]
"""By the words, by the spelling of the words, or by the ranks in both."""

DEFAULT_TOP_K = 10
"""Hits of a search that does not say how many."""

_CANDIDATES = 200
"""Facts that a search by words looks at: enough for any `top_k`, few enough to sort."""

_MAX_QUERY_WORDS = 32
"""Words of a query that count: a page of text pasted as a query must not become a page of SQL."""

# The index holds folded words, and folds accents by itself as well (`remove_diacritics 2` is the
# form that handles every composed character). Its rowid is 2 * id for an entity, and 2 * id + 1
# for a relation.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entities (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    entity_type TEXT NOT NULL,
    description TEXT NOT NULL,
    source TEXT NOT NULL,
    UNIQUE (name_key, source)
);
CREATE TABLE IF NOT EXISTS relations (
    id INTEGER PRIMARY KEY,
    from_entity TEXT NOT NULL,
    from_key TEXT NOT NULL,
    relation_type TEXT NOT NULL,
    to_entity TEXT NOT NULL,
    to_key TEXT NOT NULL,
    description TEXT NOT NULL,
    source TEXT NOT NULL,
    UNIQUE (from_key, relation_type, to_key, source)
);
CREATE INDEX IF NOT EXISTS relations_by_target ON relations (to_key);
CREATE VIRTUAL TABLE IF NOT EXISTS fact_words
    USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2');
"""

_UPSERT_ENTITY = """
INSERT INTO entities (name, name_key, entity_type, description, source) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (name_key, source) DO UPDATE SET
    name = excluded.name, entity_type = excluded.entity_type, description = excluded.description
RETURNING id
"""

_UPSERT_RELATION = """
INSERT INTO relations
    (from_entity, from_key, relation_type, to_entity, to_key, description, source)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (from_key, relation_type, to_key, source) DO UPDATE SET
    from_entity = excluded.from_entity, to_entity = excluded.to_entity,
    description = excluded.description
RETURNING id
"""

_ENTITY_COLUMNS = "SELECT name, entity_type, description, source FROM entities"
_RELATION_COLUMNS = (
    "SELECT from_entity, relation_type, to_entity, description, source FROM relations"
)
_FACT_IDS_OF_SOURCE = """
SELECT 2 * id FROM entities WHERE source = ?
UNION ALL SELECT 2 * id + 1 FROM relations WHERE source = ?
"""


class GraphStore:
    """Entities and relations, each owned by its source, found by words or by likeness.

    Args:
        path: The file, made where there is none; None for a store in memory.

    """

    def __init__(self, path: Path | None = None) -> None:
        self._vectors: dict[int, Vector] = {}
        self._database = Database(path)
        self._database.create(_SCHEMA)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; closing twice does nothing."""
        self._database.close()

    @property
    def database(self) -> Database:
        """Where the facts are kept, for those who keep something beside them."""
        return self._database

    def upsert_entities(self, entities: Iterable[Entity]) -> None:
        """Add these records, each in place of what its source said of that name before."""
        with self._database.transaction() as db:
            for entity in entities:
                key = name_key(entity.name)
                row = (entity.name, key, entity.entity_type, entity.description, entity.source)
                self._index(db, _UPSERT_ENTITY, row, entity)

    def upsert_relations(self, relations: Iterable[Relation]) -> None:
        """Add these records, each in place of what its source said of that relation before."""
        with self._database.transaction() as db:
            for relation in relations:
                row = (
                    relation.from_entity,
                    name_key(relation.from_entity),
                    relation.relation_type,
                    relation.to_entity,
                    name_key(relation.to_entity),
                    relation.description,
                    relation.source,
                )
                self._index(db, _UPSERT_RELATION, row, relation)

    def replace_source(self, source: str, facts: Iterable[Fact]) -> None:
        """Let these facts be all that the source says; other sources keep their own records."""
        stated = tuple(facts)
        with self._database.transaction() as db:
            self._forget(db, source)
            self.upsert_entities(fact for fact in stated if isinstance(fact, Entity))
            self.upsert_relations(fact for fact in stated if isinstance(fact, Relation))

    def source_facts(self, source: str) -> tuple[Fact, ...]:
        """Return all that the source says: its entities, then its relations."""
        where = "WHERE source = ? ORDER BY id"
        entities = self._rows(f"{_ENTITY_COLUMNS} {where}", source)
        relations = self._rows(f"{_RELATION_COLUMNS} {where}", source)
        return (*map(_entity, entities), *map(_relation, relations))

    def search(
        self, query: str, *, top_k: int = DEFAULT_TOP_K, mode: SearchMode = "hybrid"
    ) -> tuple[Hit, ...]:
        """Return at most `top_k` facts that fit the query, best first.

        Any text is a query: its words are looked for, and nothing in it is syntax.
        """
        with self._database.transaction() as db:
            match mode:
                case "keyword":
                    scored = _by_words(db, query)
                case "vector":
                    scored = self._by_likeness(db, query)
                case "hybrid":
                    likely = self._by_likeness(db, query)
                    scored = fused(_by_words(db, query), likely, _by_name(db, query))
            best = scored[: max(top_k, 0)]
            return tuple(Hit(fact=_fact(db, fact_id), score=score) for fact_id, score in best)

    def entities(self, name: str) -> tuple[Entity, ...]:
        """Return what each source says of the entity of this name."""
        rows = self._rows(f"{_ENTITY_COLUMNS} WHERE name_key = ? ORDER BY id", name_key(name))
        return tuple(_entity(row) for row in rows)

    def edges(self, name: str) -> tuple[Relation, ...]:
        """Return the relations from and to the entity of this name."""
        key = name_key(name)
        where = "WHERE from_key = ? OR to_key = ? ORDER BY id"
        return tuple(_relation(row) for row in self._rows(f"{_RELATION_COLUMNS} {where}", key, key))

    def neighbours(self, name: str) -> tuple[Entity, ...]:
        """Return the entities one relation away from the entity of this name."""
        key = name_key(name)
        where = (
            "WHERE name_key <> ? AND (name_key IN (SELECT to_key FROM relations WHERE from_key = ?)"
            " OR name_key IN (SELECT from_key FROM relations WHERE to_key = ?)) ORDER BY id"
        )
        rows = self._rows(f"{_ENTITY_COLUMNS} {where}", key, key, key)
        return tuple(_entity(row) for row in rows)

    def _rows(self, sql: str, *parameters: str) -> list[Sequence[str]]:
        with self._database.transaction() as db:
            return db.execute(sql, parameters).fetchall()

    def _index(self, db: Connection, upsert: str, row: tuple[str, ...], fact: Fact) -> None:
        ((record_id,),) = db.execute(upsert, row).fetchall()
        fact_id = 2 * record_id + isinstance(fact, Relation)
        self._vectors.pop(fact_id, None)
        words = " ".join(plain_words(fact_text(fact)))
        db.execute("DELETE FROM fact_words WHERE rowid = ?", (fact_id,))
        db.execute("INSERT INTO fact_words (rowid, words) VALUES (?, ?)", (fact_id, words))

    def _forget(self, db: Connection, source: str) -> None:
        for fact_id, *_ in db.execute(_FACT_IDS_OF_SOURCE, (source, source)).fetchall():
            self._vectors.pop(fact_id, None)
            db.execute("DELETE FROM fact_words WHERE rowid = ?", (fact_id,))
        db.execute("DELETE FROM entities WHERE source = ?", (source,))
        db.execute("DELETE FROM relations WHERE source = ?", (source,))

    def _by_likeness(self, db: Connection, query: str) -> Ranked:
        for fact_id, words in db.execute("SELECT rowid, words FROM fact_words"):
            if fact_id not in self._vectors:
                self._vectors[fact_id] = embed(words)
        return by_similarity(" ".join(content_words(query)), self._vectors)


def _by_words(db: Connection, query: str) -> Ranked:
    words = content_words(query)[:_MAX_QUERY_WORDS]
    if not words:
        return []
    # Folded words hold neither quotes nor operators, so this is no syntax but what we write.
    match = " OR ".join(f'"{word}"' for word in words)
    sql = "SELECT rowid, words FROM fact_words WHERE words MATCH ? ORDER BY rank LIMIT ?"
    return by_shared_words(words, db.execute(sql, (match, _CANDIDATES)))


def _by_name(db: Connection, query: str) -> Ranked:
    names = db.execute("SELECT 2 * id, name_key FROM entities ORDER BY id")
    return by_name(content_words(query), names)


def _fact(db: Connection, fact_id: int) -> Fact:
    record_id, is_relation = divmod(fact_id, 2)
    columns = _RELATION_COLUMNS if is_relation else _ENTITY_COLUMNS
    row = db.execute(f"{columns} WHERE id = ?", (record_id,)).fetchone()
    return _relation(row) if is_relation else _entity(row)


def _entity(row: Sequence[str]) -> Entity:
    name, entity_type, description, source = row
    return Entity(name=name, entity_type=entity_type, description=description, source=source)


def _relation(row: Sequence[str]) -> Relation:
    from_entity, relation_type, to_entity, description, source = row
    return Relation(
        from_entity=from_entity,
        relation_type=relation_type,
        to_entity=to_entity,
        description=description,
        source=source,
    )
