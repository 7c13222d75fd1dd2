"""What a view shows as the steps of a trajectory."""

from dataclasses import replace
from typing import Any

from audition.collector import collect
from audition.evaluators.tools import calls_in
from audition.evaluators.trajectory import MatchedTrajectory
from audition.evaluators.trajectory_steps import steps_in
from audition.evaluators.view import EvidenceView, Scope
from audition.events import HUMAN, CompletionReason, Event, MessageType, ModelResponded
from audition.matching.tool_calls import ToolCall
from audition.matching.trajectories import Step
from audition.output import CaseOutput
from audition.records import MessageRecord, ToolCallRecord, ToolReturnRecord
from audition.testing import answer, message, output, tool_call, tool_result, turn

USER, TEXT = "user", "assistant"
RESPONSE = MessageType.RESPONSE


def seen(out: CaseOutput, *named: str, scope: Scope | None = None) -> list[Step]:
    view = EvidenceView(out, scope or Scope())
    return steps_in(view, calls_in(view, named))


def told(out: CaseOutput, *named: str, scope: Scope | None = None) -> list[str]:
    """Return each step as its role, or as its calls and how many were answered."""
    return [
        f"{'+'.join(call.tool for call in step.calls)} {step.answered}" if step.calls else step.role
        for step in seen(out, *named, scope=scope)
    ]


def asks(tool: str, call_id: str, agent: str = "@K", run_id: str = "r") -> Event:
    return tool_call(agent, tool, call_id=call_id, run_id=run_id)


def gets(tool: str, call_id: str, agent: str = "@K", run_id: str = "r") -> list[Event]:
    return tool_result(agent, tool, "ok", call_id=call_id, run_id=run_id)


def test_calls_before_the_first_result_are_of_one_message() -> None:
    out = output(
        asks("a", "1"), asks("b", "2"), *gets("b", "2"), *gets("a", "1"),
        asks("c", "3"), *gets("c", "3"), answer("Done.", "@K"),
    )  # fmt: skip
    assert told(out) == [USER, "a+b 2", "c 1", TEXT]


def test_a_model_that_answers_between_two_calls_or_another_run_begins_a_new_message() -> None:
    answered = output(asks("a", "1"), ModelResponded(agent="@K"), asks("b", "2"))
    assert told(answered) == [USER, "a 0", "b 0"]
    other = output(asks("a", "1"), ModelResponded(agent="@M"), asks("b", "2"))
    assert told(other) == [USER, "a+b 0"]
    runs = output(asks("a", "1"), asks("b", "2", run_id="s"))
    assert told(runs) == [USER, "a 0", "b 0"]


def test_what_is_said_between_two_calls_begins_a_new_message() -> None:
    out = output(asks("a", "1"), answer("Now b.", "@K"), asks("b", "2"))
    assert told(out) == [USER, "a 0", TEXT, "b 0"]


def test_only_what_the_human_is_told_is_a_message_of_the_assistant() -> None:
    out = output(
        message("@M", "@K", "Find it."),
        message("@K", "@M", "Found.", message_type=RESPONSE),
        message("@M", HUMAN, "Wait.", message_type=MessageType.NOTIFICATION),
        answer("  ", "@M"),
        answer("Done.", "@M"),
    )
    assert told(out) == [USER, TEXT]


def test_for_an_agent_alone_its_responses_are_its_words() -> None:
    out = output(
        message("@M", "@K", "Find it."),
        asks("a", "1"),
        *gets("a", "1"),
        message("@K", "@M", "Found.", message_type=RESPONSE),
        answer("Done.", "@M"),
    )
    assert told(out, scope=Scope(agent="@K")) == [USER, "a 1", TEXT]
    assert told(out, scope=Scope(agent="@M")) == [USER, TEXT]


def test_turns_stay_apart_also_where_an_answer_comes_late() -> None:
    events = [
        *turn("One?", [asks("a", "1")], reason=CompletionReason.QUIESCENT),
        *turn("Two?", [asks("b", "2", run_id="s"), *gets("a", "1")], number=1),
    ]
    out = collect(events)
    assert told(out) == [USER, "a 1", USER, "b 0"]
    assert told(out, scope=Scope(turn=1)) == [USER, "b 0"]


