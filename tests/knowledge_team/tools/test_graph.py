import asyncio
import json
from typing import Any

import pytest
from pydantic import ValidationError

from knowledge_team.errors import IngestionError
from knowledge_team.facts import Entity, Relation, named
from knowledge_team.ingestion import IngestionLedger
from knowledge_team.pages import Page
from knowledge_team.store import GraphStore
from knowledge_team.tools.graph import UpdateGraphCard

PAGE = Page(url="https://eval.invalid/vela", text="Vela runs ferries.")
VELA = {"name": " Vela ", "entity_type": "company", "description": "Vela runs ferries."}
RUNS = {"from_entity": "Vela", "relation_type": "runs", "to_entity": "Ferries"}


def update(store: GraphStore, **arguments: Any) -> dict[str, Any]:
    (tool,) = UpdateGraphCard().build(store)
    checked = tool.function_schema.validator.validate_python({"source_url": PAGE.url, **arguments})
    return json.loads(asyncio.run(tool.function_schema.function(**checked)))


def test_what_a_page_states_counts_from_its_commit_on(store: GraphStore) -> None:
    ledger = IngestionLedger(store)
    ledger.note_page(PAGE)
    told = update(store, create_entities=[VELA], create_relations=[RUNS])
    assert (told["status"], told["entities"], told["relations"]) == ("pending", 1, 1)
    assert store.source_facts(PAGE.url) == ()
    ledger.commit(PAGE.url, PAGE.content_hash)
    assert store.source_facts(PAGE.url) == (
        Entity(
            name="Vela", entity_type="company", description="Vela runs ferries.", source=PAGE.url
        ),
        Relation(**RUNS, source=PAGE.url),
    )


def test_it_is_told_what_could_be_deleted(store: GraphStore) -> None:
    IngestionLedger(store).note_page(PAGE)
    update(store, create_entities=[VELA], create_relations=[RUNS])
    told = update(store, delete_entities=["vela", "Mira Solberg"], delete_relations=[RUNS])
    assert (told["entities"], told["relations"]) == (0, 0)
    assert told["deleted"] == {"entities": ["vela"], "relations": [RUNS]}
    assert told["not_of_this_source"] == {"entities": ["Mira Solberg"], "relations": []}
    assert store.entities("Mira Solberg")


def test_a_page_that_was_not_fetched_is_refused(store: GraphStore) -> None:
    with pytest.raises(IngestionError, match="was not fetched; call web_fetch_tool first"):
        update(store, create_entities=[VELA])


@pytest.mark.parametrize(
    "wrong",
    [
        {"create_entities": [{**VELA, "name": " "}]},
        {"create_entities": [{**VELA, "colour": "red"}]},
        {"create_relations": [{"from_entity": "Vela"}]},
        {"delete_entities": ["Pier"] * 501},
    ],
)
def test_arguments_are_checked(store: GraphStore, wrong: dict[str, Any]) -> None:
    IngestionLedger(store).note_page(PAGE)
    with pytest.raises(ValidationError):
        update(store, **wrong)


def test_facts_are_named_in_the_form_of_those_to_delete(store: GraphStore) -> None:
    ledger = IngestionLedger(store)
    ledger.note_page(PAGE)
    ferries = Entity(name="Ferries", entity_type="thing", description="Of steel.")
    ledger.stage(PAGE.url, [ferries, Relation(**RUNS, description="Daily.")])
    names = named([ferries, Relation(**RUNS)])
    assert names == {"entities": ["Ferries"], "relations": [RUNS]}
    told = update(store, delete_entities=names["entities"], delete_relations=names["relations"])
    assert (told["deleted"], told["entities"], told["relations"]) == (names, 0, 0)


def test_what_is_both_created_and_deleted_is_refused(store: GraphStore) -> None:
    IngestionLedger(store).note_page(PAGE)
    with pytest.raises(IngestionError, match="both stated and deleted"):
        update(store, create_entities=[VELA], delete_entities=["VELA"])
