"""What drives one team through one case: the protocols. No implementation."""

from collections.abc import Awaitable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Protocol, runtime_checkable

from audition.completion import CompletionPolicy
from audition.events import EventHandler
from audition.inputs import CaseInput, ConversationTurn
from audition.output import RuntimeCapabilities


class TeamRuntime(Protocol):
    """Drives one team. Each method may be plain or a coroutine.

    A plain method runs in a daemon thread; a coroutine on the experiment's own loop, which it
    must not block. `shutdown` is idempotent, may run beside a `start` that overran its bound, and
    is called again when that `start` ends late.

    A task that it starts on the loop belongs to its case: what is left of it is cancelled once
    no case is running.

    A runtime may also have `human` (the name of the person in its events, where it is not
    "@Human"), `source` (a line for the provenance), `settled` (see `Settling`) and
    `completion_policy` (see `ChoosesCompletion`).
    """

    @property
    def capabilities(self) -> RuntimeCapabilities:
        """What the evidence of this runtime can be relied on for."""
        ...

    def start(self, event_handler: EventHandler) -> Awaitable[None] | None:
        """Bring the team up; from now on every event goes to the handler, from any thread."""
        ...

    def send(self, turn: ConversationTurn) -> Awaitable[None] | None:
        """Give the team the message of a turn; may return before the team has answered."""
        ...

    def shutdown(self) -> Awaitable[None] | None:
        """End the team and free what it holds."""
        ...


class Settling(Protocol):
    """A runtime that can prove that its team is quiet."""

    def settled(self) -> Awaitable[None] | None:
        """Return when nothing that the turn caused is still to happen or to be reported."""
        ...


class ChoosesCompletion(Protocol):
    """A runtime that knows best when a turn of its team is over."""

    def completion_policy(self) -> CompletionPolicy:
        """Return a fresh policy for one case."""
        ...


class TeamRuntimeFactory[CaseInputT: CaseInput](Protocol):
    """Makes the runtime of a case, and frees what it needs when the case is over."""

    def runtime(
        self, inputs: CaseInputT
    ) -> AbstractAsyncContextManager[TeamRuntime] | AbstractContextManager[TeamRuntime]:
        """Return a context manager that yields the runtime of these inputs.

        A plain one is entered and left in one thread of its own.
        """
        ...


@runtime_checkable
class ChecksInputs[CaseInputT: CaseInput](Protocol):
    """A factory that can tell, before any team starts, which inputs it must not be given."""

    def check(self, inputs: CaseInputT) -> None:
        """Return where the inputs can be run.

        Raises:
            audition.errors.SetupError: They must not.

        """
        ...
