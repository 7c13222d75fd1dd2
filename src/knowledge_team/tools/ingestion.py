"""The two ends of an ingestion: its facts count from now on, or it is given up."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from knowledge_team.facts import named
from knowledge_team.ingestion import IngestionLedger
from knowledge_team.store import GraphStore
from knowledge_team.tools.cards import BuiltTool, StrictCard, built_tool, result_text

type Reason = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class CommitIngestionCard(StrictCard):
    """The end of an ingestion that went well.

    Attributes:
        tool_type: Its name in a catalog, where the key is `type`.
        read_only: It changes the store.

    """

    tool_type: Literal["commit_web_ingestion"] = Field(default="commit_web_ingestion", alias="type")
    read_only: Literal[False] = False

    def build(self, store: GraphStore) -> tuple[BuiltTool]:
        """Return the tool `commit_web_ingestion` over this store."""
        ledger = IngestionLedger(store)

        async def commit_web_ingestion(url: str, content_hash: str) -> str:
            """Let what update_graph stored of a page count, in the place of what it said before.

            The unread_characters at the end of a page that is too long are not among it.

            Args:
                url: The page, as it was fetched.
                content_hash: The hash that the fetch of the page returned.

            """
            committed = ledger.commit(url, content_hash)
            return result_text(
                {
                    "url": url,
                    "content_hash": content_hash,
                    "status": "committed",
                    "times_committed": committed.source.times_committed,
                    "removed": named(committed.removed),
                    "unread_characters": committed.source.committed_unread_characters,
                }
            )

        return (built_tool(commit_web_ingestion),)


class FailIngestionCard(StrictCard):
    """The end of an ingestion that comes to nothing.

    Attributes:
        tool_type: Its name in a catalog, where the key is `type`.
        read_only: It changes what is noted of the page.

    """

    tool_type: Literal["fail_web_ingestion"] = Field(default="fail_web_ingestion", alias="type")
    read_only: Literal[False] = False

    def build(self, store: GraphStore) -> tuple[BuiltTool]:
        """Return the tool `fail_web_ingestion` over this store."""
        ledger = IngestionLedger(store)

        async def fail_web_ingestion(url: str, reason: Reason) -> str:
            """Give the ingestion of a page up; what was committed of it before stays.

            Args:
                url: The page, as it was fetched.
                reason: Why, in a few words: the page holds nothing of use, the update failed.

            """
            source = ledger.fail(url, reason)
            return result_text(
                {
                    "url": url,
                    "status": "failed",
                    "reason": reason,
                    "times_committed": source.times_committed,
                }
            )

        return (built_tool(fail_web_ingestion),)
