"""What a question may call; and facts of pages, traced as the team fetches, stores and commits."""

from typing import Any

import pytest

from audition.diagnosis.fact_trace import trace_facts
from audition.evaluators.view import EvidenceView
from audition.events import Event
from audition.testing import answer, output, tool_use
from evals.knowledge.contract import FACT_STAGES, RETRIEVAL, TOOL_RULES, TOOLS

ONE, TWO = "https://one.invalid/page", "https://two.invalid/page"
INGESTER = "@WebIngest"


def page(url: str, text: str) -> dict[str, Any]:
    return {"url": url, "content_hash": "h", "content_status": "first", "raw_content": text}


def fetch(*results: dict[str, Any], failed: tuple[str, ...] = ()) -> list[Event]:
    failures: list[Any] = [{"url": url, "error": "the host cannot be found"} for url in failed]
    return tool_use(
        INGESTER, "web_fetch_tool", {"results": list(results), "failed_results": failures}
    )


def update(url: str, name: str) -> list[Event]:
    entity: dict[str, Any] = {"name": name, "entity_type": "ship", "description": ""}
    arguments: dict[str, Any] = {"source_url": url, "create_entities": [entity]}
    return tool_use(INGESTER, "update_graph", "{}", arguments=arguments)


def commit(url: str) -> list[Event]:
    arguments: dict[str, Any] = {"url": url, "content_hash": "h"}
    return tool_use(INGESTER, "commit_web_ingestion", "{}", arguments=arguments)


def traced(*events: Event) -> list[str]:
    out = output(*events, answer("Done."), tool_rules=TOOL_RULES)
    named = {"facts": ["Alba", "Brant"], "fact_stages": ["fetched", "stored"]}
    return [str(one) for one in trace_facts(out, FACT_STAGES, assertions=(), metadata=named)]


FETCHED = fetch(page(ONE, "The Alba is a ship."), page(TWO, "The Brant is a ship."))
STATED = [*FETCHED, *update(ONE, "Alba"), *update(TWO, "Brant")]


def test_the_commit_of_one_page_stores_nothing_of_another() -> None:
    assert traced(*STATED, *commit(TWO)) == [
        '"Alba": fetched, not stored',
        '"Brant": fetched, stored',
    ]
    assert traced(*STATED, *commit(TWO), *commit(ONE))[0] == '"Alba": fetched, stored'


def test_a_page_is_the_same_however_its_address_is_written() -> None:
    assert traced(*STATED, *commit("HTTPS://One.invalid:443/page/"))[0] == '"Alba": fetched, stored'
    nowhere = [*FETCHED, *update("no address", "Alba"), *commit("no address")]
    assert traced(*nowhere)[0] == '"Alba": fetched, stored'


def test_the_page_that_came_was_fetched_though_another_did_not() -> None:
    mixed = fetch(page(ONE, "The Alba is a ship."), failed=("https://brant.invalid",))
    assert traced(*mixed, *update(ONE, "Alba"), *commit(ONE)) == [
        '"Alba": fetched, stored',
        '"Brant": never fetched',
    ]


def test_of_a_page_that_did_not_come_not_even_its_address_was_fetched() -> None:
    failed = fetch(failed=("https://alba.invalid", "https://brant.invalid"))
    assert traced(*failed) == ['"Alba": never fetched', '"Brant": never fetched']


def broken(*tool_names: str) -> set[str | None]:
    """Return what the contract says of a case in which these tools were called."""
    used = (tool_use("@Knowledge", name, "done") for name in tool_names)
    out = output(*(event for events in used for event in events), answer("It is done."))
    return {one.id for one in RETRIEVAL if not one.examine(EvidenceView(out, one.scope)).ok}


def test_a_question_may_search() -> None:
    assert "read_only" not in broken("search_graph")


@pytest.mark.parametrize("tool_name", sorted(TOOLS - {"search_graph"}))
def test_no_other_tool_is_for_a_question(tool_name: str) -> None:
    assert "read_only" in broken("search_graph", tool_name)
