import pytest

from knowledge_team.scripted.ingestion.aliases import KnownNames


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("The Tide Survey Office (TSO) is old.", "TSO", "Tide Survey Office"),
        ('The Tide Survey Office ("TSO") is old.', "TSO", "Tide Survey Office"),
        ("In March Orca's Bank of Norvik (BN) closed.", "BN", "Bank of Norvik"),
        ("The Tide Survey Office (UK) is old.", "UK", "UK"),
        ("Ada Quill (she) runs it.", "she", "she"),
        ("The Pan-Norvik Office (PNO) is old.", "PNO", "Pan-Norvik Office"),
        ("(TSO)", "TSO", "TSO"),
    ],
)
def test_initials_in_brackets_stand_for_the_name_before(
    text: str, name: str, expected: str
) -> None:
    assert KnownNames(text).of(name) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Vela GmbH", "Vela"], ["Vela GmbH", "Vela GmbH"]),
        (["Vela", "Vela A/S"], ["Vela", "Vela"]),
        (["Vela Sp. z o.o.", "VELA"], ["Vela Sp. z o.o.", "Vela Sp. z o.o."]),
        (["Vela GmbH", "Vela AG", "Vela"], ["Vela GmbH", "Vela AG", "Vela GmbH"]),
        (["Vela", "Vela Union"], ["Vela", "Vela Union"]),
        (["AG", ""], ["AG", ""]),
    ],
)
def test_a_company_is_also_called_without_its_legal_form(
    names: list[str], expected: list[str]
) -> None:
    known = KnownNames("")
    assert [known.of(name) for name in names] == expected
