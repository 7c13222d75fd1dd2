import pytest

from knowledge_team.scripted.ingestion.sentences import MOST_CHARACTERS, sentences


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ("One is here. Two is there! Is it?", ["One is here.", "Two is there!", "Is it?"]),
        ("Dr. Holm met J. Krog. Both left.", ["Dr. Holm met J. Krog.", "Both left."]),
        ("Vela Inc. runs ferries, e.g. to Halden.", ["Vela Inc. runs ferries, e.g. to Halden."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("It costs 3.50 a day. Ærø is near.", ["It costs 3.50 a day.", "Ærø is near."]),
        ("No end", ["No end"]),
        ("", []),
    ],
)
def test_a_paragraph_is_split_where_sentences_end(paragraph: str, expected: list[str]) -> None:
    assert list(sentences(paragraph)) == expected


def test_what_is_too_long_is_no_sentence() -> None:
    assert sentences(f"{'a ' * MOST_CHARACTERS}end. Short.") == ("Short.",)
