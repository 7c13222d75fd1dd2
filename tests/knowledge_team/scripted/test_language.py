import pytest

from knowledge_team.scripted.language import asked, canonical, is_plural, kind_of, said, said_in


@pytest.mark.parametrize(
    ("phrase", "word"),
    [
        ("his family name", "his surname"),
        ("does for a living", "does as profession"),
        ("that came together to create Vela", "that formed Vela"),
        ("who is in charge of Vela", "who is leads Vela"),
        ("What's the head office", "What is the headquarters"),
    ],
)
def test_a_known_phrase_becomes_one_word(phrase: str, word: str) -> None:
    assert canonical(phrase) == word


def test_a_question_may_be_vaguer_than_a_fact() -> None:
    assert "=profession" in asked("role")
    assert "=profession" not in said("role")


def test_an_unknown_word_means_itself() -> None:
    assert asked("tides") == said("tide") == frozenset({"tid"})


def test_what_is_brought_together_was_formed() -> None:
    assert "=form" in said_in("Vela brings four old firms together.")


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("companies", True),
        ("people", True),
        ("business", False),
        ("status", False),
        ("port", False),
    ],
)
def test_a_plural_shows_by_its_ending(noun: str, plural: bool) -> None:  # noqa: FBT001 a parameter
    assert is_plural(noun) is plural


def test_a_type_names_a_kind() -> None:
    kinds = [kind_of(one) for one in ("shipping_company", "Person", "tide")]
    assert kinds == ["organisation", "person", ""]
