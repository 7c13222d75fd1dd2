"""Call, return and evidence joined by (run, call), with one outcome."""

from dataclasses import replace

from audition.events import Event, ToolCalled, ToolEvidence, ToolOutcome, ToolReturned
from audition.invocations import InvocationOutcome, ToolInvocation
from audition.testing import output, tool_call, tool_result
from audition.tool_rules import ToolRule


def invocations(*events: Event, rules: tuple[ToolRule, ...] = ()) -> list[ToolInvocation]:
    return list(output(*events, tool_rules=rules).tool_invocations())


def returned(outcome: ToolOutcome, at: float | None = None) -> ToolReturned:
    return ToolReturned(tool_name="s", tool_call_id="1", run_id="run-1", outcome=outcome, at=at)


def evidence(content: str, outcome: ToolOutcome = ToolOutcome.OK) -> ToolEvidence:
    return ToolEvidence(
        tool_name="s", tool_call_id="1", run_id="run-1", content=content, outcome=outcome
    )


CALL = tool_call("@K", "s", arguments={"q": 1}, at=1.0)


def test_a_call_its_return_and_its_evidence_are_one_invocation() -> None:
    (made,) = invocations(CALL, returned(ToolOutcome.OK, at=3.5), evidence('{"n": 1}'))
    assert (made.agent, made.turn, made.arguments) == ("@K", 0, {"q": 1})
    assert (made.content, made.outcome, made.seconds) == ('{"n": 1}', InvocationOutcome.OK, 2.5)


def test_the_same_call_id_in_two_runs_is_two_invocations() -> None:
    first = [CALL, *tool_result("@K", "s", "one")]
    second = [
        tool_call("@K", "s", run_id="run-2"),
        *tool_result("@K", "s", "two", run_id="run-2"),
    ]
    made = invocations(*first, *second)
    assert [(i.run_id, i.content) for i in made] == [("run-1", "one"), ("run-2", "two")]


def test_interleaved_calls_keep_their_own_results() -> None:
    events = [
        tool_call("@K", "s", call_id="a"),
        tool_call("@K", "s", call_id="b"),
        *tool_result("@K", "s", "for b", call_id="b"),
        *tool_result("@K", "s", "for a", call_id="a"),
    ]
    assert [i.content for i in invocations(*events)] == ["for a", "for b"]


def test_an_identity_that_is_used_again_gives_each_call_its_own_result() -> None:
    made = invocations(CALL, evidence("one"), CALL, evidence("two"))
    assert [i.content for i in made] == ["one", "two"]


def test_a_result_told_before_its_call_belongs_to_it() -> None:
    (made,) = invocations(evidence("early"), CALL)
    assert (made.content, made.arguments) == ("early", {"q": 1})


def test_a_placeholder_is_superseded_by_the_real_result() -> None:
    waiting = [returned(ToolOutcome.PENDING), evidence("waiting", ToolOutcome.PENDING)]
    (made,) = invocations(CALL, *waiting, evidence("approved"))
    assert (made.content, made.superseded) == ("approved", ("waiting",))
    assert made.outcome == InvocationOutcome.OK


def test_a_placeholder_alone_is_pending() -> None:
    (made,) = invocations(CALL, returned(ToolOutcome.OK), evidence("wait", ToolOutcome.PENDING))
    assert made.outcome == InvocationOutcome.PENDING


def test_what_the_model_was_told_counts_where_it_is_worse_than_the_flag() -> None:
    told = evidence("invalid arguments", ToolOutcome.TOOL_ERROR)
    (made,) = invocations(CALL, returned(ToolOutcome.OK), told)
    assert made.outcome == InvocationOutcome.TOOL_ERROR


def test_the_flag_counts_where_it_is_worse_than_what_the_model_was_told() -> None:
    (made,) = invocations(CALL, returned(ToolOutcome.INFRASTRUCTURE_ERROR), evidence("?"))
    assert made.outcome == InvocationOutcome.INFRASTRUCTURE_ERROR


def test_a_call_without_a_result_is_unanswered() -> None:
    (made,) = invocations(CALL)
    assert (made.outcome, made.content, made.seconds) == (InvocationOutcome.UNANSWERED, None, None)


def test_a_return_without_evidence_is_ok_and_has_no_content() -> None:
    (made,) = invocations(CALL, returned(ToolOutcome.OK))
    assert (made.outcome, made.content) == (InvocationOutcome.OK, None)


def test_a_result_without_its_call_is_an_invocation_too() -> None:
    (made,) = invocations(returned(ToolOutcome.OK), evidence("found"))
    assert (made.arguments, made.content, made.outcome) == (None, "found", InvocationOutcome.OK)
    (alone,) = invocations(evidence("found"))
    assert (alone.seq, alone.content) == (1, "found")


