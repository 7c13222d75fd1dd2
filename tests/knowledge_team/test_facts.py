from knowledge_team.facts import (
    Entity,
    EntityName,
    Relation,
    RelationName,
    fact_key,
    fact_text,
    named,
)


def test_an_entity_is_found_by_its_name_type_and_description() -> None:
    assert fact_text(Entity(name="Pier", entity_type="place", description="Long.")) == (
        "Pier place Long."
    )


def test_a_relation_type_is_searched_as_words() -> None:
    fact = Relation(from_entity="Mira", relation_type="works_at", to_entity="Orca")
    assert fact_text(fact).strip() == "Mira works at Orca"


PIER = Entity(name="Pier 4", entity_type="place", description="Long.")
SERVES = Relation(from_entity="Vela", relation_type="serves", to_entity="Pier 4")


def test_the_spelling_of_names_makes_no_other_fact() -> None:
    other = RelationName(from_entity="VELA", relation_type="serves", to_entity="pier-4")
    assert fact_key(SERVES) == fact_key(other) != fact_key(PIER)
    assert fact_key(PIER) == fact_key(EntityName(name="pier-4"))


def test_a_fact_is_named_as_its_name_is() -> None:
    names = [
        EntityName(name="Pier 4"),
        RelationName(from_entity="Vela", relation_type="serves", to_entity="Pier 4"),
    ]
    assert named([PIER, SERVES]) == named(names)
