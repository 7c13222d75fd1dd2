from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from knowledge_team.errors import FetchFailedError, IngestionError
from knowledge_team.facts import Entity, EntityName, Fact, Relation
from knowledge_team.ingestion import IngestionLedger
from knowledge_team.pages import Page
from knowledge_team.sources import Source, read_source
from knowledge_team.store import GraphStore

URL = "https://eval.invalid/vela"
OTHER = "https://eval.invalid/orca"
OLD, NEW = Page(url=URL, text="Vela runs ferries."), Page(url=URL, text="Vela runs trains.")


def entity(name: str, text: str = "", source: str = "") -> Entity:
    return Entity(name=name, entity_type="thing", description=text, source=source)


def which(name: str) -> EntityName:
    return EntityName(name=name)


def runs(what: str, source: str = "") -> Relation:
    return Relation(from_entity="Vela", relation_type="runs", to_entity=what, source=source)


@pytest.fixture
def graph() -> Iterator[GraphStore]:
    with GraphStore() as store:
        yield store


@pytest.fixture
def ledger(graph: GraphStore) -> IngestionLedger:
    seconds = count(1)
    return IngestionLedger(graph, clock=lambda: float(next(seconds)))


def known(graph: GraphStore, url: str = URL) -> Source:
    with graph.database.transaction() as db:
        source = read_source(db, url)
    assert source is not None
    return source


def unread(graph: GraphStore) -> int:
    return known(graph).committed_unread_characters


def take_in(ledger: IngestionLedger, page: Page, *facts: Fact) -> tuple[Fact, ...]:
    ledger.note_page(page)
    ledger.stage(page.url, facts)
    return ledger.commit(page.url, page.content_hash).removed


def test_a_page_is_first_then_unchanged_then_changed(ledger: IngestionLedger) -> None:
    assert ledger.note_page(OLD) == "first"
    assert ledger.note_page(OLD) == "first"  # nothing of it was committed
    take_in(ledger, OLD, entity("Vela"))
    assert ledger.note_page(OLD) == "unchanged"
    assert ledger.note_page(OLD, force=True) == "forced"
    assert ledger.note_page(NEW) == "changed"
    assert ledger.note_page(NEW, force=True) == "changed"


def test_an_unchanged_page_has_nothing_pending(ledger: IngestionLedger) -> None:
    take_in(ledger, OLD, entity("Vela"))
    ledger.note_page(NEW)
    ledger.note_page(OLD)
    with pytest.raises(IngestionError, match="no content is pending, the last ingestion is comm"):
        ledger.stage(URL, [entity("Orca")])


def test_nothing_counts_before_the_commit(ledger: IngestionLedger, graph: GraphStore) -> None:
    take_in(ledger, OLD, entity("Vela", "Old."))
    ledger.note_page(NEW)
    ledger.stage(URL, [entity("Vela", "New."), runs("Trains")])
    assert ledger.committed_facts(URL) == (entity("Vela", "Old.", URL),)
    ledger.commit(URL, NEW.content_hash)
    assert ledger.committed_facts(URL) == (entity("Vela", "New.", URL), runs("Trains", URL))
    assert graph.search("trains")


def test_a_commit_ends_what_the_page_no_longer_states(ledger: IngestionLedger) -> None:
    take_in(ledger, OLD, entity("Vela"), entity("Ferries"), runs("Ferries"))
    removed = take_in(ledger, NEW, entity("VELA"), entity("Trains"), runs("Trains"))
    assert removed == (entity("Ferries", source=URL), runs("Ferries", URL))


def test_how_much_was_not_read_is_kept_of_what_was_committed(
    ledger: IngestionLedger, graph: GraphStore
) -> None:
    ledger.note_page(OLD, unread_characters=500)
    assert (known(graph).pending_unread_characters, unread(graph)) == (500, 0)
    ledger.stage(URL, [entity("Vela")])
    ledger.commit(URL, OLD.content_hash)
    assert (known(graph).pending_unread_characters, unread(graph)) == (0, 500)
    ledger.note_page(NEW, unread_characters=700)
    ledger.fail(URL, "nothing useful")
    assert (known(graph).pending_unread_characters, unread(graph)) == (0, 500)


def test_a_page_that_can_be_read_further_counts_as_changed(ledger: IngestionLedger) -> None:
    ledger.note_page(OLD, unread_characters=500)
    ledger.stage(URL, [entity("Vela")])
    ledger.commit(URL, OLD.content_hash)
    assert ledger.note_page(OLD, unread_characters=500) == "unchanged"
    assert ledger.note_page(OLD, unread_characters=700) == "unchanged"
    assert ledger.note_page(OLD, unread_characters=400) == "changed"


def test_what_another_page_states_stays(ledger: IngestionLedger, graph: GraphStore) -> None:
    take_in(ledger, OLD, entity("Vela"), entity("Ferries"))
    take_in(ledger, Page(url=OTHER, text="Ferries."), entity("Ferries", "Of others."))
    take_in(ledger, NEW, entity("Vela"))
    assert graph.entities("Ferries") == (entity("Ferries", "Of others.", OTHER),)


def test_an_update_says_what_it_came_to(ledger: IngestionLedger) -> None:
    take_in(ledger, OLD, entity("Vela"), entity("Ferries"))
    ledger.note_page(NEW)
    ledger.stage(URL, [entity("Vela"), entity("Mistake"), runs("Trains")])
    staged = ledger.stage(
        URL, [entity("Trains")], [which("Ferries"), which("Mistake"), which("Elsewhere")]
    )
    assert (staged.entities, staged.relations) == (2, 1)
    assert staged.withdrawn == (which("Ferries"), which("Mistake"))
    assert staged.unknown == (which("Elsewhere"),)


