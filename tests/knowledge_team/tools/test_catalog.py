import pytest
from pydantic import TypeAdapter

from knowledge_team.store import GraphStore
from knowledge_team.tools.catalog import CatalogTool

CARDS = TypeAdapter[CatalogTool](CatalogTool)


@pytest.mark.parametrize(
    ("tool_type", "name", "read_only"),
    [
        ("search_graph", "search_graph", True),
        ("web_fetch", "web_fetch_tool", False),
        ("update_graph", "update_graph", False),
        ("commit_web_ingestion", "commit_web_ingestion", False),
        ("fail_web_ingestion", "fail_web_ingestion", False),
    ],
)
def test_a_type_leads_to_a_tool(tool_type: str, name: str, *, read_only: bool) -> None:
    card = CARDS.validate_python({"type": tool_type})
    with GraphStore() as store:
        (tool,) = card.build(store)
    assert (card.tool_type, card.read_only, tool.name) == (tool_type, read_only, name)
    described = tool.function_schema.json_schema["properties"]
    assert all("description" in one for one in described.values())
