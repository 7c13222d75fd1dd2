import pytest

from knowledge_team.facts import Entity, Relation
from knowledge_team.scripted.evidence import statements
from knowledge_team.scripted.question import read_question
from knowledge_team.scripted.voice import fits_role, named_like


@pytest.mark.parametrize(
    ("question", "text", "fits"),
    [
        ("Who owns Vela?", "Vela owns twelve ferries.", False),
        ("Who owns Vela?", "Vela is owned by Ada.", True),
        ("Which ferries does Vela own?", "Vela owns twelve ferries.", True),
        ("When was Vela founded?", "Vela founded a school in 1999.", False),
        ("When was Vela founded?", "Founded in 1911 by Ada.", True),
        ("Where is Vela based?", "Vela, based in Norvik, is a port.", True),
        ("Who leads Vela?", "Vela is the line led by Ada.", True),
        ("What is the revenue of Vela?", "Vela owns twelve ferries.", True),
    ],
)
def test_a_sentence_has_the_name_in_the_place_asked_for(
    question: str,
    text: str,
    fits: bool,  # noqa: FBT001 a parameter
) -> None:
    (part,) = read_question(question)
    (statement,) = statements([Entity(name="Vela", entity_type="company", description=text)])
    assert fits_role(part, statement) is fits


@pytest.mark.parametrize(
    ("relation_type", "fits"),
    [("formed", False), ("formed_by", True), ("partner_of", True), ("located_in", True)],
)
def test_a_relation_has_a_direction(relation_type: str, fits: bool) -> None:  # noqa: FBT001
    fact = Relation(from_entity="Vela", relation_type=relation_type, to_entity="Orca")
    (part,) = read_question("Which companies formed Vela?")
    assert fits_role(part, statements([fact])[0]) is fits


@pytest.mark.parametrize(
    ("name", "entity", "like"),
    [
        ("Mira", "Mira Solberg", True),
        ("Aprico Consulting", "Aprico Consultants", True),
        ("Vela Maritime Group", "Vela Maritime", True),
        ("Mira Quorn", "Mira Solberg", False),
        ("Mira Quorn", "Mira", False),
        ("Mira GmbH", "Mira", True),
        ("Mira GmbH", "Mira AG", False),
        ("?", "Mira", False),
    ],
)
def test_a_shorter_name_can_mean_a_longer_one(name: str, entity: str, like: bool) -> None:  # noqa: FBT001
    assert named_like(name, entity) is like
