import pytest
from pydantic import ValidationError

from audition.evaluators.case_evaluator import Finding
from audition.evaluators.tool_order import CalledToolsInOrder
from audition.evaluators.view import EvidenceView, Scope
from audition.events import CompletionReason, Event, ToolCalled
from audition.output import CaseOutput
from audition.testing import answer, output, tool_use


def calls(*names: str, agent: str = "@K") -> list[Event]:
    return [event for name in names for event in tool_use(agent, name, "ok")]


def examine(evaluator: CalledToolsInOrder, *names: str) -> Finding:
    return judged(evaluator, output(*calls(*names), answer("done")))


def judged(evaluator: CalledToolsInOrder, out: CaseOutput) -> Finding:
    return evaluator.examine(EvidenceView(out, evaluator.scope))


PLAN_THEN_SEND = CalledToolsInOrder(("plan", "send"))
DIRECTLY = CalledToolsInOrder(("plan", "send"), adjacent=True)


def test_other_calls_may_lie_between_unless_the_order_is_adjacent() -> None:
    assert examine(PLAN_THEN_SEND, "plan", "search", "send").reason == "called: plan, search, send"
    found = examine(DIRECTLY, "plan", "search", "send")
    assert (found.ok, found.cause) == (False, "wrong order")
    assert found.reason == (
        "send was not called directly after plan; wanted plan, send; called: plan, search, send"
    )


def test_the_first_tool_that_is_out_of_order_is_named() -> None:
    found = examine(PLAN_THEN_SEND, "send", "plan")
    assert (found.ok, found.cause) == (False, "wrong order")
    assert found.reason == "send was not called after plan; wanted plan, send; called: send, plan"


def test_a_tool_that_was_never_called_is_no_matter_of_order() -> None:
    found = examine(PLAN_THEN_SEND, "plan")
    assert (found.ok, found.cause) == (False, "not called")
    assert examine(PLAN_THEN_SEND).reason.startswith("plan was not called; wanted plan, send;")


def test_an_adjacent_order_may_begin_at_a_later_call() -> None:
    assert examine(DIRECTLY, "plan", "plan", "send").ok
    assert not examine(DIRECTLY, "plan").ok


def test_a_tool_may_stand_in_the_order_more_than_once() -> None:
    again = CalledToolsInOrder(("search", "plan", "search"))
    assert examine(again, "search", "plan", "search").ok
    assert not examine(again, "search", "plan").ok


def test_a_scope_looks_at_the_calls_of_one_agent() -> None:
    out = output(*calls("plan", agent="@M"), *calls("send"), answer("done"))
    assert judged(PLAN_THEN_SEND, out).ok
    of_one = CalledToolsInOrder(("plan", "send"), scope=Scope(agent="@K"))
    assert judged(of_one, out).reason.endswith("called by @K: send")


def test_a_call_of_the_runtime_counts_where_it_is_named() -> None:
    mailbox = ToolCalled(agent="@K", tool_name="read_mailbox", tool_call_id="9", internal=True)
    out = output(*calls("plan"), mailbox, *calls("send"), answer("done"))
    assert judged(DIRECTLY, out).ok
    assert judged(CalledToolsInOrder(("plan", "read_mailbox", "send"), adjacent=True), out).ok


def test_an_order_that_was_seen_holds_though_the_run_broke_or_events_were_lost() -> None:
    broken = output(*calls("plan", "send"), reason=CompletionReason.TIMEOUT)
    assert judged(PLAN_THEN_SEND, broken).ok
    lost = broken.model_copy(update={"dropped_events": 1})
    assert judged(PLAN_THEN_SEND, lost).ok
    assert judged(DIRECTLY, lost).cause == "nothing observed"


def test_a_long_run_is_told_in_part() -> None:
    found = examine(PLAN_THEN_SEND, *["search"] * 40)
    assert found.reason.endswith("search and 10 more")


def test_one_tool_has_no_order() -> None:
    with pytest.raises(ValidationError):
        CalledToolsInOrder(("plan",))


def test_the_generated_name_has_the_order() -> None:
    assert PLAN_THEN_SEND.get_default_evaluation_name() == "called_tools_in_order(plan>send)"
    long = CalledToolsInOrder(("a" * 60, "b")).get_default_evaluation_name()
    assert long == "called_tools_in_order(" + "a" * 45 + "...)"


def test_what_was_looked_at_are_the_calls_in_order() -> None:
    looked = PLAN_THEN_SEND.looked_at(EvidenceView(output(*calls("send", "search", "plan"))))
    assert [text.split()[0] for text in looked] == ["send", "search", "plan"]
