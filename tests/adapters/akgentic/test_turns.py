"""Which message of the person opens a turn, and how a turn ends."""

from audition.adaptation import NO_FRAME
from audition.adapters.akgentic.session import adapt_akgentic
from audition.events import TurnFinished, TurnStarted
from tests.adapters.akgentic.records import (
    ANSWERED,
    ASKED,
    DONE,
    handled,
    output,
    processed,
    select,
    sent,
    told,
    turns,
)

QUESTION = "Is pier 4 free?"
ASIDE = sent("m-5", "@Ada", "@Desk", "And pier 5?")
HANDED = sent("m-3", "@Desk", "@Crane", "look", parent_id="m-1")
CANCELLED = sent(
    "m-9",
    "@Ada",
    "@Desk",
    "",
    reason="late",
    __model__="akgentic.core.messages.message.CancelMessage",
)
BROKEN = told(
    "ErrorMessage",
    "@Crane",
    content_type="ValueError",
    content="no\n rope",
    current_message={"id": "m-3"},
)
BREAK = "@Crane: ValueError: no rope"


def test_a_turn_with_an_answer_is_a_response() -> None:
    assert turns(ASKED, ANSWERED, DONE) == [(QUESTION, "response", None)]


def test_a_turn_in_which_nothing_is_open_and_nobody_answered_is_quiescent() -> None:
    assert turns(ASKED, DONE) == [(QUESTION, "quiescent", None)]


def test_a_notification_to_the_person_is_no_answer() -> None:
    notice = sent("m-2", "@Desk", "@Ada", "Stopped.", type="notification", parent_id="m-1")
    assert turns(ASKED, notice, DONE) == [(QUESTION, "quiescent", None)]


def test_a_request_to_the_person_is_an_answer_and_the_reply_a_turn() -> None:
    request = sent("m-2", "@Desk", "@Ada", "May I?", parent_id="m-1")
    reply = sent("m-4", "@Ada", "@Desk", "Yes.", type="response", parent_id="m-2")
    assert turns(ASKED, request, DONE, reply, processed("m-4", "@Desk")) == [
        (QUESTION, "response", None),
        ("Yes.", "quiescent", None),
    ]


def test_what_is_open_at_the_end_is_named() -> None:
    left = "the record ends with open messages: @Desk to @Crane"
    record = adapt_akgentic([ASKED, ANSWERED, HANDED, DONE])
    assert turns(ASKED, ANSWERED, HANDED, DONE) == [(QUESTION, "runtime_stopped", left)]
    assert record.origins[-1] == NO_FRAME


def test_what_goes_to_the_person_is_never_open() -> None:
    assert turns(ASKED, DONE, ANSWERED) == [(QUESTION, "response", None)]


def test_one_message_to_two_is_open_until_both_have_handled_it() -> None:
    also = sent("m-1", "@Ada", "@Crane", QUESTION)
    left = "the record ends with open messages: @Ada to @Crane"
    assert turns(ASKED, also, DONE) == [(QUESTION, "runtime_stopped", left)]
    assert turns(ASKED, also, DONE, processed("m-1", "@Crane")) == [(QUESTION, "quiescent", None)]


def test_the_same_words_to_every_member_are_one_message_to_the_team() -> None:
    also = sent("m-7", "@Ada", "@Crane", QUESTION)
    record = adapt_akgentic([ASKED, also, ANSWERED, DONE, processed("m-7", "@Crane")])
    assert [event.target for event in select(record, TurnStarted)] == [None]


def test_the_same_words_again_are_a_new_turn() -> None:
    again = sent("m-7", "@Ada", "@Desk", QUESTION)
    assert len(turns(ASKED, again)) == 2
    elsewhere = sent("m-7", "@Ada", "@Crane", QUESTION)
    assert len(turns(ASKED, ANSWERED, DONE, elsewhere)) == 2


def test_a_message_that_a_run_took_out_of_the_mailbox_is_of_the_turn_of_that_run() -> None:
    record = adapt_akgentic([ASKED, ASIDE, handled("m-5", "@Desk", "m-1"), ANSWERED, DONE])
    made = output(record)
    assert [(turn.message, turn.responses) for turn in made.turns] == [(QUESTION, ("It is.",))]
    assert [message.turn for message in made.messages] == [0, 0, 0]
    assert not made.contaminated


def test_a_message_that_nothing_known_took_up_has_its_own_turn() -> None:
    assert turns(ASIDE, handled("m-5", "@Desk", "m-0")) == [("And pier 5?", "quiescent", None)]


def test_turns_may_overlap_and_each_ends_with_its_own() -> None:
    later = sent("m-6", "@Desk", "@Ada", "Pier 5 is not.", type="response", parent_id="m-5")
    record = adapt_akgentic([ASKED, ASIDE, later, processed("m-5", "@Desk"), ANSWERED, DONE])
    assert [event.turn for event in select(record, TurnFinished)] == [1, 0]
    assert [turn.responses for turn in output(record).turns] == [("It is.",), ("Pier 5 is not.",)]


def test_a_cancellation_opens_no_turn_and_is_told() -> None:
    frames = [ASKED, CANCELLED, handled("m-9", "@Desk", "m-1"), DONE]
    assert turns(*frames) == [(QUESTION, "quiescent", "cancelled: late")]


def test_a_cancellation_after_the_turn_changes_nothing() -> None:
    assert turns(ASKED, ANSWERED, DONE, CANCELLED) == [(QUESTION, "response", None)]


def test_an_error_that_comes_after_everything_was_handled_ends_its_turn() -> None:
    frames = [ASKED, HANDED, DONE, processed("m-3", "@Crane"), BROKEN]
    assert turns(*frames) == [(QUESTION, "error", BREAK)]


def test_an_error_that_comes_after_the_next_question_is_of_its_own_turn() -> None:
    frames = [ASKED, HANDED, DONE, processed("m-3", "@Crane"), ASIDE, BROKEN]
    assert turns(*frames)[0] == (QUESTION, "error", BREAK)


def test_an_answer_after_an_error_is_one() -> None:
    frames = [ASKED, HANDED, processed("m-3", "@Crane"), BROKEN, ANSWERED, DONE]
    assert turns(*frames) == [(QUESTION, "response", None)]


def test_what_names_no_cause_is_of_the_latest_turn() -> None:
    alarm = sent("m-8", "@Clock", "@Ada", "It is noon.", type="response")
    record = adapt_akgentic([ASKED, DONE, alarm])
    assert [turn.responses for turn in output(record).turns] == [("It is noon.",)]


def test_a_record_without_the_person_has_no_turn() -> None:
    assert turns(processed("m-1", "@Desk"), ANSWERED) == []