def test_an_agent_is_asked_in_the_turns_in_which_it_did_something() -> None:
    events = [*turn("One?", [answer("1", "@M")]), *turn("Two?", [asks("a", "1")], number=1)]
    assert told(collect(events), scope=Scope(agent="@K")) == [USER, "a 0"]


def test_a_turn_that_was_not_run_is_none() -> None:
    out = output(answer("Done."))
    left = out.turns[0].model_copy(update={"not_run": True})
    assert told(out.model_copy(update={"turns": (*out.turns, left)})) == [USER, TEXT]


def test_the_calls_of_the_runtime_itself_count_where_they_are_named() -> None:
    hidden = replace(tool_call("@K", "hand_over", call_id="1", run_id="r"), internal=True)
    out = output(hidden, asks("a", "2"), answer("Done."))
    assert told(out) == [USER, "a 0", TEXT]
    assert told(out, "hand_over", "a") == [USER, "hand_over+a 0", TEXT]


def beside(out: CaseOutput) -> list[tuple[str, frozenset[str]]]:
    return [(step.lane, step.beside) for step in seen(out)]


def test_agents_that_had_calls_open_at_the_same_time_worked_side_by_side() -> None:
    out = output(
        asks("count", "1", "@North"), asks("count", "2", "@South", "s"),
        *gets("count", "2", "@South", "s"), *gets("count", "1", "@North"),
        answer("7", "@South"), answer("12", "@North"), answer("19", "@Sum"),
    )  # fmt: skip
    north, south = ("@North", frozenset({"@South"})), ("@South", frozenset({"@North"}))
    alone: frozenset[str] = frozenset()
    assert beside(out) == [("", alone), north, south, south, north, ("@Sum", alone)]


def test_agents_that_worked_one_after_the_other_did_not() -> None:
    out = output(
        asks("count", "1", "@North"), *gets("count", "1", "@North"),
        asks("count", "2", "@South", "s"), *gets("count", "2", "@South", "s"),
    )  # fmt: skip
    assert {others for _, others in beside(out)} == {frozenset()}


def test_a_call_that_was_never_answered_is_open_for_nobody() -> None:
    out = output(asks("count", "1", "@North"), asks("count", "2", "@South", "s"))
    assert {others for _, others in beside(out)} == {frozenset()}


def test_in_the_report_of_another_tool_calls_come_before_what_was_said() -> None:
    names: dict[str, Any] = {"tool_name": "a", "agent": "@K"}
    out = CaseOutput(
        completion_reason=CompletionReason.RESPONSE,
        messages=(
            MessageRecord(seq=0, sender=HUMAN, agent=HUMAN, recipient="@K", content="?"),
            MessageRecord(
                seq=1, sender="@K", agent="@K", recipient=HUMAN, message_type=RESPONSE, content="!"
            ),
        ),
        tool_calls=tuple(ToolCallRecord(seq=n, tool_call_id=str(n), **names) for n in range(2)),
        tool_returns=(ToolReturnRecord(seq=0, tool_call_id="0", **names),),
    )
    assert told(out) == [USER, "a 1", "a 0", TEXT]
    assert told(out, scope=Scope(agent="@K")) == [USER, "a 1", "a 0", TEXT]


def test_a_call_is_compared_by_what_was_recorded_of_it() -> None:
    step = seen(output(asks("a", "1")))[1]
    assert step == Step("assistant", (ToolCall("a", {}),), 0, "@K")


def test_a_chat_of_parallel_branches_matches_in_whatever_order_they_were_recorded() -> None:
    north = [asks("count", "1", "@North"), *gets("count", "1", "@North"), answer("12", "@North")]
    south = [asks("load", "2", "@South", "s"), *gets("load", "2", "@South", "s")]
    interleaved = output(north[0], south[0], *south[1:], *north[1:], answer("19", "@Sum"))

    def chat(*tools: str) -> list[dict[str, Any]]:
        said: list[dict[str, Any]] = [{"role": "user"}]
        for tool in tools:
            call: dict[str, Any] = {"id": tool, "name": tool, "args": {}}
            said += [
                {"role": "assistant", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": tool},
            ]
        return [*said, {"role": "assistant"}]

    for tools, ok in ((("count", "load"), True), (("load", "count"), True), (("load",), False)):
        evaluator = MatchedTrajectory(chat(*tools))
        assert evaluator.examine(EvidenceView(interleaved)).ok is ok
