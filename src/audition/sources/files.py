"""Sessions in files: JSON, JSON Lines, YAML; and on standard input."""

import sys
from array import array
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from pydantic import JsonValue

from audition.adaptation import Adapted
from audition.errors import RecordError
from audition.events import MessageSent, ToolCalled
from audition.files import open_bounded
from audition.recording import FORMAT, MAX_BYTES, read_header, read_record, record_errors
from audition.sniff import Shape, Sniffer, UnknownShape
from audition.sources.frames import Document, Frames, JsonLines, StoredFrame
from audition.sources.source import Record, SessionInfo, only_session, with_agent
from audition.values import parse_json, writable_json

STDIN = "-"
"""The name of standard input."""

_STDIN_NAME = "standard input"
_YAML = (".yaml", ".yml")
_MOST_VALUES = 2_000_000


class FileSource:
    """The sessions in a file, which most often is one.

    Args:
        path: The file.
        shape: What its frames are, None to find out.

    """

    def __init__(self, path: Path, *, shape: Shape | None = None) -> None:
        self._path = path
        self._shape = shape
        self._name = _STDIN_NAME if str(path) == STDIN else str(path)

    def sessions(self, *, agent: str | None = None, limit: int = 50) -> Sequence[SessionInfo]:
        """Return the sessions, as `SessionSource` says, in the order of the file.

        Of JSON Lines no more is in memory than the frames of one of them.
        """
        with self._frames() as frames:
            shape = self._shape_of(frames)
            places: dict[str, array[int]] = {}
            for name, frame in self._named(frames, shape):
                places.setdefault(name, array("I")).append(frame.place)  # MAX_BYTES has room
            infos = (_info(shape, name, frames.at(own)) for name, own in places.items())
            return with_agent(infos, agent, limit)

    def record(self, session: str | None = None) -> Record:
        """Return a session, as `SessionSource` says."""
        with self._frames() as frames:
            if next(iter(frames), None) is None:
                return Record(name=self._name, frames=(), broken=tuple(frames.broken))
            shape = self._shape_of(frames)
            names: dict[str, None] = {}
            kept: list[StoredFrame] = []
            for name, frame in self._named(frames, shape):
                names[name] = None
                if name == (session or next(iter(names))):
                    kept.append(frame)
            chosen = only_session(self._name, [SessionInfo(id=one) for one in names], session).id
            return Record(
                name=self._name if session is None else f"{self._name}, session {chosen}",
                frames=tuple(frame.value for frame in kept),
                lines=tuple(frame.line for frame in kept if frame.line is not None) or None,
                broken=tuple(frames.broken),
                shape=shape,
            )

    def _named(self, frames: Frames, shape: Shape) -> Iterator[tuple[str, StoredFrame]]:
        """Yield every frame with its session; one that names none belongs to that before it."""
        sniffer = Sniffer()
        current: str | None = None
        before: list[StoredFrame] = []
        for frame in frames:
            if self._shape is None:
                sniffer.see(frame.value)
            name = shape.session_of(frame.value)
            if name and current is None:
                yield from ((name, one) for one in before)
                before.clear()
            current = name or current
            if current is None:
                before.append(frame)
            else:
                yield current, frame
        yield from ((self._path.stem, one) for one in before)
        if self._shape is None:
            self._told(sniffer)

    def _shape_of(self, frames: Frames) -> Shape:
        """Return the shape of the first frame that has one; whether all have it, is seen later."""
        if self._shape is not None:
            return self._shape
        sniffer = Sniffer()
        for frame in frames:
            if sniffer.see(frame.value) is not None:
                break
        return self._told(sniffer)

    def _told(self, sniffer: Sniffer) -> Shape:
        try:
            return sniffer.shape()
        except UnknownShape as error:
            raise RecordError(self._name, str(error)) from None

    @contextmanager
    def _frames(self) -> Generator[Frames]:
        """Return the frames of the file, which is open meanwhile."""
        if self._path.suffix.lower() in _YAML:
            yield Document(_yaml_value(self._name, read_record(self._path)))
        elif str(self._path) == STDIN:
            content = _standard_input()
            yield self._json_frames(BytesIO(content), lambda: content)
        else:
            with record_errors(self._name):
                stream = open_bounded(self._path, MAX_BYTES)
            with stream:
                yield self._json_frames(stream, lambda: read_record(self._path))

    def _json_frames(self, stream: BinaryIO, read: Callable[[], bytes]) -> Frames:
        """Return the frames of one JSON value, else of JSON Lines."""
        lines = JsonLines(self._name, stream)
        first, *more = [text for _, _, text in islice(lines.texts(), 2)] or [b""]
        if f'"{FORMAT}"'.encode() in first:
            read_header(self._path, first)
        try:
            value = parse_json(first)
        except ValueError:  # a value that goes on in the next line, or a line that is broken
            try:
                return Document(parse_json(read()))
            except ValueError:
                return lines
        return lines if more else Document(value)


def _info(shape: Shape, name: str, frames: Sequence[JsonValue]) -> SessionInfo:
    adapted = shape.adapt(frames)
    return SessionInfo(
        id=name, agent=", ".join(_agents(adapted)) or None, frames=len(adapted.heads)
    )


def _agents(adapted: Adapted) -> list[str]:
    """Return who spoke to the person or called a tool: what wrote a frame may be no agent."""
    acted = (
        event.agent
        for event in adapted.events
        if isinstance(event, ToolCalled)
        or (isinstance(event, MessageSent) and event.recipient == adapted.human)
    )
    return [agent for agent in dict.fromkeys(acted) if agent and agent != adapted.human]


def _standard_input() -> bytes:
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise RecordError(_STDIN_NAME, f"is longer than {MAX_BYTES} bytes")
    return content


def _yaml_value(name: str, content: bytes) -> JsonValue:
    """Return the document that a YAML file has, or a list of them, as JSON."""
    import yaml  # noqa: PLC0415  # watching a team needs none

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # five times as fast as the other
    try:
        documents = list(yaml.load_all(content, loader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise RecordError(name, f"no YAML: {' '.join(str(error).split())}") from None
    values = [writable_json(one, nodes=_MOST_VALUES) for one in documents if one is not None]
    return values[0] if len(values) == 1 else values
