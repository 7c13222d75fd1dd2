"""A team of one agent with one tool, and the runtime that drives it. Its model is two rules."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from itertools import count

from pydantic import BaseModel, ConfigDict, JsonValue

from audition.errors import SetupError
from audition.events import (
    EventHandler,
    MessageSent,
    MessageType,
    ModelResponded,
    ToolCalled,
    ToolEvidence,
    ToolReturned,
)
from audition.inputs import CaseInput, ConversationTurn
from audition.output import RuntimeCapabilities
from audition.values import text_of

NOBODY_KNOWS = "I do not know."


class Harbour(BaseModel):
    """The fixture: what the tool finds.

    Attributes:
        berths: The ship at each berth, None where it is free.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    berths: dict[str, str | None]


class BerthInput(CaseInput):
    """The inputs of a case.

    Attributes:
        fixture: What the tool finds, None where the case names nothing.

    """

    fixture: Harbour | None = None


class BerthRuntime:
    """Drives one desk through one case.

    Args:
        harbour: What its tool finds.

    """

    capabilities = RuntimeCapabilities(isolated_execution=True, tool_evidence=True)

    def __init__(self, harbour: Harbour) -> None:
        self._berths: Mapping[str, str | None] = harbour.berths
        self._runs = count()

    def start(self, event_handler: EventHandler) -> None:
        """Keep what every event goes to."""
        self._tell = event_handler

    def send(self, turn: ConversationTurn) -> None:
        """Answer from the tool, in a model run of its own."""
        self._tell(MessageSent(agent="@Human", recipient="@Desk", content=turn.message))
        run_id = f"run-{next(self._runs)}"
        asked = re.search(r"[Bb]erth (\w+)", turn.message)
        answer = NOBODY_KNOWS if asked is None else self._looked_up(asked[1], run_id)
        self._tell(ModelResponded(agent="@Desk", run_id=run_id, input_tokens=40, output_tokens=8))
        response = MessageType.RESPONSE
        self._tell(
            MessageSent(agent="@Desk", recipient="@Human", content=answer, message_type=response)
        )

    def settled(self) -> None:
        """Return at once: `send` has told everything."""

    def shutdown(self) -> None:
        """Do nothing: the desk holds nothing."""

    def _looked_up(self, berth: str, run_id: str) -> str:
        """Call the tool, tell its call, end and evidence, and return the answer."""
        known = berth in self._berths
        ship = self._berths.get(berth)
        found: JsonValue = {"ship": ship} if known else {"error": "no such berth"}
        tool, call = "find_ship", "1"
        self._tell(
            ToolCalled(
                agent="@Desk",
                run_id=run_id,
                tool_call_id=call,
                tool_name=tool,
                arguments={"berth": berth},
            )
        )
        self._tell(ToolReturned(agent="@Desk", run_id=run_id, tool_call_id=call, tool_name=tool))
        self._tell(
            ToolEvidence(
                agent="@Desk",
                run_id=run_id,
                tool_call_id=call,
                tool_name=tool,
                content=text_of(found),
                structure=found,
            )
        )
        if not known:
            return f"There is no berth {berth}."
        return f"Berth {berth} is free." if ship is None else f"{ship} is at berth {berth}."


class BerthFactory:
    """Makes a desk of its own for every case."""

    def check(self, inputs: BerthInput) -> None:
        """Refuse a case that has no fixture, before anything starts.

        Raises:
            SetupError: It has none.

        """
        if inputs.fixture is None:
            msg = "a case without a fixture: the desk has no harbour to look at"
            raise SetupError(msg)

    @contextmanager
    def runtime(self, inputs: BerthInput) -> Generator[BerthRuntime]:
        """Yield the runtime of a case."""
        yield BerthRuntime(inputs.fixture or Harbour(berths={}))


desk = BerthFactory()
