from collections.abc import Callable

import pytest

from knowledge_team.facts import Entity, Relation
from knowledge_team.scripted.answers import RECOMMENDATION, answer
from knowledge_team.scripted.question import read_question

type Answered = Callable[[str], str]

MISSING = "not in the knowledge base"


@pytest.mark.parametrize(
    "question",
    [
        "What is the profession of Mira Solberg?",
        "Which job does Mira Solberg have?",
        "What does Mira Solberg do for a living?",
        "What does Mira Solberg work as?",
        "What's Mira's occupation?",
        "Please tell me the role of Mira Solberg.",
        "how does Mira Solberg earn her living?",
        "What does Mira Solberg do?",
    ],
)
def test_a_profession_is_found_however_it_is_asked_for(answered: Answered, question: str) -> None:
    assert answered(question) == "Mira Solberg is a marine engineer and tide researcher."


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the last name of Mira?", "The last name of Mira is Solberg (Mira Solberg)."),
        ("Can you tell me Mira's family name?", "The last name of Mira is Solberg (Mira Solberg)."),
        ("What is Ilse's surname?", "The last name of Ilse is van Dorn (Ilse van Dorn)."),
        ("What is the first name of Solberg?", "The first name is Mira (Mira Solberg)."),
        ("What is Mira's full name?", "The full name is Mira Solberg."),
    ],
)
def test_parts_of_a_name_come_from_the_name(
    answered: Answered, question: str, expected: str
) -> None:
    assert answered(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What does Vela Maritime do?",
        "what does vela maritime do?",
        "How does Vela help organizations with digital work?",
        "What is the purpose of Vela Maritime?",
        "Using only the stored knowledge, what does Vela do? Do not ingest https://a.invalid/x",
    ],
)
def test_a_purpose_is_what_the_record_says_first(answered: Answered, question: str) -> None:
    expected = "Vela Maritime is a digital logistics partner for small harbours."
    assert answered(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What companies formed Vela Maritime?",
        "Name the businesses that came together to create Vela Maritime.",
        "By which firms was Vela Maritime founded?",
        "Vela Maritime was formed by which companies?",
        "List the founders of Vela Maritime",
        "Which organisations joined forces to establish Vela?",
    ],
)
def test_a_list_comes_from_relations(answered: Answered, question: str) -> None:
    expected = "Brightsea Shipping, Norvik Shipping, Orca Data and B12 Freight."
    assert answered(question).endswith(f": {expected}")


def test_a_list_comes_from_a_sentence(answered: Answered) -> None:
    expected = "inkwell, Papyrus Works, Aprico Consultants and B4 Consulting."
    assert answered("What companies formed Quill Alliance?").endswith(expected)


def test_a_list_comes_from_the_records_of_the_others(answered: Answered) -> None:
    said = answered("What companies formed Nova Union?")
    assert said == "Companies that formed Nova Union: Hexa Labs and Zephyr Freight."


def test_a_list_can_be_counted(answered: Answered) -> None:
    assert answered("How many companies formed Vela Maritime?").startswith("4. ")


@pytest.mark.parametrize(
    ("question", "named", "others"),
    [
        (
            "Which of the companies that formed Vela Maritime have Shipping in their name?",
            ("Brightsea Shipping", "Norvik Shipping"),
            ("Orca", "B12"),
        ),
        (
            "Name the founders of Vela Maritime whose names start with B.",
            ("Brightsea Shipping", "B12 Freight"),
            ("Norvik", "Orca"),
        ),
        (
            "Which firms that formed Quill Alliance have Consulting or Consultants in their name?",
            ("Aprico Consultants", "B4 Consulting"),
            ("inkwell", "Papyrus"),
        ),
        (
            "Which companies that formed Vela Maritime do not have Shipping in their names?",
            ("Orca Data", "B12 Freight"),
            ("Brightsea", "Norvik"),
        ),
    ],
)
def test_a_filtered_list_names_nobody_else(
    answered: Answered, question: str, named: tuple[str, ...], others: tuple[str, ...]
) -> None:
    said = answered(question)
    assert all(name in said for name in named)
    assert not any(name in said for name in others)


def test_a_filter_that_nobody_meets_is_answered(answered: Answered) -> None:
    said = answered("Which companies that formed Vela Maritime have Bakery in their name?")
    assert said == "None of the names in the knowledge base meets that condition."


@pytest.mark.parametrize(
    "question",
    [
        "What is Mira Solberg's profession, and what does Vela Maritime do?",
        "What does Vela Maritime do and which job does Mira Solberg have?",
    ],
)
def test_two_subjects_are_both_answered(answered: Answered, question: str) -> None:
    said = answered(question)
    assert "marine engineer" in said
    assert "digital logistics partner" in said
    assert MISSING not in said


