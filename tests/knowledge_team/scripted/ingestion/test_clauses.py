import pytest

from knowledge_team.scripted.ingestion.clauses import (
    SpokenOf,
    appositions,
    halves,
    introduced,
    of_the_owned,
    read_clause,
    with_object,
    with_owner,
    with_subject,
    without_adverb,
)


@pytest.mark.parametrize(
    ("sentence", "subjects", "rest"),
    [
        ("Vela runs ferries.", ["Vela"], "runs ferries."),
        ("The Old Ropewalk was sold.", ["Old Ropewalk"], "was sold."),
        ("Orca, Sable and Pelikan formed Vela.", ["Orca", "Sable", "Pelikan"], "formed Vela."),
        ("In 2015, Vela opened.", ["Vela"], "opened., in 2015"),
        ("Founded by Ada Quill, Vela grew.", ["Vela"], "grew, founded by Ada Quill"),
        ("Since 2015 Vela serves ports.", ["Vela"], "serves ports, since 2015"),
        ("Two years later Vela grew.", ["Vela"], "grew, two years later"),
        ("Orca and Sable carry coal.", ["Orca", "Sable"], "carries coal."),
        ("Marine engineer Ada Quill leads Vela.", ["Ada Quill"], "leads Vela."),
    ],
)
def test_a_clause_has_subjects_and_what_is_said_of_them(
    sentence: str, subjects: list[str], rest: str
) -> None:
    clause = read_clause(sentence)
    assert clause is not None
    assert list(clause.subjects) == subjects
    assert clause.rest.replace("opened,", "opened.,") == rest


def test_what_stands_behind_a_name_is_kept_apart() -> None:
    clause = read_clause("Ada Quill, a marine engineer, leads Vela.")
    assert clause is not None
    assert (clause.aside, clause.rest) == ("a marine engineer", "leads Vela.")


@pytest.mark.parametrize("sentence", ["ferries run.", "Contact", "In 2015, all was well.", ""])
def test_without_a_name_and_a_verb_there_is_none(sentence: str) -> None:
    assert read_clause(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We are a shipyard.", "Vela is a shipyard."),
        ("We build ferries.", "Vela builds ferries."),
        ("We carry and fix them.", "Vela carries and fix them."),
        ("We were founded in 2015.", "Vela was founded in 2015."),
        ("I'm a pilot.", "Vela is a pilot."),
        ("We've two ships.", "Vela has two ships."),
        ("We wash boats.", "Vela washes boats."),
        ("We supply boats.", "Vela supplies boats."),
        ("In 2015 the company sold maps.", "In 2015, Ada Systems sold maps."),
        ("We led it.", "Vela led it."),
        ("Our office is in Norvik.", "Vela's office is in Norvik."),
        ("She lives in Halden.", "Ada Systems lives in Halden."),
        ("They have ships.", "Ada Systems has ships."),
        ("Its owner is Bo Krog.", "Ada Systems' owner is Bo Krog."),
        ("The company sells maps.", "Ada Systems sells maps."),
        ("The ferry sails daily.", "Ada Systems sails daily."),
        ("Born in Halden, she studied tides.", "Born in Halden, Ada Systems studied tides."),
        ("In 2001 she founded it.", "In 2001, Ada Systems founded it."),
        ("The weather is bad.", "The weather is bad."),
        ("In 2015, nothing happened.", "In 2015, nothing happened."),
    ],
)
def test_words_that_stand_for_a_name_become_it(sentence: str, expected: str) -> None:
    spoken_of = SpokenOf(speaker="Vela", latest="Ada Systems", noun="ferry")
    assert with_subject(sentence, spoken_of) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It grew.", "Orca grew."),
        ("Its office is here.", "Orca's office is here."),
        ("The firm grew.", "Orca grew."),
        ("The firm, which sells maps, grew.", "Orca, which sells maps, grew."),
        ("She left.", "Ada Quill left."),
    ],
)
def test_a_thing_is_no_person(sentence: str, expected: str) -> None:
    spoken_of = SpokenOf(speaker="Vela", latest="Ada Quill", thing="Orca")
    assert with_subject(sentence, spoken_of) == expected


@pytest.mark.parametrize("sentence", ["We build ferries.", "Its owner is Bo.", "The firm grew."])
def test_where_no_name_is_known_they_stay(sentence: str) -> None:
    assert with_subject(sentence, SpokenOf(speaker="", latest="")) == sentence


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The founders are Ada and Bo.", "The founders of Vela are Ada and Bo."),
        ("The founders are: Ada, Bo.", "The founders of Vela are Ada, Bo."),
        ("The founders are happy.", "The founders are happy."),
    ],
)
def test_a_noun_without_an_owner_is_that_of_the_page(sentence: str, expected: str) -> None:
    assert with_owner(sentence, "Vela") == expected


def test_the_company_at_the_end_of_a_clause_becomes_its_name() -> None:
    assert with_object("Ada leads the company.", "Vela") == "Ada leads Vela."
    assert with_object("Ada leads the company car park.", "Vela").endswith("car park.")
    assert with_object("Vela leads the group.", "Vela") == "Vela leads the group."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("I'm Mats Ek.", ("Mats Ek", "")),
        ("We are Vela, a shipyard.", ("Vela", "Vela is a shipyard.")),
        ("We are a shipyard.", ("", "We are a shipyard.")),
        ("My name is Ada Quill.", ("Ada Quill", "")),
    ],
)
def test_who_introduces_itself_is_heard(sentence: str, expected: tuple[str, str]) -> None:
    assert introduced(sentence) == expected


def test_what_is_true_today_is_true() -> None:
    assert without_adverb("Today, it sells maps.") == "It sells maps."
    assert without_adverb("In 2015, it sold maps.") == "In 2015, it sold maps."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It was led by Bo Krog, a pilot, until 2015.", [("Bo Krog", "a pilot")]),
        (
            "It met Vela Ltd., the oldest line led by Orca.",
            [("Vela Ltd.", "the oldest line led by Orca")],
        ),
        ("When it saw Norvik, the ferry turned.", []),
        ("In Norvik, the ferry is late.", []),
        ("It met Orca, Sable and Vela.", []),
    ],
)
def test_what_is_said_in_passing_is_seen(sentence: str, expected: list[tuple[str, str]]) -> None:
    assert list(appositions(sentence)) == expected


@pytest.mark.parametrize(
    ("sentence", "count"),
    [("Vela sells maps; it is old.", 2), ("Vela unites Orca; Sable; Bo.", 1), ("Vela is old.", 1)],
)
def test_a_semicolon_stands_between_sentences(sentence: str, count: int) -> None:
    assert len(halves(sentence)) == count


def test_a_dateline_is_left_out() -> None:
    assert without_adverb("NORD-VIK \u2014 Vela grew.") == "Vela grew."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Vela's head, the pilot Ada Quill, left.", "Ada Quill left."),
        ("Vela's ports, Halden and Norvik, are old.", ""),
        ("Vela's head left.", ""),
    ],
)
def test_what_a_sentence_says_of_the_owned_is_said_of_its_name(
    sentence: str, expected: str
) -> None:
    assert of_the_owned(sentence) == expected
