"""How a writer keeps its sessions is told by its columns."""

import pytest

from audition.errors import RecordError
from audition.sources.tables import in_storing_order, layout_of, record_of

TABLES = {
    "kagent": {"event": ["id", "session_id", "data"]},
    "ADK": {"events": ["id", "event_data"]},
    "ADK before 2.0": {"events": ["id", "session_id", "author", "content", "timestamp"]},
}


@pytest.mark.parametrize("name", TABLES)
def test_a_layout_is_known_by_its_columns(name: str) -> None:
    assert layout_of("db", TABLES[name]).name == name


@pytest.mark.parametrize("tables", [{}, {"event": ["id"]}, {"events": ["id", "title"]}])
def test_other_tables_are_refused(tables: dict[str, list[str]]) -> None:
    with pytest.raises(RecordError, match="no sessions of ADK or kagent"):
        layout_of("db", tables)


@pytest.mark.parametrize("name", TABLES)
def test_rows_of_one_moment_are_in_the_order_of_storing(name: str) -> None:
    layout = in_storing_order(layout_of("db", TABLES[name]), "rowid")
    assert layout.events.endswith((" ORDER BY created_at, rowid, id", "timestamp, rowid, id"))


def test_what_a_row_holds_is_an_event_a_text_of_one_or_broken() -> None:
    rows = [("a", {"x": 1}), ("b", '{"x": 2}'), ("c", "{"), ("d", '"{\\"x\\": 3}"')]
    record = record_of("db", rows, ("id", "data"))
    (broken,) = record.broken
    assert record.frames == ({"x": 1}, {"x": 2}, '{"x": 3}')
    assert (broken.index, broken.reason.partition(":")[0]) == (2, "row 'c', no JSON")
    assert record.lines == (0, 1, 3)
