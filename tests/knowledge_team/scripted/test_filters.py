import pytest

from knowledge_team.scripted.filters import NameFilter, cut_filter


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("Which firms have Shipping in their name", NameFilter(words=("Shipping",))),
        ("Which firms have 'A' or \"B\" in the name", NameFilter(words=("A", "B"))),
        ("firms with Data or Labs in their names", NameFilter(words=("Data", "Labs"))),
        ("firms whose name contains the word Data", NameFilter(words=("Data",))),
        ("firms whose names start with B", NameFilter(words=("B",), place="start")),
        ("firms that begin with Or", NameFilter(words=("Or",), place="start")),
        ("firms with names ending in Freight", NameFilter(words=("Freight",), place="end")),
        ("firms without Data in their name", NameFilter(words=("Data",), negated=True)),
        ("firms that do not have Data in their name", NameFilter(words=("Data",), negated=True)),
        ("Which firms formed Vela", None),
        ("When does the fair start in Norvik", None),
    ],
)
def test_a_condition_on_names_is_read(clause: str, expected: NameFilter | None) -> None:
    assert cut_filter(clause)[1] == expected


def test_the_rest_of_the_clause_stays() -> None:
    assert cut_filter("Which firms have Data in their name")[0] == "Which firms"


@pytest.mark.parametrize(
    ("place", "name", "admitted"),
    [
        ("anywhere", "Norvik Shipping", True),
        ("anywhere", "Orca", False),
        ("start", "Shipping Co", True),
        ("start", "Norvik Shipping", False),
        ("end", "Norvik SHIPPING", True),
    ],
)
def test_a_name_is_compared_without_case(place: str, name: str, admitted: bool) -> None:  # noqa: FBT001
    assert NameFilter(words=("shipping",), place=place).admits(name) is admitted  # type: ignore[arg-type]


def test_a_negated_condition_admits_the_others() -> None:
    condition = NameFilter(words=("data",), negated=True)
    assert [condition.admits(name) for name in ("Orca Data", "Vela")] == [False, True]
