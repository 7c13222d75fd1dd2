"""Turns, messages, answers of models and failures."""

from pydantic import JsonValue

from audition.events import (
    AgentFailed,
    MessageSent,
    ModelResponded,
    ToolCalled,
    TurnFinished,
    TurnStarted,
)
from tests.adapters.otlp.records import (
    assistant,
    back,
    call,
    calls,
    chat,
    dropped,
    reasons,
    run,
    said,
    select,
    span,
    told,
    user,
)

FAILED: JsonValue = {"code": 2, "message": "model is gone"}
ASKED = [("user", "desk", "Free?")]


def test_the_run_tells_what_the_person_said() -> None:
    record = told(
        run(gen_ai__input__messages=[user("Free?")]),
        chat("a", [user("Context."), user("Free? Say it in short.")], assistant("Yes.")),
    )
    assert said(record) == [*ASKED, ("desk", "user", "Yes.")]
    assert [record.origins[0], record.origins[-1]] == [0, 0]


def test_else_the_first_model_does() -> None:
    history = [user("Hi"), assistant("Hello"), user("Free?")]
    record = told(run(), chat("a", history, assistant("Yes.")))
    (started,) = select(record, TurnStarted)
    assert (started.message, said(record)[:1], record.origins[0]) == ("Free?", ASKED, 1)


def test_an_unknown_question_is_stated() -> None:
    record = told(run(), chat("a", [], assistant("Yes.")))
    assert said(record) == [("desk", "user", "Yes.")]
    assert reasons(record) == [("response", "what the user said was not recorded")]
    assert [one.cause_id for one in select(record, MessageSent)] == [None]


def test_calls_whose_content_was_not_captured_are_no_content() -> None:
    bare: JsonValue = {"role": "assistant", "parts": [call("look", "1")]}
    record = told(run(), chat("a", [{"role": "user", "parts": [{"type": "text"}]}], bare))
    assert reasons(record)[0][1] == (
        "the turn ends with an open call: look; what was said was not recorded"
    )


def test_words_beside_a_call_are_said_before_it() -> None:
    record = told(run(), chat("a", [user("Free?")], assistant("Wait.", call("look", "1", {}))))
    kinds = [one.kind for one in record.events]
    assert kinds[2:5] == ["model_responded", "message_sent", "tool_called"]


def test_an_empty_answer_is_kept_and_is_none() -> None:
    record = told(run(), chat("a", [user("Free?")], assistant("")))
    assert said(record) == [*ASKED, ("desk", "user", "")]
    assert reasons(record) == [("quiescent", None)]


def test_a_run_inside_a_tool_speaks_to_whoever_called_it() -> None:
    record = told(
        run(),
        chat("a", [user("Free?")], assistant(call("ask_pilot", "1", {"q": "Tide?"}))),
        span("t", "execute_tool ask_pilot", "r", at=3, lasts=9, gen_ai__tool__call__id="1"),
        span("i", "invoke_agent pilot", "t", at=4, lasts=7),
        chat("b", [user("Tide?")], assistant("2 m."), parent="i", at=5),
        chat("c", [user("Free?")], assistant("Yes."), at=20),
    )
    assert said(record) == [
        *ASKED,
        ("desk", "pilot", "Tide?"),
        ("pilot", "desk", "2 m."),
        ("desk", "user", "Yes."),
    ]
    causes = [(one.agent, one.cause_id) for one in select(record, ModelResponded)]
    assert causes == [("desk", "turn-0"), ("pilot", "i"), ("desk", "turn-0")]


def test_a_model_inside_a_tool_speaks_to_nobody() -> None:
    record = told(
        run(),
        span("t", "execute_tool sum_up", "r", at=3, lasts=9),
        chat("b", [user("Sum up.")], assistant("Short."), parent="t", at=5),
        chat("c", [user("Free?")], assistant("Yes."), at=20),
    )
    assert [one.content for one in select(record, MessageSent) if not one.internal] == [
        "Free?",
        "Yes.",
    ]
    assert len(select(record, ModelResponded)) == 2


def test_a_model_span_that_lasts_over_its_tools_speaks_before_them() -> None:
    asking = chat("a", [user("Free?")], assistant(call("look", "1", {})))
    asking["endTimeUnixNano"] = str(10**10 * 193591081)
    look = span("t", "execute_tool look", "a", at=3, gen_ai__tool__call__id="1")
    kinds = [one.kind for one in told(run(), asking, look).events]
    assert kinds[2:] == ["model_responded", "tool_called", "tool_returned", "turn_finished"]


def test_a_model_span_without_content_speaks_before_the_tools_inside_of_it() -> None:
    asking = span("a", "chat m", "r", at=1, lasts=9)
    kinds = [
        one.kind for one in told(run(), asking, span("t", "execute_tool look", "a", at=3)).events
    ]
    assert kinds[1:4] == ["model_responded", "tool_called", "tool_returned"]