@pytest.mark.parametrize(
    "question",
    [
        "What is Mira Solberg's profession and what is her favorite database?",
        "What are Mira Solberg's profession and favourite database?",
        "What are the profession and the favourite database of Mira Solberg?",
    ],
)
def test_what_is_known_is_said_beside_what_is_missing(answered: Answered, question: str) -> None:
    said = answered(question)
    assert "marine engineer" in said
    assert f"database of Mira Solberg is {MISSING}." in said
    assert said.endswith(RECOMMENDATION)


@pytest.mark.parametrize(
    "question",
    [
        "What is Mira Solberg's favourite database?",
        "Which database does Mira Solberg like best?",
        "What is the shoe size of Mira Solberg?",
        "Who owns Vela Maritime?",
        "What is the revenue of Vela?",
        "Who is Zed Quorn?",
        "What is the job of Mira Quorn?",
    ],
)
def test_a_fact_that_is_not_there_is_not_guessed(answered: Answered, question: str) -> None:
    said = answered(question)
    assert MISSING in said
    assert said.endswith(RECOMMENDATION)
    assert "engineer" not in said


@pytest.mark.parametrize(
    "question",
    [
        "Which database does Alex Example prefer?",
        "What is Alex Example's favourite database?",
        "Which application database does Alex Example prefer?",
    ],
)
def test_records_that_disagree_are_both_named(answered: Answered, question: str) -> None:
    said = answered(question)
    assert "PostgreSQL" in said
    assert "Elasticsearch" in said
    assert "conflict" in said


def test_records_that_agree_do_not_conflict() -> None:
    facts = [
        Entity(name="Ada Pier", entity_type="person", description=text, source=text)
        for text in ("Ada Pier is a pilot.", "Ada Pier is a pilot and diver.")
    ]
    said = answer(read_question("What is Ada Pier's job?"), facts)
    assert said == "Ada Pier is a pilot."


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who leads Vela Maritime?", "Tor Lund leads Vela Maritime."),
        ("Who is the CEO of Vela?", "Tor Lund leads Vela Maritime."),
        ("Where does Mira Solberg work?", "Mira Solberg works at Orca Data."),
        ("Where does Mira Solberg live?", "Mira Solberg lives in Norvik."),
        ("When was Vela Maritime formed?", "Vela Maritime was formed in 2015."),
        (
            "Who works as a marine engineer?",
            "Mira Solberg is a marine engineer and tide researcher.",
        ),
        ("Which port does Vela Maritime serve?", "Vela Maritime serves Port of Halden."),
        ("Who is Ilse van Dorn?", "Ilse van Dorn works as a glass conservator."),
    ],
)
def test_a_single_fact_is_said_as_the_graph_has_it(
    answered: Answered, question: str, expected: str
) -> None:
    assert answered(question).replace("It was", "Vela Maritime was") == expected


def test_without_any_fact_everything_is_missing() -> None:
    said = answer(read_question("What does Vela do?"), [])
    assert said == f"Vela is {MISSING}. {RECOMMENDATION}"


def test_the_recommendation_says_what_to_do_and_who_does_it() -> None:
    assert "ingest a source" in RECOMMENDATION
    assert "@WebIngest" in RECOMMENDATION


def test_how_many_something_has_is_said_by_the_sentence_with_the_number() -> None:
    facts = (
        Entity(name="Vela", entity_type="office", description="Vela operates nine tide gauges."),
        Relation(from_entity="Vela", relation_type="operates", to_entity="Tide gauges"),
    )
    told = answer(read_question("How many tide gauges does Vela operate?"), facts)
    assert told == "Vela operates nine tide gauges."


def test_what_something_is_is_told_first_though_it_says_where() -> None:
    description = "Vela is a shipyard, based in Norvik. Vela was founded in 2015."
    facts = (Entity(name="Vela", entity_type="shipyard", description=description),)
    told = answer(read_question("What does Vela do?"), facts)
    assert told == "Vela is a shipyard, based in Norvik."


def test_a_list_is_headed_by_its_noun() -> None:
    facts = [
        Relation(from_entity=name, relation_type="customer_of", to_entity="Vela")
        for name in ("Orca", "Sable Ltd.")
    ]
    told = answer(read_question("Which companies are customers of Vela?"), facts)
    assert told == "Customers of Vela: Orca and Sable Ltd."


def test_initials_are_spelt_out_where_nothing_is_found_under_them() -> None:
    description = "The Tide Office (TDO) is a bureau. Tide Office's head, Ada Quill, is new."
    facts = (Entity(name="Tide Office", entity_type="bureau", description=description),)
    told = answer(read_question("Who is the head of the TDO?"), facts)
    assert told == "Tide Office's head, Ada Quill, is new."


def test_a_number_of_people_is_told_whole() -> None:
    facts = (Entity(name="Vela", entity_type="port", description="9,400 people visited Vela."),)
    assert answer(read_question("How many people visited Vela?"), facts).startswith("9,400")
