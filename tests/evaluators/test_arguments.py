from typing import Any

import pytest
from pydantic import JsonValue, ValidationError

from audition.evaluators.arguments import ToolArgumentsMatch
from audition.evaluators.case_evaluator import Finding
from audition.evaluators.view import EvidenceView
from audition.events import ToolCalled
from audition.testing import answer, output, tool_use

Arguments = dict[str, JsonValue]


def examine(expected: Arguments, *actual: Arguments, **fields: Any) -> Finding:
    calls = [event for one in actual for event in tool_use("@K", "get", "ok", arguments=one)]
    evaluator = ToolArgumentsMatch("get", expected, **fields)
    return evaluator.examine(EvidenceView(output(*calls, answer("done"))))


def test_other_arguments_are_allowed_unless_they_must_be_exact() -> None:
    london: Arguments = {"city": "London", "unit": "C"}
    assert examine({"city": "London"}, london).reason.endswith(" of get has the arguments")
    assert not examine({"city": "London"}, london, mode="exact").ok


def test_a_wrong_argument_is_told_with_its_place() -> None:
    found = examine({"city": "London"}, {"city": "Paris"}, mode="exact")
    assert (found.ok, found.cause) == (False, "wrong arguments")
    assert '/city: expected "London"' in found.reason
    assert '"Paris"' in found.reason


def test_one_good_call_is_enough_unless_every_call_must_be_good() -> None:
    both: tuple[Arguments, Arguments] = ({"city": "Paris"}, {"city": "London"})
    assert examine({"city": "London"}, *both).ok
    found = examine({"city": "London"}, *both, calls="every")
    assert not found.ok
    assert found.reason.count("call ") == 1


def test_without_a_call_no_arguments_match() -> None:
    assert examine({}, calls="every").reason == "get was not called"


def test_a_type_is_a_difference() -> None:
    assert not examine({"count": 1}, {"count": True}).ok


def test_a_matcher_may_stand_inside() -> None:
    assert examine({"query": {"$term": "mara ilves"}}, {"query": "Who is **Mara Ilves**?"}).ok


def test_a_misspelt_matcher_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"\$trem is no matcher"):
        ToolArgumentsMatch("get", {"query": {"$trem": "x"}})


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (
            ToolCalled(tool_name="get", tool_call_id="1", arguments_raw="{ci", parse_error="cut"),
            "the arguments '{ci' do not parse: cut",
        ),
        (ToolCalled(tool_name="get", tool_call_id="1"), "the arguments were not recorded"),
    ],
)
def test_arguments_that_cannot_be_compared_do_not_match(call: ToolCalled, told: str) -> None:
    found = ToolArgumentsMatch("get", {}).examine(EvidenceView(output(call)))
    assert (found.ok, found.reason) == (False, f"get: call 1: {told}")


def test_the_generated_name_has_the_tool_and_the_arguments() -> None:
    named = ToolArgumentsMatch("get", {"b": 1, "a": "x" * 60}).get_default_evaluation_name()
    assert named == 'tool_arguments_match(get {"a":"' + "x" * 39 + "...)"
