from knowledge_team.embedding import embed
from knowledge_team.ranking import by_name, by_shared_words, by_similarity, fused


def test_more_shared_words_rank_higher() -> None:
    ranked = by_shared_words(["tide", "port"], [(1, "port"), (2, "port tide")])
    assert ranked == [(2, 1.0), (1, 0.5)]


def test_what_is_hardly_alike_is_left_out() -> None:
    vectors = {1: embed("harbour master"), 2: embed("violin")}
    assert [fact_id for fact_id, _ in by_similarity("harbour", vectors)] == [1]


def test_first_in_every_ranking_scores_one() -> None:
    assert fused([(7, 0.9), (8, 0.1)], [(7, 0.3)])[0] == (7, 1.0)


def test_a_fact_in_two_rankings_beats_one_in_one() -> None:
    (first, _), *_ = fused([(1, 1), (2, 1)], [(3, 1), (2, 1)])
    assert first == 2


def test_a_name_is_meant_by_half_of_its_words() -> None:
    names = [(1, "mira solberg"), (2, "orca data"), (3, "mira a b")]
    assert by_name(["mira", "job"], names) == [(1, 0.5)]
