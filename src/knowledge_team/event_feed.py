"""What observers of a team are told: plain JSON objects, in the order in which things happened.

The shape is the event vocabulary that evaluators and user interfaces read. Nothing here knows
who is listening.
"""

import logging
import time
from collections.abc import Callable
from threading import RLock

from pydantic import JsonValue

from knowledge_team.messages import Message

type Observer = Callable[[dict[str, JsonValue]], None]
"""Takes one event; called from any thread, must neither block nor raise."""

_logger = logging.getLogger(__name__)


class EventFeed:
    """Hands each event to every observer, one event at a time, until it is closed."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._observers: list[Observer] = []
        self._closed = False
        # Re-entrant: an observer may send the next message from inside its call.
        self._lock = RLock()

    def subscribe(self, observer: Observer) -> Callable[[], None]:
        """Tell the observer of all events from now on; return the call that ends this."""
        with self._lock:
            self._observers.append(observer)

        def unsubscribe() -> None:
            with self._lock:
                if observer in self._observers:
                    self._observers.remove(observer)

        return unsubscribe

    def emit(self, kind: str, agent: str | None = None, **fields: JsonValue) -> None:
        """Tell every observer what happened; nothing, once the feed is closed."""
        with self._lock:
            if self._closed:
                return
            event: dict[str, JsonValue] = {"kind": kind, "at": self._clock(), "agent": agent}
            event.update(fields)
            for observer in tuple(self._observers):
                _tell(observer, event)

    def emit_sent(self, message: Message) -> None:
        """Tell every observer that the message left its sender."""
        self.emit(
            "message_sent",
            message.sender,
            recipient=message.recipient,
            content=message.content,
            message_id=message.message_id,
            message_type=message.message_type.value,
            cause_id=message.cause_id,
        )

    def close(self, kind: str) -> None:
        """Emit one last event of this kind, for the team as a whole, and fall silent."""
        with self._lock:
            self.emit(kind)
            self._closed = True


def _tell(observer: Observer, event: dict[str, JsonValue]) -> None:
    try:
        observer(event)
    except Exception:
        _logger.exception("an observer of the team raised")
