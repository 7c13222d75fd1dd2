from typing import Any

import pytest
from pydantic import JsonValue, ValidationError

from audition.matching.terms import AnyTerm
from audition.tool_rules import ToolRule, domain_failure
from audition.values import structure_of, text_of


def rule(**fields: Any) -> ToolRule:
    return ToolRule.model_validate({"tool_name": "book", **fields})


def failure(returned: JsonValue, *rules: ToolRule) -> str | None:
    content = text_of(returned)
    return domain_failure(rules, "book", structure=structure_of(content), content=content)


@pytest.mark.parametrize(
    ("fields", "returned", "reason"),
    [
        ({"path": "$.status", "equals": "denied"}, {"status": "denied"},
         '$.status equals "denied" (was "denied")'),
        ({"path": "$.ok", "equals": True}, {"ok": 1}, None),
        ({"path": "$.error", "equals": None}, {"error": None}, "$.error equals null (was null)"),
        ({"path": "$.error", "equals": None}, {}, None),
        ({"path": "$.code", "equals": {"$number": 4, "$tolerance": 1}}, {"code": 5},
         '$.code equals {"$number":4,"$tolerance":1} (was 5)'),
        ({"path": "$.status", "not_equals": "ok"}, {"status": "full"},
         '$.status does not equal "ok" (was "full")'),
        ({"path": "$.status", "not_equals": "ok"}, {"status": "ok"}, None),
        ({"path": "$.status", "not_equals": "ok"}, {}, None),
        ({"path": "$.error", "exists": True}, {"error": None}, "$.error exists (was null)"),
        ({"path": "$.error", "exists": True}, {"id": 1}, None),
        ({"path": "$.id", "exists": False}, {}, "$.id does not exist (nothing is there)"),
        ({"path": "$.id", "exists": False}, {"id": 7}, None),
        ({"path": "$.id", "exists": False}, "no such hall",
         "$.id does not exist (nothing is there)"),
        ({"path": "$.errors", "non_empty": True}, {"errors": ["full"]},
         '$.errors is not empty (was ["full"])'),
        ({"path": "$.errors", "non_empty": True}, {"errors": []}, None),
        ({"path": "$.errors", "non_empty": True}, {"errors": 3}, None),
        ({"path": "$.rows", "non_empty": False}, {"rows": []}, "$.rows is empty (was [])"),
        ({"path": "$.rows", "non_empty": False}, {"rows": None}, "$.rows is empty (was null)"),
        ({"path": "$.rows", "non_empty": False}, {"rows": 0}, None),
        ({"path": "$.rows", "non_empty": False}, {}, None),
        ({"path": "$", "non_empty": False}, "", '$ is empty (was "")'),
        ({"path": "$", "equals": "full"}, "full", '$ equals "full" (was "full")'),
        ({"path": "$.rows[*].error", "contains": "No Seat"},
         {"rows": [{"error": "ok"}, {"error": "no  seat left"}]},
         '$.rows[*].error contains "No Seat" (was "no seat left")'),
        ({"path": "$.detail", "contains": "seat"}, {"detail": {"why": "no seat"}},
         '$.detail contains "seat" (was {"why":"no seat"})'),
        ({"contains": {"any": ["not found", "denied"]}}, "**Denied** by the desk",
         'the content contains any of "not found", "denied" (was "**Denied** by the desk")'),
        ({"contains": "denied"}, {"status": "denied"},
         'the content contains "denied" (was "{\\"status\\":\\"denied\\"}")'),
        ({"contains": "denied"}, "granted", None),
        ({"path": "$", "equals": False}, "false", "$ equals false (was false)"),
        ({"path": "$", "equals": 404}, "404", "$ equals 404 (was 404)"),
        ({"path": "$", "equals": "404"}, "404", '$ equals "404" (was "404")'),
        ({"path": "$", "not_equals": 404}, "404", None),
        ({"path": "$", "not_equals": "404"}, "404", None),
        ({"path": "$", "not_equals": 200}, "404", "$ does not equal 200 (was 404)"),
        ({"path": "$", "non_empty": True}, "null", None),
        ({"path": "$", "non_empty": False}, "null", "$ is empty (was null)"),
        ({"path": "$", "equals": "-"}, "- none", None),
    ],
)  # fmt: skip
def test_a_rule_says_when_a_content_is_a_failure(
    fields: dict[str, Any], returned: JsonValue, reason: str | None
) -> None:
    assert failure(returned, rule(**fields)) == reason


def test_a_reason_is_in_the_words_of_the_rule() -> None:
    full = rule(path="$.free", equals=0, says="the hall is full")
    assert failure({"free": 0}, full) == "the hall is full (was 0)"


def test_the_first_rule_that_holds_gives_the_reason() -> None:
    rules = [rule(path="$.a", exists=True), rule(path="$.b", exists=True, says="b")]
    assert failure({"b": 1}, *rules, rule(contains="b")) == "b (was 1)"


def test_a_rule_is_for_its_tool_alone() -> None:
    found = domain_failure([rule(contains="full")], "search", structure=None, content="full")
    assert found is None


def test_without_rules_nothing_is_a_failure() -> None:
    assert failure({"error": "fatal", "status": 500, "success": False}) is None


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"path": "$.a"}, "of equals, not_equals, exists, non_empty, contains; given: none"),
        ({"path": "$.a", "equals": None, "exists": True}, "given: equals and exists"),
        ({"equals": 1}, 'equals needs a path, "$" for the whole content'),
        ({"path": "a.b", "equals": 1}, "the path 'a.b' cannot be read from position 0"),
        ({"path": "$.a", "equals": {"$trem": "x"}}, "$trem is no matcher"),
        ({"path": "$.a", "not_equals": [{"$trem": "x"}]}, "/0: $trem is no matcher"),
        ({"path": "$.a", "exists": None}, "valid boolean"),
        ({"path": "$.a", "non_empty": "yes"}, "valid boolean"),
        ({"contains": "**"}, "would match anything"),
        ({"contains": None}, "a term is a text"),
        ({"contains": "a", "say": "b"}, "Extra inputs"),
        ({"contains": "a", "says": ""}, "at least 1 character"),
        ({"contains": "a", "tool_name": ""}, "at least 1 character"),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_meant_is_refused(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError) as refused:
        rule(**fields)
    assert problem in str(refused.value)


@pytest.mark.parametrize(
    "fields",
    [
        {"path": "$.a", "equals": None},
        {"path": "$.a", "exists": False, "says": "lost"},
        {"contains": {"any": ["a", {"word": "b"}]}},
    ],
)
def test_a_rule_is_written_as_it_was_given(fields: dict[str, Any]) -> None:
    written = rule(**fields).model_dump(mode="json", exclude_defaults=False)
    assert ToolRule.model_validate(written) == rule(**fields)
    assert written.keys() == {"tool_name", *fields}


def test_a_rule_can_be_made_from_values() -> None:
    made = ToolRule(tool_name="book", contains=AnyTerm(any=("a1", "b2")))
    assert str(made) == 'the content contains any of "a1", "b2"'
