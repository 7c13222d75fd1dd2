"""One Akgentic message read into a plain value, whatever wraps it. No event of ours is made here.

The last word of `__model__` says what a message is. Nothing that it names is ever imported: the
framework's own reader calls whatever stands there.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from pydantic import JsonValue

from audition.adaptation import innermost
from audition.values import parse_json, seconds_of, writable_text

type JsonObject = dict[str, JsonValue]

KINDS = frozenset(
    {
        *("SentMessage", "ReceivedMessage", "ProcessedMessage", "HandledMessage"),
        *("StartMessage", "StopMessage", "StateChangedMessage", "EventMessage"),
        *("NotificationMessage", "WarningMessage", "ErrorMessage"),
    }
)
"""What a team's orchestrator tells of; every other class is a message that somebody published."""

NOT_AKGENTIC = "not an Akgentic message"
"""Why a frame was dropped of which nobody can tell what it said."""

UNREADABLE = "it does not say what it is about"
"""Why a message of a known kind was dropped that must have told something."""

_WRAPPED = ("dump", "frame", "event")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """An actor of a team.

    Attributes:
        name: Its name, None where it does not say.
        role: Its role, None where it has none.
        is_person: It stands for a person.

    """

    name: str | None = None
    role: str | None = None
    is_person: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AkgenticFrame:
    """A message of a team, or what stands in its place.

    Attributes:
        index: Position in the record, where a list of events counts as its elements.
        kind: The last word of its class, None where the frame is no message.
        frame_id: Its own id, None where it has none; a replay has the same.
        cause_id: The message that its sender was handling, None where that was none.
        at: Seconds since the epoch, None where unknown.
        sender: Who tells it.
        sequence: Its number in a store, None where it has none.
        body: All its fields, empty where the frame is no message.
        problem: Why nothing in it can be read, None where it can.
        is_lost: Nobody knows what it would have said.

    """

    index: int
    kind: str | None = None
    frame_id: str | None = None
    cause_id: str | None = None
    at: float | None = None
    sender: Address = Address()
    sequence: int | None = None
    body: JsonObject
    problem: str | None = None
    is_lost: bool = False

    @property
    def payload(self) -> JsonObject:
        """The event that an `EventMessage` carries, empty where there is none."""
        return fields_of(self.body.get("event")) if self.kind == "EventMessage" else {}

    @property
    def inner(self) -> JsonObject:
        """The message that a `SentMessage` tells of, empty where there is none."""
        return fields_of(self.body.get("message")) if self.kind == "SentMessage" else {}


class _Found(NamedTuple):
    value: JsonValue
    sequence: int | None = None
    problem: str | None = None


def read_frames(frames: Iterable[JsonValue]) -> list[AkgenticFrame]:
    """Return every frame read, in the order of the record."""
    return [_frame(index, found) for index, found in enumerate(_unwrapped(frames))]


def is_akgentic(frame: JsonValue) -> bool:
    """Return whether a decoded JSON value is or wraps a message of an Akgentic team."""
    return any(_is_message(found.value) for found in islice(_unwrapped([frame]), 3))


def unwrapped(frames: Iterable[JsonValue]) -> Iterator[JsonValue]:
    """Yield every message by itself, with its number in a store where it has one."""
    for found in _unwrapped(frames):
        numbered: JsonObject = {"sequence": found.sequence, "event": found.value}
        yield found.value if found.sequence is None else numbered


def team_of(frame: JsonValue) -> str | None:
    """Return the id of the team that the first message in a frame is of, None where it has none."""
    found = next(_unwrapped([frame]), None)
    return None if found is None else word(fields_of(found.value), "team_id")


def in_sequence(frames: Sequence[AkgenticFrame]) -> list[AkgenticFrame]:
    """Return the frames as numbered where every message has a number, else as they are."""
    numbers = [frame.sequence for frame in frames if frame.kind is not None]
    if not numbers or None in numbers:
        return list(frames)
    return sorted(frames, key=lambda frame: frame.sequence or 0)


def void_frames(frames: Iterable[AkgenticFrame]) -> dict[int, str]:
    """Return the reason by index, for the frames that count for nothing whatever they hold."""
    void: dict[int, str] = {}
    seen: set[str] = set()
    for frame in frames:
        if frame.problem is not None:
            void[frame.index] = frame.problem
        elif frame.frame_id in seen:
            void[frame.index] = "seen before"
        elif frame.frame_id is not None:
            seen.add(frame.frame_id)
    return void


def fields_of(value: JsonValue) -> JsonObject:
    """Return an object, or an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def word(record: JsonObject, name: str) -> str | None:
    """Return a field that is a text, None where it is none or empty."""
    value = record.get(name)
    return writable_text(value) if isinstance(value, str) and value else None


def kind_of(record: JsonObject) -> str | None:
    """Return the last word of the class of an object, None where it names none."""
    model = word(record, "__model__")
    return None if model is None else model.rpartition(".")[2]


def address_of(value: JsonValue) -> Address:
    """Return the actor that an address names."""
    fields = fields_of(value)
    is_person = fields.get("is_user_proxy") is True
    return Address(name=word(fields, "name"), role=word(fields, "role"), is_person=is_person)


def _unwrapped(frames: Iterable[JsonValue]) -> Iterator[_Found]:
    return innermost(map(_Found, frames), _inside)


def _inside(found: _Found) -> list[_Found]:
    """Return what a list, a store's entry, a socket's frame, a dump, a text of these holds."""
    value = found.value
    inner: list[JsonValue] = []
    sequence = found.sequence
    if found.problem is not None:
        return []
    if isinstance(value, str) and value.lstrip()[:1] in {"{", "["}:
        try:
            inner = [parse_json(value)]
        except ValueError as error:
            return [found._replace(problem=f"no JSON: {writable_text(str(error))}")]
    elif isinstance(value, list):
        inner = value
    elif isinstance(value, dict) and "__model__" not in value:
        events = value.get("events")
        inner = events if isinstance(events, list) else []
        inner = inner or [value[name] for name in _WRAPPED if value.get(name)]
        number = value.get("sequence")
        sequence = number if type(number) is int else sequence
    return [_Found(one, sequence) for one in inner]


def _is_message(value: JsonValue) -> bool:
    """Return whether it is one: a class that the orchestrator tells of, or one with an address."""
    if not isinstance(value, dict) or (kind := kind_of(value)) is None:
        return False
    if fields_of(value.get("sender")).get("__actor_address__") is True:
        return True
    return kind in KINDS and str(value["__model__"]).startswith("akgentic.")


def _frame(index: int, found: _Found) -> AkgenticFrame:
    body = fields_of(found.value)
    if found.problem is not None or not _is_message(body):
        is_of_recorder = "_lifecycle" in body
        problem = "a note of the recorder" if is_of_recorder else found.problem or NOT_AKGENTIC
        return AkgenticFrame(index=index, body={}, problem=problem, is_lost=not is_of_recorder)
    kind = kind_of(body)
    return AkgenticFrame(
        index=index,
        kind=kind,
        frame_id=word(body, "id"),
        cause_id=_cause(kind, body),
        at=seconds_of(body.get("timestamp")),
        sender=address_of(body.get("sender")),
        sequence=found.sequence,
        body=body,
    )


def _cause(kind: str | None, body: JsonObject) -> str | None:
    """Return the message that was being handled; what broke says so in a field of its own."""
    handled = fields_of(body.get("current_message"))
    sent = fields_of(body.get("message")) if kind == "SentMessage" else {}
    return word(handled, "id") or word(sent, "parent_id") or word(body, "parent_id")
