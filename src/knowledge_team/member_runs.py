"""The agent runs of one member: one at a time, none after the end, and the end can come now."""

from collections.abc import Coroutine
from concurrent.futures import CancelledError
from threading import Lock, Thread
from typing import Any

from knowledge_team.model_loop import ModelRun, run_on_model_loop


class MemberRuns:
    """Stands between a member's thread, which waits for runs, and whoever stops the member.

    Attributes:
        thread: The member's thread, None until it is up.

    """

    def __init__(self) -> None:
        self.thread: Thread | None = None
        self._lock = Lock()
        self._current: ModelRun[Any] | None = None
        self._stopped = False

    @property
    def stopped(self) -> bool:
        """Whether there will be no further run."""
        return self._stopped

    def run[T](self, work: Coroutine[Any, Any, T]) -> T:
        """Run the coroutine on the shared loop, in the current context, and wait for it.

        Raises:
            concurrent.futures.CancelledError: The member was stopped before or meanwhile.

        """
        with self._lock:
            if self._stopped:
                work.close()
                raise CancelledError
            self._current = current = run_on_model_loop(work)
        return current.result()

    def stop(self) -> None:
        """Start no further run, and release the member's thread from the one that is on."""
        with self._lock:
            self._stopped = True
            current = self._current
        if current is not None:
            current.cancel()

    def wait_ended(self, timeout_seconds: float) -> None:
        """Give the last run this time to clean up behind itself."""
        if self._current is not None:
            self._current.wait_ended(timeout_seconds)
