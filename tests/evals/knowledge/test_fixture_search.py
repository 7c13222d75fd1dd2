"""The search over reviewed records: small, lexical, the same in every run."""

from evals.knowledge.fixture_search import facts_of, search
from evals.knowledge.fixtures import FixtureRecord, FixtureRelation, KnowledgeFixture

FIXTURE = KnowledgeFixture(
    records=(
        FixtureRecord(name="Pell", entity_type="port", description="Pell ships wool."),
        FixtureRecord(name="Orla Quist", entity_type="person", description="She pilots ships."),
    ),
    relations=(
        FixtureRelation(from_entity="Orla Quist", relation_type="pilots_at", to_entity="Pell"),
    ),
)


def names(query: str) -> list[str]:
    return [getattr(hit.fact, "name", "relation") for hit in search(facts_of(FIXTURE), query)]


def test_facts_with_more_of_the_words_come_first() -> None:
    assert names("wool of Pell")[0] == "Pell"


def test_equal_scores_keep_the_order_of_the_file() -> None:
    assert names("ships") == ["Pell", "Orla Quist"]


def test_another_form_of_a_word_is_the_same_word() -> None:
    assert "Orla Quist" in names("piloting")


def test_words_that_nothing_has_find_nothing() -> None:
    assert names("favourite database") == []


def test_the_score_is_the_share_of_the_words() -> None:
    (hit,) = search(facts_of(FIXTURE), "wool harvest")
    assert hit.score == 0.5
