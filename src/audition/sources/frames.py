"""The frames of a file: those of a document in memory, those of JSON Lines one at a time."""

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, NamedTuple, Protocol

from pydantic import JsonValue

from audition.errors import RecordError
from audition.events import DroppedFrame
from audition.recording import MAX_BYTES, record_errors
from audition.values import parse_json


class StoredFrame(NamedTuple):
    """A frame, and where it stands.

    Attributes:
        value: The frame.
        place: What finds it again.
        line: Its position among the lines of its file, from 0; None where it is of a document.

    """

    value: JsonValue
    place: int
    line: int | None = None


class Frames(Protocol):
    """The frames of a file, which may be walked through more than once."""

    @property
    def broken(self) -> Sequence[DroppedFrame]:
        """What the last walk could not read, and why."""
        ...

    def __iter__(self) -> Iterator[StoredFrame]:
        """Yield every frame."""
        ...

    def at(self, places: Iterable[int]) -> list[JsonValue]:
        """Return the frames at these places."""
        ...


class Document:
    """The elements of a list, or one value that is none."""

    broken = ()

    def __init__(self, value: JsonValue) -> None:
        self._values = value if isinstance(value, list) else [value]

    def __iter__(self) -> Iterator[StoredFrame]:
        """Yield every frame."""
        return (StoredFrame(value, place) for place, value in enumerate(self._values))

    def at(self, places: Iterable[int]) -> list[JsonValue]:
        """Return the frames at these places."""
        return [self._values[place] for place in places]


class JsonLines:
    """The values of lines, none of which is kept. One walk at a time: all read the same stream.

    Args:
        name: Of what is read, for the text of an error.
        stream: Where it is read from, again and again.

    """

    def __init__(self, name: str, stream: BinaryIO) -> None:
        self._name = name
        self._stream = stream
        self.broken: list[DroppedFrame] = []

    def texts(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield number, place and text of every line that is not blank."""
        self._stream.seek(0)
        number = place = 0
        # Bytes, since a torn last line may end inside a character, and since a text takes U+2028,
        # which JSON text may hold, for the end of a line.
        with record_errors(self._name):
            while line := self._stream.readline(MAX_BYTES + 1 - place):
                if place + len(line) > MAX_BYTES:
                    raise RecordError(self._name, f"is longer than {MAX_BYTES} bytes")
                if not line.isspace():
                    yield number, place, line
                number += 1
                place += len(line)

    def __iter__(self) -> Iterator[StoredFrame]:
        """Yield every frame."""
        self.broken = []
        for number, place, line in self.texts():
            try:
                value = parse_json(line.removesuffix(b"\n"))
            except ValueError as error:
                what = f"no JSON: {error}" if line.endswith(b"\n") else "incomplete JSON"
                reason = f"line {number + 1}, {what}"
                self.broken.append(DroppedFrame(index=number, author=None, reason=reason))
            else:
                yield StoredFrame(value, place, number)

    def at(self, places: Iterable[int]) -> list[JsonValue]:
        """Return the frames at these places."""
        with record_errors(self._name):
            return [self._at(place) for place in places]

    def _at(self, place: int) -> JsonValue:
        self._stream.seek(place)
        try:
            return parse_json(self._stream.readline(MAX_BYTES))
        except ValueError:
            raise RecordError(self._name, "changed while it was read") from None
