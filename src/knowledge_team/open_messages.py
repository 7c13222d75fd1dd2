"""How many messages of a team are still to be handled, and who waits for there to be none."""

from concurrent.futures import Future
from threading import Lock


class OpenMessages:
    """Counts messages from their sending to the end of their handling.

    A handler counts what it sends before it is itself counted as done, so the count is zero only
    when all that was caused so far is over. No clock and no polling.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._closed = False
        self._waiters: list[Future[None]] = []

    def opened(self) -> None:
        """One message more is on its way."""
        with self._lock:
            self._count += 1

    def handled(self) -> None:
        """One message is over, and all events of its handling are out."""
        with self._lock:
            self._count -= 1
            released = self._released()
        _release(released)

    def close(self) -> None:
        """Let everybody go: no message will be handled any more."""
        with self._lock:
            self._closed = True
            released = self._released()
        _release(released)

    def none_left(self) -> Future[None]:
        """Return what is done as soon as no message is open."""
        waiter: Future[None] = Future()
        with self._lock:
            self._waiters.append(waiter)
            released = self._released()
        _release(released)
        return waiter

    def _released(self) -> list[Future[None]]:
        if self._count > 0 and not self._closed:
            return []
        released, self._waiters = self._waiters, []
        return released


def _release(waiters: list[Future[None]]) -> None:
    for waiter in waiters:
        if waiter.set_running_or_notify_cancel():
            waiter.set_result(None)
