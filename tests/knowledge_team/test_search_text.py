from hypothesis import given
from hypothesis import strategies as st

from knowledge_team.facts import Entity, Hit, Relation
from knowledge_team.search_text import NO_RESULTS, read_results, results_text

PIER = Entity(name="Pier", entity_type="place", description="Long and wooden.")
OWNS = Relation(from_entity="Vela", relation_type="owns", to_entity="Pier")

word = st.text(alphabet="abc |é\n", min_size=1).filter(str.strip)


def test_each_fact_is_a_line() -> None:
    text = results_text([Hit(fact=PIER, score=0.871), Hit(fact=OWNS, score=0.5)])
    assert text.splitlines() == [
        "entity | Pier | place | score 0.87 | Long and wooden.",
        "relation | Vela | owns | Pier | score 0.50",
    ]


def test_a_related_fact_has_no_score() -> None:
    assert results_text([], [OWNS]) == "relation | Vela | owns | Pier | related"


def test_nothing_found_is_said() -> None:
    assert results_text([]) == NO_RESULTS
    assert read_results(NO_RESULTS) == ()


def test_what_is_written_is_read() -> None:
    assert read_results(results_text([Hit(fact=PIER, score=1)], [OWNS])) == (PIER, OWNS)


@given(word, word, word)
def test_no_fact_can_pass_for_two(name: str, kind: str, description: str) -> None:
    fact = Entity(name=name, entity_type=kind, description=description)
    (read,) = read_results(results_text([Hit(fact=fact, score=1)]))
    assert isinstance(read, Entity)
    assert read.name == " ".join(name.replace("|", "/").split())
