import re

import pytest

from knowledge_team.scripted.ingestion.naming import NAME, clean_name, enumerated, name_at_end


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Harbourline met B12 Cargo in March.", ["Harbourline", "B12 Cargo"]),
        ("Müller & Söhne GmbH and Øresund Fähre", ["Müller & Söhne GmbH", "Øresund Fähre"]),
        ("the Port of Halden and Ilse van Dorn", ["Port of Halden", "Ilse van Dorn"]),
        ("Dr. Ada Quill of Vela's office at Pier 4", ["Dr. Ada Quill of Vela", "Pier 4"]),
        ("Kvist 2.0 costs 4,900 in Lindau am Moor.", ["Kvist 2.0", "Lindau am Moor"]),
        ("Kvist 2.0.1 and Kvist v3 use tarn.js 4.2.", ["Kvist 2.0.1", "Kvist v3", "tarn.js 4.2"]),
        (
            "Vela Sp. z o.o. met Orca A.Ş. and J. P. Holm.",
            ["Vela Sp. z o.o.", "Orca A.Ş.", "J. P. Holm"],
        ),
        ("In 2015 nobody knew.", []),
    ],
)
def test_names_are_words_with_capitals(text: str, expected: list[str]) -> None:
    assert [name for name in map(clean_name, re.findall(NAME, text)) if name] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Vela Union", "Vela Union"),
        ("In March", ""),
        ("Der Hafen", "Hafen"),
        ("Vela", "Vela"),
        ("Co-owner Bo Krog", "Bo Krog"),
    ],
)
def test_words_around_a_name_are_cut_off(text: str, expected: str) -> None:
    assert clean_name(text) == expected


def test_a_text_may_end_with_a_name() -> None:
    texts = ("It met Orca Ltd.", "It met Orca here", "")
    assert [name_at_end(text) for text in texts] == ["Orca Ltd.", "", ""]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Orca, Sable and Pelikan in 2015.", ["Orca", "Sable", "Pelikan"]),
        ("the companies Orca; Sable; as well as Pelikan", ["Orca", "Sable", "Pelikan"]),
        ("six firms: Orca, Sable", ["Orca", "Sable"]),
        ("Orca (Norvik), xplus and Sable", ["Orca", "xplus", "Sable"]),
        ("the engineer Ada Quill and her brother Bo Quill", ["Ada Quill", "Bo Quill"]),
        ("Orca, which runs ferries, and Sable", ["Orca"]),
        ("the Dutch investor Orca Kapitaal.", ["Orca Kapitaal"]),
        ("merging Orca with Sable", ["Orca"]),
        ("Orca Ltd. two years later", ["Orca Ltd."]),
        ("Orca plc, Sable eG and Vela", ["Orca plc", "Sable eG", "Vela"]),
        ("J. P. Harrow & Co. and Sable Inc. since 2021", ["J. P. Harrow & Co.", "Sable Inc."]),
        ("Night ferries, Tide maps", []),
        ("volunteers", []),
        ("a very long way round that says nothing of anybody for a dozen words Orca", []),
    ],
)
def test_an_enumeration_ends_where_the_sentence_goes_on(text: str, expected: list[str]) -> None:
    assert list(enumerated(text)) == expected
