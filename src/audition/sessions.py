"""Conversations that somebody else's runtime recorded, from a file to an output.

A runtime's record is what it says of itself: good for finding changes, no witness.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from pydantic import BaseModel, ConfigDict, JsonValue

from audition.adapters.adk.session import adapt_adk
from audition.calls import invoke
from audition.collector import collect
from audition.errors import RecordError
from audition.events import Adapted, DroppedFrame
from audition.output import CaseOutput, RuntimeCapabilities
from audition.recording import FORMAT, read_recording
from audition.tool_rules import ToolRule
from audition.values import parse_json

_CAPABILITIES = RuntimeCapabilities(
    request_correlation=True, isolated_execution=True, tool_evidence=True
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
    text = _text(path)
    if f'"{FORMAT}"' in text.partition("\n")[0]:
        recording = read_recording(path)
        adapted = Adapted(events=recording.events, dropped=recording.dropped, human=recording.human)
    else:
        adapted = _adapt(path, text, inputs.invocation)
    return collect(
        adapted.events,
        human=adapted.human,
        dropped=adapted.dropped,
        capabilities=_CAPABILITIES,
        source=f"session {path.name}",
        tool_rules=inputs.tool_rules,
    )


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RecordError(str(path), str(error.strerror or error)) from None
    except UnicodeDecodeError as error:
        raise RecordError(str(path), f"byte {error.start} is not UTF-8") from None


def _adapt(path: Path, text: str, invocation: str | None) -> Adapted:
    frames, broken = _frames(text)
    chosen = frames if invocation is None else _of_invocation(path, frames, invocation)
    adapted = adapt_adk(chosen)
    if not adapted.events:
        reasons = sorted({frame.reason for frame in (*adapted.dropped, *broken)})
        raise RecordError(str(path), f"no session that is known here: {'; '.join(reasons[:5])}")
    return replace(adapted, dropped=(*adapted.dropped, *broken))


def _frames(text: str) -> tuple[list[JsonValue], list[DroppedFrame]]:
    """Return the frames of a file of JSON Lines or of one JSON value, and the broken lines."""
    try:
        whole = parse_json(text)
    except ValueError:
        return _lines(text)
    return (whole, []) if isinstance(whole, list) else ([whole], [])


def _lines(text: str) -> tuple[list[JsonValue], list[DroppedFrame]]:
    frames: list[JsonValue] = []
    broken: list[DroppedFrame] = []
    # Not splitlines(): JSON text may hold U+2028, which that takes for the end of a line.
    lines = [line for line in text.split("\n") if line.strip()]
    for index, line in enumerate(lines):
        try:
            frames.append(parse_json(line))
        except ValueError as error:
            what = "incomplete JSON" if index == len(lines) - 1 else f"no JSON: {error}"
            reason = f"line {index + 1}, {what}"
            broken.append(DroppedFrame(index=index, author=None, reason=reason))
    return frames, broken


def _of_invocation(path: Path, frames: Sequence[JsonValue], invocation: str) -> list[JsonValue]:
    named = list(_invocations(frames))
    chosen = [frame for frame, name in named if name == invocation]
    if not chosen:
        there = ", ".join(dict.fromkeys(name for _, name in named if name)) or "none"
        raise RecordError(str(path), f"no invocation {invocation!r}; there are: {there}")
    return chosen


def _invocations(frames: Sequence[JsonValue]) -> Iterator[tuple[JsonValue, str | None]]:
    for frame in frames:
        if isinstance(frame, dict):
            name = frame.get("invocation_id", frame.get("invocationId"))
            yield frame, name if isinstance(name, str) else None
