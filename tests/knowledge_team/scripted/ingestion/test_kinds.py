import pytest

from knowledge_team.scripted.ingestion.clauses import read_clause
from knowledge_team.scripted.ingestion.kinds import (
    is_vague,
    persons_named,
    told_type,
    type_by_name,
    type_of_column,
    type_of_end,
)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ada Quill is a marine biologist and sailor.", "person"),
        ("Ada Quill, a Danish engineer, leads Vela.", "person"),
        ("Ada Quill was born in Halden.", "person"),
        ("Vela is a shipping company based in Norvik.", "company"),
        ("Vela is a digital logistics partner for ports.", "partner"),
        ("Atlas is an open-source tool for ports.", "tool"),
        ("Kvist is a timber scanner made by Furu.", "scanner"),
        ("Vela is an end-to-end logistics partner.", "partner"),
        ("Vela is a Finnish provider of state-of-the-art cranes.", "provider"),
        ("Vela is a publicly funded institute.", "institute"),
        ("Vela is one of Norvik's oldest banks.", "bank"),
        ("Vela is a planning and booking platform.", "platform"),
        ("Vela is a kind of boat.", "boat"),
        ("Vela is a start-up.", "start-up"),
        ("Vela is the larger of the two.", ""),
        ("Vela is a body responsible for water.", "body"),
        ("Vela, a Dutch investor, grew.", "investor"),
        ("Vela and Orca are suppliers of the port.", "supplier"),
        ("Vela and Orca are based in Norvik.", ""),
        ("Ada Quill, the chief executive of Vela, left.", "person"),
        ("Ada Quill is a beekeeper.", "person"),
        ("Vela runs ferries.", ""),
    ],
)
def test_a_sentence_tells_what_something_is(sentence: str, expected: str) -> None:
    clause = read_clause(sentence)
    assert clause is not None
    assert told_type(clause) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Dr. Ada Quill", "person"),
        ("Orca Data GmbH", "organisation"),
        ("Nordlys Institute", "organisation"),
        ("Orca N.V.", "organisation"),
        ("Harbourline", "unknown"),
    ],
)
def test_a_name_tells_what_it_names(name: str, expected: str) -> None:
    assert type_by_name(name) == expected


@pytest.mark.parametrize(("head", "expected"), [("Companies", "company"), ("Name", ""), ("", "")])
def test_a_column_tells_what_is_in_it(head: str, expected: str) -> None:
    assert type_of_column(head) == expected


def test_what_only_the_name_shows_is_vague() -> None:
    assert [kind for kind in ("unknown", "organisation", "bank") if is_vague(kind)] == [
        "unknown",
        "organisation",
    ]


@pytest.mark.parametrize(
    ("relation_type", "ends"),
    [
        ("works_at", ("person", "organisation")),
        ("lives_in", ("person", "place")),
        ("based_in", ("", "place")),
        ("ceo_of", ("", "organisation")),
        ("formed", ("", "")),
    ],
)
def test_a_relation_tells_what_its_ends_are(relation_type: str, ends: tuple[str, str]) -> None:
    found = tuple(type_of_end(relation_type, is_target=is_target) for is_target in (False, True))
    assert found == ends


def test_what_somebody_does_may_stand_before_the_name() -> None:
    said = "It met the marine engineer Bo Krog and the company Vela."
    assert list(persons_named(said)) == ["Bo Krog"]
