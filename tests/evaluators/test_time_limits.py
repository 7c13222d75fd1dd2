import math
from typing import Any

import pytest
from pydantic import ValidationError

from audition.collector import collect
from audition.evaluators.case_evaluator import Finding, Layer
from audition.evaluators.time_limits import TookAtMost
from audition.evaluators.view import EvidenceView, Scope
from audition.events import CompletionReason, ToolReturned, TurnFinished, TurnStarted
from audition.inputs import ConversationTurn
from audition.output import CaseOutput
from audition.testing import answer, output, tool_call


def conversation(*ends: float | None, reason: str = "response") -> CaseOutput:
    """Return turns that begin at 0 and end at these times."""
    events = [
        event
        for number, end in enumerate(ends)
        for event in (
            TurnStarted(turn=number, message="?", at=0),
            answer("done"),
            TurnFinished(turn=number, reason=CompletionReason(reason), at=end),
        )
    ]
    return collect(events)


def searches(*seconds: float | None) -> CaseOutput:
    """Return calls that begin at 0 and return after these times."""
    calls = [
        event
        for number, end in enumerate(seconds)
        for event in (
            tool_call("@K", "search", call_id=str(number), at=0),
            ToolReturned(tool_name="search", tool_call_id=str(number), run_id="run-1", at=end),
        )
    ]
    return output(*calls, answer("done"))


def examine(out: CaseOutput, seconds: float, **fields: Any) -> Finding:
    evaluator = TookAtMost(seconds, **fields)
    return evaluator.examine(EvidenceView(out, evaluator.scope))


def test_without_a_scope_all_turns_together_are_held_to_the_limit() -> None:
    assert examine(conversation(2, 3), 5) == Finding(True, "took 5 s; wanted at most 5 s")
    found = examine(conversation(2, 3.5), 5)
    assert (found.ok, found.cause) == (False, "took too long")
    assert found.reason == "took 5.5 s; wanted at most 5 s"


def test_a_scope_looks_at_one_turn() -> None:
    assert examine(conversation(2, 9), 5, scope=Scope(turn=0)).ok
    assert examine(conversation(2, 9), 5, scope=Scope(turn=1)).reason.startswith("took in turn 1 9")


@pytest.mark.parametrize("end", [None, -1.0, math.nan, math.inf])
def test_a_time_that_is_not_known_is_within_no_limit(end: float | None) -> None:
    found = examine(conversation(1, end), 5)
    assert (found.ok, found.cause) == (False, "time not known")
    assert found.reason == "the time of turn 1 is not known; took 1 s; wanted at most 5 s"


def test_what_is_known_of_a_time_may_already_be_too_long() -> None:
    assert examine(conversation(9, None), 5).cause == "took too long"


def test_a_turn_that_was_not_run_has_no_time() -> None:
    events = [TurnStarted(turn=0, message="?", at=0), answer("done")]
    end = TurnFinished(turn=0, reason=CompletionReason.RESPONSE, at=1)
    out = collect([*events, end], not_run=[ConversationTurn(message="two")])
    assert examine(out, 5).reason.startswith("the time of turn 1 is not known")


def test_a_turn_that_broke_proves_no_speed() -> None:
    assert examine(conversation(1, reason="timeout"), 5).cause == "nothing observed"
    assert examine(conversation(9, reason="timeout"), 5).cause == "took too long"


def test_where_turns_are_not_known_no_time_is() -> None:
    out = CaseOutput.model_validate({"completion_reason": "human_response"})
    assert examine(out, 5).reason.startswith("the time of any turn is not known")


def test_each_call_of_a_tool_is_held_to_the_limit() -> None:
    found = examine(searches(1, 2), 2, tool_name="search")
    assert found.reason == "2 call(s) of search: the longest took 2 s; wanted at most 2 s each"
    slow = examine(searches(1, 3), 2, tool_name="search")
    assert (slow.ok, slow.cause) == (False, "took too long")
    assert slow.reason == (
        "1 of 2 call(s) of search were too slow: call 1 took 3 s; wanted at most 2 s each"
    )
    many = examine(searches(*[3] * 7), 2, tool_name="search")
    assert many.reason.endswith("call 4 took 3 s and 2 more; wanted at most 2 s each")


def test_a_call_without_a_time_is_within_no_limit() -> None:
    found = examine(searches(1, None), 2, tool_name="search")
    assert found.reason.startswith("the time of call 1 is not known; 2 call(s) of search: the")
    assert examine(searches(None), 2, tool_name="search").cause == "time not known"


def test_a_tool_that_was_not_called_took_no_time_at_all() -> None:
    found = examine(output(answer("done")), 2, tool_name="search")
    assert (found.ok, found.layer, found.cause) == (False, Layer.TOOL, "not called")
    assert found.reason.endswith("so that no time is known; called: no tool")


def test_an_agent_is_one_of_calls_and_never_of_turns() -> None:
    assert examine(searches(1), 2, tool_name="search", scope=Scope(agent="@K")).ok
    with pytest.raises(ValidationError, match=r"a turn is everybody's, and no tool_name is given"):
        TookAtMost(5, scope=Scope(agent="@K"))


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf])
def test_a_limit_that_cannot_be_meant_is_refused(seconds: float) -> None:
    with pytest.raises(ValidationError):
        TookAtMost(seconds)


def test_the_generated_name_has_the_limit() -> None:
    assert TookAtMost(2.5).get_default_evaluation_name() == "took_at_most(2.5 s)"
    of_calls = TookAtMost(2, tool_name="search", scope=Scope(turn=0))
    assert of_calls.get_default_evaluation_name() == "took_at_most(search 2 s)@0"
    assert of_calls.asserts_absence


def test_what_was_looked_at_are_the_times() -> None:
    looked = TookAtMost(1).looked_at(EvidenceView(conversation(2, None)))
    assert looked == ["turn 0: 2 s", "turn 1: a time that is not known"]
    calls = TookAtMost(1, tool_name="search").looked_at(EvidenceView(searches(3)))
    assert calls == ["call 0: 3 s"]
