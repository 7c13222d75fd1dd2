"""Calls and returns in messages, joined with the spans that ran the tools."""

from pydantic import JsonValue

from audition.adapters.otlp.exchanges import join_exchanges, tool_call_id, tool_name
from audition.adapters.otlp.frames import read_frames
from audition.adapters.otlp.messages import read_said
from audition.adapters.otlp.turns import Work, read_turns
from tests.adapters.otlp.records import (
    assistant,
    back,
    call,
    chat,
    enclosed,
    run,
    span,
    user,
)

type Row = tuple[str | None, str | None, JsonValue, str | None, JsonValue]


def joined(*spans: JsonValue) -> list[Row]:
    """Return name, id, arguments, the span that ran it, and result of every call."""
    (turn,) = read_turns(read_frames([enclosed(run(), *spans)])).turns
    models = [step for step in turn.steps if step.work is Work.MODEL]
    tools = [step for step in turn.steps if step.work is Work.TOOL]
    said = [(step, read_said([step.span])) for step in models]
    return [
        (
            one.name,
            one.call_id,
            None if one.asked is None else one.asked.body,
            None if one.tool is None else one.tool.span.span_id,
            None if one.told is None else one.told.body,
        )
        for one in join_exchanges(said, tools)
    ]


def look(span_id: str, call_id: str | None, at: int, arguments: JsonValue = None) -> JsonValue:
    held: dict[str, JsonValue] = {}
    if call_id is not None:
        held["gen_ai__tool__call__id"] = call_id
    if arguments is not None:
        held["gen_ai__tool__call__arguments"] = arguments
    return span(span_id, "execute_tool look", "r", at=at, held=held)


ALBA: JsonValue = {"ship": "Alba"}
BORA: JsonValue = {"ship": "Bora"}


def test_a_call_id_joins_call_span_and_return() -> None:
    asked = assistant(call("look", "c1", ALBA))
    history = [user("Free?"), asked, back("c1", "yes")]
    rows = joined(
        chat("a", [user("Free?")], asked), look("t", "c1", 3), chat("b", history, at=5)
    )  # fmt: skip
    assert rows == [("look", "c1", ALBA, "t", "yes")]


def test_the_history_of_earlier_turns_is_nothing_new() -> None:
    old = [user("Free?"), assistant(call("look", "look_0", ALBA)), back("look_0", "then")]
    asked = assistant(call("look", "look_0", ALBA))
    rows = joined(
        chat("a", [*old, user("And now?")], asked),
        chat("b", [*old, user("And now?"), asked, back("look_0", "now")], at=5),
    )
    assert rows == [("look", "look_0", ALBA, None, "now")]


def test_ids_of_adk_that_count_are_joined_by_arguments_and_order() -> None:
    asked = assistant("Wait.", call("look", "look_1", ALBA), call("look", "look_2", BORA))
    told = [back("look_0", "a"), back("look_1", "b")]
    rows = joined(
        chat("a", [user("Free?")], asked),
        look("t1", "adk-1", 3, BORA),
        look("t2", "adk-2", 4, ALBA),
        chat("b", [user("Free?"), asked, *told], at=6),
    )
    assert rows == [("look", "adk-2", ALBA, "t2", "a"), ("look", "adk-1", BORA, "t1", "b")]


def test_a_call_that_failed_before_it_ran_is_not_the_next_one() -> None:
    rows = joined(chat("a", [], assistant(call("look", "c1", ALBA))), look("t", "c2", 3, BORA))
    assert rows == [("look", "c1", ALBA, None, None), ("look", "c2", None, "t", None)]


def test_a_call_of_another_agent_is_not_joined_without_an_id() -> None:
    rows = joined(
        chat("a", [], assistant(call("look", "look_0", ALBA))),
        span("t", "execute_tool look", "r", at=3, gen_ai__agent__name="pilot"),
    )
    assert [row[3] for row in rows] == [None, "t"]


def test_a_call_that_no_model_was_seen_to_say_is_looked_up_by_its_id() -> None:
    history = [user("Free?"), assistant(call("look", "c1", ALBA)), back("c1", "yes")]
    rows = joined(look("t", "c1", 1), chat("b", history, at=5))
    assert rows == [("look", "c1", ALBA, "t", "yes")]


def test_a_call_in_the_history_alone_is_no_call_of_the_turn() -> None:
    history = [user("Free?"), assistant(call("look", "c1", ALBA)), back("c1", "yes")]
    assert joined(chat("b", history, at=5)) == []


def test_a_return_by_name_answers_the_call_of_that_tool() -> None:
    asked = assistant(call("look", None, ALBA), call("ask", None, BORA))
    told: list[JsonValue] = [
        {"role": "tool", "parts": [{"type": "tool_call_response", "name": name, "response": name}]}
        for name in ("ask", "look")
    ]
    rows = joined(chat("a", [], asked), chat("b", [asked, *told], at=5))
    assert [(name, result) for name, *_, result in rows] == [("look", "look"), ("ask", "ask")]


def test_a_tool_is_named_by_its_attribute_or_its_span() -> None:
    older: JsonValue = {
        "traceId": "t",
        "spanId": "s",
        "name": "execute_tool look",
        "attributes": {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.call.id": "<not specified>",
        },
    }
    (turn,) = read_turns(read_frames([older])).turns
    assert (tool_name(turn.steps[0]), tool_call_id(turn.steps[0])) == ("look", None)
