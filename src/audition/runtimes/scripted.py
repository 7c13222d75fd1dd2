"""A team that plays its part from a script: for tests, for benchmarks, and as an example."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from audition.events import Event, EventHandler
from audition.inputs import ConversationTurn
from audition.output import RuntimeCapabilities

_ISOLATED = RuntimeCapabilities(
    request_correlation=True,
    isolated_execution=True,
    actor_quiescence=True,
    tool_evidence=True,
    causes=True,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """The team takes its time.

    Attributes:
        seconds: How long.

    """

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """The runtime itself breaks: `send` raises.

    Attributes:
        error: What it raises.

    """

    error: Exception


type Step = Event | Wait | Break


class ScriptedRuntime:
    """Plays one list of steps for each turn; a turn beyond the script stays silent.

    Args:
        turns: The steps of each turn, in order.
        capabilities: What to declare, None for an isolated in-process team without spans.
        source: A line for the provenance.

    Attributes:
        sent: The turns that were sent, in order.
        shutdowns: How often the team was shut down.

    """

    def __init__(
        self,
        turns: Sequence[Sequence[Step]],
        *,
        capabilities: RuntimeCapabilities | None = None,
        source: str = "scripted",
    ) -> None:
        self._turns = turns
        self._capabilities = capabilities or _ISOLATED
        self._handler: EventHandler | None = None
        self.source = source
        self.sent: list[ConversationTurn] = []
        self.shutdowns = 0

    @property
    def capabilities(self) -> RuntimeCapabilities:
        """What the script was told to declare."""
        return self._capabilities

    async def start(self, event_handler: EventHandler) -> None:
        """Remember the handler."""
        self._handler = event_handler

    async def send(self, turn: ConversationTurn) -> None:
        """Play the steps of the turn."""
        position, handler = len(self.sent), self._handler
        self.sent.append(turn)
        for step in self._turns[position] if position < len(self._turns) else ():
            if isinstance(step, (Wait, Break)):
                await _break_or_wait(step)
            elif handler is not None:
                handler(step)

    async def settled(self) -> None:
        """Return at once: a script has played to its end when `send` returns."""

    async def shutdown(self) -> None:
        """Count the call."""
        self.shutdowns += 1


async def _break_or_wait(step: Wait | Break) -> None:
    if isinstance(step, Break):
        raise step.error
    await asyncio.sleep(step.seconds)
