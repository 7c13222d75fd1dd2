"""Prepared pages stand in the place of the web, and nothing else is replaced."""

import asyncio

import pytest
from pydantic import ValidationError

from evals.knowledge.fixture_pages import PreparedPages, reads_from
from evals.knowledge.fixtures import FixturePage, KnowledgeFixture
from evals.knowledge.runtime import evaluation
from knowledge_team.catalog import load_team
from knowledge_team.errors import FetchFailedError
from knowledge_team.tools.web import WebFetchCard

URL = "https://pier.invalid/page"


def fetched(pages: PreparedPages, url: str = URL) -> str:
    try:
        return asyncio.run(pages.fetch(url)).text
    except FetchFailedError as error:
        return f"failed: {error.reason}"


def test_each_fetch_gives_the_next_content_and_the_last_one_stays() -> None:
    contents = (
        FixturePage(text="one"),
        FixturePage(failure="the connection timed out"),
        FixturePage(html="<html><body><main><p>The pier is long.</p></main></body></html>"),
    )
    pages = PreparedPages(KnowledgeFixture(pages={URL: contents}))
    assert [fetched(pages) for _ in range(4)] == [
        "one",
        "failed: the connection timed out",
        "The pier is long.",
        "The pier is long.",
    ]


@pytest.mark.parametrize("fixture", [None, KnowledgeFixture(pages={URL: (FixturePage(text="a"),)})])
def test_there_is_no_other_page(fixture: KnowledgeFixture | None) -> None:
    told = fetched(PreparedPages(fixture), "https://else.invalid/")
    assert told == "failed: the host cannot be found"


def test_only_the_source_of_the_web_tool_is_replaced() -> None:
    pages = PreparedPages()
    (card,) = [tool for tool in load_team("production").agent("@WebIngest").tools
               if isinstance(tool, WebFetchCard)]  # fmt: skip
    changed = reads_from(pages, card)
    assert isinstance(changed, WebFetchCard)
    assert changed.source is pages
    assert changed.model_dump() == card.model_dump()


def test_the_evaluation_team_never_reaches_the_web() -> None:
    tools = evaluation.card(None).agent("@WebIngest").tools
    sources = [tool.source for tool in tools if isinstance(tool, WebFetchCard)]
    assert [type(source) for source in sources] == [PreparedPages]


RECORD = {"name": "Pier", "entity_type": "place", "description": "It is long."}
WRONG: dict[str, dict[str, object]] = {
    "nothing": {},
    "scheme": {"pages": {"ftp://pier.invalid": [{"text": "a"}]}},
    "empty": {"pages": {URL: []}},
    "bare": {"pages": {URL: [{}]}},
    "blank inside": {"pages": {"https:// pier.invalid": [{"text": "a"}]}},
    "a page twice": {"pages": {URL: [{"text": "a"}], f"{URL}/": [{"text": "b"}]}},
    "a record twice": {"records": [RECORD, {**RECORD, "description": "another"}]},
    "both": {"pages": {URL: [{"text": "a", "failure": "b"}]}},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_fixture_is_read_strictly(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        KnowledgeFixture.model_validate(wrong)


def test_one_page_has_many_spellings() -> None:
    pages = PreparedPages(
        KnowledgeFixture(pages={URL: (FixturePage(text="a"), FixturePage(text="b"))})
    )
    spelt = ["https://PIER.invalid/page", "https://pier.invalid:443/page/", f"{URL}#top"]
    assert [fetched(pages, url) for url in spelt] == ["a", "b", "b"]
