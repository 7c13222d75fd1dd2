import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar

import pytest
from pydantic import ValidationError

from knowledge_team.event_feed import EventFeed
from knowledge_team.messages import Message, MessageType

berth: ContextVar[str] = ContextVar("berth", default="none")


def message() -> Message:
    return Message(
        sender="@Human", recipient="@Manager", message_type=MessageType.REQUEST, content="Hello"
    )


def test_a_message_runs_calls_in_the_context_of_its_making() -> None:
    token = berth.set("north")
    sent = message()
    berth.reset(token)
    assert (sent.in_context(berth.get), berth.get()) == ("north", "none")


def test_one_message_can_be_handled_by_two_threads_at_once() -> None:
    sent = message()
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(sent.in_context, [berth.get] * 8)) == ["none"] * 8


def test_what_a_handler_sets_does_not_reach_the_next() -> None:
    sent = message()
    sent.in_context(lambda: berth.set("south"))
    assert sent.in_context(berth.get) == "none"


def test_the_context_is_not_serialised() -> None:
    fields = {"sender", "recipient", "message_type", "content", "cause_id", "message_id"}
    assert set(message().model_dump()) == fields
    assert "ontext" not in message().model_dump_json()


def test_no_form_of_a_message_shows_its_context() -> None:
    token = berth.set("a secret berth")
    sent = message()
    berth.reset(token)
    told: list[object] = []
    feed = EventFeed()
    feed.subscribe(told.append)
    feed.emit_sent(sent)
    forms = [repr(sent), str(sent), sent.model_dump_json(), json.dumps(told)]
    forms.append(repr(pickle.dumps(sent)))
    assert not any("ontext" in form or "secret" in form for form in forms)


def test_a_message_that_was_pickled_runs_calls_in_the_context_of_its_reader() -> None:
    token = berth.set("north")
    pickled = pickle.dumps(message())
    berth.set("south")
    read: Message = pickle.loads(pickled)  # noqa: S301  # our own bytes
    assert read.in_context(berth.get) == "south"
    assert read == pickle.loads(pickled)  # noqa: S301  # our own bytes
    berth.reset(token)


def test_every_message_has_its_own_id() -> None:
    assert message().message_id != message().message_id


def test_a_message_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        message().content = "Other"
