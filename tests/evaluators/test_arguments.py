import json
from typing import Any

import pytest
from pydantic import JsonValue, ValidationError

from audition.evaluators.arguments import ToolArgumentsContainNoTerms, ToolArgumentsMatch
from audition.evaluators.case_evaluator import Finding
from audition.evaluators.view import EvidenceView
from audition.events import CompletionReason, ToolCalled
from audition.output import CaseOutput
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
    assert examine({}, calls="every").reason == "not called: get; called: no tool"


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


def forbid(*terms: Any, out: CaseOutput, **fields: Any) -> Finding:
    evaluator = ToolArgumentsContainNoTerms(terms, **fields)
    return evaluator.examine(EvidenceView(out, evaluator.scope))


def sent(arguments: Arguments, tool_name: str = "send") -> CaseOutput:
    return output(*tool_use("@K", tool_name, "ok", arguments=arguments), answer("done"))


@pytest.mark.parametrize(
    "arguments",
    [
        {"text": "the PASSWORD is x"},
        {"to": [{"body": "my password"}]},
        {"password": None},
        {"body": '{"note": ["\\u0070assword"]}'},
    ],
)
def test_a_forbidden_term_is_found_wherever_it_stands_in_arguments(arguments: Arguments) -> None:
    found = forbid("password", "secret", out=sent(arguments))
    assert (found.ok, found.cause) == (False, "forbidden argument")
    assert found.reason.startswith("send (call call-")
    assert 'was called with "password": ' in found.reason
    assert "secret" not in found.reason


def test_what_json_makes_of_a_text_is_not_what_was_sent() -> None:
    assert forbid("nfoo", out=sent({"text": "a\nfoo"})).ok
    assert not forbid('say "yes"', out=sent({"text": 'say "yes"\nnow'})).ok


def test_numbers_and_truths_are_looked_at_as_they_are_written() -> None:
    out = sent({"amount": 1250, "urgent": True, "note": None})
    assert not forbid({"number": 1250}, out=out).ok
    assert not forbid({"word": "true"}, out=out).ok
    assert forbid("null", out=out).ok


def test_arguments_without_the_terms_hold_for_the_tools_that_are_meant() -> None:
    out = sent({"text": "hello"})
    told = 'the arguments of 1 call(s) contain none of "password"'
    assert forbid("password", out=out) == Finding(True, told)
    assert forbid("hello", out=out, tool_names=("search",)).reason == (
        "not called: search; called: send"
    )


def test_where_nothing_was_called_nothing_was_kept_out_of_a_call() -> None:
    found = forbid("password", out=output(answer("done")))
    assert (found.ok, found.cause, found.reason) == (False, "not called", "no tool was called")


def test_arguments_that_were_not_recorded_prove_nothing() -> None:
    out = output(ToolCalled(tool_name="send", tool_call_id="1"), answer("done"))
    found = forbid("password", out=out)
    assert (found.ok, found.cause) == (False, "not recorded")


def test_arguments_that_do_not_parse_are_looked_at_as_they_were_sent() -> None:
    raw = '{"text": "password'
    call = ToolCalled(tool_name="send", tool_call_id="1", arguments_raw=raw, parse_error="cut")
    assert not forbid("password", out=output(call, answer("done"))).ok


def test_arguments_that_are_kept_in_part_are_looked_at_whole() -> None:
    raw = json.dumps([*range(110_000), "password"])
    call = ToolCalled(tool_name="send", tool_call_id="1", arguments_raw=raw)
    assert not forbid("password", out=output(call, answer("done"))).ok


def test_in_a_broken_run_only_a_term_that_was_sent_is_certain() -> None:
    call = tool_use("@K", "send", "ok", arguments={"text": "password"})
    broken = output(*call, reason=CompletionReason.TIMEOUT)
    assert forbid("password", out=broken).cause == "forbidden argument"
    assert forbid("secret", out=broken).cause == "nothing observed"


def test_many_forbidden_arguments_are_told_in_part() -> None:
    calls = [tool_use("@K", "send", "ok", arguments={"text": "password"}) for _ in range(8)]
    found = forbid("password", out=output(*(event for call in calls for event in call)))
    assert found.reason.endswith(" and 3 more")


def test_what_was_looked_at_are_the_calls_of_the_tools() -> None:
    evaluator = ToolArgumentsContainNoTerms(("x",), ("send",))
    looked = evaluator.looked_at(EvidenceView(sent({"text": "hello"})))
    assert looked == ['send {"text":"hello"} -> ok']
    assert evaluator.asserts_absence
