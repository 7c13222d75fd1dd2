"""What an adapter reads of a message: a frame of parts. No event is made here."""

from dataclasses import dataclass, field

from audition.adaptation import FrameHead
from audition.tool_payloads import Arguments, Returned


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The person says something new, which opens a turn."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The agent says something to the person; an empty text is an empty answer.

    Attributes:
        text: What it says.
        internal: The runtime kept it to itself.

    """

    text: str
    internal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Responded:
    """A model answered; the fields are those of `ModelResponded`."""

    model_name: str | None = None
    provider_name: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = None
    finish_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """The agent asks for a tool.

    Attributes:
        name: The tool.
        call_id: None where the record has none.
        arguments: What it was given.
        internal: Plumbing of the runtime.

    """

    name: str
    call_id: str | None = None
    arguments: Arguments = field(default_factory=Arguments)
    internal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A tool gave something back.

    Attributes:
        name: The tool, None where the record does not say.
        call_id: That of the call, None where the record does not say.
        returned: What it gave back.
        is_last_word: No model was to see it: the run ends with it.

    """

    name: str | None = None
    call_id: str | None = None
    returned: Returned
    is_last_word: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver:
    """An agent left the conversation to another one."""

    by: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Broke:
    """Something went wrong; one line."""

    error: str


type Part = Asked | Said | Responded | Called | Answered | HandedOver | Broke


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A message as its adapter read it.

    Attributes:
        head: What it says of itself.
        agent: Who acts in it, None where that is the person, a tool or unknown.
        at: Seconds since the epoch, None where unknown.
        event_id: Its id, None where it has none.
        parts: What is in it, in the order of events.
        emptiness: Why no event comes of it, where it has no parts.
        is_foreign: It is of no known shape, so that nobody knows what it said.

    """

    head: FrameHead
    agent: str | None = None
    at: float | None = None
    event_id: str | None = None
    parts: tuple[Part, ...] = ()
    emptiness: str = "no content"
    is_foreign: bool = False

    @property
    def opens_turn(self) -> bool:
        """Whether the person says something new in it."""
        return any(isinstance(part, Asked) for part in self.parts)

    @property
    def uses_tools(self) -> bool:
        """Whether it holds a call or a result."""
        return any(isinstance(part, Called | Answered) for part in self.parts)
