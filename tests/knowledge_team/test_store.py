from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_team.facts import Entity, Relation
from knowledge_team.store import GraphStore, SearchMode

MODES: tuple[SearchMode, ...] = ("keyword", "vector", "hybrid")


def names(store: GraphStore, query: str, mode: SearchMode = "hybrid") -> list[str]:
    found = [hit.fact for hit in store.search(query, mode=mode)]
    return [fact.name for fact in found if isinstance(fact, Entity)]


@pytest.fixture(scope="module")
def harbour() -> Iterator[GraphStore]:
    with GraphStore() as store:
        store.upsert_entities(
            [Entity(name="Café Ærø", entity_type="café", description="Serves kaffe at the pier.")]
        )
        yield store


@pytest.mark.parametrize("mode", MODES)
def test_an_entity_is_found_by_its_name(store: GraphStore, mode: SearchMode) -> None:
    assert names(store, "Where does Mira Solberg live?", mode)[0] == "Mira Solberg"


@pytest.mark.parametrize("query", ["cafe", "CAFÉ", "cafe\u0301", "aero", "Ærø"])
def test_accents_and_capitals_do_not_matter(harbour: GraphStore, query: str) -> None:
    assert names(harbour, query, "keyword") == ["Café Ærø"]


def test_words_of_the_description_are_found(store: GraphStore) -> None:
    assert names(store, "feeder", "keyword") == ["Norvik Shipping"]


def test_likeness_finds_what_the_exact_words_do_not(store: GraphStore) -> None:
    assert names(store, "Quil Aliance", "keyword") == []
    assert names(store, "Quil Aliance", "vector")[0] == "Quill Alliance"


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_name_finds_nothing(store: GraphStore, mode: SearchMode) -> None:
    assert store.search("Zed Quorn", mode=mode) == ()


def test_relations_are_found_as_well(store: GraphStore) -> None:
    facts = [hit.fact for hit in store.search("Tor Lund")]
    assert (
        Relation(from_entity="Tor Lund", relation_type="leads", to_entity="Vela Maritime") in facts
    )


def test_scores_fall_from_one(store: GraphStore) -> None:
    scores = [hit.score for hit in store.search("Vela Maritime")]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] <= scores[0] <= 1


@pytest.mark.parametrize("top_k", [0, 1, 3])
def test_no_more_than_asked_for_is_returned(store: GraphStore, top_k: int) -> None:
    assert len(store.search("shipping companies", top_k=top_k)) == min(top_k, 3)


@pytest.mark.parametrize(
    "query",
    ['" OR 1=1 --', "NEAR(", "words MATCH *", "a AND", "-mira", "^x:y", "'; DROP TABLE entities;"],
)
@pytest.mark.parametrize("mode", MODES)
def test_nothing_in_a_query_is_syntax(store: GraphStore, query: str, mode: SearchMode) -> None:
    store.search(query, mode=mode)
    assert store.entities("Mira Solberg")


@given(st.text(alphabet=st.characters()), st.sampled_from(MODES))
def test_any_text_is_a_query(harbour: GraphStore, query: str, mode: SearchMode) -> None:
    assert all(0 < hit.score <= 1 for hit in harbour.search(query, mode=mode))


def test_a_source_replaces_only_its_own_record() -> None:
    with GraphStore() as store:
        for source, text in (("a", "Old."), ("b", "Other."), ("a", "New.")):
            record = Entity(name="Pier", entity_type="place", description=text, source=source)
            store.upsert_entities([record])
        assert [one.description for one in store.entities("PIER")] == ["New.", "Other."]
        assert names(store, "old", "keyword") == []


def test_a_relation_is_replaced_by_its_source() -> None:
    with GraphStore() as store:
        for text in ("Since 2015.", "Since 2016."):
            store.upsert_relations(
                [Relation(from_entity="A", relation_type="owns", to_entity="B", description=text)]
            )
        assert [one.description for one in store.edges("b")] == ["Since 2016."]


def test_edges_run_both_ways(store: GraphStore) -> None:
    ends = {(edge.from_entity, edge.to_entity) for edge in store.edges("Orca Data")}
    assert ends == {("Orca Data", "Vela Maritime"), ("Mira Solberg", "Orca Data")}


def test_neighbours_are_one_relation_away(store: GraphStore) -> None:
    assert {one.name for one in store.neighbours("Orca Data")} == {"Mira Solberg", "Vela Maritime"}


def test_a_file_keeps_the_facts(tmp_path: Path) -> None:
    path = tmp_path / "facts.sqlite3"
    with GraphStore(path) as store:
        store.upsert_entities([Entity(name="Pier", entity_type="place", description="Long.")])
    with GraphStore(path) as store:
        assert names(store, "long pier") == ["Pier"]


def test_threads_share_one_store(store: GraphStore) -> None:
    def add(number: int) -> None:
        crane = Entity(name=f"Crane {number}", entity_type="machine", description="Lifts.")
        store.upsert_entities([crane])
        store.search("crane lifts")

    threads = [Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names(store, "crane lifts", "keyword")) == 8


def test_a_source_states_what_it_states_now_and_nothing_else() -> None:
    old = Entity(name="Pier", entity_type="place", description="Old.", source="a")
    other = Entity(name="Pier", entity_type="place", description="Other.", source="b")
    gone = Relation(from_entity="Pier", relation_type="serves", to_entity="Vela", source="a")
    new = Entity(name="Quay", entity_type="place", description="New.", source="a")
    with GraphStore() as store:
        store.upsert_entities([old, other])
        store.upsert_relations([gone])
        names(store, "old pier", "vector")  # so that what is forgotten was in the index
        store.replace_source("a", [new])
        assert (store.source_facts("a"), store.source_facts("b")) == ((new,), (other,))
        assert [one.description for one in store.entities("Pier")] == ["Other."]
        found = {hit.fact for mode in MODES for hit in store.search("old pier vela", mode=mode)}
        assert found == {other}
