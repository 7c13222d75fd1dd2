import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge_team.words import content_words, fold, name_key, plain_words, stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("company", "companies"),
        ("form", "formed"),
        ("prefers", "preferred"),
        ("consulting", "consultants"),
        ("founder", "founded"),
        ("business", "businesses"),
        ("took", "takes"),
        ("won", "win"),
        ("written", "writer"),
    ],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz"))
def test_a_stem_is_its_own_stem(word: str) -> None:
    assert stem(stem(word)) == stem(word)


@given(st.text(alphabet=st.characters()))
def test_folded_text_can_always_be_written(text: str) -> None:
    assert fold(text).encode() is not None


def test_folding_ignores_case_accents_and_strokes() -> None:
    assert fold("Ærø CAFÉ ﬁn Straße") == "aero cafe fin strasse"


def test_function_words_carry_no_content() -> None:
    assert content_words("What is the job of Mira?") == ["job", "mira"]


def test_a_text_of_function_words_keeps_them() -> None:
    assert content_words("who is it") == ["who", "is", "it"]


def test_words_are_between_signs() -> None:
    assert plain_words("B12-Freight, (rail)") == ["b12", "freight", "rail"]


def test_the_spellings_of_a_name_have_one_key() -> None:
    assert name_key("Pier-4") == name_key("PIER 4") == "pier 4"


def test_a_name_of_signs_alone_is_its_own_key() -> None:
    assert name_key("!!!") == "!!!"
