import asyncio
import json
from typing import Any

import pytest

from knowledge_team.errors import IngestionError
from knowledge_team.facts import Entity
from knowledge_team.ingestion import IngestionLedger
from knowledge_team.pages import Page
from knowledge_team.store import GraphStore
from knowledge_team.tools.ingestion import CommitIngestionCard, FailIngestionCard

OLD = Page(url="https://eval.invalid/vela", text="Vela runs ferries.")
NEW = Page(url=OLD.url, text="Vela runs trains.")


def entity(name: str) -> Entity:
    return Entity(name=name, entity_type="thing", description="")


def call(
    store: GraphStore, card: CommitIngestionCard | FailIngestionCard, **arguments: str
) -> dict[str, Any]:
    (tool,) = card.build(store)
    return json.loads(asyncio.run(tool.function_schema.function(**arguments)))


def begun(store: GraphStore, page: Page, *names: str) -> None:
    ledger = IngestionLedger(store)
    ledger.note_page(page)
    ledger.stage(page.url, [entity(name) for name in names])


def test_a_commit_says_what_it_ended(store: GraphStore) -> None:
    card = CommitIngestionCard()
    begun(store, OLD, "Vela", "Ferries")
    first = call(store, card, url=OLD.url, content_hash=OLD.content_hash)
    assert (first["status"], first["times_committed"]) == ("committed", 1)
    begun(store, NEW, "Vela")
    second = call(store, card, url=NEW.url, content_hash=NEW.content_hash)
    assert second["times_committed"] == 2
    assert second["removed"] == {"entities": ["Ferries"], "relations": []}


@pytest.mark.parametrize("unread_characters", [0, 500])
def test_a_commit_says_how_much_was_not_read(store: GraphStore, unread_characters: int) -> None:
    ledger = IngestionLedger(store)
    ledger.note_page(OLD, unread_characters=unread_characters)
    ledger.stage(OLD.url, [entity("Vela")])
    told = call(store, CommitIngestionCard(), url=OLD.url, content_hash=OLD.content_hash)
    assert told["unread_characters"] == unread_characters


def test_another_hash_is_refused(store: GraphStore) -> None:
    begun(store, OLD, "Vela")
    with pytest.raises(IngestionError, match="the pending content_hash is"):
        call(store, CommitIngestionCard(), url=OLD.url, content_hash=NEW.content_hash)


def test_a_failure_is_noted(store: GraphStore) -> None:
    begun(store, OLD, "Vela")
    told = call(store, FailIngestionCard(), url=OLD.url, reason="nothing useful")
    assert told == {
        "url": OLD.url,
        "status": "failed",
        "reason": "nothing useful",
        "times_committed": 0,
    }
    assert store.source_facts(OLD.url) == ()
