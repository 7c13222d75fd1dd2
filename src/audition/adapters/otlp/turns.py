"""The spans of a record as turns: what each is for, whose it is, what is above it and missing.

A trace is a turn. Spans of one ADK invocation are one turn, also where it went on in a second
trace, and a trace that holds several invocations is as many turns. No event of ours is made here.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from audition.adapters.otlp.attributes import word
from audition.adapters.otlp.frames import Frame

_RUN_ID = "gen_ai.agent.call.id"
_INVOCATION = "gcp.vertex.agent.invocation_id"
MERGED = "(merged tools)"
"""The name under which ADK sums up parallel calls that have spans of their own."""


class Work(Enum):
    """What a span stands for."""

    TOOL = "call of a tool"
    AGENT = "run of an agent"
    WORKFLOW = "run of several agents"
    MODEL = "request to a model"
    OTHER = "no run of an agent, no request to a model, no call of a tool"


_OPERATIONS = {
    "execute_tool": Work.TOOL,
    "invoke_agent": Work.AGENT,
    "invoke_workflow": Work.WORKFLOW,
    "chat": Work.MODEL,
    "generate_content": Work.MODEL,
    "text_completion": Work.MODEL,
}


def work_of(span: Frame) -> Work:
    """Return what a span stands for, by its operation, else by what else is said of it."""
    operation = word(span.attributes, "gen_ai.operation.name")
    if span.attributes.get("gen_ai.tool.name") == MERGED:
        return Work.OTHER
    return _unnamed_work(span) if operation is None else _OPERATIONS.get(operation, Work.OTHER)


def _unnamed_work(span: Frame) -> Work:
    """Return what a span stands for that names no operation, as older ones do."""
    if "gen_ai.tool.name" in span.attributes:
        return Work.TOOL
    if span.name == "call_llm" or word(span.attributes, "gen_ai.request.model"):
        return Work.MODEL
    if span.name.startswith(("agent run", "agent_run")):
        return Work.AGENT
    is_adk = span.scope == "gcp.vertex.agent" or _INVOCATION in span.attributes
    return Work.WORKFLOW if is_adk and span.name == "invocation" else Work.OTHER


@dataclass(slots=True, kw_only=True, eq=False)
class Step:
    """A span of an agent, a model or a tool, and its place among the others.

    Attributes:
        span: The span.
        work: What it stands for.
        rank: Position of its start among all spans of the record.
        start: When it started, for the order alone: where unknown, when the one before did.
        above: The nearest step that it is part of, None where there is none.
        missing: The id of the span that it, or what is above it, is part of and that is not in
            the record; None where the root is there.
        views: Further spans of the same request to a model, or call of a tool, that other
            instrumentation made of it.

    """

    span: Frame
    work: Work
    rank: int
    start: int
    above: "Step | None" = None
    missing: str | None = None
    views: list[Frame] = field(default_factory=list[Frame])

    @property
    def end(self) -> int:
        """When it ended, for the order alone."""
        return max(self.start, self.span.end or 0)

    @property
    def agent(self) -> str | None:
        """Who acted: as the span or the nearest one above it says, else the service."""
        said = (step.named_agent for step in (self, *self.all_above()))
        service = self.span.service
        known = None if service is None or service.startswith("unknown_service") else service
        return next((name for name in said if name is not None), known)

    @property
    def named_agent(self) -> str | None:
        """The agent that the span itself names."""
        name = word(self.span.attributes, "gen_ai.agent.name", "agent_name")
        if name is None and self.work is Work.AGENT:
            name = self.span.name.partition(" ")[2].removeprefix("run").strip(" []") or None
        return name

    @property
    def run(self) -> "Step | None":
        """The run of an agent that it is part of or is, None where that is not in the record."""
        steps = (self, *self.all_above())
        return next((step for step in steps if step.work is Work.AGENT), None)

    @property
    def run_id(self) -> str:
        """The id of one run of one agent."""
        told = word(self.span.attributes, _RUN_ID)
        if told is None and self.run is not None:
            told = word(self.run.span.attributes, _RUN_ID) or self.run.span.span_id
        return told or "/".join(name for name in (self.span.trace_id, self.agent) if name)

    @property
    def caller(self) -> "Step | None":
        """The tool inside of which its agent runs, None where the agent was not called so."""
        steps = self.all_above()
        return next((step for step in steps if step.work is Work.TOOL), None)

    def all_above(self) -> Iterator["Step"]:
        """Yield the steps that it is part of, the nearest first."""
        step = self.above
        while step is not None:
            yield step
            step = step.above


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The steps of one turn.

    Attributes:
        steps: In the order of their starts.

    """

    steps: tuple[Step, ...]

    @property
    def tops(self) -> tuple[Step, ...]:
        """The runs of agents and workflows that are part of no other."""
        runs = {Work.AGENT, Work.WORKFLOW}
        return tuple(step for step in self.steps if step.above is None and step.work in runs)

    @property
    def missing(self) -> dict[str, int]:
        """The ids of spans that were never exported, and how many steps lie directly below."""
        count: dict[str, int] = {}
        for step in self.steps:
            if step.above is None and step.missing is not None:
                count[step.missing] = count.get(step.missing, 0) + 1
        return count

    @property
    def open_end(self) -> str | None:
        """The id of a missing span that was the run itself, None where all runs are there."""
        done = {Work.MODEL, Work.TOOL}
        loose = (step for step in self.steps if step.above is None and step.work in done)
        return next((step.missing for step in loose if step.missing is not None), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """All the turns, and why the other frames are not in them.

    Attributes:
        turns: In the order of their starts.
        void: The reason by index, for every frame that is no step.
        logs: The log records of every span, by the index of the span.

    """

    turns: tuple[Turn, ...]
    void: dict[int, str]
    logs: dict[int, list[Frame]]


def read_turns(frames: Sequence[Frame]) -> Record:
    """Return the turns of the frames of a record."""
    void = {frame.index: frame.problem for frame in frames if frame.kind == "unreadable"}
    spans = _once([frame for frame in frames if frame.kind == "span"], void)
    by_id = {(span.trace_id, span.span_id): span for span in spans}
    steps = _steps(spans, by_id, void)
    logs = _logs([frame for frame in frames if frame.kind == "log"], by_id, void)
    turns: defaultdict[str, list[Step]] = defaultdict(list)
    for step, key in zip(steps, _keys(steps), strict=True):
        turns[key].append(step)
    return Record(
        turns=tuple(Turn(steps=tuple(group)) for group in turns.values()), void=void, logs=logs
    )


def _once(spans: Iterable[Frame], void: dict[int, str]) -> list[Frame]:
    """Return every span once; of two exports of it, the first that has an end, else the first."""
    kept: dict[tuple[str, str], Frame] = {}
    for span in spans:
        key = (span.trace_id, span.span_id)
        first = kept.get(key)
        if span.attributes.get("logfire.span_type") == "pending_span":
            void[span.index] = "the start of a span, told before its end"
        elif first is None:
            kept[key] = span
        else:
            worse = first if first.end is None and span.end is not None else span
            kept[key] = span if worse is first else first
            void[worse.index] = "seen before"
    return sorted(kept.values(), key=lambda span: span.index)


def _logs(
    logs: Iterable[Frame], by_id: dict[tuple[str, str], Frame], void: dict[int, str]
) -> dict[int, list[Frame]]:
    found: defaultdict[int, list[Frame]] = defaultdict(list)
    for log in logs:
        span = by_id.get((log.trace_id, log.span_id))
        if span is None or void.get(span.index) == Work.OTHER.value:
            void[log.index] = "a log record of no agent, model or tool that is here"
        else:
            found[span.index].append(log)
            void[log.index] = f"read with the span that it belongs to, frame {span.index}"
    return dict(found)


def _steps(
    spans: Sequence[Frame], by_id: dict[tuple[str, str], Frame], void: dict[int, str]
) -> list[Step]:
    """Return the steps in the order of their starts, each with what is above it."""
    steps: dict[int, Step] = {}
    for rank, (start, span) in enumerate(_in_order(spans, by_id)):
        work = work_of(span)
        steps[span.index] = Step(span=span, work=work, rank=rank, start=start)
    for step in steps.values():
        parents = _parents(step.span, by_id)
        top = parents[-1] if parents else step.span
        step.missing = top.parent_id if (top.trace_id, top.parent_id or "") not in by_id else None
        above = (steps[parent.index] for parent in parents)
        step.above = next((parent for parent in above if parent.work is not Work.OTHER), None)
    for step in steps.values():
        reason = _reason(step)
        if reason is not None:
            void[step.span.index] = reason
    return [step for step in steps.values() if step.span.index not in void]


def _reason(step: Step) -> str | None:
    """Return why a span is no step of its own; another view of one joins it."""
    if step.span.attributes.get("gen_ai.tool.name") == MERGED:
        return "sums up calls that have spans of their own"
    if step.work is Work.OTHER:
        return Work.OTHER.value
    whole = step
    while whole.above is not None and _is_view(whole, whole.above):
        whole = whole.above
    if whole is step:
        return None
    whole.views.append(step.span)
    return f"the same {step.work.value} as frame {whole.span.index}"


def _is_view(step: Step, above: Step) -> bool:
    """Return whether a span directly inside another tells of the same work.

    ADK and the library of the model both trace a request, a team and its MCP client both a call.
    """
    if step.work is not above.work or step.work not in {Work.MODEL, Work.TOOL}:
        return False
    if step.work is Work.MODEL:
        return True
    names, ids = (
        [word(span.attributes, attribute) for span in (step.span, above.span)]
        for attribute in ("gen_ai.tool.name", "gen_ai.tool.call.id")
    )
    return names[0] == names[1] and (ids[0] in {None, ids[1]} or ids[1] is None)


def _in_order(
    spans: Sequence[Frame], by_id: dict[tuple[str, str], Frame]
) -> list[tuple[int, Frame]]:
    """Return the spans by start; parents first, then as stored, where starts are equal."""
    starts: list[tuple[int, int, int, Frame]] = []
    last = 0
    for span in spans:
        last = span.start or last
        depth = len(_parents(span, by_id))
        starts.append((last, depth, span.index, span))
    return [(start, span) for start, _, _, span in sorted(starts, key=lambda one: one[:3])]


def _parents(span: Frame, by_id: dict[tuple[str, str], Frame]) -> list[Frame]:
    """Return the spans that a span is part of, the nearest first; none where it is its own."""
    found: list[Frame] = []
    seen: set[int] = set()
    parent = by_id.get((span.trace_id, span.parent_id or ""))
    while parent is not None and parent.index not in seen:
        if parent is span:
            return []
        found.append(parent)
        seen.add(parent.index)
        parent = by_id.get((parent.trace_id, parent.parent_id or ""))
    return found


def _keys(steps: Sequence[Step]) -> list[str]:
    """Return for each step which turn it is of: an invocation, or a trace that has none.

    What runs inside of a run is of its turn, whatever the id of its own invocation.
    """
    tops = {step.rank: next(reversed([step, *step.all_above()])) for step in steps}
    told = _told_keys(steps, tops)
    ends: defaultdict[int, int] = defaultdict(int)
    for step in steps:
        top = tops[step.rank].rank
        ends[top] = max(ends[top], step.end)
    keys: dict[int, str] = {}
    latest: dict[str, Step] = {}
    for top in (step for step in steps if step.above is None):
        trace = top.span.trace_id
        around = latest.get(trace)
        if top.missing and around is not None and ends[top.rank] <= ends[around.rank]:
            keys[top.rank] = keys[around.rank]  # what lies between was not exported
        else:
            keys[top.rank] = told[top.rank]
            latest[trace] = top
    return [keys[tops[step.rank].rank] for step in steps]


def _told_keys(steps: Sequence[Step], tops: Mapping[int, Step]) -> dict[int, str]:
    """Return the invocation that each top step is of, else one of its trace, else its trace.

    Args:
        steps: All steps.
        tops: The top step of each, by rank.

    """
    invocations: dict[int, str] = {}
    of_trace: dict[str, str] = {}
    for step in steps:
        told = word(step.span.attributes, _INVOCATION)
        if told is not None:
            invocations.setdefault(tops[step.rank].rank, told)
            of_trace.setdefault(step.span.trace_id, told)
    return {
        top.rank: invocations.get(top.rank) or of_trace.get(top.span.trace_id) or _trace(top.span)
        for top in steps
        if top.above is None
    }


def _trace(span: Frame) -> str:
    return span.trace_id or word(span.attributes, "gen_ai.conversation.id") or ""
