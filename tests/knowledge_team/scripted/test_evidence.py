import pytest

from knowledge_team.facts import Entity, Relation
from knowledge_team.scripted.evidence import Statement, occupation, statements


def of(description: str, entity_type: str = "person") -> tuple[Statement, ...]:
    return statements([Entity(name="Ada Pier", entity_type=entity_type, description=description)])


def relation(relation_type: str, description: str = "") -> str:
    fact = Relation(
        from_entity="Ada", relation_type=relation_type, to_entity="Vela", description=description
    )
    return statements([fact])[0].text


def test_each_sentence_is_a_statement_of_its_record() -> None:
    found = of("A pilot. She lives in Norvik.")
    assert [(one.text, one.record) for one in found] == [
        ("A pilot.", 0),
        ("She lives in Norvik.", 0),
    ]


def test_a_title_before_a_name_ends_no_sentence() -> None:
    (found,) = of("It is led by Dr. Rosa Iyer.")
    assert found.text == "It is led by Dr. Rosa Iyer."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Ada Pier dives.", "Ada Pier dives."),
        ("She dives.", "Ada Pier dives."),
        ("Likes rowing", "Ada Pier: Likes rowing."),
    ],
)
def test_a_sentence_names_its_subject(text: str, sentence: str) -> None:
    assert of(text)[0].sentence() == sentence


@pytest.mark.parametrize(
    ("relation_type", "text"),
    [
        ("leads", "Ada leads Vela."),
        ("formed", "Ada formed Vela."),
        ("member_of", "Ada is member of Vela."),
        ("employed_by", "Ada is employed by Vela."),
        ("WORKS_AT", "Ada works at Vela."),
    ],
)
def test_a_relation_is_put_into_words(relation_type: str, text: str) -> None:
    assert relation(relation_type) == text


def test_the_description_of_a_relation_is_added_or_speaks_for_it() -> None:
    assert relation("leads", "Since 2015.") == "Ada leads Vela (Since 2015)."
    assert relation("leads", "Ada took over Vela.") == "Ada took over Vela."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Pier is a marine engineer at Vela.", "marine engineer"),
        ("Ada Pier, a tide pilot, sails.", "tide pilot"),
        ("A pilot from Norvik.", "pilot"),
        ("Ada Pier is a resident of Norvik.", ""),
        ("Ada Pier sails.", ""),
        ("She sails.", ""),
    ],
)
def test_an_occupation_is_what_somebody_is(text: str, expected: str) -> None:
    assert occupation(text, ("Ada Pier",)) == expected


def test_only_persons_have_a_profession() -> None:
    text = "Ada Pier is a long bridge."
    told = [
        ("=profession" in one.meanings) for kind in ("person", "place") for one in of(text, kind)
    ]
    assert told == [True, False]


def test_times_places_and_numbers_are_told_without_a_word_for_them() -> None:
    (statement,) = of("Opened at Norvik in 1911.")
    assert {"=time", "=place", "=number"} <= statement.meanings
