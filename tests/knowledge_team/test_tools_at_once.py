"""Teams that start at once share what models are told of their tools, and nothing else."""

import threading
from concurrent.futures import ThreadPoolExecutor
from types import FunctionType
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from knowledge_team.tools.cards import built_tool

both = threading.Barrier(2, timeout=10)


class Place(str):
    """An argument whose schema is not made before the other team makes it too."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        both.wait()
        return core_schema.str_schema()


def looking_up(store: str) -> FunctionType:
    async def look_up(place: Place) -> str:
        """Look it up."""
        return f"{store} at {place}"

    assert isinstance(look_up, FunctionType)
    return look_up


def test_teams_that_start_at_once_have_tools_of_their_own() -> None:
    functions = [looking_up("one"), looking_up("other")]
    with ThreadPoolExecutor(2) as threads:
        tools = list(threads.map(built_tool, functions))
    assert [tool.function for tool in tools] == functions
