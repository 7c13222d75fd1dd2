"""A tool in the place of another: to the model the same tool, by the same definition."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import wraps

from pydantic_ai import Tool

from knowledge_team.store import GraphStore
from knowledge_team.tools.cards import BuiltTool, ToolCard

type Answer = Callable[..., Awaitable[str]]
"""Takes the arguments of the tool by name; those that the model leaves out are not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstituteCard:
    """Has the name, the arguments and the description of a tool, and answers in its place.

    Attributes:
        original: The tool it stands for.
        answer: What answers.

    """

    original: ToolCard
    answer: Answer

    @property
    def tool_type(self) -> str:
        """The kind of tool it stands for."""
        return self.original.tool_type

    @property
    def read_only(self) -> bool:
        """As the tool it stands for: it changes nothing itself."""
        return self.original.read_only

    def build(self, store: GraphStore) -> Sequence[BuiltTool]:
        """Return the tool; the store is only needed to know what the original looks like."""
        return [self._in_place_of(tool) for tool in self.original.build(store)]

    def _in_place_of(self, tool: BuiltTool) -> BuiltTool:
        # pydantic-ai reads name, arguments and description off the function, through `wraps`.
        @wraps(tool.function)
        async def answer(**arguments: object) -> str:
            return await self.answer(**arguments)

        return Tool[object](answer, name=tool.name)
