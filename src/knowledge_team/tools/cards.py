"""What a team knows of a tool before it exists.

A catalog holds cards, a team holds what they build. Whoever wants an agent to have another tool
in the place of one gives its card another tool card: anything with these three members will do.
"""

import json
from collections.abc import Sequence
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


def result_text(result: dict[str, JsonValue]) -> str:
    """Return what a tool found as canonical JSON: the same text for the same result."""
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
