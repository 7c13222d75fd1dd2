"""How a writer keeps its sessions is told by its columns."""

import pytest

from audition.errors import RecordError
from audition.sources.tables import layout_of

TABLES = {
    "kagent": {"event": ["id", "session_id", "data"]},
    "ADK": {"events": ["id", "event_data"]},
    "ADK before 2.0": {"events": ["id", "session_id", "author", "content", "timestamp"]},
}


@pytest.mark.parametrize("name", TABLES)
def test_a_layout_is_known_by_its_columns(name: str) -> None:
    assert layout_of("db", lambda table: TABLES[name].get(table, [])).name == name


@pytest.mark.parametrize("tables", [{}, {"event": ["id"]}, {"events": ["id", "title"]}])
def test_other_tables_are_refused(tables: dict[str, list[str]]) -> None:
    with pytest.raises(RecordError, match="no sessions of ADK or kagent"):
        layout_of("db", lambda table: tables.get(table, []))
