import logging

import pytest
from pydantic import JsonValue

from knowledge_team.event_feed import EventFeed
from knowledge_team.messages import Message, MessageType

type Event = dict[str, JsonValue]


def trip(event: Event) -> None:
    raise LookupError(event["kind"])


def test_an_event_is_a_plain_object_with_its_time() -> None:
    events: list[Event] = []
    feed = EventFeed(clock=lambda: 12.5)
    feed.subscribe(events.append)
    feed.emit("agent_started", "@Manager")
    assert events == [{"kind": "agent_started", "at": 12.5, "agent": "@Manager"}]


def test_a_sent_message_is_told_with_all_it_says() -> None:
    events: list[Event] = []
    feed = EventFeed(clock=lambda: 1.0)
    feed.subscribe(events.append)
    sent = Message(
        sender="@A", recipient="@B", message_type=MessageType.RESPONSE, content="x", cause_id="c"
    )
    feed.emit_sent(sent)
    assert events == [
        {
            "kind": "message_sent",
            "at": 1.0,
            "agent": "@A",
            "recipient": "@B",
            "content": "x",
            "message_id": sent.message_id,
            "message_type": "response",
            "cause_id": "c",
        }
    ]


def test_nothing_follows_the_last_event() -> None:
    events: list[Event] = []
    feed = EventFeed()
    feed.subscribe(events.append)
    feed.close("runtime_stopped")
    feed.emit("agent_started")
    assert [event["kind"] for event in events] == ["runtime_stopped"]


def test_who_unsubscribes_hears_no_more() -> None:
    events: list[Event] = []
    feed = EventFeed()
    unsubscribe = feed.subscribe(events.append)
    unsubscribe()
    unsubscribe()
    feed.emit("agent_started")
    assert events == []


def test_an_observer_that_raises_does_not_silence_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    events: list[Event] = []
    feed = EventFeed()
    feed.subscribe(trip)
    feed.subscribe(events.append)
    with caplog.at_level(logging.ERROR):
        feed.emit("agent_started")
    assert len(events) == len(caplog.records) == 1
