import json
from typing import Any

from knowledge_team.scripted.conversation import ToolResult
from knowledge_team.scripted.ingestion.steps import (
    COMMIT,
    FAIL,
    FETCH,
    NO_ADDRESS,
    NOTHING_USEFUL,
    UPDATE,
    NextCall,
    next_step,
)

URL, OTHER = "https://eval.invalid/vela", "https://eval.invalid/orca"
REQUEST = f"Ingest {URL}"


def page(url: str = URL, status: str = "first", text: str = "Vela runs ferries.") -> dict[str, Any]:
    return {"url": url, "content_hash": "h", "content_status": status, "raw_content": text}


def fetched(*pages: dict[str, Any], failed: tuple[str, ...] = ()) -> ToolResult:
    found = {"results": pages, "failed_results": [{"url": one, "error": "no"} for one in failed]}
    return ToolResult(tool=FETCH, arguments={"urls": [URL]}, text=json.dumps(found))


def done(tool: str, url: str = URL, *, failed: bool = False, **more: str) -> ToolResult:
    key = "source_url" if tool == UPDATE else "url"
    text = "disk full" if failed else "{}"
    return ToolResult(tool=tool, arguments={key: url, **more}, text=text, failed=failed)


def call(*results: ToolResult, request: str = REQUEST) -> NextCall:
    step = next_step(request, results)
    assert isinstance(step, NextCall)
    return step


def said(*results: ToolResult, request: str = REQUEST) -> str:
    step = next_step(request, results)
    assert isinstance(step, str)
    return step


def test_first_all_pages_are_fetched_at_once() -> None:
    step = call(request=f"Force re-ingest {URL} and {OTHER}")
    assert (step.tool, step.arguments) == (FETCH, {"urls": [URL, OTHER], "force": True})


def test_without_an_address_it_is_asked_for() -> None:
    assert said(request="Ingest the page") == NO_ADDRESS


def test_then_the_facts_are_stored_and_committed() -> None:
    update = call(fetched(page()))
    assert update.tool == UPDATE
    assert update.arguments["create_relations"] == [
        {"from_entity": "Vela", "relation_type": "runs", "to_entity": "Ferries", "description": ""}
    ]
    commit = call(fetched(page()), done(UPDATE))
    assert (commit.tool, commit.arguments) == (COMMIT, {"url": URL, "content_hash": "h"})
    answer = said(fetched(page()), done(UPDATE), done(COMMIT))
    assert answer == (
        f"Ingested {URL}. Stored 2 entities and 1 relation: Vela, Ferries. Vela runs ferries."
    )


def test_facts_that_no_longer_stand_on_the_page_are_deleted() -> None:
    relation = {"from_entity": "Vela", "relation_type": "runs", "to_entity": "Trains"}
    before = {"entities": ["VELA", "Trains"], "relations": [relation]}
    step = call(fetched({**page(status="changed"), "previous_facts": before}))
    assert step.arguments["delete_entities"] == ["Trains"]
    assert step.arguments["delete_relations"] == [relation]


def test_one_page_comes_after_the_other() -> None:
    both = fetched(page(), page(OTHER))
    step = call(both, done(UPDATE), done(COMMIT))
    assert (step.tool, step.arguments["source_url"]) == (UPDATE, OTHER)


def test_an_unchanged_page_ends_at_once() -> None:
    answer = said(fetched(page(status="unchanged", text="")))
    assert answer.endswith("is unchanged since it was last taken in. Nothing needed updating.")


def test_a_page_without_facts_is_given_up() -> None:
    nothing = fetched(page(text="Home\nContact"))
    step = call(nothing)
    assert (step.tool, step.arguments) == (FAIL, {"url": URL, "reason": NOTHING_USEFUL})
    assert "nothing useful to store" in said(nothing, done(FAIL, reason=NOTHING_USEFUL))


def test_a_page_that_could_not_be_fetched_is_told_with_its_reason() -> None:
    answer = said(fetched(failed=(URL,)))
    assert answer == f"The page {URL} could not be fetched: no. Nothing was stored."


def test_a_broken_fetch_is_tried_once_more() -> None:
    broken = ToolResult(tool=FETCH, arguments={}, text="locked", failed=True)
    assert call(broken).tool == FETCH
    assert said(broken, broken) == "The fetch failed, and nothing was stored: locked"


def test_an_update_that_fails_is_given_up() -> None:
    failed = done(UPDATE, failed=True)
    step = call(fetched(page()), failed)
    assert (step.tool, step.arguments["reason"]) == (FAIL, "the update failed: disk full")
    answer = said(fetched(page()), failed, done(FAIL, reason="the update failed: disk full"))
    assert answer == f"The page {URL} was fetched, but could not be stored: disk full"


def test_a_commit_that_fails_is_told() -> None:
    answer = said(fetched(page()), done(UPDATE), done(COMMIT, failed=True))
    assert answer.endswith("could not be stored: disk full")
