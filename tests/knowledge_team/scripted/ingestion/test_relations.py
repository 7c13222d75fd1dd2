import pytest

from knowledge_team.scripted.ingestion.clauses import read_clause
from knowledge_team.scripted.ingestion.relations import clause_relations, role, role_relations


def told(sentence: str) -> list[str]:
    clause = read_clause(sentence)
    found = role_relations(sentence) or (clause_relations(clause) if clause else ())
    return [f"{one.from_entity} {one.relation_type} {one.to_entity}" for one in found]


FORMED = ["Orca formed Vela", "Sable formed Vela"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Vela was formed by Orca and Sable.",
        "Vela, formed in 2015 by Orca and Sable, is a shipyard.",
        "Vela was formed by two companies: Orca, Sable.",
        "Vela unites Orca and Sable under one roof.",
        "Vela brings together Orca and Sable.",
        "Vela is a merger of Orca and Sable.",
        "Vela emerged from the merger of Orca and Sable in 2016.",
        "Vela began in 2017, when Orca and Sable joined forces.",
        "Vela resulted from the union of two firms (Orca and Sable).",
        "Vela started as a collaboration between Orca and Sable.",
        "Orca and Sable formed Vela.",
        "Orca and Sable have jointly formed Vela.",
        "Orca and Sable set up Vela in 2013.",
        "Orca and Sable merged to become Vela.",
        "Orca and Sable joined forces to form Vela.",
        "The companies Orca and Sable formed Vela together.",
        "Two companies joined to form Vela: Orca and Sable.",
        "Behind Vela stand Orca and Sable.",
        "In 2014, Orca and Sable formed Vela.",
    ],
)
def test_who_formed_something_is_told_in_many_ways(sentence: str) -> None:
    assert told(sentence) == FORMED


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Vela was founded by Ada Quill in 2015.", ["Ada Quill founded Vela"]),
        ("Ada Quill founded Vela.", ["Ada Quill founded Vela"]),
        (
            "The founders of Vela are Ada Quill and Bo.",
            ["Ada Quill founded Vela", "Bo founded Vela"],
        ),
        ("Vela's founders are Ada Quill and Bo.", ["Ada Quill founded Vela", "Bo founded Vela"]),
        ("Ada Quill is one of the founders of Vela.", ["Ada Quill founded Vela"]),
        (
            "Ada Quill is the founder and CEO of Vela.",
            ["Ada Quill founded Vela", "Ada Quill ceo_of Vela"],
        ),
        ("The CEO of Vela is Ada Quill.", ["Ada Quill ceo_of Vela"]),
        (
            "Among the members of Vela are Orca and Bo.",
            ["Orca member_of Vela", "Bo member_of Vela"],
        ),
        ("Vela has three partners: Orca, Bo.", ["Orca partner_of Vela", "Bo partner_of Vela"]),
        ("Ada Quill works at Orca Data.", ["Ada Quill works_at Orca Data"]),
        ("Ada Quill works as a pilot for Orca Data.", ["Ada Quill works_at Orca Data"]),
        ("Ada Quill is a pilot at Orca Data.", ["Ada Quill works_at Orca Data"]),
        ("Ada Quill leads the shipping line Vela.", ["Ada Quill leads Vela"]),
        (
            "Ada Quill lives in Halden and leads Vela.",
            ["Ada Quill lives_in Halden", "Ada Quill leads Vela"],
        ),
        ("In 2019 Vela was bought by Orca AB two years later.", ["Orca AB bought Vela"]),
        (
            "Orca and Sable Ltd. supply wheels to Vela.",
            [
                "Orca supplies_to Vela",
                "Orca supplies Wheels",
                "Sable Ltd. supplies_to Vela",
                "Sable Ltd. supplies Wheels",
            ],
        ),
        ("Ada Quill, the owner of Vela, left.", ["Ada Quill owner_of Vela"]),
        (
            "Ada Quill co-founded Vela with Bo Krog in 2014.",
            ["Bo Krog founded Vela", "Ada Quill founded Vela"],
        ),
        ("Vela makes maps, e.g. for ports.", ["Vela makes Maps"]),
        ("Vela's state-of-the-art fleet includes the Orca.", ["Orca fleet_of Vela"]),
        ("Ada Quill is a pilot and the founder of Vela.", ["Ada Quill founded Vela"]),
        (
            "Vela was built by Orca and sponsored by Sable.",
            ["Orca built Vela", "Sable sponsored Vela"],
        ),
        ("Three firms own Vela: Orca, Sable.", ["Orca owns Vela", "Sable owns Vela"]),
        ("Orca merged with Sable to form Vela.", ["Orca formed Vela", "Sable formed Vela"]),
        ("Vela's head, Ada Quill, left.", ["Ada Quill head_of Vela"]),
        ("Ada Quill has been CEO of Vela since 2017.", ["Ada Quill ceo_of Vela"]),
        ("Vela's office is run by Ada Quill.", []),
        ("Vela employs about 240 people.", []),
        (
            "Orca and the small railway Sable jointly own Vela.",
            ["Orca own Vela", "Sable own Vela"],
        ),
        ("Vela is based in Norvik.", ["Vela based_in Norvik"]),
        ("Vela is a shipyard in Norvik.", ["Vela located_in Norvik"]),
        ("Vela has acquired Orca Data.", ["Vela acquired Orca Data"]),
        ("Pelagia is a subsidiary of Vela.", ["Pelagia subsidiary_of Vela"]),
        (
            "Beacon coordinates inspection windows for ports.",
            ["Beacon coordinates Inspection windows"],
        ),
        (
            "Vela sells maps, twelve boats and the ropes.",
            ["Vela sells Maps", "Vela sells Boats", "Vela sells Ropes"],
        ),
    ],
)
def test_a_form_tells_a_relation(sentence: str, expected: list[str]) -> None:
    assert told(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Vela was not formed by Orca and Sable.",
        "The founders of Vela are not Orca and Sable.",
        "Vela opened in March.",
        "Vela works quickly.",
        "Vela has ferries.",
        "Vela is quick.",
        "Vela was created by volunteers.",
        "Vela formed Vela.",
        "The founders of Vela are in Halden.",
    ],
)
def test_what_is_not_told_is_not_a_relation(sentence: str) -> None:
    assert told(sentence) == []


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("founding companies", "founded"),
        ("co-founders", "founded"),
        ("members", "member_of"),
        ("subsidiaries", "subsidiary_of"),
        ("boss", "boss_of"),
        ("six", "part_of"),
        ("managing director", "managing_director_of"),
    ],
)
def test_a_noun_is_a_relation(noun: str, expected: str) -> None:
    assert role(noun) == expected