def test_a_fact_that_is_both_stated_and_deleted_is_refused_by_name(
    ledger: IngestionLedger,
) -> None:
    take_in(ledger, OLD, entity("Vela"))
    ledger.note_page(NEW)
    ledger.stage(URL, [runs("Trains")])
    with pytest.raises(IngestionError, match=r'both stated and deleted.*"VELA"'):
        ledger.stage(URL, [entity("Vela"), entity("Pier")], [which("VELA"), which("Ferries")])
    assert ledger.stage(URL, []).entities == 0


@pytest.mark.parametrize("url", [URL, "ftp://eval.invalid"])
def test_what_was_not_fetched_cannot_be_stated(ledger: IngestionLedger, url: str) -> None:
    with pytest.raises((IngestionError, FetchFailedError)):
        ledger.stage(url, [entity("Vela")])


def test_only_the_pending_hash_is_committed(ledger: IngestionLedger) -> None:
    with pytest.raises(IngestionError, match="was not fetched; call web_fetch_tool first"):
        ledger.commit(URL, OLD.content_hash)
    ledger.note_page(OLD)
    ledger.note_page(NEW)
    ledger.stage(URL, [entity("Vela")])
    with pytest.raises(IngestionError, match=f"the pending content_hash is {NEW.content_hash}"):
        ledger.commit(URL, OLD.content_hash)
    ledger.commit(URL, NEW.content_hash)
    with pytest.raises(IngestionError, match="no content is pending"):
        ledger.commit(URL, NEW.content_hash)


def test_a_commit_of_nothing_is_refused(ledger: IngestionLedger) -> None:
    take_in(ledger, OLD, entity("Vela"))
    ledger.note_page(NEW)
    with pytest.raises(IngestionError, match="nothing was stored with update_graph"):
        ledger.commit(URL, NEW.content_hash)
    assert ledger.committed_facts(URL)


def test_a_new_fetch_begins_anew(ledger: IngestionLedger) -> None:
    ledger.note_page(OLD)
    ledger.stage(URL, [entity("Ferries")])
    take_in(ledger, NEW, entity("Trains"))
    assert ledger.committed_facts(URL) == (entity("Trains", source=URL),)


def test_a_failure_leaves_what_was_committed(ledger: IngestionLedger) -> None:
    take_in(ledger, OLD, entity("Vela"))
    ledger.note_page(NEW)
    ledger.stage(URL, [entity("Trains")])
    failed = ledger.fail(URL, "the page holds nothing useful")
    assert (failed.state, failed.failure) == ("failed", "the page holds nothing useful")
    assert (failed.pending_hash, failed.committed_hash) == (None, OLD.content_hash)
    assert ledger.committed_facts(URL) == (entity("Vela", source=URL),)
    with pytest.raises(IngestionError, match="the last ingestion is failed"):
        ledger.commit(URL, NEW.content_hash)


def test_only_what_was_asked_for_can_fail(ledger: IngestionLedger) -> None:
    with pytest.raises(IngestionError, match="was not fetched"):
        ledger.fail(URL, "no reason")


def test_a_page_that_could_not_be_fetched_is_noted(
    ledger: IngestionLedger, graph: GraphStore
) -> None:
    ledger.note_failure(f"{URL}/", "timed out")
    source = known(graph)
    assert (source.state, source.failure) == ("failed", "timed out")
    assert ledger.note_page(OLD) == "first"


def test_the_times_of_a_page_are_noted(ledger: IngestionLedger, graph: GraphStore) -> None:
    take_in(ledger, OLD, entity("Vela"))
    take_in(ledger, NEW, entity("Vela"))
    ledger.note_page(Page(url=OTHER, text="Orca."))
    vela, orca = known(graph), known(graph, OTHER)
    assert (vela.first_seen_at, vela.last_seen_at, vela.committed_at) == (1, 3, 4)
    assert (vela.times_committed, vela.state) == (2, "committed")
    assert (orca.first_seen_at, orca.committed_at) == (5, None)


def test_a_crash_before_the_commit_leaves_the_old_facts(tmp_path: Path) -> None:
    path = tmp_path / "facts.sqlite3"
    with GraphStore(path) as store:
        ledger = IngestionLedger(store)
        take_in(ledger, OLD, entity("Vela", "Old."))
        ledger.note_page(NEW)
        ledger.stage(URL, [entity("Vela", "New.")])
    with GraphStore(path) as store:
        ledger = IngestionLedger(store)
        assert ledger.committed_facts(URL) == (entity("Vela", "Old.", URL),)
        ledger.commit(URL, NEW.content_hash)
        assert ledger.committed_facts(URL) == (entity("Vela", "New.", URL),)


def test_a_commit_that_fails_halfway_changes_nothing(
    ledger: IngestionLedger, graph: GraphStore
) -> None:
    take_in(ledger, OLD, entity("Vela", "Old."))
    ledger.note_page(NEW)
    ledger.stage(URL, [entity("Vela", "New."), runs("Trains")])
    with graph.database.transaction() as db:
        db.execute(
            "CREATE TRIGGER full BEFORE INSERT ON relations"
            " BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
    with pytest.raises(Exception, match="disk full"):
        ledger.commit(URL, NEW.content_hash)
    assert ledger.committed_facts(URL) == (entity("Vela", "Old.", URL),)
    assert graph.search("Vela")[0].fact == entity("Vela", "Old.", URL)
    assert known(graph).state == "pending"
