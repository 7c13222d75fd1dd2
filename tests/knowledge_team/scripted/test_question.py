import pytest

from knowledge_team.scripted.question import read_question


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is the profession of Mira Solberg?", "fact"),
        ("What does Vela do?", "purpose"),
        ("Could you say what Vela does?", "purpose"),
        ("How does Vela help schools?", "purpose"),
        ("What is Vela's mission?", "purpose"),
        ("Who is Mira Solberg?", "description"),
        ("Tell me about Vela.", "description"),
        ("What is Mira's family name?", "surname"),
        ("What is the given name of Solberg?", "forename"),
    ],
)
def test_the_kind_shows_in_the_words(question: str, kind: str) -> None:
    assert [part.kind for part in read_question(question)] == [kind]


@pytest.mark.parametrize(
    ("question", "role"),
    [
        ("Which companies formed Vela?", "object"),
        ("Vela was formed by which companies?", "object"),
        ("When was Vela formed?", "object"),
        ("Which companies did Vela form?", "agent"),
        ("Which companies were formed by Vela?", "agent"),
        ("Which licence does Vela have?", "unclear"),
        ("What is the revenue of Vela?", "unclear"),
    ],
)
def test_the_order_of_words_shows_who_acts(question: str, role: str) -> None:
    assert [part.role for part in read_question(question)] == [role]


@pytest.mark.parametrize(
    ("question", "wanted", "several"),
    [
        ("Which companies formed Vela?", "companies", True),
        ("Which shipping companies formed Vela?", "companies", True),
        ("Which company owns Vela?", "company", False),
        ("Which ports does Vela serve?", "ports", True),
        ("What is the address of Vela?", "", False),
        ("Who are the members of the Guild?", "", True),
    ],
)
def test_a_plural_asks_for_a_list(question: str, wanted: str, several: bool) -> None:  # noqa: FBT001
    (part,) = read_question(question)
    assert (part.wanted, part.several) == (wanted, several)


def test_words_that_mean_nothing_are_left_out() -> None:
    (part,) = read_question("Please tell me, what exactly is the current revenue of Vela?")
    assert (part.subjects, part.words) == (("Vela",), ("revenue",))


def test_a_pronoun_stands_for_the_name_before() -> None:
    parts = read_question("What is Mira Solberg's job and where does she live?")
    assert [part.subjects for part in parts] == [("Mira Solberg",)] * 2


def test_a_pronoun_may_stand_for_a_name_in_an_earlier_request() -> None:
    (part,) = read_question("Where does she live?", ["Who is Vela?", "Who is Mira Solberg?"])
    assert part.subjects == ("Mira Solberg",)


def test_a_question_without_pronoun_is_about_nobody_before() -> None:
    (part,) = read_question("Who works as a pilot?", ["Who is Mira Solberg?"])
    assert part.subjects == ()


def test_two_names_with_one_verb_are_two_questions() -> None:
    parts = read_question("What do Vela Maritime and Orca Data do?")
    assert [part.subjects for part in parts] == [("Vela Maritime",), ("Orca Data",)]


def test_two_names_in_different_places_are_one_question() -> None:
    (part,) = read_question("What is the role of Mira Solberg at Orca Data?")
    assert part.subjects == ("Mira Solberg", "Orca Data")
