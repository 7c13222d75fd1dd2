from collections.abc import Iterator
from sqlite3 import Connection

import pytest

from knowledge_team.database import Database
from knowledge_team.facts import Entity, EntityName, Relation
from knowledge_team.staging import (
    STAGING_SCHEMA,
    clear_stage,
    stage_facts,
    staged_facts,
    unstage_facts,
)

PIER = Entity(name="Pier 4", entity_type="place", description="Long.")
SERVES = Relation(from_entity="Vela", relation_type="serves", to_entity="Pier 4")


@pytest.fixture
def db() -> Iterator[Connection]:
    database = Database()
    database.create(STAGING_SCHEMA)
    with database.transaction() as connection:
        yield connection
    database.close()


def test_facts_are_read_as_they_were_staged(db: Connection) -> None:
    stage_facts(db, "a", [SERVES, PIER])
    assert (staged_facts(db, "a"), staged_facts(db, "b")) == ((SERVES, PIER), ())


def test_a_fact_is_staged_once_in_its_last_form(db: Connection) -> None:
    newer = Entity(name="PIER 4", entity_type="place", description="Short.")
    stage_facts(db, "a", [PIER, SERVES])
    stage_facts(db, "a", [newer])
    assert staged_facts(db, "a") == (newer, SERVES)


def test_facts_are_taken_back_one_by_one_or_all(db: Connection) -> None:
    stage_facts(db, "a", [PIER, SERVES])
    unstage_facts(db, "a", [EntityName(name="PIER 4"), EntityName(name="Quay")])
    assert staged_facts(db, "a") == (SERVES,)
    clear_stage(db, "a")
    assert staged_facts(db, "a") == ()
