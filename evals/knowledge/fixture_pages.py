"""Prepared pages in the place of the web: what is around the fetch stays the production tool."""

from collections import Counter

from evals.knowledge.fixtures import FixturePage, KnowledgeFixture
from knowledge_team.errors import FetchFailedError
from knowledge_team.pages import Page, html_text
from knowledge_team.tools.cards import ToolCard
from knowledge_team.tools.web import WebFetchCard
from knowledge_team.web_addresses import source_key


class PreparedPages:
    """The pages of a fixture, each fetch of one the next of its contents.

    Args:
        fixture: What holds them; None where there is no page at all.

    """

    def __init__(self, fixture: KnowledgeFixture | None = None) -> None:
        pages = {} if fixture is None else fixture.pages
        self._pages = {source_key(url): contents for url, contents in pages.items()}
        self._fetches: Counter[str] = Counter()

    async def fetch(self, url: str) -> Page:
        """Return what this fetch of the page comes to.

        Raises:
            FetchFailedError: That is a failure, or there is no such page.

        """
        key = source_key(url)
        contents = self._pages.get(key)
        if contents is None:
            raise FetchFailedError(url, "the host cannot be found")
        content = contents[min(self._fetches[key], len(contents) - 1)]
        self._fetches[key] += 1
        if content.failure is not None:
            raise FetchFailedError(url, content.failure)
        return Page(url=url, text=_text(content))


def _text(content: FixturePage) -> str:
    return html_text(content.html) if content.html is not None else content.text or ""


def reads_from(pages: PreparedPages, card: ToolCard) -> ToolCard:
    """Return the card of the web with other pages behind it, and nothing else changed."""
    assert isinstance(card, WebFetchCard)  # noqa: S101  # looked up by its type
    return card.model_copy(update={"source": pages})