def test_a_run_tells_the_words_that_none_of_its_models_do() -> None:
    asked = assistant(call("look", "1", {}))
    messages = [user("Free?"), asked, back("1", "yes"), assistant("It is.")]
    record = told(run(pydantic_ai__all_messages=messages))
    assert said(record) == [*ASKED, ("desk", "user", "It is.")]
    assert calls(record) == [("desk", "look", {})]
    assert reasons(record) == [("response", None)]


def test_the_last_words_of_a_run_come_after_its_tools() -> None:
    asked = assistant(call("look", "1", {}))
    record = told(
        run(
            gen_ai__input__messages=[user("Free?")],
            gen_ai__output__messages=[asked, assistant("Yes.")],
        ),
        span("t", "execute_tool look", "r", at=3, gen_ai__tool__call__id="1"),
    )
    kinds = [one.kind for one in record.events]
    assert kinds[2:5] == ["tool_called", "tool_returned", "message_sent"]


def test_spans_without_times_keep_their_order_and_it_is_stated() -> None:
    asked = assistant(call("look", "1", {}))
    spans = [
        run(),
        chat("a", [user("Free?")], asked),
        span("t", "execute_tool look", "r", gen_ai__tool__call__id="1"),
        chat("b", [user("Free?"), asked, back("1", "yes")], assistant("Yes.")),
    ]
    for one in spans:
        one["startTimeUnixNano"] = "soon"
    record = told(*spans)
    assert [one.kind for one in record.events][2:] == [
        *("model_responded", "tool_called", "tool_returned", "tool_evidence"),
        *("model_responded", "message_sent", "turn_finished"),
    ]
    assert reasons(record) == [("response", "4 of its spans have no start that can be read")]


def test_the_result_of_a_run_is_its_answer_unless_it_was_said() -> None:
    output = call("final_result", "1", {"free": True})
    record = told(run(final_result='{"free": true}'), chat("a", [user("Free?")], assistant(output)))
    assert said(record) == [*ASKED, ("desk", "user", '{"free": true}')]
    assert [one.internal for one in select(record, ToolCalled)] == [True]
    assert reasons(record) == [("response", None)]
    again = told(
        run(final_result='{"free":true}'), chat("a", [user("Free?")], assistant('{"free": true}'))
    )
    assert said(again) == [*ASKED, ("desk", "user", '{"free": true}')]


def test_an_error_that_ends_a_run_is_told_once() -> None:
    workflow = span("w", "invoke_workflow all", lasts=99, status=FAILED)
    agent = span("r", "invoke_agent desk", "w", lasts=90, status=FAILED)
    record = told(workflow, agent, span("a", "chat m", "r", at=1, status=FAILED))
    failed = [(one.agent, one.event_id, one.error) for one in select(record, AgentFailed)]
    assert failed == [("desk", "a", "model is gone")]
    assert reasons(record)[0][0] == "error"
    assert not select(record, ModelResponded)
    assert dropped(record) == [(1, "what it holds stands in other frames")]


def test_a_request_that_was_repeated_is_no_failed_turn() -> None:
    record = told(
        run(),
        span("a", "chat m", "r", at=1, status=FAILED),
        chat("b", [user("Free?")], assistant("Yes."), at=5),
    )
    assert len(select(record, AgentFailed)) == 1
    assert reasons(record) == [("response", None)]


def test_the_error_of_an_inner_run_that_its_tool_caught_is_no_failed_turn() -> None:
    record = told(
        run(),
        span("t", "execute_tool ask_pilot", "r", at=3, lasts=9),
        span("i", "invoke_agent pilot", "t", at=4, status=FAILED),
        chat("c", [user("Free?")], assistant("Yes."), at=20),
    )
    assert [one.agent for one in select(record, AgentFailed)] == ["pilot"]
    assert reasons(record) == [("response", None)]


def test_a_run_that_is_still_open_has_not_completed() -> None:
    record = told(run(lasts=None), chat("a", [user("Free?")], assistant("Yes.")))
    assert reasons(record) == [("runtime_stopped", "the run has no end in the record")]


def test_a_missing_span_above_the_run_is_stated() -> None:
    outer = span("r", "invoke_agent desk", "gone", lasts=90)
    record = told(outer, chat("a", [user("Free?")], assistant("Yes.")))
    told_of = "the parent of 1 of its spans, gone, was not exported"
    assert reasons(record) == [("response", told_of)]


def test_a_model_alone_is_a_turn() -> None:
    alone = span("a", "chat m", gen_ai__input__messages=[user("Free?")])
    record = told(alone)
    assert [one.turn for one in select(record, TurnFinished)] == [0]
    assert reasons(record) == [("quiescent", None)]


def test_the_second_view_of_a_request_fills_what_the_first_lacks() -> None:
    record = told(
        run(),
        span("a", "chat m", "r", at=1, lasts=5),
        chat("b", [user("Free?")], assistant("Yes."), parent="a", at=2),
    )
    assert said(record) == [*ASKED, ("desk", "user", "Yes.")]
    assert len(select(record, ModelResponded)) == 1
