"""How a turn of a session ends, what is dropped, and who speaks."""

import pytest
from pydantic import JsonValue

from audition.adaptation import NO_FRAME
from audition.adapters.adk.session import adapt_adk
from audition.events import (
    AgentFailed,
    MessageSent,
    ModelResponded,
    ToolCalled,
    ToolReturned,
    TurnFinished,
    TurnStarted,
)
from tests.adapters.adk.records import (
    ASKED,
    BACK,
    CALLED,
    ENDED,
    answers,
    call,
    dropped,
    event,
    outcomes,
    reasons,
    response,
    select,
    text,
)


@pytest.mark.parametrize(
    ("frame", "author", "reason"),
    [
        ("a line", None, "not an ADK event"),
        (event("x", "user", actions={"compaction": {"compacted_content": "..."}}), "user",
         "compaction"),
        (event("x", "desk", {"videoMetadata": {"fps": 1}}, {"text": "hm", "thought": True}),
         "desk", "nothing readable: thought, video_metadata"),
        (event("x", "user"), "user", "no content"),
    ],
)  # fmt: skip
def test_a_dropped_frame_says_why(frame: JsonValue, author: str | None, reason: str) -> None:
    assert dropped(adapt_adk([frame])) == [(0, author, reason)]


STOPPED = "runtime_stopped"


@pytest.mark.parametrize(
    ("rest", "reason", "detail"),
    [
        ([], STOPPED, "the record ends with the user's message"),
        ([CALLED], STOPPED, "the record ends with an open call: check"),
        ([CALLED, BACK], STOPPED, "the record ends on the return of check"),
        ([CALLED, BACK, ENDED], "response", None),
        ([event("a-1", "desk", call("check", "c-1")), BACK, ENDED], "quiescent", None),
        ([event("a-1", "desk", text(""))], "quiescent", None),
        ([ENDED], "quiescent", None),
        ([event("a-1", "desk", output="Ada")], "response", None),
        ([event("a-1", "desk", output="Ada", node_info={"output_for": ["w@1/n@1"]})],
         "quiescent", None),
        ([event("a-1", "desk", finish_reason="MALFORMED_FUNCTION_CALL")],
         "error", "MALFORMED_FUNCTION_CALL"),
        ([event("a-1", "desk", finish_reason="STOP")], "quiescent", None),
        ([event("a-1", "desk", finish_reason="stop")], "quiescent", None),
        ([event("a-1", "desk", text("Pier 4 is"), finish_reason="MAX_TOKENS")], "response", None),
        ([event("a-1", "desk", text("Pier 4 is"), interrupted=True)],
         STOPPED, "the record ends with an answer that was interrupted"),
        ([event("a-1", "desk", text("Pier 4 is")), event("a-2", "desk", interrupted=True)],
         STOPPED, "the record ends with an answer that was interrupted"),
        ([event("a-1", "desk", interrupted=True), event("a-2", "desk", text("Yes."))],
         "response", None),
        ([event("a-1", "desk", text("Yes."))], "response", None),
        ([event("a-1", "desk", error_code="LIMIT")], "error", "LIMIT"),
        ([event("a-1", "user", error_message="gone\naway")], "error", "gone away"),
        ([event("a-1", "desk", error_code="LIMIT"), event("a-2", "desk", text("Yes."))],
         "response", None),
    ],
)  # fmt: skip
def test_a_turn_ends_as_the_record_shows(
    rest: list[JsonValue], reason: str, detail: str | None
) -> None:
    assert reasons(adapt_adk([ASKED, *rest])) == [(reason, detail)]


def test_a_return_that_is_the_last_word_completes_a_turn() -> None:
    back = event("a-2", "desk", response("check", "c-1", {}), actions={"skip_summarization": True})
    record = adapt_adk([ASKED, event("a-1", "desk", call("check", "c-1")), back])
    assert reasons(record) == [("quiescent", None)]


def test_a_call_left_open_before_the_next_turn_ends_the_first_only() -> None:
    record = adapt_adk([ASKED, CALLED, event("u-2", "user", text("Hello?")), BACK, ENDED])
    assert reasons(record) == [
        (STOPPED, "the turn ends with an open call: check"),
        ("quiescent", None),
    ]
    assert {back.run_id for back in select(record, ToolReturned)} == {"e-1/desk"}


def test_a_call_that_waits_for_approval_is_open() -> None:
    waiting = event(
        "a-2",
        "desk",
        response("check", "c-1", {"note": "ask first"}),
        actions={"requested_tool_confirmations": {"c-1": {}}, "skip_summarization": True},
    )
    ask = event("a-3", "desk", call("adk_request_confirmation", "q-1", {}))
    record = adapt_adk([ASKED, CALLED, waiting, ask])
    assert outcomes(record) == [("check", "pending")]
    assert reasons(record) == [(STOPPED, "the record ends with an open call: check")]


def test_an_agent_that_answers_after_a_call_without_return_has_answered() -> None:
    record = adapt_adk([ASKED, CALLED, event("a-3", "desk", text("I asked the harbour."))])
    assert reasons(record) == [("response", None)]


def test_another_branch_does_not_close_a_call() -> None:
    record = adapt_adk([ASKED, CALLED, event("b-1", "scout", text("Nothing here."))])
    assert reasons(record) == [(STOPPED, "the record ends with an open call: check")]


def test_an_empty_record_has_no_events() -> None:
    adapted = adapt_adk([])
    assert (adapted.events, adapted.heads, adapted.dropped, adapted.human) == ((), (), (), "user")


