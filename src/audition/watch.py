"""What `run_case` hears: the handler that runtimes call from any thread, and the waiting for it."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Unpack, get_args

from audition.calls import invoke
from audition.collector import Collector, Known
from audition.completion import CompletionPolicy
from audition.errors import tell_value
from audition.events import (
    AgentFailed,
    CompletionReason,
    Event,
    RuntimeStopped,
    TurnFinished,
    TurnStarted,
)
from audition.output import CaseOutput
from audition.runtime import Settling

_EVENT_TYPES = frozenset(get_args(Event.__value__))
_TURN_MARKS = frozenset({TurnStarted, TurnFinished})
_SPECIAL = _TURN_MARKS | {AgentFailed, RuntimeStopped}
"""What does not simply pass through to the collector and the policy."""

_STOPPED = CompletionReason.RUNTIME_STOPPED
_CLOSED = CompletionReason.TRANSPORT_CLOSED
_THEIRS = (Exception, SystemExit, asyncio.CancelledError)
_REASON_TYPES = frozenset({CompletionReason, type(None)})

ERROR_GRACE_SECONDS = 1.0
"""How long a team that can prove its quiet may still speak after one of its agents broke."""


def _no_mark(event: Event) -> Event:
    if type(event) not in _TURN_MARKS:
        return event
    told = f"the runtime reported {tell_value(event)}; turns are marked by run_case"
    return AgentFailed(error=told)


class _Broken:
    """Stands in for a policy that broke."""

    settle_seconds = 0.0

    def begin_turn(self, turn: int) -> None: ...

    def feed(self, turn: int | None, event: Event) -> None: ...

    def quiet(self) -> None: ...

    def reason(self) -> CompletionReason:
        return CompletionReason.ERROR

    def waiting_for(self) -> str:
        return "its policy, which broke"


class Watch:
    """Feeds the collector and the completion policy in one order, and wakes the waiter once a turn.

    Args:
        collector: Keeps the events.
        policy: Decides when a turn is over.

    """

    def __init__(self, collector: Collector, policy: CompletionPolicy) -> None:
        self._collector = collector
        self._policy = policy
        self._loop = asyncio.get_running_loop()
        self._loop_thread = threading.get_ident()
        # A lock also without the GIL's help: the policy must see the collector's order.
        # Re-entrant, since a policy or a finaliser may report from inside of it.
        self._lock = threading.RLock()
        self._wake = asyncio.Event()
        self._turn = -1
        self._is_awaited = False
        self._failed = False
        self._closed = False
        self._stopped: CompletionReason | None = None
        self._last = time.monotonic()

    def hear(self, event: Event) -> None:
        """Take an event; the handler of every runtime. Never blocks for long, never raises."""
        is_special = type(event) in _SPECIAL
        if is_special:
            event = _no_mark(event)
        self._lock.acquire()  # not `with`, which takes three times as long
        try:
            if self._closed:
                return  # the output is made; an abandoned team talks to nobody
            try:
                turn = self._collector.feed(event)
            except Exception as error:  # noqa: BLE001  # of any kind; agents must not see it
                event, turn = self._refused(event, error)
                is_special = True
            self._last = time.monotonic()
            try:
                self._policy.feed(turn, event)
            except _THEIRS as error:  # whatever it raises, agents must not see it
                self._give_up_policy(f"raised {tell_value(error)}")
            if is_special:
                self._note_end(event, turn)
            # Until somebody waits, nobody has to know whether the turn is over.
            if not self._is_awaited or self._over() is None:
                return
            self._is_awaited = False
        finally:
            self._lock.release()
        self._set()

    def mark(self, event: TurnStarted | TurnFinished) -> None:
        """Take the begin or the end of a turn."""
        with self._lock:
            if not self._closed:
                turn = self._collector.feed(event)
                self._last = time.monotonic()
                self._ask(lambda policy: policy.feed(turn, event))

    def _refused(self, event: Event, error: Exception) -> tuple[AgentFailed, int | None]:
        """Count what the collector did not take, and return the error in its place."""
        self._collector.reject()
        is_event = type(event) in _EVENT_TYPES
        told = f"an ill-typed {type(event).__name__}: {tell_value(error)}" if is_event else error
        failure = AgentFailed(error=f"the runtime reported {told}")
        return failure, self._collector.feed(failure)

    def _note_end(self, event: Event, turn: int | None) -> None:
        """Take note that an agent broke, or that the team is gone."""
        if isinstance(event, AgentFailed):
            self._failed |= turn is None or turn == self._turn
        elif isinstance(event, RuntimeStopped):
            self._stopped = _CLOSED if event.transport_closed else _STOPPED
            self._ask(lambda policy: policy.quiet())

    def begin_turn(self, opening: TurnStarted) -> None:
        """Open a turn with its mark; only what belongs to it ends it."""
        turn = opening.turn
        with self._lock:
            self._turn = turn
            self._failed = False
            self._ask(lambda policy: policy.begin_turn(turn))
            self.mark(opening)

    def _set(self) -> None:
        if threading.get_ident() == self._loop_thread:
            self._wake.set()
            return
        with suppress(RuntimeError):  # the loop is closed: the case is long over
            self._loop.call_soon_threadsafe(self._wake.set)

    def _over(self) -> CompletionReason | None:
        reason = self._reason()
        if self._stopped is None:
            return reason
        # A team that answered and then went home has held its turn; of a connection that was
        # lost nobody knows what it would still have told.
        went_home = self._stopped is _STOPPED
        answered = reason is CompletionReason.RESPONSE
        return reason if went_home and answered else self._stopped

    def _reason(self) -> CompletionReason | None:
        """Return why the turn is over where the team is still there."""
        if self._failed or self._collector.full:
            return CompletionReason.ERROR
        reason = self._ask(lambda policy: policy.reason())
        if type(reason) in _REASON_TYPES:
            return reason
        self._give_up_policy(f"gave {tell_value(reason)} as a reason")
        return CompletionReason.ERROR

    def _ask[Told](self, ask: Callable[[CompletionPolicy], Told]) -> Told:
        """Return what the policy says; where it raises, it is asked no more.

        The application's code: every turn from there on is an error, and the case survives.
        """
        try:
            return ask(self._policy)
        except _THEIRS as error:  # whatever it raises, agents must not see it
            self._give_up_policy(f"raised {tell_value(error)}")
            return ask(self._policy)

    def _give_up_policy(self, told: str) -> None:
        self._policy = _Broken()
        self._collector.feed(AgentFailed(error=f"the completion policy {told}"))

    def over(self) -> CompletionReason | None:
        """Return why the turn is over as far as is known now, None while it is not."""
        with self._lock:
            return self._over()

    @property
    def stopped(self) -> CompletionReason | None:
        """Why the team is gone, None while it is there."""
        return self._stopped

    def grace_seconds(self) -> float:
        """Return how long to wait for the last events of a turn that is over."""
        return ERROR_GRACE_SECONDS if self._failed else self._settle_seconds()

    def _settle_seconds(self) -> float:
        with self._lock:
            return self._ask(lambda policy: float(policy.settle_seconds))

    def waiting_for(self) -> str:
        """Return what the policy still misses, for the text of a timeout."""
        with self._lock:
            return self._ask(lambda policy: str(policy.waiting_for()))

    def output(self, **known: Unpack[Known]) -> CaseOutput:
        """Return the output of everything fed so far, and listen no more."""
        with self._lock:
            self._closed = True
            return self._collector.output(**known)

    def seen(self, **known: Unpack[Known]) -> CaseOutput:
        """Return the output of everything fed so far, and listen on."""
        with self._lock:
            return self._collector.output(**known)

    def quiet(self) -> None:
        """Take note that the runtime proved that its team is quiet."""
        with self._lock:
            self._ask(lambda policy: policy.quiet())

    async def until_over(self) -> CompletionReason:
        """Wait until the turn looks over, and return why. Holds no thread."""
        while True:
            with self._lock:
                reason = self._over()
                if reason is not None:
                    return reason
                self._wake.clear()
                self._is_awaited = True
            await self._wake.wait()

    async def until_settled(self) -> CompletionReason:
        """Wait until the turn is over and nothing new came for the policy's settling time."""
        while True:
            reason = await self.until_over()
            wait = self._last + self._settle_seconds() - time.monotonic()
            if wait <= 0 or self._stopped is not None:
                return reason
            await asyncio.sleep(wait)


async def until_quiet(runtime: Settling, watch: Watch) -> CompletionReason:
    """Wait for the runtime's proof that its team is quiet, and no longer than there is a reason to.

    Once the turn is over by other signs (the policy, an error, a stop), the proof gets a short
    time: it brings in the last events, but must not hold up a turn that is decided.
    """
    loop = asyncio.get_running_loop()
    settled = asyncio.Task(invoke(runtime.settled), loop=loop, eager_start=True)
    try:
        if not settled.done():
            await _first(settled, watch)
        if settled.done():
            settled.result()
            watch.quiet()
    finally:
        settled.cancel()
    return watch.over() or CompletionReason.QUIESCENT


async def _first(settled: asyncio.Task[Any], watch: Watch) -> None:
    over = asyncio.ensure_future(watch.until_over())
    try:
        await asyncio.wait({settled, over}, return_when=asyncio.FIRST_COMPLETED)
        if not settled.done() and not watch.stopped:
            await asyncio.wait({settled}, timeout=watch.grace_seconds())
    finally:
        over.cancel()
