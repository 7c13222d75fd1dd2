"""Conversations that somebody else's runtime recorded, from a file to an output.

A runtime's record is what it says of itself: good for finding changes, no witness.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from pydantic import BaseModel, ConfigDict, JsonValue

from audition.adaptation import Adapted
from audition.adapters.adk.frames import invocation_of, unwrapped
from audition.adapters.adk.session import adapt_adk
from audition.calls import invoke
from audition.collector import collect
from audition.errors import RecordError
from audition.events import DroppedFrame, TurnStarted
from audition.output import CaseOutput
from audition.recording import FORMAT, parse_recording, read_record
from audition.tool_rules import ToolRule
from audition.values import parse_json

_NO_TURN = (
    "no message of the user is in it, so that there is no turn to judge; wanted the events of the "
    "session: what a runner yields lacks the user's"
)


class SessionInput(BaseModel):
    """Which recorded conversation a case judges.

    Attributes:
        session: The file that holds it.
        invocation: Only this one of its invocations, None for all.
        tool_rules: When a returned content is a domain failure.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    session: str
    invocation: str | None = None
    tool_rules: tuple[ToolRule, ...] = ()


async def judge_session(inputs: SessionInput) -> CaseOutput:
    """Return what a recorded conversation shows; the task of a session dataset.

    Raises:
        RecordError: The file cannot be read, or holds no session that is known here.

    """
    return cast("CaseOutput", await invoke(read_output, inputs))


def read_output(inputs: SessionInput) -> CaseOutput:
    """Return what a recorded conversation shows.

    Raises:
        RecordError: The file cannot be read, or holds no session that is known here.

    """
    path = Path(inputs.session)
    content = read_record(path)
    if f'"{FORMAT}"'.encode() in content.partition(b"\n")[0]:
        adapted = _recorded(path, content, inputs.invocation)
    else:
        adapted = _adapt(path, content, inputs.invocation)
    return collect(
        adapted.events,
        human=adapted.human,
        dropped=adapted.dropped,
        lost=adapted.lost,
        capabilities=adapted.capabilities,
        source=f"session {path.name}",
        tool_rules=inputs.tool_rules,
    )


def _recorded(path: Path, content: bytes, invocation: str | None) -> Adapted:
    """Return our own recording, with what its runtime declared."""
    if invocation is not None:
        problem = f"a recording of ours has no invocations, so none of them is {invocation!r}"
        raise RecordError(str(path), problem)
    recording = parse_recording(path, content)
    return Adapted(
        events=recording.events,
        dropped=recording.dropped,
        human=recording.human,
        lost=len(recording.dropped),
        capabilities=recording.capabilities,
    )


def _adapt(path: Path, content: bytes, invocation: str | None) -> Adapted:
    frames, broken = _frames(content)
    chosen = frames if invocation is None else _of_invocation(path, frames, invocation)
    adapted = adapt_adk(frame.event for frame in chosen)
    # A value that wraps its events twice has more frames than places.
    last = len(chosen) - 1
    dropped = [replace(one, index=chosen[min(one.index, last)].index) for one in adapted.dropped]
    every = tuple(sorted((*dropped, *broken), key=lambda frame: frame.index))
    if not adapted.events:
        reasons = sorted({frame.reason for frame in every}) or ["nothing is in it"]
        raise RecordError(str(path), f"no session that is known here: {'; '.join(reasons[:5])}")
    if not any(isinstance(event, TurnStarted) for event in adapted.events):
        raise RecordError(str(path), _NO_TURN)
    return replace(adapted, dropped=every, lost=adapted.lost + len(broken))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """A frame and its place: that of its line, or that among the events of one JSON value."""

    index: int
    event: JsonValue


def _frames(content: bytes) -> tuple[list[_Frame], list[DroppedFrame]]:
    """Return the frames of a file of JSON Lines or of one JSON value, and the broken lines."""
    try:
        whole = parse_json(content)
    except ValueError:
        return _lines(content)
    events = unwrapped(whole if isinstance(whole, list) else [whole])
    return [_Frame(index=index, event=event) for index, event in enumerate(events)], []


def _lines(content: bytes) -> tuple[list[_Frame], list[DroppedFrame]]:
    frames: list[_Frame] = []
    broken: list[DroppedFrame] = []
    # Bytes, since a torn last line may end inside a character, and since splitlines() of a text
    # takes U+2028, which JSON text may hold, for the end of a line.
    lines = content.split(b"\n")
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            read = parse_json(line)
        except ValueError as error:
            what = "incomplete JSON" if index == len(lines) - 1 else f"no JSON: {error}"
            reason = f"line {index + 1}, {what}"
            broken.append(DroppedFrame(index=index, author=None, reason=reason))
        else:
            frames += (_Frame(index=index, event=event) for event in unwrapped([read]))
    return frames, broken


def _of_invocation(path: Path, frames: Sequence[_Frame], invocation: str) -> list[_Frame]:
    names = [invocation_of(frame.event) for frame in frames]
    chosen = [frame for frame, name in zip(frames, names, strict=True) if name == invocation]
    if not chosen:
        there = ", ".join(dict.fromkeys(name for name in names if name)) or "none"
        raise RecordError(str(path), f"no invocation {invocation!r}; there are: {there}")
    return chosen
