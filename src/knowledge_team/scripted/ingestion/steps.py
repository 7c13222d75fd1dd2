"""Which tool comes next in an ingestion, or what is said at its end.

Everything is decided from the request and from what the tools returned for it. The text of a
page is only ever given to `page_facts`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knowledge_team.facts import Entity, Fact, Relation, fact_key
from knowledge_team.scripted.conversation import ToolResult
from knowledge_team.scripted.ingestion.extraction import page_facts
from knowledge_team.scripted.ingestion.pages import (
    Fetched,
    FetchedPage,
    as_arguments,
    of_page,
    read_fetched,
)
from knowledge_team.scripted.ingestion.report import (
    failed_text,
    nothing_text,
    stored_text,
    unchanged_text,
    unstored_text,
)
from knowledge_team.scripted.ingestion.requests import addresses, is_forced

FETCH = "web_fetch_tool"
UPDATE = "update_graph"
COMMIT = "commit_web_ingestion"
FAIL = "fail_web_ingestion"

NO_ADDRESS = "Please give the full address of the page to take in, beginning with https://."
NOTHING_USEFUL = "the page holds nothing useful to store"

_MOST_FETCHES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NextCall:
    """A tool to call.

    Attributes:
        tool: Its name.
        arguments: What it is given.

    """

    tool: str
    arguments: dict[str, object]


def next_step(request: str, done: Sequence[ToolResult]) -> NextCall | str:
    """Return the tool to call next, or the answer when all is done."""
    urls = addresses(request)
    if not urls:
        return NO_ADDRESS
    fetches = [one for one in done if one.tool == FETCH]
    fetched = next((page for one in fetches if (page := read_fetched(one)) is not None), None)
    if fetched is None and len(fetches) < _MOST_FETCHES:
        return NextCall(tool=FETCH, arguments={"urls": urls, "force": is_forced(request)})
    if fetched is None:
        return f"The fetch failed, and nothing was stored: {fetches[-1].text}"
    for page in fetched.results:
        call = _next_call(page, done)
        if call is not None:
            return call
    return " ".join(_told(request, fetched, done))


def _next_call(page: FetchedPage, done: Sequence[ToolResult]) -> NextCall | None:
    """Return what is still to do for the page, None where nothing is."""
    facts = page_facts(page.raw_content)
    if page.content_status == "unchanged" or of_page(done, FAIL, page.url) is not None:
        return None
    if not facts:
        return _give_up(page, NOTHING_USEFUL)
    update = of_page(done, UPDATE, page.url)
    if update is None:
        return NextCall(tool=UPDATE, arguments=_update(page, facts))
    if update.failed:
        return _give_up(page, f"the update failed: {update.text}")
    if of_page(done, COMMIT, page.url) is None:
        arguments = {"url": page.url, "content_hash": page.content_hash}
        return NextCall(tool=COMMIT, arguments={**arguments})
    return None


def _give_up(page: FetchedPage, reason: str) -> NextCall:
    return NextCall(tool=FAIL, arguments={"url": page.url, "reason": reason[:400]})


def _update(page: FetchedPage, facts: Sequence[Fact]) -> dict[str, object]:
    stated = {fact_key(fact) for fact in facts}
    stale = [one for one in page.previous_facts.facts() if fact_key(one) not in stated]
    return {
        "source_url": page.url,
        "create_entities": [as_arguments(one) for one in facts if isinstance(one, Entity)],
        "create_relations": [as_arguments(one) for one in facts if isinstance(one, Relation)],
        "delete_entities": [one.name for one in stale if isinstance(one, Entity)],
        "delete_relations": [_named(one) for one in stale if isinstance(one, Relation)],
    }


def _named(relation: Relation) -> dict[str, str]:
    fields = as_arguments(relation)
    return {key: value for key, value in fields.items() if key != "description"}


def _told(request: str, fetched: Fetched, done: Sequence[ToolResult]) -> Iterator[str]:
    for page in fetched.results:
        commit = of_page(done, COMMIT, page.url)
        given_up = of_page(done, FAIL, page.url)
        if page.content_status == "unchanged":
            yield unchanged_text(page.url)
        elif commit is not None and not commit.failed:
            yield stored_text(page, page_facts(page.raw_content), commit=commit, request=request)
        elif given_up is not None and given_up.arguments.get("reason") == NOTHING_USEFUL:
            yield nothing_text(page.url)
        else:
            broken = commit or of_page(done, UPDATE, page.url)
            yield unstored_text(page.url, broken.text if broken else "")
    for failed in fetched.failed_results:
        yield failed_text(failed.url, failed.error)
