import asyncio

import pytest
from pydantic import ValidationError

from knowledge_team.store import GraphStore
from knowledge_team.tools.search import SearchGraphCard


def search(
    store: GraphStore, card: SearchGraphCard | None = None, **arguments: object
) -> list[str]:
    (tool,) = (card or SearchGraphCard()).build(store)
    result = asyncio.run(tool.function_schema.function(**arguments))
    return str(result).splitlines()


def test_the_card_says_what_the_tool_is() -> None:
    card = SearchGraphCard()
    assert (card.tool_type, card.read_only) == ("search_graph", True)


def test_the_built_tool_has_the_name_of_its_type(store: GraphStore) -> None:
    assert [tool.name for tool in SearchGraphCard().build(store)] == ["search_graph"]


def test_the_model_is_told_what_each_argument_means(store: GraphStore) -> None:
    (tool,) = SearchGraphCard().build(store)
    described = tool.function_schema.json_schema["properties"]
    assert sorted(described) == ["include_edges", "include_neighbours", "mode", "query", "top_k"]
    assert all("description" in one for one in described.values())


def test_a_search_returns_lines_of_text(store: GraphStore) -> None:
    line, *_ = search(store, query="Mira Solberg")
    assert line.startswith("entity | Mira Solberg | person | score ")


def test_nothing_found_is_said(store: GraphStore) -> None:
    assert search(store, query="Zed Quorn") == ["No results found."]


def test_the_card_limits_a_search_that_sets_no_limit(store: GraphStore) -> None:
    assert len(search(store, SearchGraphCard(top_k=2), query="shipping companies")) == 2
    assert len(search(store, SearchGraphCard(top_k=2), query="shipping companies", top_k=3)) == 3


def test_edges_of_what_was_found_are_added(store: GraphStore) -> None:
    lines = search(store, query="Tor Lund leads Vela Maritime", top_k=3, include_edges=True)
    assert "relation | Brightsea Shipping | formed | Vela Maritime | related" in lines
    assert len(lines) == len(set(lines))


def test_neighbours_of_what_was_found_are_added(store: GraphStore) -> None:
    lines = search(store, query="Mira Solberg", top_k=1, include_neighbours=True)
    assert "entity | Orca Data | company | related | Builds tide forecasts for ports." in lines


@pytest.mark.parametrize("wrong", [{"top_k": 0}, {"read_only": False}, {"depth": 1}])
def test_a_card_refuses_what_it_does_not_know(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SearchGraphCard.model_validate(wrong)