def test_a_content_is_a_failure_where_a_rule_says_so() -> None:
    rule = ToolRule(tool_name="s", path="$.status", equals="error")
    bad = ToolEvidence(
        tool_name="s",
        tool_call_id="1",
        run_id="run-1",
        content='{"status":"error"}',
        structure={"status": "error"},
    )
    (made,) = invocations(CALL, returned(ToolOutcome.OK), bad, rules=(rule,))
    assert made.outcome == InvocationOutcome.DOMAIN_FAILURE
    assert made.failure == '$.status equals "error" (was "error")'


def test_a_tool_error_is_no_domain_failure() -> None:
    rule = ToolRule(tool_name="s", path="$", contains="x")
    (made,) = invocations(CALL, evidence("x", ToolOutcome.TOOL_ERROR), rules=(rule,))
    assert (made.outcome, made.failure) == (InvocationOutcome.TOOL_ERROR, None)


def test_seconds_need_both_times() -> None:
    (made,) = invocations(replace(CALL, at=None), returned(ToolOutcome.OK, at=3))
    assert made.seconds is None
    (made,) = invocations(CALL, returned(ToolOutcome.OK))
    assert made.seconds is None


def test_arguments_that_do_not_parse_say_why() -> None:
    call = ToolCalled(tool_name="s", tool_call_id="1", arguments_raw="{", parse_error="EOF")
    (made,) = invocations(call)
    assert (made.arguments_raw, made.arguments, made.parse_error) == ("{", None, "EOF")


def test_a_result_of_another_tool_is_not_the_calls() -> None:
    other = ToolEvidence(tool_name="t", tool_call_id="1", run_id="run-1", content="other")
    made = invocations(CALL, other)
    assert [(i.tool_name, i.content) for i in made] == [("s", None), ("t", "other")]


def test_a_result_that_names_no_run_is_that_of_the_only_call_with_its_id() -> None:
    unnamed = replace(evidence("found"), run_id=None)
    (made,) = invocations(CALL, unnamed)
    assert (made.run_id, made.content) == ("run-1", "found")
    unsure = invocations(CALL, replace(CALL, run_id="run-2"), unnamed)
    assert [i.content for i in unsure] == [None, None, "found"]


def test_without_runs_a_result_is_its_own_agents() -> None:
    mine = replace(CALL, run_id=None)
    theirs = replace(mine, agent="@L")
    result = replace(evidence("for K"), run_id=None, agent="@K")
    made = invocations(mine, theirs, result)
    assert [(i.agent, i.content) for i in made] == [("@K", "for K"), ("@L", None)]


def test_arguments_are_there_as_text_and_as_value_whichever_was_reported() -> None:
    text_only = replace(CALL, arguments=None, arguments_raw='{"q": 2}')
    value_only = replace(CALL, arguments={"b": 1, "a": 2}, arguments_raw=None, tool_call_id="2")
    broken = replace(text_only, arguments_raw="{", tool_call_id="3")
    nothing = replace(text_only, arguments_raw="", tool_call_id="4")
    made = invocations(text_only, value_only, broken, nothing)
    assert [i.arguments for i in made] == [{"q": 2}, {"b": 1, "a": 2}, None, None]
    assert [i.arguments_raw for i in made] == ['{"q": 2}', '{"a":2,"b":1}', "{", ""]
    assert [i.parse_error is None for i in made] == [True, True, False, True]


def test_a_rule_reads_json_that_was_reported_as_text() -> None:
    fails = ToolRule(tool_name="s", path="$.status", equals="error")
    (made,) = invocations(CALL, evidence('{"status":"error"}'), rules=(fails,))
    assert (made.outcome, made.structure) == (InvocationOutcome.DOMAIN_FAILURE, {"status": "error"})


def test_a_call_without_an_agent_is_that_of_its_result() -> None:
    result = replace(evidence("found"), agent="@L")
    (made,) = invocations(replace(CALL, agent=None), result)
    assert made.agent == "@L"


def test_a_time_that_is_none_gives_no_duration() -> None:
    (made,) = invocations(replace(CALL, at=10**400), returned(ToolOutcome.OK, at=1.0))
    assert made.seconds is None


def test_a_content_that_is_json_has_a_structure_also_where_its_source_gave_text() -> None:
    (text,) = invocations(CALL, evidence('{"n": 1}'))
    (plain,) = invocations(CALL, evidence("no JSON"))
    (silent,) = invocations(CALL)
    assert (text.structure, plain.structure, silent.structure) == ({"n": 1}, None, None)
    (told,) = invocations(CALL, *tool_result("@K", "s", {"n": 2}))
    assert told.structure == {"n": 2}
