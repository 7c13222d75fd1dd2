"""The pydantic-ai agents of the members, and one run of one of them. No actors, no threads."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from opentelemetry import trace
from pydantic_ai import Agent, ModelRetry, ToolOutput
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model
from pydantic_ai.output import OutputSpec
from pydantic_ai.usage import UsageLimits

from knowledge_team.catalog import AgentCard
from knowledge_team.run_events import RunEvents, RunScope
from knowledge_team.store import GraphStore

REMEMBERED_RUNS = 8
"""Runs whose messages an agent is given again: four exchanges of the manager, who runs twice."""

MOST_REQUESTS = 20
"""Requests of one run: a model that goes on calling a broken tool is stopped here."""

_TOOL_RETRIES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """What the manager decided.

    Attributes:
        specialist: The name of the member that gets the request.
        request: What this member is asked to do.

    """

    specialist: str
    request: str


def relay_prompt(sender: str, answer: str) -> str:
    """Return what the manager is asked when a specialist has answered."""
    return f"Pass this answer of {sender} on to the person.\n\n{answer}"


class MemberAgent:
    """A member's agent and what it remembers of its last runs; one run at a time."""

    def __init__(self, card: AgentCard, model: Model, store: GraphStore) -> None:
        self._agent = Agent(
            model,
            name=card.name.removeprefix("@"),
            instructions=card.prompt,
            deps_type=RunScope,
            tools=[tool for tool_card in card.tools for tool in tool_card.build(store)],
            capabilities=[RunEvents()],
            retries=_TOOL_RETRIES,
        )
        # Spans that nobody collects would make every run a third longer (4.1 to 5.4 ms).
        self._agent.instrument = _spans_are_collected()
        self._runs: deque[list[ModelMessage]] = deque(
            maxlen=REMEMBERED_RUNS if card.remembers else 0
        )

    async def answer(self, prompt: str, scope: RunScope) -> str:
        """Return the model's text."""
        return await self._run(prompt, scope, output_type=str)

    async def delegate(
        self, prompt: str, scope: RunScope, specialists: Sequence[AgentCard]
    ) -> Delegation:
        """Return to whom the model hands the request over: one of the specialists."""
        listed = "\n".join(f"{card.name}: {card.purpose}" for card in specialists)
        names = [card.name for card in specialists]

        def to_specialist(specialist: str, request: str) -> Delegation:
            """Hand the request over to a team member.

            Args:
                specialist: The name of the team member, with its @.
                request: What this member is asked to do, complete in itself.

            """
            if specialist not in names:
                msg = f"There is no {specialist} in the team. Members: {', '.join(names)}"
                raise ModelRetry(msg)
            return Delegation(specialist=specialist, request=request)

        return await self._run(
            prompt,
            scope,
            output_type=ToolOutput(to_specialist, name="delegate"),
            instructions=f"Team members:\n{listed}",
        )

    async def _run[T](
        self,
        prompt: str,
        scope: RunScope,
        *,
        output_type: OutputSpec[T],
        instructions: str | None = None,
    ) -> T:
        result = await self._agent.run(
            prompt,
            output_type=output_type,
            instructions=instructions,
            message_history=list(chain.from_iterable(self._runs)),
            deps=scope,
            usage_limits=UsageLimits(request_limit=MOST_REQUESTS),
        )
        self._runs.append(result.new_messages())
        return result.output


def _spans_are_collected() -> bool:
    return not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)
