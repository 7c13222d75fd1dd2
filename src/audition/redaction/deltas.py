"""Secrets that are split over the pieces of a stream: previews of one text, frame by frame."""

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from itertools import groupby
from typing import cast

from pydantic import JsonValue

from audition.redaction.records import Redactor

_PIECES = frozenset({"text", "stringValue", "string_value"})
"""Where a preview holds the next piece of a text, or of an argument."""

type _Holder = dict[str, JsonValue]


def redacted_frames(frames: Sequence[JsonValue]) -> list[JsonValue]:
    """Return the frames of a record without their secrets, those split over previews included."""
    redactor = Redactor()
    redactor.learn(frames)
    made: list[JsonValue] = []
    for is_preview, run in groupby(frames, _is_preview):
        together = list(run)
        if is_preview:
            together = deepcopy(together)
            _redact_together(redactor, together)
        made += [redactor.redacted(frame) for frame in together]
    return made


def _is_preview(frame: JsonValue) -> bool:
    return isinstance(frame, dict) and (frame.get("partial") or frame.get("Partial")) is True


def _redact_together(redactor: Redactor, frames: Iterable[JsonValue]) -> None:
    places = [place for frame in frames for place in _pieces(frame)]
    for name in sorted({key for _, key in places}):
        of_name = [holder for holder, key in places if key == name]
        texts = [str(holder[name]) for holder in of_name]
        for holder, text in zip(of_name, redactor.pieces(texts), strict=True):
            holder[name] = text


def _pieces(value: JsonValue) -> Iterator[tuple[_Holder, str]]:
    """Yield the objects that hold a piece, and the key of it."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case dict() as found:
                holder = cast("_Holder", found)
                for key, item in holder.items():
                    if key in _PIECES and isinstance(item, str):
                        yield holder, key
                waiting += reversed(list(holder.values()))
            case list() as items:
                waiting += reversed(items)
            case _:
                pass
