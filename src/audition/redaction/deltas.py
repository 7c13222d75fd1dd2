"""Secrets that are split over the pieces of a stream: previews of one text, frame by frame.

So are those that are split over the parts of one message, which are one text as well.
"""

from collections.abc import Container, Iterator, Sequence
from copy import deepcopy
from itertools import groupby
from typing import cast

from pydantic import JsonValue

from audition.redaction.records import Redactor

_PIECES = frozenset({"text", "stringValue", "string_value"})
"""Where a preview holds the next piece of a text, or of an argument."""

_DELTAS = frozenset({"content", "arguments", "refusal"})
"""The same of a chunk, as OpenAI streams it."""

type _Holder = dict[str, JsonValue]
type _Place = tuple[_Holder, str]


def redacted_frames(frames: Sequence[JsonValue]) -> list[JsonValue]:
    """Return the frames of a record without their secrets, those split over pieces included."""
    redactor = Redactor()
    redactor.learn(frames)
    made: list[JsonValue] = []
    for names, run in groupby(frames, _names_of_pieces):
        together = list(run)
        if names:
            together = deepcopy(together)
            _redact_together(redactor, [one for frame in together for one in _pieces(frame, names)])
        made += [redactor.redacted(_without_split(redactor, frame)) for frame in together]
    return made


def _names_of_pieces(frame: JsonValue) -> frozenset[str]:
    """Return under which names a frame holds pieces of a stream; none where it is no preview."""
    if not isinstance(frame, dict):
        return frozenset()
    if isinstance(frame.get("delta"), dict):
        return _DELTAS
    is_preview = (frame.get("partial") or frame.get("Partial")) is True
    return _PIECES if is_preview else frozenset()


def _without_split(redactor: Redactor, frame: JsonValue) -> JsonValue:
    """Return a frame without the secrets that the parts of a message hold together."""
    if not any(len(_texts(value)) > 1 for value in _inside(frame)):
        return frame
    made = deepcopy(frame)
    for value in _inside(made):
        _redact_together(redactor, [(holder, "text") for holder in _texts(value)])
    return made


def _redact_together(redactor: Redactor, places: Sequence[_Place]) -> None:
    for name in sorted({key for _, key in places}):
        of_name = [holder for holder, key in places if key == name]
        texts = [str(holder[name]) for holder in of_name]
        for holder, text in zip(of_name, redactor.pieces(texts), strict=True):
            holder[name] = text


def _texts(value: JsonValue) -> list[_Holder]:
    """Return the parts with a text in a list of parts, none where it is no such list."""
    parts = value if isinstance(value, list) else ()
    return [part for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]


def _pieces(frame: JsonValue, names: Container[str]) -> Iterator[_Place]:
    """Yield the objects that hold a piece, and the key of it."""
    for value in _inside(frame):
        for key, item in value.items() if isinstance(value, dict) else ():
            if key in names and isinstance(item, str):
                yield cast("_Holder", value), key


def _inside(frame: JsonValue) -> Iterator[JsonValue]:
    """Yield the lists and objects in a frame, in order."""
    waiting = [frame]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict | list):
            yield value
            inner = value.values() if isinstance(value, dict) else value
            waiting += reversed([*inner])
