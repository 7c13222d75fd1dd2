import pytest

from knowledge_team.scripted.names import tokens


@pytest.mark.parametrize(
    ("clause", "names"),
    [
        ("Who is Mira Solberg", ["Mira Solberg"]),
        ("What is Mira's job at Orca Data", ["Mira", "Orca Data"]),
        ("Companies that formed Vela", ["Vela"]),
        ("Mira Solberg's job", ["Mira Solberg"]),
        ("Who is the CEO of Vela", ["Vela"]),
        ("Where is B12 Freight", ["B12 Freight"]),
        ("Who founded the Bank of Norvik", ["Bank of Norvik"]),
        ('What does "night train" mean', ["night train"]),
        ("What did Liam O'Shea write", ["Liam O'Shea"]),
        ("What is Kvist 2.0", ["Kvist 2.0"]),
        ("Who made Kvist 2 and Kvist v3.1-beta", ["Kvist 2", "Kvist v3.1-beta"]),
        ("Where does Dr. J. P. Holm live", ["Dr. J. P. Holm"]),
        ("What does Boats, Inc. do", ["Boats, Inc"]),
        ("What does Vela AS do", ["Vela AS"]),
        ("Who leads Orca & Sable s.r.o", ["Orca & Sable s.r.o"]),
        ("Who runs Vela Sp. z o.o. in 2015", ["Vela Sp. z o.o"]),
        ("what does vela do", []),
        ("How many of the 4 ports", []),
    ],
)
def test_names_show_by_capitals_digits_or_quotes(clause: str, names: list[str]) -> None:
    assert [token.text for token in tokens(clause) if token.is_name] == names
