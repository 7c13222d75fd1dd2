"""Which tools a catalog file may give to an agent."""

from typing import Annotated

from pydantic import Field

from knowledge_team.tools.graph import UpdateGraphCard
from knowledge_team.tools.ingestion import CommitIngestionCard, FailIngestionCard
from knowledge_team.tools.search import SearchGraphCard
from knowledge_team.tools.web import WebFetchCard

type CatalogTool = Annotated[
    SearchGraphCard | WebFetchCard | UpdateGraphCard | CommitIngestionCard | FailIngestionCard,
    Field(discriminator="tool_type"),
]
"""The card of a tool, told from the others by its `type`."""
