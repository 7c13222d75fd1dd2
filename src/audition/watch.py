"""What `run_case` hears: the handler that runtimes call from any thread, and the waiting for it."""

import asyncio
import threading
import time
from contextlib import suppress
from reprlib import repr as short_repr
from typing import Unpack, get_args

from audition.collector import Collector, Known
from audition.completion import CompletionPolicy
from audition.events import AgentFailed, CompletionReason, Event, RuntimeStopped
from audition.output import CaseOutput

_EVENT_TYPES = frozenset(get_args(Event.__value__))

ERROR_GRACE_SECONDS = 1.0
"""How long a team that can prove its quiet may still speak after one of its agents broke."""


class Watch:
    """Feeds the collector and the completion policy in one order, and wakes the waiter once a turn.

    Args:
        collector: Keeps the events.
        policy: Decides when a turn is over.

    """

    def __init__(self, collector: Collector, policy: CompletionPolicy) -> None:
        self.collector = collector
        self.policy = policy
        self._loop = asyncio.get_running_loop()
        self._loop_thread = threading.get_ident()
        # A lock also without the GIL's help: the policy must see the collector's order.
        self._lock = threading.Lock()
        self._wake = asyncio.Event()
        self._turn = -1
        self._woken = False
        self._failed = False
        self._closed = False
        self._stopped: RuntimeStopped | None = None
        self._last = time.monotonic()

    def __call__(self, event: Event) -> None:
        """Take an event; the handler of every runtime. Never blocks for long, never raises."""
        if type(event) not in _EVENT_TYPES:
            event = AgentFailed(error=f"the runtime reported no event: {short_repr(event)}")
        with self._lock:
            if self._closed:
                return  # the output is made; an abandoned team talks to nobody
            turn = self.collector.feed(event)
            self._last = time.monotonic()
            try:
                self.policy.feed(turn, event)
            except Exception as error:  # noqa: BLE001  # the application's code, or an ill-typed event
                told = f"the completion policy raised {short_repr(error)}"
                event = AgentFailed(error=told)
                turn = self.collector.feed(event)
            if isinstance(event, AgentFailed):
                self._failed |= turn is None or turn == self._turn
            elif isinstance(event, RuntimeStopped):
                self._stopped = event
            wake = not self._woken and self._over() is not None
            if wake:
                self._woken = True
        if wake:
            self._set()

    def begin_turn(self, turn: int, opening: Event) -> None:
        """Open a turn with its first event; only what belongs to it ends it."""
        with self._lock:
            self._turn = turn
            self._failed = False
            self._woken = False
            self._wake.clear()
            self.policy.begin_turn(turn)
        self(opening)

    def _set(self) -> None:
        if threading.get_ident() == self._loop_thread:
            self._wake.set()
            return
        with suppress(RuntimeError):  # the loop is closed: the case is long over
            self._loop.call_soon_threadsafe(self._wake.set)

    def _over(self) -> CompletionReason | None:
        if self._stopped is not None:
            closed = self._stopped.transport_closed
            return CompletionReason.TRANSPORT_CLOSED if closed else CompletionReason.RUNTIME_STOPPED
        if self._failed or self.collector.full:
            return CompletionReason.ERROR
        return self.policy.verdict()

    def over(self) -> CompletionReason | None:
        """Return why the turn is over as far as is known now, None while it is not."""
        with self._lock:
            return self._over()

    @property
    def stopped(self) -> bool:
        """Whether the team is gone."""
        return self._stopped is not None

    def grace_seconds(self) -> float:
        """Return how long to wait for the last events of a turn that is over."""
        return ERROR_GRACE_SECONDS if self._failed else self.policy.settle_seconds

    def output(self, **known: Unpack[Known]) -> CaseOutput:
        """Return the output of everything fed so far, and listen no more."""
        with self._lock:
            self._closed = True
            return self.collector.output(**known)

    def quiet(self) -> None:
        """Take note that the runtime proved that its team is quiet."""
        with self._lock:
            self.policy.quiet()

    async def until_over(self) -> CompletionReason:
        """Wait until the turn looks over, and return why. Holds no thread."""
        while True:
            with self._lock:
                reason = self._over()
                if reason is not None:
                    return reason
                self._woken = False
                self._wake.clear()
            await self._wake.wait()

    async def until_settled(self) -> CompletionReason:
        """Wait until the turn is over and nothing new came for the policy's settling time."""
        while True:
            reason = await self.until_over()
            wait = self._last + self.policy.settle_seconds - time.monotonic()
            if wait <= 0 or self._stopped is not None:
                return reason
            await asyncio.sleep(wait)
