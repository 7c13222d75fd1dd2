import pytest

from knowledge_team.facts import Entity, Fact, Relation
from knowledge_team.scripted.evidence import statements
from knowledge_team.scripted.lists import listed
from knowledge_team.scripted.question import read_question


def names(question: str, *facts: Fact) -> list[str]:
    (part,) = read_question(question)
    return list(listed(part, statements(facts)))


def vela(description: str) -> Entity:
    return Entity(name="Vela", entity_type="company", description=description)


@pytest.mark.parametrize(
    "text",
    [
        "Vela was formed by Orca Data, kiln9 and the Bank of Norvik in 2015.",
        "Orca Data, kiln9 and the Bank of Norvik formed Vela.",
        "Vela brings three firms together: Orca Data, kiln9, and Bank of Norvik.",
        "In 2015 it was founded by Orca Data, kiln9, as well as Bank of Norvik.",
    ],
)
def test_a_sentence_lists_names(text: str) -> None:
    found = names("Which companies formed Vela?", vela(text))
    assert found == ["Orca Data", "kiln9", "Bank of Norvik"]


def test_a_sentence_without_a_list_gives_no_names() -> None:
    assert names("Which companies formed Vela?", vela("It was formed in 2015.")) == []


def test_somebody_of_another_kind_is_not_listed() -> None:
    ada = Entity(name="Ada", entity_type="person", description="Ada knows who formed Vela.")
    hexa = Entity(name="Hexa", entity_type="company", description="Hexa is a founder of Vela.")
    assert names("Which companies formed Vela?", ada, hexa) == ["Hexa"]


def test_one_thing_is_listed_once_by_its_longest_name() -> None:
    facts = [
        Relation(from_entity="Orca", relation_type="formed", to_entity="Vela"),
        Relation(from_entity="Orca Data", relation_type="formed", to_entity="Vela"),
    ]
    assert names("Which companies formed Vela?", *facts) == ["Orca Data"]
