from knowledge_team.facts import Entity
from knowledge_team.scripted.evidence import Statement, statements
from knowledge_team.scripted.matching import contradicting, supporting, with_names
from knowledge_team.scripted.question import Part, read_question


def records(*descriptions: str) -> tuple[Statement, ...]:
    return statements(
        Entity(name="Ada Pier", entity_type="person", description=text, source=text)
        for text in descriptions
    )


def part(question: str) -> Part:
    (only,) = read_question(question)
    return only


def texts(question: str, *descriptions: str) -> list[str]:
    return [one.text for one in supporting(part(question), records(*descriptions))]


def test_a_statement_must_have_every_word_that_is_asked_for() -> None:
    question = "What is Ada Pier's favourite database?"
    assert texts(question, "Ada maintains a database.", "Ada's favourite fish is cod.") == []
    assert texts(question, "Ada prefers a small database.") == ["Ada prefers a small database."]


def test_a_modifier_may_be_missing_beside_a_known_concept() -> None:
    question = "Which application database does Ada Pier prefer?"
    assert texts(question, "Ada prefers the Tern database.") == ["Ada prefers the Tern database."]


def test_a_name_is_found_without_its_capitals() -> None:
    named = with_names(part("where does ada pier live?"), records("Ada lives in Norvik."))
    assert (named.subjects, named.words) == (("Ada Pier",), ("where", "live"))


def test_values_that_differ_contradict() -> None:
    found = records("Ada lives in Norvik.", "Ada lives in Tiel.")
    assert contradicting(part("Where does Ada Pier live?"), found) == list(found)


def test_a_value_with_more_to_it_does_not_contradict() -> None:
    found = records("Ada lives in Norvik.", "Ada lives in Norvik by the sea.")
    assert contradicting(part("Where does Ada Pier live?"), found) == []


def test_one_record_does_not_contradict_itself() -> None:
    found = records("Ada lives in Norvik. Ada lives in Tiel.")
    assert contradicting(part("Where does Ada Pier live?"), found) == []
