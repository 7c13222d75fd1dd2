"""Calls of tools, and what came of them, as our events.

The arguments are what the model wrote, else what the tool's span was given; the result is what the
span has, else what a model was told. What neither recorded is None, and makes no evidence.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pydantic import JsonValue

from audition.adapters.otlp.attributes import JsonObject, named, word
from audition.adapters.otlp.exchanges import ARGUMENTS, Exchange
from audition.adapters.otlp.frames import Frame
from audition.adapters.otlp.messages import read_offered
from audition.adapters.otlp.timeline import Timeline, seconds
from audition.adapters.otlp.turns import Step
from audition.adapters.otlp.usage import error_of
from audition.events import Event, MessageSent, MessageType, ToolOutcome, ToolReturned
from audition.tool_payloads import Arguments, Returned, read_arguments, read_returned
from audition.transcripts.events import Identity, Origin, called, came_back
from audition.values import structure_of

_CREDENTIAL = "adk_request_credential"
_TRANSFER = "transfer_to_agent"
_PLUMBING = {
    _CREDENTIAL,
    "adk_request_confirmation",
    "adk_request_input",
    _TRANSFER,
    "exit_loop",
    "set_model_response",
    "finish_task",
    "final_result",
}
_RESULT = (
    *("gen_ai.tool.call.result", "gcp.vertex.agent.tool_response", "tool_response"),
    "gen_ai.tool.result",
)
_CONTENT = tuple(
    f"gcp.vertex.agent.{name}"
    for name in ("llm_request", "llm_response", "tool_call_args", "tool_response")
)
_NAMELESS = "unnamed tool"
_UNSAID = ("", "N/A", "<not serializable>", '{"result": "<not specified>"}')
_RETRIED = "pydantic_ai.tool.retry.cause"
_DEFERRED = "pydantic_ai.tool.deferral.name"
_DEFERRALS = ("ApprovalRequired", "CallDeferred")


class Calls:
    """The calls of a record, one turn after the other.

    Attributes:
        returns: How many calls came back.
        unrecorded: How many of them without a result.

    Args:
        frames: All frames of the record: where ADK was told to keep content to itself, it puts
            "{}" in its place, which only the others tell from arguments that are empty.

    """

    def __init__(self, frames: Iterable[Frame]) -> None:
        self.returns = 0
        self.unrecorded = 0
        told = (frame.attributes.get(name) for frame in frames for name in _CONTENT)
        self._captured = any(value not in (None, "{}", *_UNSAID) for value in told)
        self._uses: Counter[tuple[str | None, str]] = Counter()
        self._pending: dict[tuple[str, str], Identity] = {}

    def add(
        self, exchange: Exchange, timeline: Timeline, spoke: int, cause_id: str | None
    ) -> tuple[Identity, bool]:
        """Put in the events of a call; return which one it is, and whether it stays open.

        Args:
            exchange: The call.
            timeline: Where the events go.
            spoke: When the model said it, in nanoseconds.
            cause_id: The message that was being handled.

        """
        step, name = exchange.step, exchange.name or _NAMELESS
        call_id = exchange.call_id or self._new_id(exchange.tool or step, step.run_id)
        identity = None
        if exchange.asker is None:
            identity = self._pending.pop((call_id, name), None)
        if identity is None:
            identity = self._identity(step, call_id, name)
            arguments = self._arguments(exchange)
            spoken: Origin = {
                "at": seconds(step, spoke),
                "agent": step.agent,
                "event_id": step.span.span_id or None,
                "cause_id": cause_id,
            }
            timeline.add(called(spoken, identity, arguments), step, spoke)
        outcome = self._add_return(exchange, identity, timeline, cause_id)
        if outcome is ToolOutcome.PENDING and exchange.told is not None:
            # Whoever did the work elsewhere, the model was told of it.
            outcome = self._add_return(replace(exchange, tool=None), identity, timeline, cause_id)
        if outcome is ToolOutcome.PENDING:
            self._pending[call_id, name] = identity
        return identity, outcome in {None, ToolOutcome.PENDING} and not identity["internal"]

    def _new_id(self, step: Step, run_id: str) -> str:
        """Return an id for a call without one: its span may tell of several."""
        span_id = step.span.span_id
        uses = self._uses[run_id or None, span_id]
        return f"{span_id}:{uses + 1}" if uses else span_id

    def _identity(self, step: Step, call_id: str, name: str) -> Identity:
        run_id = step.run_id or None
        self._uses[run_id, call_id] += 1
        uses = self._uses[run_id, call_id]
        return {
            "run_id": run_id if uses == 1 else f"{run_id or ''}#{uses}",
            "tool_call_id": call_id,
            "tool_name": name,
            "internal": name in _PLUMBING,
        }

    def _arguments(self, exchange: Exchange) -> Arguments:
        if exchange.name == _CREDENTIAL:
            return Arguments()
        if exchange.asked is not None and exchange.asked.body is not None:
            return read_arguments(exchange.asked.body)
        return read_arguments(None if exchange.tool is None else self._given(exchange.tool))

    def _given(self, tool: Step) -> JsonValue:
        """Return the arguments that the span of a tool has."""
        given = self._recorded(tool, ARGUMENTS)
        events = {event.name: event.attributes for event in tool.span.events}
        # The span of a tool that tells its result as a choice tells its input as a message.
        if given is None and "gen_ai.choice" in events:
            return events.get("gen_ai.tool.message", {}).get("content")
        return given

    def _recorded(self, tool: Step, names: Sequence[str]) -> JsonValue:
        """Return the first of the attributes, else the first such one of an event."""
        spans = (tool.span, *tool.views)
        events = (event.attributes for span in spans for event in span.events)
        for attributes in (*(span.attributes for span in spans), *events):
            value = named(attributes, *names)
            hidden = value == "{}" and not self._captured and _is_adk(attributes, names)
            if value is not None and value not in _UNSAID and not hidden:
                return value
        return None

    def _add_return(
        self, exchange: Exchange, identity: Identity, timeline: Timeline, cause_id: str | None
    ) -> ToolOutcome | None:
        """Put in what came back; return how the call ended, None where nothing says that it did."""
        ended = _end(exchange)
        if ended is None:
            return None
        step, at = ended
        returned, outcome = self._returned(exchange)
        self.returns += 1
        self.unrecorded += returned is None and outcome is not ToolOutcome.PENDING
        origin: Origin = {
            "at": seconds(step, at),
            "agent": exchange.step.agent,
            "event_id": step.span.span_id or None,
            "cause_id": cause_id,
        }
        events: list[Event] = []
        if returned is None:
            events.append(ToolReturned(**origin, **identity, outcome=outcome))
        else:
            events += came_back(origin, identity, returned, outcome=outcome)
        target = _target(identity["tool_name"], self._arguments(exchange))
        if target is not None and outcome is ToolOutcome.OK:
            message_type = MessageType.INSTRUCTION
            handed = MessageSent(**origin, recipient=target, message_type=message_type, content="")
            events.append(handed)
        is_told = step not in {exchange.tool, exchange.step}
        for event in events:
            timeline.add(event, step, at, is_told=is_told)
        return outcome

    def _returned(self, exchange: Exchange) -> tuple[Returned | None, ToolOutcome]:
        """Return what came back, None where that was not recorded, and how the call ended."""
        result = self._result(exchange)
        returned = None if result is None else _read_result(result)
        outcome = _outcome(exchange, returned)
        if exchange.name == _CREDENTIAL and returned is not None:
            returned = Returned(content="[withheld]")
        return returned, outcome

    def _result(self, exchange: Exchange) -> JsonValue:
        if exchange.tool is not None:
            result = self._recorded(exchange.tool, _RESULT)
            events = {event.name: event.attributes for event in exchange.tool.span.events}
            told = {**events.get("gen_ai.tool.message", {}), **events.get("gen_ai.choice", {})}
            result = named(told, "message", "content") if result is None else result
            if result is not None or _is_deferred(exchange.tool.span):
                return result
        return None if exchange.told is None else exchange.told.body


def _is_adk(attributes: JsonObject, names: Sequence[str]) -> bool:
    """Return whether the first of the attributes that is there is one of ADK's own."""
    found = next((name for name in names if attributes.get(name) is not None), "")
    return found.startswith("gcp.vertex.agent.")


