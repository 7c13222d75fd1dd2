import asyncio
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import ValidationError

from knowledge_team.facts import Entity, Relation
from knowledge_team.ingestion import IngestionLedger
from knowledge_team.pages import Page
from knowledge_team.sources import read_source
from knowledge_team.store import GraphStore
from knowledge_team.tools.web import WebFetchCard
from tests.knowledge_team.prepared_pages import PreparedPages

if TYPE_CHECKING:
    from knowledge_team.fetching import PageSource

VELA, ORCA = "https://eval.invalid/vela", "https://eval.invalid/orca"
FERRIES = Entity(name="Ferries", entity_type="thing", description="")
RUNS = Relation(from_entity="Vela", relation_type="runs", to_entity="Ferries")

type Fetch = Callable[..., dict[str, Any]]


def fetch(
    store: GraphStore, pages: "PageSource", *urls: str, force: bool = False, **card: Any
) -> dict[str, Any]:
    (tool,) = WebFetchCard(source=pages, **card).build(store)
    text = asyncio.run(tool.function_schema.function(urls=list(urls), force=force))
    found = json.loads(text)
    assert text == json.dumps(found, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return found


def commit(store: GraphStore, url: str, text: str) -> None:
    ledger = IngestionLedger(store)
    ledger.stage(url, [FERRIES, RUNS])
    ledger.commit(url, Page(url=url, text=text).content_hash)


def test_a_page_comes_with_its_hash_and_what_is_new_about_it(store: GraphStore) -> None:
    page = Page(url=VELA, text="Vela runs ferries.")
    assert fetch(store, PreparedPages({VELA: [page.text]}), VELA) == {
        "results": [
            {
                "url": VELA,
                "content_hash": page.content_hash,
                "content_status": "first",
                "raw_content": page.text,
            }
        ],
        "failed_results": [],
    }


def test_of_an_unchanged_page_no_text_is_returned(store: GraphStore) -> None:
    pages = PreparedPages({VELA: ["Vela runs ferries."]})
    fetch(store, pages, VELA)
    commit(store, VELA, "Vela runs ferries.")
    (result,) = fetch(store, pages, VELA)["results"]
    assert result["content_status"] == "unchanged"
    assert set(result) == {"url", "content_hash", "content_status"}


@pytest.mark.parametrize(
    ("after", "force", "status"),
    [("Vela runs trains.", False, "changed"), ("Vela runs ferries.", True, "forced")],
)
def test_what_the_page_stated_before_is_told(
    store: GraphStore, after: str, status: str, *, force: bool
) -> None:
    pages = PreparedPages({VELA: ["Vela runs ferries.", after]})
    fetch(store, pages, VELA)
    commit(store, VELA, "Vela runs ferries.")
    (result,) = fetch(store, pages, VELA, force=force)["results"]
    assert (result["content_status"], result["raw_content"]) == (status, after)
    assert result["previous_facts"] == {
        "entities": ["Ferries"],
        "relations": [{"from_entity": "Vela", "relation_type": "runs", "to_entity": "Ferries"}],
    }


def test_a_page_that_cannot_be_had_is_told_beside_those_that_can(store: GraphStore) -> None:
    pages = PreparedPages({VELA: ["Vela."]}, {ORCA: "timed out"})
    found = fetch(store, pages, VELA, ORCA, VELA, "ftp://x")
    assert [one["url"] for one in found["results"]] == [VELA]
    assert found["failed_results"] == [
        {"url": ORCA, "error": "timed out"},
        {"url": "ftp://x", "error": "the host is not known"},
    ]
    with store.database.transaction() as db:
        noted = [read_source(db, url) for url in (VELA, ORCA)]
    assert [one and one.failure for one in noted] == [None, "timed out"]


def test_a_long_page_is_cut_and_how_much_is_said(store: GraphStore) -> None:
    pages = PreparedPages({VELA: ["Vela runs ferries."]})
    (result,) = fetch(store, pages, VELA, max_characters=4)["results"]
    assert result["raw_content"] == "Vela"
    assert result["unread_characters"] == 14
    assert result["content_hash"] == Page(url=VELA, text="Vela runs ferries.").content_hash


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("Vela runs ferries. It has no trains.", "Vela runs ferries."),
        ("Vela runs ferries\nIt has no trains", "Vela runs ferries"),
        ("Vela. It runs ferries and it has no trains.", "Vela. It runs ferries and it has"),
        ("Vela runs ferries.", "Vela runs ferries."),
    ],
)
def test_no_sentence_is_cut_in_two_where_that_leaves_half_of_the_page(
    store: GraphStore, text: str, given: str
) -> None:
    (result,) = fetch(store, PreparedPages({VELA: [text]}), VELA, max_characters=32)["results"]
    assert (result["raw_content"], result.get("unread_characters", 0)) == (
        given,
        len(text) - len(given),
    )


def test_a_page_that_was_cut_is_read_again_where_more_of_it_can_be(store: GraphStore) -> None:
    pages = PreparedPages({VELA: ["Vela runs ferries."]})
    fetch(store, pages, VELA, max_characters=4)
    commit(store, VELA, "Vela runs ferries.")
    (same,) = fetch(store, pages, VELA, max_characters=4)["results"]
    (further,) = fetch(store, pages, VELA)["results"]
    assert (same["content_status"], further["content_status"]) == ("unchanged", "changed")
    assert further["raw_content"] == "Vela runs ferries."


def test_the_source_is_all_that_a_copy_changes() -> None:
    card, pages = WebFetchCard(max_characters=7), PreparedPages({})
    copied = card.model_copy(update={"source": pages})
    assert (copied.source, copied.max_characters) == (pages, 7)
    assert copied.model_dump() == card.model_dump()


def test_no_file_can_name_a_source() -> None:
    with pytest.raises(ValidationError):
        WebFetchCard.model_validate({"type": "web_fetch", "source": "https://eval.invalid"})


def test_without_another_source_it_is_the_web(store: GraphStore) -> None:
    (tool,) = WebFetchCard().build(store)
    text = asyncio.run(tool.function_schema.function(urls=["http://127.0.0.1:9/"]))
    assert "private address" in json.loads(text)["failed_results"][0]["error"]


def test_one_page_is_fetched_once_however_it_is_spelt(store: GraphStore) -> None:
    other = VELA.replace("https://", "HTTPS://") + "#top"
    found = fetch(store, PreparedPages({VELA: ["a"]}), VELA, other, "not an address", "ftp://x")
    assert [one["url"] for one in found["results"]] == [VELA]
    assert len(found["failed_results"]) == 2
