from collections.abc import Iterator

import pytest

from knowledge_team.actors import HumanActor
from knowledge_team.catalog import AgentCard
from knowledge_team.mailroom import Mailroom
from knowledge_team.member_runs import MemberRuns
from knowledge_team.messages import Message, MessageType

CARD = AgentCard(name="@Human", role="human")


@pytest.fixture
def mailroom() -> Iterator[Mailroom]:
    room = Mailroom()
    runs = MemberRuns()
    reference = HumanActor.start(CARD, room, runs)
    room.add("@Human", reference)
    yield room
    reference.stop()
    assert runs.thread is not None
    runs.thread.join(1)


def note() -> Message:
    return Message(
        sender="@Manager", recipient="@Human", message_type=MessageType.RESPONSE, content="Two."
    )


def test_what_the_person_receives_has_arrived(mailroom: Mailroom) -> None:
    kinds: list[object] = []
    mailroom.feed.subscribe(lambda event: kinds.append(event["kind"]))
    mailroom.send(note())
    mailroom.open_messages.none_left().result(5)
    assert kinds == ["message_sent", "message_handled"]


def test_a_stopped_member_handles_nothing() -> None:
    room, runs = Mailroom(), MemberRuns()
    kinds: list[object] = []
    room.feed.subscribe(lambda event: kinds.append(event["kind"]))
    runs.stop()
    HumanActor(CARD, room, runs).on_receive(note())
    assert kinds == []


def test_a_member_cannot_keep_the_process_alive(mailroom: Mailroom) -> None:
    assert HumanActor.use_daemon_thread
