"""Traces of OpenTelemetry to our events. No I/O, no OpenTelemetry, no exception.

Every trace, or ADK invocation, is a turn. Only requests to models bring usage: what runs of agents
sum up would count it twice. What was not captured, as the content of messages, is not there, and
the end of its turn says so.
"""

from collections.abc import Iterable

from pydantic import JsonValue

from audition.adaptation import Adapted, FrameHead
from audition.adapters.otlp.attributes import word
from audition.adapters.otlp.frames import Frame, read_frames
from audition.adapters.otlp.tool_events import Calls
from audition.adapters.otlp.turn_events import USER, tell_turn
from audition.adapters.otlp.turns import Record, Step, Work, read_turns
from audition.events import DroppedFrame, Event, MessageSent
from audition.output import RuntimeCapabilities
from audition.values import writable_text


def adapt_otlp(frames: Iterable[JsonValue]) -> Adapted:
    """Return the events of decoded traces, in the order of time; never raises on any JSON.

    A turn ends as `error` where its run, or the last request to a model in it, failed, as
    `runtime_stopped` where the end of its run was not recorded or a call stayed open, as `response`
    where an agent said something to the person, else as `quiescent`.
    """
    read = read_frames(frames)
    record = read_turns(read)
    calls = Calls(read)
    told: list[tuple[int, Event]] = []
    for number, turn in enumerate(record.turns):
        told += tell_turn(number, turn, record.logs, calls)
    steps = {step.span.index: step for turn in record.turns for step in turn.steps}
    origins = tuple(index for index, _ in told)
    telling = set(origins)
    silent = [frame for frame in read if frame.index not in telling]
    speaks = any(isinstance(event, MessageSent) and event.agent != USER for _, event in told)
    return Adapted(
        events=tuple(event for _, event in told),
        origins=origins,
        heads=tuple(_head(frame, steps) for frame in read),
        dropped=tuple(_dropped(frame, record, steps) for frame in silent),
        human=USER,
        lost=sum(frame.kind == "unreadable" for frame in read),
        capabilities=RuntimeCapabilities(
            request_correlation=True,
            isolated_execution=True,
            tool_evidence=(speaks or calls.returns > 0) and not calls.unrecorded,
        ),
    )


def _head(frame: Frame, steps: dict[int, Step]) -> FrameHead:
    operation = word(frame.attributes, "gen_ai.operation.name")
    name = frame.name if frame.kind == "log" else None
    return FrameHead(
        index=frame.index,
        author=_author(frame, steps),
        role=operation or frame.role or (writable_text(name) if name else None),
        invocation=frame.trace_id or None,
    )


def _author(frame: Frame, steps: dict[int, Step]) -> str | None:
    step = steps.get(frame.index)
    return frame.service if step is None else step.agent


def _dropped(frame: Frame, record: Record, steps: dict[int, Step]) -> DroppedFrame:
    step = steps.get(frame.index)
    reason = record.void.get(frame.index)
    if reason is None:
        is_tool = step is not None and step.work is Work.TOOL
        reason = "its end was not recorded" if is_tool else "what it holds stands in other frames"
    return DroppedFrame(index=frame.index, author=_author(frame, steps), reason=reason)
