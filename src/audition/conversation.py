"""The state of one case while it runs, and the steps of its inner task."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, NamedTuple, cast

from audition.budgets import Budgeted, budget_of
from audition.calls import invoke
from audition.captured_values import CapturedValues
from audition.collector import Collector
from audition.completion import (
    AnswerOrProof,
    CompletionPolicy,
    MessageResponse,
    ResponseThenQuiet,
)
from audition.endings import end_late, shut_down
from audition.errors import (
    BoundOverrun,
    IncompleteRuntime,
    LoopBlocked,
    RunError,
    tell_error,
    tell_value,
)
from audition.events import (
    COMPLETED,
    HUMAN,
    AgentFailed,
    CompletionReason,
    Event,
    EventHandler,
    TurnFinished,
    TurnStarted,
)
from audition.inputs import CaseInput, ConversationTurn
from audition.output import CaseOutput, RuntimeCapabilities
from audition.runtime import ChoosesCompletion, Settling, TeamRuntime
from audition.supervision import Supervisor
from audition.watch import Watch, until_quiet

_METHODS = ("start", "send", "shutdown")

type PolicyFactory = Callable[[], CompletionPolicy]


class _Limit(NamedTuple):
    """The bound of a call.

    Attributes:
        seconds: How long it may take.
        on_expiry: Why the case or the turn ended where it takes longer.

    """

    seconds: float
    on_expiry: CompletionReason


class Conversation:
    """One case: its turns, what was heard so far, and how it ended.

    Attributes:
        supervisor: Runs the steps and bounds their calls.
        shutdown_begun: `shutdown` was entered.
        given_up: The inner task was abandoned.

    """

    def __init__(
        self,
        inputs: CaseInput,
        *,
        policy: PolicyFactory | None = None,
        on_event: EventHandler | None = None,
    ) -> None:
        self.supervisor = Supervisor()
        self.shutdown_begun = False
        self._start_limit = _Limit(inputs.start_seconds, CompletionReason.START_FAILED)
        self._turn_limit = _Limit(inputs.timeout_seconds, CompletionReason.TIMEOUT)
        self._shutdown_seconds = inputs.shutdown_seconds
        self._tool_rules = inputs.tool_rules
        self._turns = inputs.ordered_turns()
        self._policy = policy
        self._budget = budget_of(inputs)
        self._budgeted: Budgeted | None = None
        self._runtime: TeamRuntime | None = None
        self._on_event = on_event
        self._collector = Collector(on_event=None if on_event is None else self._pass_on)
        self._watch: Watch | None = None
        self._capabilities: RuntimeCapabilities | None = None
        self._sent = 0
        self._open_turn: int | None = None
        self._ended: tuple[CompletionReason, str | None] | None = None
        self._notes: list[str] = []
        self._captured = CapturedValues()
        self._doing = "start"
        self._limit = self._start_limit
        self.given_up = False
        seconds = inputs.deadline_seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds

    async def make(self, what: str, call: Coroutine[Any, Any, TeamRuntime]) -> TeamRuntime | None:
        """Return the runtime that a factory makes, None where it failed."""
        self._doing = what
        self._limit = self._limited(self._start_limit)
        try:
            made = await self.supervisor.bounded(what, self._limit.seconds, call)
        except Exception as error:  # noqa: BLE001  # the application's code: its error is this case's
            self.fail_to_start(what, error)
            return None
        if made is None:  # pyright: ignore[reportUnnecessaryComparison]  # the application's own code
            self.fail_to_start(what, TypeError("it gave None; wanted a runtime"))
        return made

    async def free(self, what: str, call: Coroutine[Any, Any, object]) -> None:
        """Free something in the bound of a shutdown; what goes wrong is only noted."""
        self.supervisor.is_ending = True
        self._doing = what
        try:
            await self.supervisor.bounded(what, self._shutdown_seconds, call)
        except Exception as error:  # noqa: BLE001  # the answer is there; a bad end must not lose it
            self._notes.append(_told(what, error))

    async def hold(self, runtime: TeamRuntime) -> None:
        """Start the team, hold the turns in order, and shut the team down."""
        self._runtime = runtime
        try:
            if await self._start(runtime):
                await self._hold_turns(runtime)
        finally:
            if not self.given_up:  # else somebody else sees to it
                await self.shutdown()

    async def _start(self, runtime: TeamRuntime) -> bool:
        self._doing = "start"
        self._limit = self._limited(self._start_limit)
        try:
            await self.supervisor.bounded("start", self._limit.seconds, self._bring_up(runtime))
        except Exception as error:  # noqa: BLE001  # the team's code: its error is this case's
            self.fail_to_start("start", error)
            return False
        return True

    async def _bring_up(self, runtime: TeamRuntime) -> None:
        """Ask the runtime what it is, and start it."""
        capabilities = self._complete(runtime)
        if not isinstance(capabilities, RuntimeCapabilities):  # pyright: ignore[reportUnnecessaryIsInstance]  # a team's own code
            msg = f"capabilities must be RuntimeCapabilities, found {tell_value(capabilities)}"
            raise TypeError(msg)
        self._capabilities = capabilities
        human = str(getattr(runtime, "human", HUMAN))
        self._collector.human = human
        self._watch = Watch(self._collector, self._choose_policy(runtime, human))
        on_late = partial(end_late, runtime, asyncio.get_running_loop(), self._shutdown_seconds)
        await invoke(runtime.start, self._watch.hear, on_late=on_late)

    def _complete(self, runtime: TeamRuntime) -> RuntimeCapabilities:
        """Return what the runtime says of itself, once it is known to have all that is needed."""
        missing = [name for name in _METHODS if not callable(getattr(runtime, name, None))]
        try:
            capabilities = runtime.capabilities
        except AttributeError as error:
            if error.obj is not runtime or error.name != "capabilities":
                raise  # it is there, and broken
            capabilities = RuntimeCapabilities()
            missing.append("capabilities")
        if missing:
            self._runtime = None  # nothing was begun that would have to be ended
            raise IncompleteRuntime(type(runtime).__name__, missing)
        return capabilities

    def _pass_on(self, event: Event) -> None:
        """Give an event to the caller's handler, until that fails."""
        if self._on_event is None:
            return
        try:
            self._on_event(event)
        except (Exception, SystemExit, asyncio.CancelledError) as error:  # noqa: BLE001  # the caller's
            self._on_event = None
            self._notes.append(_told("on_event", error))

    def _choose_policy(self, runtime: TeamRuntime, human: str) -> CompletionPolicy:
        policy = self._policy_of(runtime, human)
        if self._budget is None:
            return policy
        self._budgeted = Budgeted(policy, self._budget)
        return self._budgeted

    def _policy_of(self, runtime: TeamRuntime, human: str) -> CompletionPolicy:
        if self._policy is not None:
            return self._policy()
        # hasattr, since isinstance of a runtime-checkable protocol costs 3-5 µs a case.
        if hasattr(runtime, "completion_policy"):
            return cast("ChoosesCompletion", runtime).completion_policy()
        if hasattr(runtime, "settled"):
            return AnswerOrProof(human)
        if self._capabilities is not None and self._capabilities.actor_quiescence:
            return ResponseThenQuiet(human=human)
        return MessageResponse(human)

    def fail_to_start(self, what: str, error: Exception | SystemExit) -> None:
        """Note that there is no team to talk to."""
        told = _told(what, error)
        self._note_failure(told)
        self._ended = (
            self._limit.on_expiry if _is_overrun(error) else CompletionReason.START_FAILED,
            told,
        )

    def _note_failure(self, told: str) -> None:
        # By the watch where there is one: agents may be reporting in other threads.
        report = self._collector.feed if self._watch is None else self._watch.hear
        report(AgentFailed(at=time.time(), error=told))

    async def _hold_turns(self, runtime: TeamRuntime) -> None:
        assert self._watch is not None  # noqa: S101  # `_start` made it
        for number, turn in enumerate(self._turns):
            self._limit = self._limited(self._turn_limit)
            if self._limit.seconds <= 0:
                self._ended = (CompletionReason.DEADLINE, f"no time was left for turn {number}")
                return
            if self._watch.stopped:
                self._ended = (self._watch.stopped, f"the team was gone before turn {number}")
                return
            filled = self._captured.fill(turn)
            await self._turn(number, filled, runtime=runtime, watch=self._watch)
            if self.given_up or self.supervisor.cancelled or not self._is_well():
                return
            if turn.capture:
                seen = self._watch.seen(tool_rules=self._tool_rules)
                missing = self._captured.take(turn, number, seen)
                if missing is not None:
                    self._ended = (CompletionReason.MISSING_VALUE, missing)
                    return

    def _is_well(self) -> bool:
        return self._ended is not None and self._ended[0] in COMPLETED

    async def _turn(
        self,
        number: int,
        turn: ConversationTurn,
        *,
        runtime: TeamRuntime,
        watch: Watch,
    ) -> None:
        self._open_turn, self._sent, self._doing = number, number + 1, "send"
        opening = TurnStarted(at=time.time(), turn=number, message=turn.message, target=turn.target)
        watch.begin_turn(opening)
        detail = None
        try:
            exchange = self._exchange(turn, runtime, watch)
            reason = await self.supervisor.bounded("the turn", self._limit.seconds, exchange)
        except (BoundOverrun, LoopBlocked) as error:
            reason, detail = self._overdue(watch.over()), self._overrun(watch, error)
        except Exception as error:  # noqa: BLE001  # the team's code: its error is this turn's
            detail = _told(self._doing, error)
            watch.hear(AgentFailed(at=time.time(), error=detail))
            reason = watch.over() or CompletionReason.ERROR
        if reason is CompletionReason.BUDGET and self._budgeted is not None:
            detail = self._budgeted.exceeded
        self._close_turn(reason, detail)

    def _overdue(self, known: CompletionReason | None) -> CompletionReason:
        """Return why a turn that passed its bound is over: what is known beats the clock.

        An answer does not count while `send` has not returned: the team is not well.
        """
        if known is None or (known in COMPLETED and self._doing == "send"):
            return self._limit.on_expiry
        return known

    async def _exchange(
        self, turn: ConversationTurn, runtime: TeamRuntime, watch: Watch
    ) -> CompletionReason:
        await invoke(runtime.send, turn)
        if hasattr(runtime, "settled"):
            self._doing = "settled"
            return await until_quiet(cast("Settling", runtime), watch)
        self._doing = "wait"
        return await watch.until_settled()

    def _overrun(self, watch: Watch, error: Exception) -> str:
        if isinstance(error, LoopBlocked):
            return str(error)
        if self._doing == "send":
            return str(BoundOverrun("send", self._limit.seconds))
        return f"not over within {self._limit.seconds:g} s; still waiting for {watch.waiting_for()}"

    def _close_turn(self, reason: CompletionReason, detail: str | None) -> None:
        watch = self._watch
        if self._open_turn is None or watch is None or self.given_up:
            return
        finished = TurnFinished(at=time.time(), turn=self._open_turn, reason=reason, detail=detail)
        watch.mark(finished)
        self._open_turn = None
        self._ended = (reason, detail)

    def give_up(self) -> None:
        """Note that the inner task was abandoned in whatever it was doing."""
        told = f"{self._doing} did not end in its bound and ignored its cancellation"
        if self._open_turn is not None:
            known = None if self._watch is None else self._watch.over()
            self._close_turn(self._overdue(known), told)
        elif self._ended is None:
            self._note_failure(told)
            self._ended = (self._limit.on_expiry, told)
        else:
            self._notes.append(told)
        self.given_up = True

    async def shutdown(self) -> None:
        """End the team; may run more than once."""
        self.shutdown_begun = True
        runtime = self._runtime
        if runtime is not None:
            await self.free("shutdown", shut_down(runtime))

    def _limited(self, limit: _Limit) -> _Limit:
        """Return the bound of the next call, cut to what is left of the case's time."""
        if self._deadline is None:
            return limit
        left = self._deadline - time.monotonic()
        return limit if left >= limit.seconds else _Limit(max(left, 0), CompletionReason.DEADLINE)

    def output(self) -> CaseOutput:
        """Return everything that was seen so far."""
        reason, detail = self._ended or (CompletionReason.RUNTIME_STOPPED, None)
        told = "; ".join(filter(None, (detail, *self._notes))) or None
        collected = self._collector if self._watch is None else self._watch
        return collected.output(
            not_run=self._turns[self._sent :],
            capabilities=self._capabilities,
            source=self._source(),
            tool_rules=self._tool_rules,
            completion=(reason, told),
            captured=self._captured.values,
        )

    def _source(self) -> str | None:
        try:
            source = getattr(self._runtime, "source", None)
            return None if source is None else str(source)
        except Exception:  # noqa: BLE001  # the team's code: the output must not be lost for a name
            return None


def _is_overrun(error: BaseException) -> bool:
    return isinstance(error, BoundOverrun | LoopBlocked)


def _told(what: str, error: BaseException) -> str:
    """Return an error as one line that says what was being done."""
    if isinstance(error, RunError):
        return str(error)
    return f"{what} raised {tell_error(error)}"
