import pytest
from pydantic import JsonValue

from audition.matching.json_paths import parse_path, select

VALUE: JsonValue = {
    "status": "denied",
    "rows": [{"error": None}, {"error": "full"}, {}],
    "grid": [[1, 2], [3]],
    "caf\u00e9": {"0": True},
}


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("$", [VALUE]),
        ("$.status", ["denied"]),
        ("$.rows[1].error", ["full"]),
        ("$.rows[*].error", [None, "full"]),
        ("$.grid[*][*]", [1, 2, 3]),
        ("$.grid[0][1]", [2]),
        ("$.caf\u00e9.0", [True]),
        ("$.missing", []),
        ("$.status.deeper", []),
        ("$.status[0]", []),
        ("$.rows[3]", []),
        ("$.rows.error", []),
        ("$[*]", []),
        ("$[0]", []),
    ],
)
def test_a_path_leads_to_the_values_it_names(path: str, values: list[JsonValue]) -> None:
    assert list(select(parse_path(path), VALUE)) == values


@pytest.mark.parametrize(
    ("path", "position"),
    [
        ("", 0),
        ("status", 0),
        ("$status", 1),
        ("$.", 1),
        ("$..status", 1),
        ("$.rows[", 6),
        ("$.rows[-1]", 6),
        ("$.rows[x]", 6),
        ("$.*", 1),
        ("$.a b", 3),
        ("$.rows[0] ", 9),
        ("$['a']", 1),
    ],
)
def test_a_path_that_cannot_be_read_is_refused_where_it_stops(path: str, position: int) -> None:
    with pytest.raises(ValueError, match=rf"from position {position}: wanted") as refused:
        parse_path(path)
    assert repr(path) in str(refused.value)


def test_a_path_is_parsed_once() -> None:
    assert parse_path("$.a[0][*]") is parse_path("$.a[0][*]")
    assert parse_path("$.a[0][*]") == ("a", 0, None)
