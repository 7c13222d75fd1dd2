"""Also the cases about a recovered tool error and two results for one call."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from audition.adapters.adk.session import adapt_adk
from audition.collector import collect
from audition.evaluators.case_evaluator import CaseEvaluator, Finding, Layer
from audition.evaluators.tools import (
    AnyToolCallSucceeded,
    CalledOnlyAllowedTools,
    CalledRequiredTools,
    DidNotCallTools,
    ToolCallCount,
    ToolCallsSucceeded,
    tell_calls,
    tell_outcome,
)
from audition.evaluators.view import EvidenceView, Scope
from audition.events import CompletionReason, ToolCalled, ToolOutcome
from audition.invocations import ToolInvocation
from audition.output import CaseOutput
from audition.testing import answer, output, tool_call, tool_result, tool_use
from audition.tool_rules import ToolRule

SEARCHED = output(
    *tool_use("@K", "search", "Mara"), *tool_use("@K", "search", "Oren"), answer("Mara")
)
IDLE = output(answer("I made it up."))
BROKEN = output(reason=CompletionReason.TIMEOUT)


def examine(evaluator: CaseEvaluator, out: CaseOutput = SEARCHED) -> Finding:
    return evaluator.examine(EvidenceView(out, evaluator.scope))


def test_required_tools_must_all_have_been_called() -> None:
    assert examine(CalledRequiredTools(("search",))).reason == "called: search x2"
    found = examine(CalledRequiredTools(("search", "send")))
    assert (found.ok, found.cause) == (False, "not called")
    assert found.reason == "not called: send; called: search x2"


def test_of_many_tools_the_first_are_told() -> None:
    out = output(*(event for n in range(40) for event in tool_use("@K", f"t{n}", "x")))
    assert examine(CalledRequiredTools(("send",)), out).reason.endswith("t28, t29 and 10 more")


def test_where_nothing_was_called_the_reason_says_so() -> None:
    assert (
        examine(CalledRequiredTools(("send",)), IDLE).reason == "not called: send; called: no tool"
    )


def test_a_forbidden_call_is_named_with_its_arguments_and_outcome() -> None:
    out = output(*tool_use("@K", "send", "sent", arguments={"to": "all"}), answer("done"))
    found = examine(DidNotCallTools(("send",)), out)
    assert (found.ok, found.cause) == (False, "forbidden call")
    assert 'arguments {"to":"all"}) ended with ok: sent' in found.reason


def test_a_forbidden_call_is_named_though_the_run_broke() -> None:
    out = output(tool_call("@K", "send"), reason=CompletionReason.ERROR)
    assert examine(DidNotCallTools(("send",)), out).reason.startswith("called: send (call 1")


def test_a_completed_turn_without_calls_satisfies_what_is_forbidden() -> None:
    assert examine(DidNotCallTools(("send",)), IDLE) == Finding(True, "not called: send")
    assert examine(CalledOnlyAllowedTools(("search",)), IDLE).ok
    assert examine(ToolCallCount("search", maximum=1), IDLE).ok


@pytest.mark.parametrize(
    "evaluator",
    [
        DidNotCallTools(("send",)),
        CalledOnlyAllowedTools(("send",)),
        ToolCallCount("send", maximum=1),
    ],
)
def test_without_a_completed_turn_absence_proves_nothing(evaluator: CaseEvaluator) -> None:
    found = examine(evaluator, BROKEN)
    assert (found.ok, found.layer, found.cause) == (False, Layer.RUN, "nothing observed")
    assert found.reason == "nothing was observed: turn 0 ended with timeout"


def test_a_call_outside_the_allowlist_is_named() -> None:
    found = examine(CalledOnlyAllowedTools(("send", "plan")))
    assert found.reason == "called: search x2; allowed: send, plan"
    assert examine(CalledOnlyAllowedTools(())).reason == "called: search x2; allowed: no tool"


def test_the_runtimes_own_calls_are_allowed_but_can_be_forbidden_by_name() -> None:
    mailbox = ToolCalled(agent="@K", tool_name="read_mailbox", tool_call_id="9", internal=True)
    out = output(mailbox, answer("done"))
    assert examine(CalledOnlyAllowedTools(("search",)), out).ok
    assert not examine(DidNotCallTools(("read_mailbox",)), out).ok


@pytest.mark.parametrize(
    ("minimum", "maximum", "ok", "layer", "cause"),
    [
        (2, 2, True, None, None),
        (1, None, True, None, None),
        (0, 2, True, None, None),
        (3, None, False, None, "called too seldom"),
        (0, 1, False, Layer.BUDGET, "called too often"),
    ],
)
def test_calls_are_counted_between_bounds(
    minimum: int, maximum: int | None, layer: Layer | None, cause: str | None, *, ok: bool
) -> None:
    found = examine(ToolCallCount("search", minimum=minimum, maximum=maximum))
    assert (found.ok, found.layer, found.cause) == (ok, layer, cause)


def test_no_call_where_one_is_wanted_is_not_called() -> None:
    found = examine(ToolCallCount("send", minimum=1, maximum=3))
    told = "send was called 0 time(s); wanted 1 to 3; called: search x2"
    assert (found.cause, found.reason) == ("not called", told)


@pytest.mark.parametrize("bounds", [{}, {"maximum": -1}, {"minimum": 3, "maximum": 2}])
def test_bounds_that_cannot_be_meant_are_refused(bounds: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ToolCallCount("search", **bounds)


def test_only_a_count_without_a_minimum_asserts_absence() -> None:
    assert ToolCallCount("search", maximum=1).asserts_absence
    assert not ToolCallCount("search", minimum=1).asserts_absence
    assert CalledOnlyAllowedTools(("a",)).asserts_absence


def test_a_scope_counts_the_calls_of_one_agent() -> None:
    found = examine(ToolCallCount("search", minimum=1, scope=Scope(agent="@Manager")))
    assert found.reason == (
        "search was called 0 time(s) by @Manager; wanted at least 1; called: no tool"
    )


# An invoice: classified, routed with a wrong argument, routed again with success.
RECOVERED = [
    {"author": "user", "content": {"role": "user", "parts": [{"text": "Approve F-204."}]}},
    {"author": "clerk", "content": {"parts": [
        {"functionCall": {"id": "k-2", "name": "route", "args": {"tier": "gold"}}}]}},
    {"author": "clerk", "content": {"parts": [{"functionResponse": {
        "id": "k-2", "name": "route", "response": {"error": "unexpected argument: tier"}}}]}},
    {"author": "clerk", "content": {"parts": [
        {"functionCall": {"id": "k-3", "name": "route", "args": {"invoice": "F-204"}}}]}},
    {"author": "clerk", "content": {"parts": [{"functionResponse": {
        "id": "k-3", "name": "route", "response": {"ticket": "AP-9"}}}]}},
    {"author": "clerk", "content": {"parts": [{"text": "Approved, ticket AP-9."}]}},
]  # fmt: skip


def recovered() -> CaseOutput:
    adapted = adapt_adk(
        json.loads(json.dumps([{**one, "invocation_id": "e"} for one in RECOVERED]))
    )
    return collect(adapted.events, human=adapted.human)


def test_a_recovered_error_reaches_the_goal_and_counts_as_a_stumble() -> None:
    out = recovered()
    assert examine(AnyToolCallSucceeded(("route",)), out).ok
    stumbled = examine(ToolCallsSucceeded(), out)
    assert (stumbled.ok, stumbled.cause) == (False, "failed")
    assert '(call k-2, arguments {"tier":"gold"}) ended with tool_error' in stumbled.reason
    assert "unexpected argument: tier" in stumbled.reason
    counted = examine(ToolCallCount("route", minimum=1, maximum=1), out)
    assert counted.reason == "route was called 2 time(s), 1 of them not ok; wanted 1 to 1"


def test_every_call_succeeded_needs_a_call() -> None:
    assert examine(ToolCallsSucceeded(), IDLE).reason == "no tool was called"
    assert examine(ToolCallsSucceeded(("send",))).reason == "not called: send; called: search x2"
    assert examine(ToolCallsSucceeded(("search",))).reason == "2 call(s) ended well: search x2"


def test_a_tool_that_never_ended_well_is_told_with_what_was_tried() -> None:
    out = output(*tool_use("@K", "search", "down", outcome=ToolOutcome.TOOL_ERROR), answer("?"))
    found = examine(AnyToolCallSucceeded(("search", "send")), out)
    assert found.cause == "failed"
    assert found.reason.startswith("never ended well: search, send; search (call")
    assert examine(AnyToolCallSucceeded(("send",)), out).reason.endswith(
        "send; not called; called: search"
    )


@pytest.mark.parametrize(
    ("outcome", "cause"),
    [
        (ToolOutcome.REJECTED, "rejected"),
        (ToolOutcome.PENDING, "pending"),
        (ToolOutcome.INFRASTRUCTURE_ERROR, "failed"),
    ],
)
def test_the_cause_says_how_a_call_ended(outcome: ToolOutcome, cause: str) -> None:
    out = output(*tool_use("@K", "search", "no", outcome=outcome), answer("?"))
    assert examine(ToolCallsSucceeded(), out).cause == cause


def test_a_call_that_never_returned_is_unanswered() -> None:
    out = output(tool_call("@K", "search"), answer("?"))
    found = examine(ToolCallsSucceeded(), out)
    assert (found.cause, "nothing came back" in found.reason) == ("unanswered", True)


def test_a_declared_failure_is_told_in_the_words_of_its_rule() -> None:
    rule = ToolRule(tool_name="book", path="$.free", equals=0, says="the hall is full")
    out = output(*tool_use("@K", "book", {"free": 0}), answer("?"), tool_rules=[rule])
    found = examine(AnyToolCallSucceeded(("book",)), out)
    assert (found.cause, "the hall is full" in found.reason) == ("domain failure", True)


def test_two_results_for_one_call_are_one_invocation_with_the_second() -> None:
    call = tool_call("bank", "wire_funds", call_id="w")
    waiting = tool_result("bank", "wire_funds", "Waiting for approval by a person.", call_id="w")
    done = tool_result("bank", "wire_funds", {"receipt": "R-31"}, call_id="w")
    out = output(call, *waiting, *done, answer("Sent, receipt R-31."))
    assert examine(ToolCallCount("wire_funds", minimum=1, maximum=1), out).ok
    (one,) = out.tool_invocations()
    assert (one.outcome, one.content) == ("ok", '{"receipt":"R-31"}')
    assert one.superseded == ("Waiting for approval by a person.",)


def invocations() -> tuple[ToolInvocation, ...]:
    return SEARCHED.tool_invocations()


def test_calls_are_told_by_name_and_number() -> None:
    assert (tell_calls(invocations()), tell_calls([])) == ("search x2", "no tool")


def test_an_invocation_is_told_on_one_line() -> None:
    out = output(*tool_use("@K", "search", "Mara\n  Ilves", arguments={"q": "Mara"}))
    told = tell_outcome(out.tool_invocations()[0])
    assert told.endswith('arguments {"q":"Mara"}) ended with ok: Mara Ilves')


def test_where_events_were_lost_no_upper_bound_holds() -> None:
    made = output(*tool_use("@K", "s", "x"), answer("a"))
    lost = made.model_copy(update={"dropped_events": 1})
    for evaluator in (
        ToolCallCount(tool_name="s", minimum=1, maximum=1),
        ToolCallsSucceeded(tool_names=("s",)),
    ):
        assert evaluator.examine(EvidenceView(made)).ok
        assert not evaluator.examine(EvidenceView(lost)).ok
