"""Our own recordings: a header, then one event a frame."""

from collections.abc import Iterable
from typing import Any, cast

from pydantic import JsonValue, ValidationError

from audition.adaptation import Adapted, FrameHead
from audition.events import DroppedFrame, Event, read_event
from audition.recording import FORMAT, Header
from audition.values import first_problem


def is_recorded(frame: JsonValue) -> bool:
    """Return whether a frame is the header of a recording."""
    return isinstance(frame, dict) and frame.get("format") == FORMAT


def adapt_recorded(frames: Iterable[JsonValue]) -> Adapted:
    """Return the events of a recording; never raises on any JSON. The header is no frame of it."""
    events: list[Event] = []
    origins: list[int] = []
    heads: list[FrameHead] = []
    dropped: list[DroppedFrame] = []
    header = Header()
    for index, frame in enumerate(frames):
        fields = cast("dict[str, Any]", frame if isinstance(frame, dict) else {})
        try:
            if is_recorded(frame):
                header = Header.model_validate(fields)
                continue  # it says how to read the frames, and is none
            events.append(read_event(fields))
            origins.append(index)
        except ValidationError as error:
            reason = f"no event: {first_problem(error)}"
            dropped.append(DroppedFrame(index=index, author=_word(fields, "agent"), reason=reason))
        author, kind = _word(fields, "agent"), _word(fields, "kind")
        heads.append(FrameHead(index=index, author=author, role=kind))
    return Adapted(
        events=tuple(events),
        origins=tuple(origins),
        heads=tuple(heads),
        dropped=tuple(dropped),
        human=header.human,
        lost=len(dropped),
        capabilities=header.capabilities,
    )


def _word(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None
