import pytest

from knowledge_team.scripted.language import (
    asked,
    canonical,
    is_plural,
    kind_of,
    said,
    said_in,
    singular,
    without_legal_form,
)


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


@pytest.mark.parametrize(
    ("plural", "expected"),
    [("companies", "company"), ("ports", "port"), ("boxes", "box"), ("bus", "bus")],
)
def test_a_plural_has_a_singular(plural: str, expected: str) -> None:
    assert singular(plural) == expected


def test_a_company_is_said_without_its_legal_form() -> None:
    names = ("Vela Sp. z o.o.", "Orca A/S", "Orca, Inc.", "AG", "")
    assert [without_legal_form(name) for name in names] == ["Vela", "Orca", "Orca", "AG", ""]
