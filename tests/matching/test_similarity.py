import pytest

from audition.matching.similarity import likeness, nearest_number, nearest_text


def test_the_part_of_a_text_that_is_most_alike_is_the_nearest() -> None:
    miss = nearest_text("north gate", "the south gate and the north gaten")
    assert miss
    assert (miss.similarity, miss.text) == (1, "north gate")


def test_a_needle_is_compared_by_its_beginning() -> None:
    assert nearest_text("berth " * 100, "berth " * 50)


@pytest.mark.parametrize(("text", "near"), [("5 boats, 40 boats", "5"), ("-40", "40")])
def test_a_number_is_compared_by_value_and_by_its_digits(text: str, near: str) -> None:
    miss = nearest_number(6, text, decimal_comma=False)
    assert miss
    assert miss.text == near


def test_a_number_of_any_size_is_compared() -> None:
    miss = nearest_number(1e300, "about 1e-300 or 2e300", decimal_comma=False)
    assert miss
    assert miss.text == "2e300"


def test_the_likeness_of_whole_texts_is_exact_unless_their_lengths_rule_it_out() -> None:
    assert likeness("berth 7", "berth 7", 1) == (1, True)
    assert likeness("", "", 0.5) == (1, True)
    assert likeness("berth", "berth " * 1_000_000, 0.5) == (10 / 6_000_005, False)
    similar, is_exact = likeness("berth 7", "berth 8")
    assert (round(similar, 2), is_exact) == (0.86, True)