def test_without_a_user_message_there_is_no_turn() -> None:
    record = adapt_adk([CALLED, BACK, event("a-3", "desk", text("Free."))])
    assert select(record, TurnStarted) == select(record, TurnFinished) == []
    assert {event.cause_id for event in record.events} == {None}


def test_an_unanswered_message_goes_to_nobody() -> None:
    header = event("h", "system", actions={"state_delta": {}})
    record = adapt_adk([ASKED, header, event("u-2", "user", text("Hello?")), CALLED])
    sent = [said.recipient for said in select(record, MessageSent) if said.agent == "user"]
    assert sent == [None, "desk"]


def test_a_message_without_an_id_still_causes_its_turn() -> None:
    record = adapt_adk([{"author": "user", "content": {"parts": [text("Hi")]}}, CALLED])
    assert {event.cause_id for event in select(record, ToolCalled)} == {"turn-0"}


def test_a_file_of_the_user_opens_a_turn() -> None:
    picture: JsonValue = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    record = adapt_adk([event("u-1", "user", picture), event("a-1", "desk", text("A pier."))])
    assert [started.message for started in select(record, TurnStarted)] == [
        "[file: image/png, 3 bytes]"
    ]
    assert answers(record) == [("desk", "A pier.")]


def test_words_beside_an_answer_to_the_runtime_are_no_turn() -> None:
    both = event("u-2", "user", response("check", "c-1", {"free": True}), text("Go on."))
    record = adapt_adk([ASKED, CALLED, both, event("a-2", "desk", text("Free."))])
    said = [message for message in select(record, MessageSent) if message.agent == "user"]
    assert [(message.content, message.internal) for message in said] == [
        ("Is pier 4 free?", False),
        ("Go on.", True),
    ]
    assert [back.agent for back in select(record, ToolReturned)] == ["desk"]


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([text("")], [("desk", "")]),
        ([text(" \n")], [("desk", " \n")]),
        ([text(""), call("check")], []),
        ([text(" \n"), text("ok")], [("desk", " \nok")]),
        ([{"text": "hm", "thought": True}], []),
    ],
)
def test_an_empty_text_is_said_where_it_is_the_last_word(
    parts: list[JsonValue], said: list[tuple[str, str]]
) -> None:
    assert answers(adapt_adk([ASKED, event("a-1", "desk", *parts)])) == said


def test_every_event_has_the_frame_that_it_comes_of() -> None:
    broken = event("x-1", "desk")
    record = adapt_adk([ASKED, broken, CALLED])
    assert len(record.origins) == len(record.events)
    assert [head.index for head in record.heads] == [0, 1, 2]
    contributed = {origin for origin in record.origins if origin != NO_FRAME}
    assert contributed == {0, 2}
    assert contributed | {frame.index for frame in record.dropped} == {0, 1, 2}
    assert type(record.events[-1]) is TurnFinished
    assert record.origins[-1] == NO_FRAME


def test_a_frame_is_shown_with_the_role_that_is_never_believed() -> None:
    record = adapt_adk([ASKED, CALLED, BACK])
    assert [(head.author, head.role) for head in record.heads] == [
        ("user", "whoever"),
        ("desk", "whoever"),
        ("desk", "whoever"),
    ]


def heard(event_id: str, author: str, kind: str, words: str, **others: JsonValue) -> JsonValue:
    said: JsonValue = {"text": words, "finished": True}
    return event(event_id, author, **{kind: said}, **others)


def test_what_was_heard_is_said() -> None:
    asked = heard("u-1", "user", "input_transcription", "Is pier 4 free?")
    told = heard("a-1", "desk", "outputTranscription", "It is.")
    record = adapt_adk(
        [asked, heard("a-0", "desk", "output_transcription", "It", partial=True), told]
    )
    assert [started.message for started in select(record, TurnStarted)] == ["Is pier 4 free?"]
    assert answers(record) == [("desk", "It is.")]
    assert dropped(record) == [(1, "desk", "partial")]


def test_what_an_agent_heard_is_not_what_it_says() -> None:
    record = adapt_adk([heard("a-1", "desk", "input_transcription", "Is pier 4 free?")])
    assert dropped(record) == [(0, "desk", "nothing readable: input_transcription")]


@pytest.mark.parametrize(
    ("node", "internal"),
    [
        ({"path": "wf@1/greet@1", "output_for": ["wf@1/greet@1", "wf@1"]}, False),
        ({"path": "wf@1/ask@1", "outputFor": ["wf@1/ask@1"]}, True),
        ({"path": "wf@1/ask@1"}, True),
        ({"path": "wf@1"}, False),
        ({}, False),
    ],
)
def test_the_output_of_the_outermost_node_is_an_answer(
    node: JsonValue,
    internal: bool,  # noqa: FBT001  # a column of the table
) -> None:
    given = event("a-1", "wf", output={"b": 1, "a": None}, node_info=node)
    (said,) = select(adapt_adk([given]), MessageSent)
    assert (said.agent, said.content, said.internal) == ("wf", '{"a":null,"b":1}', internal)
    assert said.recipient == (None if internal else "user")


def test_what_a_node_says_is_not_said_again_as_its_output() -> None:
    record = adapt_adk([ASKED, event("a-1", "desk", text("Yes."), output="Yes.")])
    assert answers(record) == [("desk", "Yes.")]


@pytest.mark.parametrize("reason", ["MAX_TOKENS", "SAFETY", "STOP"])
def test_why_a_model_stopped_is_kept(reason: str) -> None:
    record = adapt_adk([ASKED, event("a-1", "desk", text("Pier 4 is"), finishReason=reason)])
    assert [one.finish_reason for one in select(record, ModelResponded)] == [reason]
    assert select(record, AgentFailed) == []
