"""The steps of one turn as our events: marks, messages, answers of models and failures.

The words of an agent go to the person, those of an agent that runs inside a tool to whoever called
the tool. What the person said is what the run was given, else what its first model was told last.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from audition.adaptation import NO_FRAME
from audition.adapters.otlp.exchanges import Exchange, join_exchanges
from audition.adapters.otlp.frames import Frame
from audition.adapters.otlp.messages import (
    Parts,
    Said,
    has_content,
    last_question,
    read_history,
    read_said,
)
from audition.adapters.otlp.timeline import Timeline, seconds
from audition.adapters.otlp.tool_events import Calls
from audition.adapters.otlp.turns import Step, Turn, Work
from audition.adapters.otlp.usage import error_of, is_counted, read_usage
from audition.events import (
    AgentFailed,
    CompletionReason,
    Event,
    MessageSent,
    MessageType,
    ModelResponded,
    TurnFinished,
    TurnStarted,
)
from audition.values import canonical_json, structure_of, text_of, writable_json

USER = "user"
"""The name of the person."""

_RUNS = {Work.AGENT, Work.WORKFLOW}

type _CallKey = tuple[str | None, str]


def tell_turn(
    number: int, turn: Turn, logs: dict[int, list[Frame]], calls: Calls
) -> list[tuple[int, Event]]:
    """Return the events of a turn in the order of time, each with the frame that it comes of.

    Args:
        number: Position of the turn, from 0.
        turn: Its steps.
        logs: The log records of the spans, by the index of the span.
        calls: The calls of the turns before, which this one may go on with.

    """
    said = {step.rank: _said(step, logs) for step in turn.steps if step.work is not Work.TOOL}
    told = _Turn(number=number, turn=turn, said=said, question=_question(turn, said))
    told.look_inside()
    told.add_question()
    told.add_work(calls)
    for step in reversed(turn.steps):  # what goes wrong inside is told before what that ends
        told.add_failure(step)
    finished = told.finished()
    ends = [step.span for step in turn.tops if step.span.end is not None]
    origin = max(ends, key=lambda span: span.end or 0).index if ends else NO_FRAME
    return [*told.timeline.in_order(), (origin, finished)]


def _said(step: Step, logs: dict[int, list[Frame]]) -> Said:
    spans = [step.span, *step.views]
    said = read_said(spans, [log for span in spans for log in logs.get(span.index, ())])
    if step.work not in _RUNS or (said.inputs and said.outputs):
        return said
    history = read_history(step.span)
    return Said(inputs=said.inputs or history.inputs, outputs=said.outputs or history.outputs)


def _question(turn: Turn, said: dict[int, Said]) -> tuple[Step, str] | None:
    """Return what the person said, and the step that tells it."""
    models = [step for step in turn.steps if step.work is Work.MODEL and step.caller is None]
    asked = ((step, last_question(said[step.rank].inputs)) for step in (*turn.tops, *models))
    return next(((step, text) for step, text in asked if text is not None), None)


@dataclass(slots=True, kw_only=True, eq=False)
class _Turn:
    """A turn while its events are made.

    Attributes:
        number: Its position, from 0.
        turn: Its steps.
        said: What was said in each step that is no tool, by rank.
        question: The step that tells what the person said, and that; None where none does.
        timeline: The events so far.
        told: Who was told which texts, to know them again where a run repeats them.
        failures: What went wrong so far.
        open_calls: The tools whose calls did not come back, by run and id of the call.
        overheard: The ranks of runs inside of which a model or run tells what it said.
        first_tool: When the first tool inside of a step began, by rank.

    """

    number: int
    turn: Turn
    said: dict[int, Said]
    question: tuple[Step, str] | None
    timeline: Timeline = field(default_factory=Timeline)
    told: set[tuple[str | None, str]] = field(default_factory=set[tuple[str | None, str]])
    failures: set[str] = field(default_factory=set[str])
    open_calls: dict[_CallKey, str] = field(default_factory=dict[_CallKey, str])
    overheard: set[int] = field(default_factory=set[int])
    first_tool: dict[int, int] = field(default_factory=dict[int, int])

    def look_inside(self) -> None:
        """Note of every step what the steps inside of it say and run."""
        for step in self.turn.steps:
            for holder in step.all_above():
                if step.work is Work.TOOL:
                    self.first_tool.setdefault(holder.rank, step.start)
                elif self.said[step.rank].outputs:
                    self.overheard.add(holder.rank)

    def add_question(self) -> None:
        """Begin the turn, with what the person said where that was recorded."""
        first = self.turn.steps[0]
        step, message = self.question or (next(iter(self.turn.tops), first), "")
        at, frame = seconds(first, first.start), step.span.index
        started = TurnStarted(at=at, turn=self.number, message=message)
        self.timeline.add(started, first, first.start, frame=frame)
        if self.question is None:
            return
        acting = (one for one in self.turn.steps if one.work not in _RUNS and one.caller is None)
        asked = MessageSent(
            at=at,
            agent=USER,
            recipient=next(acting, first).agent,
            content=message,
            message_id=self._cause_id,
        )
        self.timeline.add(asked, first, first.start, frame=frame)

    def add_work(self, calls: Calls) -> None:
        """Put in what agents, models and tools did."""
        speakers = [step for step in self.turn.steps if self._speaks(step)]
        tools = [step for step in self.turn.steps if step.work is Work.TOOL]
        spoken = [(step, self.said[step.rank]) for step in speakers]
        exchanges = join_exchanges(spoken, tools)
        begun = _begun(exchanges)
        times = {step.rank: self._spoke(step, begun) for step in speakers}
        for step in self.turn.steps:
            if step.work is Work.AGENT and step.caller is not None:
                self._add_request(step, step.caller)
            if step.rank in times:
                self._add_words(step, times[step.rank])
        for exchange in exchanges:
            step = exchange.step
            spoke = times.get(step.rank, step.start)
            call, is_open = calls.add(exchange, self.timeline, spoke, self._cause_of(step))
            key = (call["run_id"], call["tool_call_id"])
            self.open_calls.pop(key, None)
            if is_open:
                self.open_calls[key] = call["tool_name"]
        for step in self.turn.steps:
            if step.work in _RUNS:
                self._add_result(step)

    def add_failure(self, step: Step) -> None:
        """Put in what went wrong, once where it ended several runs; a tool's is its outcome."""
        error = None if step.work is Work.TOOL else error_of(step.span)
        if error is None or (step.work in _RUNS and error in self.failures):
            return
        self.failures.add(error)
        failed = AgentFailed(
            at=seconds(step, step.end),
            agent=step.agent,
            event_id=step.span.span_id or None,
            cause_id=self._cause_of(step),
            error=error,
        )
        self.timeline.add(failed, step, step.end, closes=step.work in _RUNS)

    def finished(self) -> TurnFinished:
        """Return the end of the turn, as far as the record tells it."""
        reason, told = self._reason()
        lacks = [f"the parent of {count} of its spans, {name}, was not exported"
                 for name, count in self.turn.missing.items()]  # fmt: skip
        unordered = sum(step.span.start is None for step in self.turn.steps)
        if unordered:
            lacks.append(f"{unordered} of its spans have no start that can be read")
        if not any(has_content((*said.inputs, *said.outputs)) for said in self.said.values()):
            lacks.append("what was said was not recorded")
        elif self.question is None:
            lacks.append("what the user said was not recorded")
        details = [*([told] if told is not None else []), *lacks]
        last = max(self.turn.steps, key=lambda step: step.end)
        return TurnFinished(
            at=seconds(last, last.end),
            turn=self.number,
            reason=reason,
            detail="; ".join(details) or None,
        )

    def _reason(self) -> tuple[CompletionReason, str | None]:
        tops = self.turn.tops
        models = [one for one in self.turn.steps if one.work is Work.MODEL and one.caller is None]
        errors = [error_of(step.span) for step in (*tops, *models[-1:])]
        error = next((error for error in errors if error is not None), None)
        if error is not None:
            return CompletionReason.ERROR, error
        if self.turn.open_end is not None:
            return CompletionReason.RUNTIME_STOPPED, "the end of the run was not recorded"
        if any(step.span.end is None for step in tops):
            return CompletionReason.RUNTIME_STOPPED, "the run has no end in the record"
        if self.open_calls:
            told = f"the turn ends with an open call: {next(iter(self.open_calls.values()))}"
            return CompletionReason.RUNTIME_STOPPED, told
        answered = any(recipient == USER and text for recipient, text in self.told)
        return CompletionReason.RESPONSE if answered else CompletionReason.QUIESCENT, None

    @property
    def _cause_id(self) -> str | None:
        """The id of the message of the person, None where it was not recorded."""
        return None if self.question is None else f"turn-{self.number}"

    def _cause_of(self, step: Step) -> str | None:
        """Return the message that was being handled in a step."""
        run = step.run
        if run is None or run.caller is None:
            return self._cause_id
        return run.span.span_id

    def _speaks(self, step: Step) -> bool:
        """Return whether its words are told: a model, or a run none of whose models has any."""
        if step.work is Work.MODEL:
            return True
        if step.work is Work.TOOL or not self.said[step.rank].outputs:
            return False
        return step.rank not in self.overheard

    def _spoke(self, step: Step, asked: dict[int, int]) -> int:
        """Return when a model had spoken: some spans last until the tools it asked for are done."""
        inside = self.first_tool.get(step.rank) if step.work is Work.MODEL else None
        begun = [time for time in (asked.get(step.rank), inside) if time is not None]
        return max(step.start, min([step.end, *begun]))

    def _add_words(self, step: Step, spoke: int) -> None:
        if step.work is Work.MODEL and (is_counted(step.span) or error_of(step.span) is None):
            responded = ModelResponded(
                at=seconds(step, spoke),
                agent=step.agent,
                event_id=step.span.span_id or None,
                cause_id=self._cause_of(step),
                run_id=step.run_id or None,
                **read_usage([step.span, *step.views]),
            )
            self.timeline.add(responded, step, spoke)
        for texts, uses_tools in _messages(self.said[step.rank].outputs):
            text = "".join(texts)
            if text.strip() or (texts and not uses_tools):
                is_last = step.work in _RUNS and not uses_tools
                self._add_text(step, text, step.end if is_last else spoke)

    def _add_text(self, step: Step, text: str, at: int) -> None:
        """Put in what was said; the words of a model inside a tool, with no agent, are its own."""
        run, caller = step.run, step.caller
        inner = caller is not None and (run is None or run.caller is None)
        recipient = USER if caller is None else caller.agent
        if not inner:
            self.told.add((recipient, _normal(text)))
        sent = MessageSent(
            at=seconds(step, at),
            agent=step.agent,
            event_id=step.span.span_id or None,
            cause_id=self._cause_of(step),
            recipient=recipient,
            message_type=MessageType.RESPONSE,
            message_id=step.span.span_id or None,
            content=text,
            internal=inner,
        )
        closes = step.work in _RUNS and at == step.end
        self.timeline.add(sent, step, at, closes=closes)

    def _add_request(self, step: Step, caller: Step) -> None:
        """Put in what an agent that runs inside a tool was asked, empty where not recorded."""
        models = [one for one in self.turn.steps if one.work is Work.MODEL and one.run is step]
        asked = (last_question(self.said[one.rank].inputs) for one in (step, *models))
        asking = MessageSent(
            at=seconds(step, step.start),
            agent=caller.agent,
            event_id=step.span.span_id or None,
            cause_id=self._cause_of(caller),
            recipient=step.agent,
            content=next((text for text in asked if text is not None), ""),
            message_id=step.span.span_id,
        )
        self.timeline.add(asking, step, step.start)

    def _add_result(self, step: Step) -> None:
        """Put in the result of a run, where nothing that was said is the same."""
        texts = [
            text for words, _ in _messages(self.said[step.rank].outputs) if (text := "".join(words))
        ]
        result = step.span.attributes.get("final_result")
        text = text_of(writable_json(result)) if result is not None else "".join(texts[-1:])
        recipient = USER if step.caller is None else step.caller.agent
        if text.strip() and (recipient, _normal(text)) not in self.told:
            self._add_text(step, text, step.end)


def _begun(exchanges: Iterable[Exchange]) -> dict[int, int]:
    """Return when the first of the tools began that each model asked for, by its rank."""
    begun: dict[int, int] = {}
    for one in exchanges:
        if one.asker is not None and one.tool is not None:
            first = begun.get(one.asker.rank, one.tool.start)
            begun[one.asker.rank] = min(first, one.tool.start)
    return begun


def _messages(outputs: Parts) -> Iterator[tuple[list[str], bool]]:
    """Yield the texts of each message that a model said, and whether it calls a tool in it."""
    own = (part for part in outputs if part.role == "assistant")
    for _, parts in groupby(own, key=lambda part: part.message):
        message = list(parts)
        texts = [part.text for part in message if part.kind == "text"]
        yield texts, any(part.kind == "call" for part in message)


def _normal(text: str) -> str:
    """Return a text so that the same JSON in other spacing is the same."""
    structure = structure_of(text)
    return text.strip() if structure is None else canonical_json(structure)