def _end(exchange: Exchange) -> tuple[Step, int] | None:
    """Return which step tells the end of a call and when it was, None where none does."""
    if exchange.tool is not None and exchange.tool.span.end is not None:
        return exchange.tool, exchange.tool.end
    if exchange.told is None or exchange.told_by is None:
        return None
    step = exchange.told_by
    return step, step.end if step is exchange.asker else step.start


def _read_result(result: JsonValue) -> Returned:
    """Return the content of a result; an object in a text is taken out of its envelope."""
    structure = structure_of(result) if isinstance(result, str) else None
    return read_returned(structure if isinstance(structure, dict) else result)


def _outcome(exchange: Exchange, returned: Returned | None) -> ToolOutcome:
    told = ToolOutcome.OK if returned is None else returned.outcome
    if _is_unknown(exchange):
        return ToolOutcome.TOOL_ERROR
    if exchange.tool is None or told in {ToolOutcome.REJECTED, ToolOutcome.PENDING}:
        return told
    span = exchange.tool.span
    if _is_deferred(span):
        return ToolOutcome.PENDING
    failed = error_of(span) is not None or span.attributes.get("gen_ai.tool.status") == "error"
    return ToolOutcome.TOOL_ERROR if failed or _RETRIED in span.attributes else told


def _is_unknown(exchange: Exchange) -> bool:
    """Return whether the model asked for a tool that it was not offered, and that nobody ran."""
    asker = exchange.asker
    if asker is None or exchange.tool is not None or exchange.told_by is asker:
        return False  # what a provider runs itself is told with the call
    offered = read_offered([asker.span, *asker.views])
    return bool(offered) and exchange.name not in offered


def _is_deferred(span: Frame) -> bool:
    """Return whether a tool waits for an approval, or for whoever does its work elsewhere."""
    raised = (error_of(span) or "").partition(":")[0]
    return (word(span.attributes, _DEFERRED) or raised).endswith(_DEFERRALS)


def _target(name: str, arguments: Arguments) -> str | None:
    """Return whom a transfer names."""
    if name != _TRANSFER or not isinstance(arguments.value, dict):
        return None
    return word(arguments.value, "agent_name", "agentName")
