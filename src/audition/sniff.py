"""Which shape a record has: told by what its frames hold, or refused by name of what was seen."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from audition.adaptation import Adapted
from audition.adapters.adk.rows import is_adk, session_of_adk, unwrapped
from audition.adapters.adk.session import adapt_adk
from audition.adapters.akgentic.frames import is_akgentic, team_of
from audition.adapters.akgentic.frames import unwrapped as unwrapped_akgentic
from audition.adapters.akgentic.session import adapt_akgentic
from audition.adapters.openai_chat.chat import adapt_openai_chat, is_openai_chat
from audition.adapters.openai_chat.wrappers import unwrapped as unwrapped_chat
from audition.adapters.otlp.frames import is_otlp
from audition.adapters.otlp.frames import unwrapped as unwrapped_trace
from audition.adapters.otlp.session import adapt_otlp
from audition.adapters.pydantic_ai import adapt_pydantic_ai, is_pydantic_ai
from audition.adapters.pydantic_ai import unwrapped as unwrapped_history
from audition.adapters.recorded import adapt_recorded, is_recorded
from audition.values import text_of

_SHOWN_KEYS = 12
_SHOWN_KINDS = 3


def _no_session(frame: JsonValue) -> str | None:
    del frame
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A kind of record that can be read.

    Attributes:
        name: As a user writes it.
        is_frame: Whether a frame has the marks of this shape.
        unwrapped: The frames in what wraps them, however often; what wraps none is a frame.
        adapt: The frames as our events.
        session_of: The session that a frame names, wrapped or not; None where it names none.

    """

    name: str
    is_frame: Callable[[JsonValue], bool]
    unwrapped: Callable[[Iterable[JsonValue]], Iterator[JsonValue]] = iter
    adapt: Callable[[Iterable[JsonValue]], Adapted]
    session_of: Callable[[JsonValue], str | None] = _no_session


SHAPES = (
    Shape(name="recording", is_frame=is_recorded, adapt=adapt_recorded),
    Shape(
        name="adk",
        is_frame=is_adk,
        unwrapped=unwrapped,
        adapt=adapt_adk,
        session_of=session_of_adk,
    ),
    Shape(
        name="akgentic",
        is_frame=is_akgentic,
        unwrapped=unwrapped_akgentic,
        adapt=adapt_akgentic,
        session_of=team_of,
    ),
    Shape(
        name="pydantic_ai",
        is_frame=is_pydantic_ai,
        unwrapped=unwrapped_history,
        adapt=adapt_pydantic_ai,
    ),
    Shape(
        name="openai_chat",
        is_frame=is_openai_chat,
        unwrapped=unwrapped_chat,
        adapt=adapt_openai_chat,
    ),
    Shape(name="otlp", is_frame=is_otlp, unwrapped=unwrapped_trace, adapt=adapt_otlp),
)
"""What can be read, the first that knows a frame has it."""


class UnknownShape(ValueError):
    """No shape that is known, or more than one."""


def shape_named(name: str) -> Shape:
    """Return the shape of this name.

    Raises:
        UnknownShape: There is none.

    """
    for shape in SHAPES:
        if shape.name == name:
            return shape
    msg = f"no format {name!r}; there are: {', '.join(shape.name for shape in SHAPES)}"
    raise UnknownShape(msg)


def shape_of(frames: Iterable[JsonValue]) -> Shape:
    """Return the shape that a record has.

    Raises:
        UnknownShape: None of the frames has a shape that is known, or they have more than one.

    """
    sniffer = Sniffer()
    for frame in frames:
        sniffer.see(frame)
    return sniffer.shape()


class Sniffer:
    """Finds out which shape a record has, frame by frame, and keeps none of them."""

    def __init__(self) -> None:
        self._count = 0
        self._found: dict[str, tuple[int, Shape]] = {}
        self._kinds: dict[str, None] = {}

    def see(self, frame: JsonValue) -> Shape | None:
        """Return the shape of a frame, None where it has no marks of any."""
        if "recording" in self._found:
            return None  # its events have no marks of their own
        self._count += 1
        for shape in SHAPES:
            if shape.is_frame(frame):
                self._found.setdefault(shape.name, (self._count - 1, shape))
                return shape
        if not self._found and len(self._kinds) < _SHOWN_KINDS:
            self._kinds[_kind(frame)] = None
        return None

    def shape(self) -> Shape:
        """Return the shape of all that was seen.

        Raises:
            UnknownShape: It has none, or more than one.

        """
        if len(self._found) == 1:
            return next(shape for _, shape in self._found.values())
        if self._found:
            seen = ", ".join(f"{name} in frame {index}" for name, (index, _) in self._found.items())
            msg = f"frames of more than one format: {seen}"
        else:
            seen = f"{self._count} frame(s): {'; '.join(self._kinds)}"
            msg = f"no session that is known here: {seen if self._count else 'nothing is in it'}"
        raise UnknownShape(msg)


def _kind(frame: JsonValue) -> str:
    match frame:
        case dict():
            keys = list(frame)[:_SHOWN_KEYS]
            more = ", …" if len(frame) > len(keys) else ""
            return f"an object with {', '.join(f'{key[:40]!r}' for key in keys)}{more}"
        case list():
            return "a list"
        case str():
            return f"the text {frame[:40]!r}"
        case _:
            return text_of(frame)
