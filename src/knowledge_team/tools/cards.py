"""What a team knows of a tool before it exists.

A catalog holds cards, a team holds what they build. Whoever wants an agent to have another tool
in the place of one gives its card another tool card: anything with these three members will do.
"""

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from types import CodeType, FunctionType
from typing import Protocol

from pydantic import BaseModel, ConfigDict, JsonValue
from pydantic_ai import Tool

from knowledge_team.store import GraphStore

type BuiltTool = Tool[object]
"""A tool as pydantic-ai takes it, for an agent of any deps."""


class ToolCard(Protocol):
    """What a team needs to know of a tool before it exists."""

    @property
    def tool_type(self) -> str:
        """The name of the kind of tool."""
        ...

    @property
    def read_only(self) -> bool:
        """Whether the tool leaves the store as it is."""
        ...

    def build(self, store: GraphStore) -> Sequence[BuiltTool]:
        """Return the tool, or the tools, over this store."""
        ...


class StrictCard(BaseModel):
    """A card as it stands in a catalog file, where its `tool_type` is the key `type`."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_by_name=True)


_built: dict[CodeType, BuiltTool] = {}


def built_tool(function: FunctionType) -> BuiltTool:
    """Return the coroutine function as a tool of its name, described by its docstring.

    What a model is told of it is made once for all teams: that takes pydantic-ai a millisecond a
    tool, and was two thirds of the start of a team. Functions made by one `def` are one tool.
    """
    first = _built.get(function.__code__)
    if first is None:
        tool = Tool[object](function)
        _built.setdefault(function.__code__, tool)
        return tool  # this one, also where another team was faster: that one's has its own store
    known = first.function_schema
    # A copy: whoever prepares a tool for its model may change what the model is told.
    schema = replace(known, function=function, json_schema=deepcopy(known.json_schema))
    return Tool[object](function, function_schema=schema)


def result_text(result: dict[str, JsonValue]) -> str:
    """Return what a tool found as canonical JSON: the same text for the same result."""
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
