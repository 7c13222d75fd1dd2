"""Carries messages between the members of one team, and knows when none is under way."""

from contextlib import suppress
from typing import Literal, Protocol

import pykka

from knowledge_team.event_feed import EventFeed
from knowledge_team.messages import Message
from knowledge_team.open_messages import OpenMessages


class Mailbox(Protocol):
    """What is needed of a pykka reference, whatever the class of its actor."""

    def tell(self, message: Message) -> None:
        """Put the message in, and do not wait."""
        ...

    def stop(self, *, block: Literal[False]) -> pykka.Future[bool]:
        """Tell the actor to end after what is in the box; return what is done when it has."""
        ...


class Mailroom:
    """The mailboxes of a team by name.

    Attributes:
        feed: Where everything that happens in the team is told.
        open_messages: How many messages are still to be handled.

    """

    def __init__(self) -> None:
        self.feed = EventFeed()
        self.open_messages = OpenMessages()
        self._boxes: dict[str, Mailbox] = {}

    def add(self, name: str, box: Mailbox) -> None:
        """Deliver to this mailbox what is for this name."""
        self._boxes[name] = box

    def send(self, message: Message) -> None:
        """Put the message into its recipient's mailbox; it is told before it can arrive."""
        self.open_messages.opened()
        self.feed.emit_sent(message)
        # A mailbox closes only when the whole team ends, and then nobody waits any more.
        with suppress(pykka.ActorDeadError):
            self._boxes[message.recipient].tell(message)

    def settle(self, message: Message) -> None:
        """Tell that its recipient is done with the message."""
        message_id = message.message_id
        self.feed.emit(
            "message_handled", message.recipient, message_id=message_id, cause_id=message_id
        )
        self.open_messages.handled()
