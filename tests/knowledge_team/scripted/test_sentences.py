import pytest

from knowledge_team.scripted.sentences import ended, is_abbreviation, sentences


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ("One is here. Two is there! Is it?", ["One is here.", "Two is there!", "Is it?"]),
        ("Dr. Holm met J. Krog. Both left.", ["Dr. Holm met J. Krog.", "Both left."]),
        ("Vela Inc. runs ferries, e.g. to Halden.", ["Vela Inc. runs ferries, e.g. to Halden."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("It costs 3.50 a day. Ærø is near.", ["It costs 3.50 a day.", "Ærø is near."]),
        ("It left Vela Ltd. Orca Co. Ltd. stayed.", ["It left Vela Ltd.", "Orca Co. Ltd. stayed."]),
        (
            "Vela Sp. z o.o. is here. Kvist 2.0. Ok.",
            ["Vela Sp. z o.o. is here.", "Kvist 2.0.", "Ok."],
        ),
        ("No end", ["No end"]),
        ("", []),
    ],
)
def test_a_paragraph_is_split_where_sentences_end(paragraph: str, expected: list[str]) -> None:
    assert list(sentences(paragraph)) == expected


def test_a_text_has_one_point_at_its_end() -> None:
    assert [ended(text) for text in ("It met Vela Ltd.", "It left", "Stop!")] == [
        "It met Vela Ltd.",
        "It left.",
        "Stop!",
    ]


def test_a_point_belongs_to_an_abbreviation() -> None:
    assert [word for word in ("St", "Ltd", "J", "b", "Vela") if is_abbreviation(word)] == [
        "St",
        "Ltd",
        "J",
        "b",
    ]
