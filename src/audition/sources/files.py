"""Sessions in files: JSON, JSON Lines, YAML; and on standard input."""

import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

from audition.adaptation import Adapted
from audition.errors import RecordError
from audition.events import DroppedFrame, MessageSent, ToolCalled
from audition.recording import FORMAT, MAX_BYTES, read_header, read_record
from audition.sniff import Shape, UnknownShape, shape_of
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

    def sessions(self, *, agent: str | None = None, limit: int = 50) -> Sequence[SessionInfo]:
        """Return the sessions, as `SessionSource` says, in the order of the file."""
        whole = self._read()
        shape = self._known_shape(whole)
        infos = [_info(shape, name, part) for name, part in self._parts(whole, shape).items()]
        return with_agent(infos, agent)[:limit]

    def record(self, session: str | None = None) -> Record:
        """Return a session, as `SessionSource` says."""
        whole = self._read()
        if not whole.frames:
            return whole
        parts = self._parts(whole, self._known_shape(whole))
        if session is None and len(parts) == 1:
            return whole
        infos = [SessionInfo(id=name) for name in parts]
        return parts[only_session(str(self._path), infos, session).id]

    def _parts(self, whole: Record, shape: Shape) -> dict[str, Record]:
        """Return the sessions of a file; a frame that names none belongs to that before it."""
        names = [shape.session_of(frame) for frame in whole.frames]
        current = next((name for name in names if name), self._path.stem)
        positions: dict[str, list[int]] = {}
        for position, name in enumerate(names):
            current = name or current
            positions.setdefault(current, []).append(position)
        return {name: _part(whole, name, chosen) for name, chosen in positions.items()}

    def _known_shape(self, whole: Record) -> Shape:
        try:
            return self._shape or shape_of(whole.frames)
        except UnknownShape as error:
            raise RecordError(whole.name, str(error)) from None

    def _read(self) -> Record:
        name = _STDIN_NAME if str(self._path) == STDIN else str(self._path)
        content = _content(self._path)
        if self._path.suffix.lower() in _YAML:
            return Record(name=name, frames=_yaml_frames(name, content))
        first = content.partition(b"\n")[0]
        if f'"{FORMAT}"'.encode() in first:
            read_header(self._path, first)
        return _json_record(name, content)


def _info(shape: Shape, name: str, part: Record) -> SessionInfo:
    adapted = shape.adapt(part.frames)
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


def _part(whole: Record, name: str, positions: Sequence[int]) -> Record:
    return Record(
        name=f"{whole.name}, session {name}",
        frames=tuple(whole.frames[position] for position in positions),
        lines=whole.lines and tuple(whole.lines[position] for position in positions),
        broken=whole.broken,
    )


def _content(path: Path) -> bytes:
    if str(path) != STDIN:
        return read_record(path)
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise RecordError(_STDIN_NAME, f"is longer than {MAX_BYTES} bytes")
    return content


def _json_record(name: str, content: bytes) -> Record:
    """Return what JSON Lines, or one JSON value, hold."""
    try:
        whole = parse_json(content)
    except ValueError:
        return _lines(name, content)
    return Record(name=name, frames=tuple(whole) if isinstance(whole, list) else (whole,))


def _lines(name: str, content: bytes) -> Record:
    frames: list[JsonValue] = []
    positions: list[int] = []
    broken: list[DroppedFrame] = []
    # Bytes, since a torn last line may end inside a character, and since splitlines() of a text
    # takes U+2028, which JSON text may hold, for the end of a line.
    lines = content.split(b"\n")
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            frames.append(parse_json(line))
            positions.append(index)
        except ValueError as error:
            what = "incomplete JSON" if index == len(lines) - 1 else f"no JSON: {error}"
            reason = f"line {index + 1}, {what}"
            broken.append(DroppedFrame(index=index, author=None, reason=reason))
    return Record(name=name, frames=tuple(frames), lines=tuple(positions), broken=tuple(broken))


def _yaml_frames(name: str, content: bytes) -> tuple[JsonValue, ...]:
    """Return the elements of a YAML file of one list, or its documents, as JSON."""
    import yaml  # noqa: PLC0415  # watching a team needs none

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # five times as fast as the other
    try:
        documents = list(yaml.load_all(content, loader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise RecordError(name, f"no YAML: {' '.join(str(error).split())}") from None
    values = [writable_json(one, nodes=_MOST_VALUES) for one in documents if one is not None]
    return tuple(values[0]) if len(values) == 1 and isinstance(values[0], list) else tuple(values)
