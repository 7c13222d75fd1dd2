import pytest

from knowledge_team.scripted.ingestion.values import (
    Row,
    is_key,
    item_name,
    read_table,
    value_sentence,
)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("Colour", "blue.", "The colour of Vela is blue."),
        ("Founded", "2015", "Vela was founded in 2015."),
        ("Built", "1971", "Vela was built in 1971."),
        ("Headquarters", "Pier 4", "The headquarters of Vela is at Pier 4."),
        ("Country", "Norway", "Vela is located in Norway (country)."),
        ("Since", "2009", "Vela has been there since 2009."),
    ],
)
def test_a_value_is_put_into_a_sentence(key: str, value: str, expected: str) -> None:
    assert value_sentence("Vela", key, value) == expected


@pytest.mark.parametrize(("item", "key"), [("Owner: Bo Krog", True), ("Orca: a railway", False)])
def test_a_key_is_a_word_that_is_asked_for(item: str, *, key: bool) -> None:
    assert is_key(item) is key


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("Orca Data", "Orca Data"),
        ("Orca e.K.;", "Orca e.K."),
        ("Orca Ltd. \u2014 maps", "Orca Ltd."),
        ("Orca (Norvik), maps", "Orca"),
        ("xplus", "xplus"),
        ("Owner: Bo Krog", ""),
        ("night ferries", ""),
    ],
)
def test_an_item_may_be_a_name(item: str, expected: str) -> None:
    assert item_name(item) == expected


def test_a_table_has_rows_about_names() -> None:
    head, rows = read_table(
        ["Ship | Captain | Flag", "---|---|---", "Vela | Bo Krog |", "all | none"]
    )
    assert head == "Ship"
    assert rows == (Row(name="Vela", values=(("Captain", "Bo Krog"),)),)


def test_lines_alone_are_no_table() -> None:
    assert read_table(["---|---"]) == ("", ())
