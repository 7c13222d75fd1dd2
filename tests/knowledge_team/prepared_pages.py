"""Pages that stand in a test, in the place of the web."""

from dataclasses import dataclass, field

from knowledge_team.errors import FetchFailedError
from knowledge_team.pages import Page


@dataclass(slots=True)
class PreparedPages:
    """Pages in the place of the web: of each address its texts in turn, the last one again."""

    texts: dict[str, list[str]]
    failures: dict[str, str] = field(default_factory=dict[str, str])
    asked: list[str] = field(default_factory=list[str])

    async def fetch(self, url: str) -> Page:
        self.asked.append(url)
        if url not in self.texts:
            raise FetchFailedError(url, self.failures.get(url, "the host is not known"))
        first, *others = self.texts[url]
        self.texts[url] = others or [first]
        return Page(url=url, text=first)
