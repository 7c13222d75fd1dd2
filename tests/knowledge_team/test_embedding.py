import math

from hypothesis import given
from hypothesis import strategies as st

from knowledge_team.embedding import embed, similarity


@given(st.text(alphabet=st.characters(), min_size=1))
def test_a_vector_has_length_one_or_no_places(text: str) -> None:
    vector = embed(text)
    length = math.sqrt(sum(weight * weight for weight in vector.values()))
    assert not vector or math.isclose(length, 1)


def test_forms_of_a_word_are_more_alike_than_different_words() -> None:
    company, companies, harbour = embed("company"), embed("companies"), embed("harbour")
    assert similarity(company, companies) > 0.4 > similarity(company, harbour)


def test_the_order_of_two_texts_does_not_matter() -> None:
    long, short = embed("tide forecasts for every port"), embed("port")
    assert similarity(long, short) == similarity(short, long)


def test_equal_texts_have_one_direction() -> None:
    assert math.isclose(similarity(embed("Vela"), embed("vela")), 1)
