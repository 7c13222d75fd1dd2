"""Pages in many styles, taken in and asked about: each is a row of `page_styles.json`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel, ConfigDict, TypeAdapter

from knowledge_team.facts import Entity, Fact
from knowledge_team.pages import html_text
from knowledge_team.store import GraphStore
from knowledge_team.words import fold
from tests.knowledge_team.prepared_pages import PreparedPages

if TYPE_CHECKING:
    from tests.knowledge_team.conftest import Ingesting, Watched

URL = "https://eval.invalid/page"
MISSING = "not in the knowledge base"


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ask(_Checked):
    """A question, and the terms that its answer has and has not."""

    question: str
    required: tuple[str, ...]
    forbidden: tuple[str, ...]


class PageStyle(_Checked):
    """A page, what is asked of it, and what must come out of it nowhere."""

    page: str
    text: str = ""
    html: str = ""
    kinds: dict[str, str]
    never: tuple[str, ...]
    asks: tuple[Ask, ...]


STYLES = TypeAdapter(tuple[PageStyle, ...]).validate_json(
    Path(__file__).with_name("page_styles.json").read_bytes()
)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.page)
def test_a_page_is_answered_from_whatever_its_style(
    style: PageStyle,
    start: Callable[..., "Watched"],
    ingesting: "Ingesting",
    store: GraphStore,
) -> None:
    text = style.text or html_text(style.html)
    watched = start(of=ingesting(PreparedPages({URL: [text]})))
    told = [watched.ask(f"Ingest {URL}")]
    facts = store.source_facts(URL)
    assert {name: kind(facts, name) for name in style.kinds} == style.kinds
    for ask in style.asks:
        told.append(watched.ask(ask.question))
        assert wrong(ask, told[-1]) == [], told[-1]
    assert [one for one in style.never if one in f"{facts}{told}"] == []


def kind(facts: Sequence[Fact], name: str) -> str:
    found = [one for one in facts if isinstance(one, Entity) and fold(name) in fold(one.name)]
    return found[0].entity_type if found else ""


def wrong(ask: Ask, answer: str) -> list[str]:
    missing = [term for term in ask.required if fold(term) not in fold(answer)]
    return [*missing, *(term for term in (*ask.forbidden, MISSING) if term in answer)]
