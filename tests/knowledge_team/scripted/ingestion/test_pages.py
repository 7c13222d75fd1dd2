import pytest

from knowledge_team.facts import Entity, Relation
from knowledge_team.scripted.conversation import ToolResult
from knowledge_team.scripted.ingestion.pages import (
    as_arguments,
    of_page,
    read_fetched,
    removed_names,
)


def result(text: str, tool: str = "web_fetch_tool", *, failed: bool = False) -> ToolResult:
    return ToolResult(tool=tool, arguments={"url": "a"}, text=text, failed=failed)


def test_what_was_fetched_is_read_back() -> None:
    fetched = read_fetched(
        result(
            '{"results":[{"url":"a","content_hash":"h","content_status":"changed","raw_content":"x",'
            '"previous_facts":{"entities":["Vela"],"relations":[{"from_entity":"A",'
            '"relation_type":"b","to_entity":"C"}]}}],"failed_results":[{"url":"b","error":"no"}]}'
        )
    )
    assert fetched is not None
    assert (fetched.results[0].url, fetched.failed_results[0].error) == ("a", "no")
    assert fetched.results[0].previous_facts.facts() == (
        Entity(name="Vela", entity_type="", description=""),
        Relation(from_entity="A", relation_type="b", to_entity="C"),
    )


@pytest.mark.parametrize(
    "broken", [result("no JSON"), result("[1]"), result('{"results":[]}', failed=True)]
)
def test_what_is_no_result_is_none(broken: ToolResult) -> None:
    assert read_fetched(broken) is None


def test_what_a_commit_ended_is_read_back() -> None:
    assert removed_names(result('{"removed":{"entities":["Vela"]}}')) == ("Vela",)
    assert removed_names(result("{}")) == ()
    assert removed_names(result("broken")) == ()


def test_a_result_belongs_to_its_page_and_the_last_one_counts() -> None:
    one, other = result("1", "commit"), result("2", "commit")
    assert of_page([one, other], "commit", "a") == other
    assert of_page([one], "commit", "b") is None
    assert of_page([one], "update", "a") is None


def test_facts_are_written_as_arguments() -> None:
    assert as_arguments(Entity(name="Vela", entity_type="port", description="Big.")) == {
        "name": "Vela",
        "entity_type": "port",
        "description": "Big.",
    }
    assert as_arguments(Relation(from_entity="A", relation_type="b", to_entity="C")) == {
        "from_entity": "A",
        "relation_type": "b",
        "to_entity": "C",
        "description": "",
    }
