from typing import Literal

import pykka

from knowledge_team.mailroom import Mailroom
from knowledge_team.messages import Message, MessageType


class Box:
    def __init__(self, room: Mailroom, *, dead: bool = False) -> None:
        self.room = room
        self.dead = dead
        self.received: list[Message] = []

    def tell(self, message: Message) -> None:
        if self.dead:
            msg = "closed"
            raise pykka.ActorDeadError(msg)
        self.received.append(message)

    def stop(self, *, block: Literal[False]) -> pykka.Future[bool]:
        raise NotImplementedError


def hello() -> Message:
    return Message(sender="@A", recipient="@B", message_type=MessageType.REQUEST, content="Hello")


def test_a_message_arrives_and_stays_open_until_it_is_settled() -> None:
    room = Mailroom()
    box = Box(room)
    room.add("@B", box)
    message = hello()
    room.send(message)
    assert (box.received, room.open_messages.none_left().done()) == ([message], False)
    room.settle(message)
    assert room.open_messages.none_left().done()


def test_a_message_is_told_before_and_after_it_is_handled() -> None:
    room = Mailroom()
    room.add("@B", Box(room))
    kinds: list[object] = []
    room.feed.subscribe(lambda event: kinds.append((event["kind"], event["agent"])))
    message = hello()
    room.send(message)
    room.settle(message)
    assert kinds == [("message_sent", "@A"), ("message_handled", "@B")]


def test_a_closed_box_loses_the_message_in_silence() -> None:
    room = Mailroom()
    room.add("@B", Box(room, dead=True))
    room.send(hello())
    assert not room.open_messages.none_left().done()
