from knowledge_team.facts import Entity, Relation, fact_text


def test_an_entity_is_found_by_its_name_type_and_description() -> None:
    assert fact_text(Entity(name="Pier", entity_type="place", description="Long.")) == (
        "Pier place Long."
    )


def test_a_relation_type_is_searched_as_words() -> None:
    fact = Relation(from_entity="Mira", relation_type="works_at", to_entity="Orca")
    assert fact_text(fact).strip() == "Mira works at Orca"
