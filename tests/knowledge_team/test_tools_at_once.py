"""Teams that start at once share what models are told of their tools, and nothing else."""

import threading
from concurrent.futures import ThreadPoolExecutor
from types import FunctionType
from typing import Any

import pytest
from pydantic_ai import Tool

from knowledge_team.tools import cards


def _of_store(store: str) -> FunctionType:
    async def look_up() -> str:
        """Look it up."""
        return store

    assert isinstance(look_up, FunctionType)
    return look_up


def test_teams_that_start_at_once_have_tools_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    # Neither has made its tool when the other looks for one.
    monkeypatch.setattr(cards, "Tool", _Slow(threading.Barrier(2, timeout=10)))
    functions = [_of_store("one"), _of_store("other")]
    with ThreadPoolExecutor(2) as threads:
        tools = list(threads.map(cards.built_tool, functions))
    assert [tool.function for tool in tools] == functions


class _Slow:
    def __init__(self, both: threading.Barrier) -> None:
        self._both = both

    def __getitem__(self, _: object) -> Any:
        return self._make

    def _make(self, function: Any) -> Any:
        self._both.wait()
        return Tool(function)
