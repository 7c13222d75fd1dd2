"""Conversations that somebody else's runtime recorded, from a file to an output.

A runtime's record is what it says of itself: good for finding changes, no witness.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self, cast

from pydantic import BaseModel, ConfigDict, JsonValue, model_validator

from audition.adaptation import NO_FRAME, Adapted
from audition.calls import invoke
from audition.collector import collect
from audition.errors import RecordError
from audition.events import Event, ToolCalled, ToolEvidence, ToolReturned, TurnStarted
from audition.output import CaseOutput
from audition.recording import Recording
from audition.sniff import Shape, UnknownShape, shape_of
from audition.sources.addresses import SourceAddress, open_file
from audition.sources.source import Record
from audition.tool_rules import ToolRule

_NO_TURN = (
    "no message of the user is in it, so that there is no turn to judge; wanted the events of the "
    "session: what a runner yields lacks the user's"
)


class SessionInput(BaseModel):
    """Which recorded conversation a case judges, and what of it.

    Attributes:
        session: The file that holds it, None where a source does.
        source: The source that holds it, None where a file does.
        session_id: The session that is meant, None where there is but one.
        invocation: Only this one of its invocations, None for all.
        drop_internal_tools: Keep the runtime's own tools out of what is judged.
        drop_tools: Other tools that are kept out of it, by name.
        tool_rules: When a returned content is a domain failure.

    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    session: str | None = None
    source: SourceAddress | None = None
    session_id: str | None = None
    invocation: str | None = None
    drop_internal_tools: bool = True
    drop_tools: tuple[str, ...] = ()
    tool_rules: tuple[ToolRule, ...] = ()

    @model_validator(mode="after")
    def _stands_in_one_place(self) -> Self:
        if (self.session is None) == (self.source is None):
            msg = "give exactly one of session and source"
            raise ValueError(msg)
        return self

    @property
    def place(self) -> str:
        """Where the session stands: a file, or the address of a source, without a password."""
        return self.session or (self.source.address if self.source else "")

    def record(self) -> Record:
        """Return the session as it is stored.

        Raises:
            AuditionError: The file or source cannot be read, or has no such session.

        """
        if self.source is not None:
            return self.source.open().record(self.session_id)
        return open_file(Path(self.place)).record(self.session_id)


async def judge_session(inputs: SessionInput) -> CaseOutput:
    """Return what a recorded conversation shows; the task of a session dataset.

    Raises:
        AuditionError: It cannot be read, or is no session that is known here.

    """
    return cast("CaseOutput", await invoke(read_output, inputs))


def read_output(inputs: SessionInput) -> CaseOutput:
    """Return what a recorded conversation shows.

    Raises:
        AuditionError: It cannot be read, or is no session that is known here.

    """
    record = inputs.record()
    adapted = understood(record, invocation=inputs.invocation).adapted
    if not any(isinstance(event, TurnStarted) for event in adapted.events):
        raise RecordError(record.name, _NO_TURN)
    events = tuple([_told(event, inputs) for event in adapted.events])
    name = record.name if inputs.session is None else Path(inputs.session).name
    return output_of(
        replace(adapted, events=events), source=f"session {name}", tool_rules=inputs.tool_rules
    )


def _told(event: Event, inputs: SessionInput) -> Event:
    """Return an event, of which the inputs say whether it is plumbing of the runtime."""
    if not isinstance(event, ToolCalled | ToolReturned | ToolEvidence):
        return event
    is_own = event.internal and inputs.drop_internal_tools
    internal = is_own or event.tool_name in inputs.drop_tools
    return event if internal == event.internal else replace(event, internal=internal)


def output_of(adapted: Adapted, *, source: str, tool_rules: Sequence[ToolRule] = ()) -> CaseOutput:
    """Return the output of a session.

    Args:
        adapted: The session as our events.
        source: Where it comes from, for the provenance.
        tool_rules: When a returned content is a domain failure.

    """
    return collect(
        adapted.events,
        human=adapted.human,
        dropped=adapted.dropped,
        lost=adapted.lost,
        capabilities=adapted.capabilities,
        source=source,
        tool_rules=tool_rules,
    )


def recording_of(adapted: Adapted) -> Recording:
    """Return a session as a recording of ours, which is the same whatever its runtime writes."""
    return Recording(events=adapted.events, human=adapted.human, capabilities=adapted.capabilities)


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """A session, and what it comes to.

    Attributes:
        shape: What its frames are.
        frames: Those out of what wraps them.
        adapted: The session as our events. Its frames are named by the place of their line, where
            the record is made of lines, else by that among the frames.

    """

    shape: Shape
    frames: tuple[JsonValue, ...]
    adapted: Adapted


def understood(
    record: Record, *, shape: Shape | None = None, invocation: str | None = None
) -> Understood:
    """Return a session as our events, what could not be read among what was dropped.

    Args:
        record: The session as it was read.
        shape: What its frames are, None for what the record says of them, or to find out.
        invocation: Only this one of its invocations, None for all.

    Raises:
        RecordError: It has no shape that is known here, no such invocation, or not one event.

    """
    known = shape or record.shape or _known_shape(record)
    frames, places = _unwrapped(record, known)
    adapted = known.adapt(frames)
    if invocation is not None:
        chosen = _of_invocation(record, adapted, invocation)
        frames = [frames[index] for index in chosen]
        places = [places[index] for index in chosen]
        adapted = known.adapt(frames)
    if places != [*range(len(places))]:
        adapted = _placed(adapted, places)
    every = tuple(sorted((*adapted.dropped, *record.broken), key=lambda frame: frame.index))
    if not adapted.events:
        reasons = sorted({frame.reason for frame in every}) or ["nothing is in it"]
        raise RecordError(record.name, f"no session that is known here: {'; '.join(reasons[:5])}")
    whole = replace(adapted, dropped=every, lost=adapted.lost + len(record.broken))
    return Understood(shape=known, frames=tuple(frames), adapted=whole)


def _placed(adapted: Adapted, places: Sequence[int]) -> Adapted:
    """Return a session whose frames are named by their places."""
    return replace(
        adapted,
        origins=tuple([places[one] if one != NO_FRAME else NO_FRAME for one in adapted.origins]),
        heads=tuple([replace(head, index=places[head.index]) for head in adapted.heads]),
        dropped=tuple([replace(one, index=places[one.index]) for one in adapted.dropped]),
    )


def _unwrapped(record: Record, shape: Shape) -> tuple[list[JsonValue], list[int]]:
    """Return the frames out of what wraps them, and the place of each."""
    frames: list[JsonValue] = []
    places: list[int] = []
    for position, frame in enumerate(record.frames):
        for inner in shape.unwrapped([frame]):
            places.append(len(frames) if record.lines is None else record.lines[position])
            frames.append(inner)
    return frames, places


def _known_shape(record: Record) -> Shape:
    try:
        return shape_of(record.frames)
    except UnknownShape as error:
        told = [one.reason for one in record.broken[:5]] if not record.frames else []
        problem = f"no session that is known here: {'; '.join(told)}" if told else str(error)
        raise RecordError(record.name, problem) from None


def _of_invocation(record: Record, adapted: Adapted, invocation: str) -> list[int]:
    """Return the positions of the frames of an invocation."""
    chosen = [head.index for head in adapted.heads if head.invocation == invocation]
    if not chosen:
        names = dict.fromkeys(head.invocation for head in adapted.heads if head.invocation)
        problem = f"no invocation {invocation!r}; there are: {', '.join(names) or 'none'}"
        raise RecordError(record.name, problem)
    return chosen
